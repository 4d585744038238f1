import type { OwnPlayerView } from "@holo/protocol/views.ts";
import { type SubmitEvent, useId, useState } from "react";
import { callApi } from "../../lib/api.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Failure, type FailureWords } from "../../ui/failure.tsx";
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
  const formId = useId();
  const [present, setPresent] = useState("");
  const [failure, setFailure] = useState<FailureWords | null>(null);
  const [isSending, setSending] = useState(false);
  const draft = useNewPassword(() => setFailure(null));

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
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
    <Dialog
      title="Change Your Password?"
      onClose={isSending ? undefined : onClose}
      actions={
        <>
          <Button disabled={isSending} onClick={onClose}>
            Not Now
          </Button>
          <Button type="submit" form={formId} kind="primary" busy={isSending && "Changing..."}>
            Change Password
          </Button>
        </>
      }
    >
      <form id={formId} className="account-dialog" noValidate onSubmit={(event) => void submit(event)}>
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
        {failure !== null && <Failure words={failure} />}
      </form>
    </Dialog>
  );
}
