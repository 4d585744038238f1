import type { OwnPlayerView } from "@holo/protocol/session.ts";
import { useState } from "react";
import { callApi } from "../../../lib/api/api.ts";
import type { FailureText } from "../../../ui/feedback/failure-note.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { FormDialog } from "../../../ui/overlay/form-dialog.tsx";
import { notify } from "../../../ui/overlay/notify.ts";

interface SwitchOffDialogProps {
  readonly player: OwnPlayerView;
  readonly onClose: () => void;
}

export default function SwitchOffDialog({ player, onClose }: SwitchOffDialogProps) {
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const [failure, setFailure] = useState<FailureText | null>(null);
  const [isSending, setSending] = useState(false);

  async function submit() {
    setSending(true);
    const answer = await callApi("disableSecondFactor", { body: { password, code: code.trim() } });
    setSending(false);
    if (!answer.ok) return setFailure(answer.refusal);
    notify({ kind: "done", title: "Login codes are off" });
    onClose();
  }

  return (
    <FormDialog
      title="Switch Off Login Codes?"
      submitText="Switch Off"
      kind="danger"
      busyText={isSending && "Switching off..."}
      failure={failure}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>You'll log in and withdraw with your password only. Your recovery codes stop working.</p>
      <input type="text" autoComplete="username" value={player.email} readOnly hidden />
      <TextField
        label="Your password"
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={(event) => {
          setPassword(event.target.value);
          setFailure(null);
        }}
      />
      <TextField
        label="Code"
        hint="From your authenticator app, or a recovery code."
        autoComplete="one-time-code"
        value={code}
        onChange={(event) => {
          setCode(event.target.value);
          setFailure(null);
        }}
      />
    </FormDialog>
  );
}
