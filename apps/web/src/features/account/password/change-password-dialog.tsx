import type { OwnPlayerView } from "@holo/protocol/accounts/session.ts";
import { useState } from "react";
import { callApi } from "../../../lib/api/api.ts";
import { useAttempts } from "../../../ui/form/attempts.ts";
import { TextField } from "../../../ui/form/text-field.tsx";
import { FormDialog } from "../../../ui/overlay/form-dialog.tsx";
import { notify } from "../../../ui/overlay/notify.ts";
import { isAboutNewPassword } from "./new-password.ts";
import { NewPasswordFields, useNewPassword } from "./new-password-fields.tsx";

interface ChangePasswordDialogProps {
  readonly player: OwnPlayerView;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

const FAILURE_TITLE = "Not changed";

export function ChangePasswordDialog({ player, onClose, onChanged }: ChangePasswordDialogProps) {
  const [present, setPresent] = useState("");
  const { failure, setFailure, attempt } = useAttempts();
  const [isSending, setSending] = useState(false);
  const draft = useNewPassword(() => setFailure(null));

  async function submit() {
    if (present === "") return setFailure({ title: FAILURE_TITLE, text: "Please fill in all fields" });
    const error = draft.check();
    if (error !== null) return setFailure({ title: FAILURE_TITLE, text: error.text });
    setSending(true);
    const answer = await attempt(() =>
      callApi("changePassword", { body: { password: present, newPassword: draft.password } }),
    );
    setSending(false);
    if (answer === null) return;
    if (!answer.ok) {
      if (isAboutNewPassword(answer.refusal)) draft.blame(answer.refusal.text);
      return setFailure({ title: FAILURE_TITLE, text: answer.refusal.text });
    }
    notify({ kind: "done", title: "Password changed", text: "Your other devices were logged out." });
    onChanged();
  }

  return (
    <FormDialog
      title="Change Your Password?"
      submitText="Change Password"
      busyText={isSending && "Changing..."}
      cancelText="Not Now"
      failure={failure}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>This device stays logged in, all others are logged out.</p>
      {/* Identifies the account for password managers. */}
      <input type="text" autoComplete="username" value={player.email} readOnly hidden />
      <TextField
        label="Current password"
        type="password"
        autoComplete="current-password"
        value={present}
        onChange={(event) => {
          setPresent(event.target.value);
          setFailure(null);
        }}
      />
      <NewPasswordFields {...draft.fields} />
    </FormDialog>
  );
}
