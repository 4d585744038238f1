import { Icon } from "../icon/icon.tsx";
import { Field, type FieldTexts } from "./field.tsx";
import "./select-field.css";

interface SelectFieldProps<Value extends string> extends FieldTexts {
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly text: string }[];
  readonly onChange: (value: Value) => void;
  readonly disabled?: boolean;
}

/** The native select, so that phones show their own picker. */
export function SelectField<Value extends string>({
  value,
  options,
  onChange,
  disabled = false,
  ...texts
}: SelectFieldProps<Value>) {
  return (
    <Field {...texts}>
      {(control) => (
        <span className="select-with-chevron">
          <select
            className="select"
            value={value}
            disabled={disabled}
            onChange={(event) => {
              const chosen = options.find((option) => option.value === event.target.value);
              if (chosen !== undefined) onChange(chosen.value);
            }}
            {...control}
          >
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.text}
              </option>
            ))}
          </select>
          <Icon name="chevron" />
        </span>
      )}
    </Field>
  );
}
