import type { OwnPlayerView } from "@holo/protocol/views.ts";
import { useState } from "react";
import { callApi } from "../../lib/api.ts";
import type { FailureWords } from "../../ui/failure.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { notify } from "../../ui/notify.ts";
import { TextField } from "../../ui/text-field.tsx";
import { isAboutNewPassword } from "./new-password.ts";
import { NewPasswordFields } from "./new-password-fields.tsx";
import { useNewPassword } from "./use-new-password.ts";

interface PasswordDialogProps {
  readonly player: OwnPlayerView;
  readonly onClose: () => void;
  /** The password is another one, and other devices were logged out. */
  readonly onChanged: () => void;
}

const TITLE = "Not changed";

/** Asks for the present password before it takes another. */
export function PasswordDialog({ player, onClose, onChanged }: PasswordDialogProps) {
  const [present, setPresent] = useState("");
  const [failure, setFailure] = useState<FailureWords | null>(null);
  const [isSending, setSending] = useState(false);
  const draft = useNewPassword(() => setFailure(null));

  async function submit() {
    if (present === "") return setFailure({ title: TITLE, text: "Please fill in all fields" });
    const fault = draft.check();
    if (fault !== null) return setFailure({ title: TITLE, text: fault.text });
    setSending(true);
    const answer = await callApi("changePassword", { body: { password: present, newPassword: draft.password } });
    setSending(false);
    if (!answer.ok) {
      if (isAboutNewPassword(answer.refusal)) draft.blame(answer.refusal.text);
      return setFailure({ title: TITLE, text: answer.refusal.text });
    }
    notify({ kind: "done", title: "Password changed", text: "Your other devices were logged out." });
    onChanged();
  }

  return (
    <FormDialog
      title="Change Your Password?"
      act="Change Password"
      busy={isSending && "Changing..."}
      stay="Not Now"
      failure={failure}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>This device stays logged in, all others are logged out.</p>
      {/* for password managers, which otherwise do not know whose password this is */}
      <input type="text" autoComplete="username" value={player.email} readOnly hidden />
      <TextField
        label="Present password"
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
