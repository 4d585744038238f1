import { toRefusalView } from "@holo/protocol/refusals.ts";
import type { OwnPlayerView } from "@holo/protocol/views.ts";
import { type SubmitEvent, useId, useState } from "react";
import { callApi } from "../../lib/api.ts";
import { useSession } from "../../lib/session.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Failure, type FailureWords } from "../../ui/failure.tsx";
import { Note } from "../../ui/note.tsx";
import { TextField } from "../../ui/text-field.tsx";

interface EmailDialogProps {
  readonly player: OwnPlayerView;
  readonly onClose: () => void;
  /** A link was mailed there, or to whoever has that address already. */
  readonly onAsked: (newEmail: string) => void;
}

const TITLE = "Not changed";

/** Asks for another address, which becomes the account's once it is verified. */
export function EmailDialog({ player, onClose, onAsked }: EmailDialogProps) {
  const { role } = useSession();
  const formId = useId();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [failure, setFailure] = useState<FailureWords | null>(null);
  const [isSending, setSending] = useState(false);

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const newEmail = email.trim();
    if (newEmail === "") return setFailure({ title: TITLE, text: toRefusalView("missing_email").text });
    if (password === "") return setFailure({ title: TITLE, text: "Please enter your password." });
    setSending(true);
    const answer = await callApi("changeEmail", { body: { email: newEmail, password } });
    setSending(false);
    if (!answer.ok) return setFailure({ title: TITLE, text: answer.refusal.text });
    onAsked(newEmail);
  }

  return (
    <Dialog
      title="Change Your Email?"
      onClose={isSending ? undefined : onClose}
      actions={
        <>
          <Button disabled={isSending} onClick={onClose}>
            Not Now
          </Button>
          <Button type="submit" form={formId} kind="primary" busy={isSending && "Sending..."}>
            Send Link
          </Button>
        </>
      }
    >
      <form id={formId} className="account-dialog" noValidate onSubmit={(event) => void submit(event)}>
        <p>
          We mail the new address a link. Once you open it you log in with that address, and your other devices are
          logged out. <span className="unbroken">{player.email}</span> is told.
        </p>
        {role !== null && (
          <Note icon="warn">
            Your {role === "ceo" ? "CEO" : "admin"} role stays with the old address: with another one you lose it at
            once.
          </Note>
        )}
        <TextField
          label="New email"
          type="email"
          name="email"
          autoComplete="email"
          value={email}
          onChange={(event) => {
            setEmail(event.target.value);
            setFailure(null);
          }}
        />
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
