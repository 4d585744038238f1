import type { OwnPlayerView } from "@holo/protocol/accounts/session.ts";
import { toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import { useState } from "react";
import { callApi } from "../../../lib/api/api.ts";
import { useSession } from "../../../lib/session/session.ts";
import { Note } from "../../../ui/feedback/note.tsx";
import { useAttempts } from "../../../ui/form/attempts.ts";
import { PasswordField } from "../../../ui/form/password-field.tsx";
import { PASSWORD_MISSING } from "../../../ui/form/password-missing.ts";
import { TextField } from "../../../ui/form/text-field.tsx";
import { FormDialog } from "../../../ui/overlay/form-dialog.tsx";

interface ChangeEmailDialogProps {
  readonly player: OwnPlayerView;
  readonly onClose: () => void;
  readonly onAsked: (newEmail: string) => void;
}

const FAILURE_TITLE = "Not changed";

export function ChangeEmailDialog({ player, onClose, onAsked }: ChangeEmailDialogProps) {
  const { role } = useSession();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const { failure, setFailure, attempt } = useAttempts();
  const [busy, setBusy] = useState<string | false>(false);

  async function submit() {
    const newEmail = email.trim();
    if (newEmail === "") return setFailure({ title: FAILURE_TITLE, text: toRefusalView("missing_email").text });
    if (password === "") return setFailure({ ...PASSWORD_MISSING, title: FAILURE_TITLE });
    setBusy("Sending...");
    const answer = await attempt(() => callApi("changeEmail", { body: { email: newEmail, password } }));
    setBusy(false);
    if (answer === null) return;
    if (!answer.ok) return setFailure({ title: FAILURE_TITLE, text: answer.refusal.text });
    onAsked(newEmail);
  }

  return (
    <FormDialog
      title="Change Your Email?"
      submitText="Send Link"
      busyText={busy}
      cancelText="Not Now"
      failure={failure}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>
        We'll email a link to the new address. Once you open it, you log in with that address, and your other devices
        are logged out. We also tell{" "}
        <span className="unbroken" translate="no">
          {player.email}
        </span>
        .
      </p>
      {role !== null && (
        <Note icon="warn">
          Your {role === "ceo" ? "CEO" : "admin"} role belongs to the old address. You lose it if you change the
          address.
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
