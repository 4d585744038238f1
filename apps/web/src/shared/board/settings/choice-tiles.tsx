import { type ReactNode, useId } from "react";
import "./choice-tiles.css";

interface ChoiceTilesProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly text: string; readonly picture: ReactNode }[];
  readonly onChange: (value: Value) => void;
}

/** Pictures to choose from, built on radio buttons. On phones they are one row to swipe. */
export function ChoiceTiles<Value extends string>({ label, value, options, onChange }: ChoiceTilesProps<Value>) {
  const name = useId();
  return (
    <fieldset className="choice-tiles">
      <legend>{label}</legend>
      <div className="tiles">
        {options.map((option) => (
          <label key={option.value}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            {option.picture}
            <span>{option.text}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
