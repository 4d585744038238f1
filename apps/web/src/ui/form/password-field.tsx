import type { FailureText } from "../feedback/failure-note.tsx";
import { TextField } from "./text-field.tsx";

export const PASSWORD_MISSING: FailureText = { title: "Confirm it's you", text: "Please enter your password." };

interface PasswordFieldProps {
  readonly hint?: string;
  readonly value: string;
  readonly onChange: (password: string) => void;
}

export function PasswordField({ hint, value, onChange }: PasswordFieldProps) {
  return (
    <TextField
      label="Your password"
      type="password"
      autoComplete="current-password"
      hint={hint}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
