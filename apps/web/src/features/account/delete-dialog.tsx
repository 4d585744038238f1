import { type SubmitEvent, useId, useState } from "react";
import { callApi } from "../../lib/api.ts";
import { loadSession } from "../../lib/session.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Failure, type FailureWords } from "../../ui/failure.tsx";
import { notify } from "../../ui/notify.ts";
import { TextField } from "../../ui/text-field.tsx";

const TITLE = "Not deleted";

/** Says what goes and what stays before it is done, since nothing brings it back. */
export function DeleteDialog({ onClose }: { readonly onClose: () => void }) {
  const formId = useId();
  const [password, setPassword] = useState("");
  const [failure, setFailure] = useState<FailureWords | null>(null);
  const [isSending, setSending] = useState(false);

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (password === "") return setFailure({ title: TITLE, text: "Please enter your password." });
    setSending(true);
    const answer = await callApi("deleteAccount", { body: { password } });
    setSending(false);
    if (!answer.ok) return setFailure({ title: TITLE, text: answer.refusal.text });
    notify({ kind: "done", title: "Account deleted" });
    await loadSession();
  }

  return (
    <Dialog
      title="Delete Your Account?"
      onClose={isSending ? undefined : onClose}
      actions={
        <>
          <Button disabled={isSending} onClick={onClose}>
            Not Now
          </Button>
          <Button kind="danger" type="submit" form={formId} busy={isSending && "Deleting..."}>
            Delete Account
          </Button>
        </>
      }
    >
      <form id={formId} className="closing-form" noValidate onSubmit={(event) => void submit(event)}>
        <p>
          Your name, email, password, devices, limits and bank accounts are removed for good, and nobody can bring them
          back.
        </p>
        <p className="small muted">
          What others were part of stays, under a name that is nobody's: your games, what you wrote in them, and the
          entries of the ledger. Download your data first if you want to keep it.
        </p>
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
        {failure !== null && <Failure words={failure} />}
      </form>
    </Dialog>
  );
}
