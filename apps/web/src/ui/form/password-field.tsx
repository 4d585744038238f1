import { TextField } from "./text-field.tsx";

interface PasswordFieldProps {
  readonly hint?: string;
  readonly error?: string | undefined;
  readonly value: string;
  readonly onChange: (password: string) => void;
}

export function PasswordField({ hint, error, value, onChange }: PasswordFieldProps) {
  return (
    <TextField
      label="Your password"
      type="password"
      autoComplete="current-password"
      hint={hint}
      error={error}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
