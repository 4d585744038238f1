import { TextField } from "../../ui/text-field.tsx";
import type { NewPasswordFault } from "./new-password.ts";

interface NewPasswordFieldsProps {
  readonly password: string;
  readonly confirm: string;
  readonly fault: NewPasswordFault | null;
  readonly onPassword: (password: string) => void;
  readonly onConfirm: (confirm: string) => void;
}

/** A new password, twice. */
export function NewPasswordFields({ password, confirm, fault, onPassword, onConfirm }: NewPasswordFieldsProps) {
  return (
    <>
      <TextField
        label="New password"
        type="password"
        name="new-password"
        hint="Password must be at least 6 characters"
        autoComplete="new-password"
        value={password}
        error={fault?.field === "password" ? fault.text : undefined}
        onChange={(event) => onPassword(event.target.value)}
      />
      <TextField
        label="Confirm new password"
        type="password"
        name="confirm-password"
        autoComplete="new-password"
        value={confirm}
        error={fault?.field === "confirm" ? fault.text : undefined}
        onChange={(event) => onConfirm(event.target.value)}
      />
    </>
  );
}
