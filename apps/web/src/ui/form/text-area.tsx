import type { TextareaHTMLAttributes } from "react";
import { Field, type FieldTexts } from "./field.tsx";
import "./text-area.css";

interface TextAreaProps extends FieldTexts, Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "id" | "className"> {}

export function TextArea({ label, labelHidden, hint, error, ...rest }: TextAreaProps) {
  return (
    <Field label={label} labelHidden={labelHidden ?? false} hint={hint} error={error}>
      {(control) => <textarea className="input text-area" {...rest} {...control} />}
    </Field>
  );
}
