import type { Result } from "@holo/kernel/result.ts";
import { type RefusalView, toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import { type ReactNode, useState } from "react";
import { useAttempts } from "../../ui/form/attempts.ts";
import { PASSWORD_MISSING } from "../../ui/form/password-missing.ts";
import { TextField } from "../../ui/form/text-field.tsx";
import { FormDialog } from "../../ui/overlay/form-dialog.tsx";

interface Credentials {
  readonly password: string;
  /** Without surrounding spaces. */
  readonly code: string;
}

interface CredentialsDialogProps<Value> {
  readonly title: string;
  readonly submitText: string;
  readonly busyText: string;
  readonly kind?: "primary" | "danger";
  readonly cancelText?: "Cancel" | "Not Now";
  /** Requires the password of the account with this email, for password managers. */
  readonly email?: string;
  /** Requires a code of the second factor. A recovery code has letters. */
  readonly code?: { readonly label: string; readonly hint?: string; readonly isNumeric?: true };
  readonly send: (credentials: Credentials) => Promise<Result<Value, RefusalView>>;
  readonly onDone: (value: Value) => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Confirms an action by the password, a code of the second factor, or both. */
export function CredentialsDialog<Value>(props: CredentialsDialogProps<Value>) {
  const { email, code, send, onDone, busyText, children, ...dialog } = props;
  const [given, setGiven] = useState<Credentials>({ password: "", code: "" });
  const { failure, setFailure, attempt } = useAttempts();
  const [isSending, setSending] = useState(false);

  async function submit() {
    if (email !== undefined && given.password === "") return setFailure(PASSWORD_MISSING);
    if (code !== undefined && given.code.trim() === "") return setFailure(toRefusalView("second_factor_required"));
    setSending(true);
    const answer = await attempt(() => send({ ...given, code: given.code.trim() }));
    setSending(false);
    if (answer === null) return;
    if (answer.ok) onDone(answer.value);
    else setFailure(answer.refusal);
  }

  function bind(field: keyof Credentials) {
    return {
      value: given[field],
      onChange: (event: { readonly target: { readonly value: string } }) => {
        setGiven({ ...given, [field]: event.target.value });
        setFailure(null);
      },
    };
  }

  return (
    <FormDialog {...dialog} busyText={isSending && busyText} failure={failure} onSubmit={submit}>
      {children}
      {email !== undefined && (
        <>
          <input type="text" autoComplete="username" value={email} readOnly hidden />
          <TextField label="Your password" type="password" autoComplete="current-password" {...bind("password")} />
        </>
      )}
      {code !== undefined && (
        <TextField
          label={code.label}
          hint={code.hint}
          autoComplete="one-time-code"
          inputMode={code.isNumeric && "numeric"}
          {...bind("code")}
        />
      )}
    </FormDialog>
  );
}
