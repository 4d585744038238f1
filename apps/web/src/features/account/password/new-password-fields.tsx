import { useState } from "react";
import { TextField } from "../../../ui/form/text-field.tsx";
import { findNewPasswordError, type NewPasswordError } from "./new-password.ts";

export function useNewPassword(onChanged: () => void) {
  const [password, setPassword] = useState("");
  const [confirm, setConfirm] = useState("");
  const [error, setError] = useState<NewPasswordError | null>(null);

  function change(set: (text: string) => void) {
    return (text: string) => {
      set(text);
      setError(null);
      onChanged();
    };
  }

  return {
    password,
    fields: { password, confirm, error, onPassword: change(setPassword), onConfirm: change(setConfirm) },
    check(): NewPasswordError | null {
      const found = findNewPasswordError(password, confirm);
      setError(found);
      return found;
    },
    blame(text: string) {
      setError({ field: "password", text });
    },
  };
}

interface NewPasswordFieldsProps {
  readonly password: string;
  readonly confirm: string;
  readonly error: NewPasswordError | null;
  readonly onPassword: (password: string) => void;
  readonly onConfirm: (confirm: string) => void;
}

export function NewPasswordFields({ password, confirm, error, onPassword, onConfirm }: NewPasswordFieldsProps) {
  return (
    <>
      <TextField
        label="New password"
        type="password"
        name="new-password"
        hint="Password must be at least 6 characters"
        autoComplete="new-password"
        value={password}
        error={error?.field === "password" ? error.text : undefined}
        onChange={(event) => onPassword(event.target.value)}
      />
      <TextField
        label="Confirm new password"
        type="password"
        name="confirm-password"
        autoComplete="new-password"
        value={confirm}
        error={error?.field === "confirm" ? error.text : undefined}
        onChange={(event) => onConfirm(event.target.value)}
      />
    </>
  );
}
