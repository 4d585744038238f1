import { useState } from "react";
import { callApi } from "../../../lib/api/api.ts";
import { loadSession } from "../../../lib/session/session.ts";
import type { FailureText } from "../../../ui/feedback/failure-note.tsx";
import { PASSWORD_MISSING, PasswordField } from "../../../ui/form/password-field.tsx";
import { FormDialog } from "../../../ui/overlay/form-dialog.tsx";
import { notify } from "../../../ui/overlay/notify.ts";

const FAILURE_TITLE = "Not deleted";

export function DeleteAccountDialog({ onClose }: { readonly onClose: () => void }) {
  const [password, setPassword] = useState("");
  const [failure, setFailure] = useState<FailureText | null>(null);
  const [isSending, setSending] = useState(false);

  async function submit() {
    if (password === "") return setFailure({ ...PASSWORD_MISSING, title: FAILURE_TITLE });
    setSending(true);
    const answer = await callApi("deleteAccount", { body: { password } });
    setSending(false);
    if (!answer.ok) return setFailure({ title: FAILURE_TITLE, text: answer.refusal.text });
    notify({ kind: "done", title: "Account deleted" });
    await loadSession();
  }

  return (
    <FormDialog
      title="Delete Your Account?"
      submitText="Delete Account"
      kind="danger"
      busyText={isSending && "Deleting..."}
      cancelText="Not Now"
      failure={failure}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>
        Your name, email, password, devices, limits and bank accounts are removed for good, and nobody can bring them
        back.
      </p>
      <p className="small muted">
        What others were part of stays, under a name that is nobody's: your games, what you wrote in them, and the
        entries of the ledger. Download your data first if you want to keep it.
      </p>
      <p className="small muted">
        Deleting ends neither a break nor a block, and limits only a day later. Until then we keep a code by which your
        mailbox is known again, from which nobody can read your email, and it gets no new account.
      </p>
      <PasswordField
        value={password}
        onChange={(password) => {
          setPassword(password);
          setFailure(null);
        }}
      />
    </FormDialog>
  );
}
