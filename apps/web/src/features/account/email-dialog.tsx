import { toRefusalView } from "@holo/protocol/refusals.ts";
import type { OwnPlayerView } from "@holo/protocol/views.ts";
import { useState } from "react";
import { callApi } from "../../lib/api.ts";
import { useSession } from "../../lib/session.ts";
import type { FailureWords } from "../../ui/failure.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Note } from "../../ui/note.tsx";
import { PASSWORD_MISSING, PasswordField } from "../../ui/password-field.tsx";
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
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [failure, setFailure] = useState<FailureWords | null>(null);
  const [isSending, setSending] = useState(false);

  async function submit() {
    const newEmail = email.trim();
    if (newEmail === "") return setFailure({ title: TITLE, text: toRefusalView("missing_email").text });
    if (password === "") return setFailure({ ...PASSWORD_MISSING, title: TITLE });
    setSending(true);
    const answer = await callApi("changeEmail", { body: { email: newEmail, password } });
    setSending(false);
    if (!answer.ok) return setFailure({ title: TITLE, text: answer.refusal.text });
    onAsked(newEmail);
  }

  return (
    <FormDialog
      title="Change Your Email?"
      act="Send Link"
      busy={isSending && "Sending..."}
      stay="Not Now"
      failure={failure}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>
        We mail the new address a link. Once you open it you log in with that address, and your other devices are logged
        out. <span className="unbroken">{player.email}</span> is told.
      </p>
      {role !== null && (
        <Note icon="warn">
          Your {role === "ceo" ? "CEO" : "admin"} role stays with the old address: with another one you lose it at once.
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
