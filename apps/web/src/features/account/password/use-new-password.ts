import { useState } from "react";
import { findNewPasswordError, type NewPasswordError } from "./new-password.ts";

/** State of the two fields for a new password. */
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
    /** Props for `NewPasswordFields`. */
    fields: { password, confirm, error, onPassword: change(setPassword), onConfirm: change(setConfirm) },
    /** Shows and returns the error, null if the password can be sent. */
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
