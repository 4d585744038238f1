import { type InputHTMLAttributes, type MouseEvent, type TextareaHTMLAttributes, useState } from "react";
import { Icon, type IconName } from "../icon/icon.tsx";
import { toLengthFault } from "./characters.ts";
import { Field, type FieldTexts } from "./field.tsx";
import "./text-field.css";

type PasswordInputProps = Omit<InputHTMLAttributes<HTMLInputElement>, "type" | "className">;

function PasswordInput(props: PasswordInputProps) {
  const [isShown, setShown] = useState(false);
  return (
    <span className="password-input">
      <input
        {...props}
        className="input"
        type={isShown ? "text" : "password"}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
      />
      <button type="button" onMouseDown={keepFocus} onClick={() => setShown(!isShown)}>
        {isShown ? "Hide" : "Show"}
        <span className="visually-hidden"> password</span>
      </button>
    </span>
  );
}

/** Keeps the focus in the input, so that a phone's keyboard stays open. */
function keepFocus(event: MouseEvent): void {
  event.preventDefault();
}

interface LimitedTexts extends FieldTexts {
  /** A longer text is refused in words; `maxLength` would cut what is pasted. */
  readonly charactersMax?: number;
}

function findLengthFault(value: unknown, charactersMax: number | undefined): string | undefined {
  return typeof value === "string" && charactersMax !== undefined ? toLengthFault(value, charactersMax) : undefined;
}

type InputProps = Omit<InputHTMLAttributes<HTMLInputElement>, "id" | "className" | "maxLength">;

interface TextFieldProps extends LimitedTexts, InputProps {
  readonly icon?: IconName;
}

export function TextField({ label, labelHidden, hint, error, charactersMax, icon, type, ...rest }: TextFieldProps) {
  return (
    <Field
      label={label}
      labelHidden={labelHidden ?? false}
      hint={hint}
      error={error ?? findLengthFault(rest.value, charactersMax)}
    >
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

type AreaProps = Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "id" | "className" | "maxLength">;

interface TextAreaProps extends LimitedTexts, AreaProps {}

export function TextArea({ label, labelHidden, hint, error, charactersMax, ...rest }: TextAreaProps) {
  return (
    <Field
      label={label}
      labelHidden={labelHidden ?? false}
      hint={hint}
      error={error ?? findLengthFault(rest.value, charactersMax)}
    >
      {(control) => <textarea className="input text-area" {...rest} {...control} />}
    </Field>
  );
}
