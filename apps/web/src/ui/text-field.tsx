import type { InputHTMLAttributes } from "react";
import { Field, type FieldTexts } from "./field.tsx";
import { Icon, type IconName } from "./icon.tsx";
import { PasswordInput } from "./password-input.tsx";
import "./text-field.css";

interface TextFieldProps extends FieldTexts, Omit<InputHTMLAttributes<HTMLInputElement>, "id" | "className"> {
  /** Stands inside the field, at its start. */
  readonly icon?: IconName;
}

export function TextField({ label, labelHidden, hint, error, icon, type, ...rest }: TextFieldProps) {
  return (
    <Field label={label} labelHidden={labelHidden ?? false} hint={hint} error={error}>
      {(control) =>
        type === "password" ? (
          <PasswordInput {...rest} {...control} />
        ) : icon === undefined ? (
          <input className="input" type={type} {...rest} {...control} />
        ) : (
          <span className="input-with-icon">
            <Icon name={icon} />
            <input className="input" type={type} {...rest} {...control} />
          </span>
        )
      }
    </Field>
  );
}
