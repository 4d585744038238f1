import { useState } from "react";
import { findNewPasswordFault, type NewPasswordFault } from "./new-password.ts";

/** A new password as it is being written, and what is wrong with it. */
export function useNewPassword(onChanged: () => void) {
  const [password, setPassword] = useState("");
  const [confirm, setConfirm] = useState("");
  const [fault, setFault] = useState<NewPasswordFault | null>(null);

  function change(set: (text: string) => void) {
    return (text: string) => {
      set(text);
      setFault(null);
      onChanged();
    };
  }

  return {
    password,
    /** What to give its fields. */
    fields: { password, confirm, fault, onPassword: change(setPassword), onConfirm: change(setConfirm) },
    /** What is wrong, shown at its field; null where it may be sent. */
    check(): NewPasswordFault | null {
      const found = findNewPasswordFault(password, confirm);
      setFault(found);
      return found;
    },
    /** Shows at its field what the server found wrong. */
    blame(text: string) {
      setFault({ field: "password", text });
    },
  };
}
