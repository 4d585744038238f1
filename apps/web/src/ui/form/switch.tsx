import { useId } from "react";
import "./switch.css";

interface SwitchProps {
  readonly label: string;
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
  readonly disabled?: boolean;
}

export function Switch({ label, on, onChange, disabled = false }: SwitchProps) {
  const labelId = useId();
  return (
    <span className="switch-row">
      <span id={labelId}>{label}</span>
      <button
        type="button"
        role="switch"
        aria-checked={on}
        aria-labelledby={labelId}
        className="switch"
        disabled={disabled}
        onClick={() => onChange(!on)}
      />
    </span>
  );
}
