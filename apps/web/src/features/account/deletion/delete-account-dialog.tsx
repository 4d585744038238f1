import { useState } from "react";
import { callApi } from "../../../lib/api/api.ts";
import { loadSession } from "../../../lib/session/session.ts";
import { useAttempts } from "../../../ui/form/attempts.ts";
import { PasswordField } from "../../../ui/form/password-field.tsx";
import { PASSWORD_MISSING } from "../../../ui/form/password-missing.ts";
import { FormDialog } from "../../../ui/overlay/form-dialog.tsx";
import { notify } from "../../../ui/overlay/notify.ts";

const FAILURE_TITLE = "Not deleted";

export function DeleteAccountDialog({ onClose }: { readonly onClose: () => void }) {
  const [password, setPassword] = useState("");
  const { failure, setFailure, attempt } = useAttempts();
  const [isSending, setSending] = useState(false);

  async function submit() {
    if (password === "") return setFailure({ ...PASSWORD_MISSING, title: FAILURE_TITLE });
    setSending(true);
    const answer = await attempt(() => callApi("deleteAccount", { body: { password } }));
    setSending(false);
    if (answer === null) return;
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
        We remove your name, email, password, devices, limits and bank accounts for good. Nobody can bring them back.
      </p>
      <p className="small muted">
        Games, chat and ledger entries that involve others stay, without your name. Download your data first if you want
        to keep it.
      </p>
      <p className="small muted">
        Deleting your account doesn't end a break or a block, and ends limits only a day later. Until then we keep a
        code that recognizes your email without revealing it, and you can't create a new account with it.
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
