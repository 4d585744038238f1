import type { RefusalView } from "@holo/protocol/refusals/refusals.ts";
import { type ReactNode, useState } from "react";
import { toFailure } from "../../lib/api/failure.ts";
import { useAttempts } from "../../ui/form/attempts.ts";
import { toLengthFault } from "../../ui/form/characters.ts";
import { TextArea } from "../../ui/form/text-field.tsx";
import { FormDialog } from "../../ui/overlay/form-dialog.tsx";
import { notify } from "../../ui/overlay/notify.ts";
import { refreshAdmin } from "./admin-queries.ts";

const MISSING = {
  Reason: "Please write the reason.",
  "What you found": "Please write what you found.",
  Evidence: "Please write the evidence.",
  Note: "Please write the note.",
  Answer: "Please write the answer.",
} as const;

export interface ReasonDialogTexts {
  readonly title: string;
  readonly body: string;
  /** The way out, where "Cancel" could be taken for the action. */
  readonly keep?: string;
  readonly submit: string;
  readonly busy: string;
  readonly done: string;
  /** Toast text, if the default does not fit. */
  readonly doneText?: string;
  readonly reasonLabel: keyof typeof MISSING;
  readonly reasonHint: string;
}

/** A refusal of null is shown by the dialog's own fields. */
export type SendAnswer = { readonly ok: true } | { readonly ok: false; readonly refusal: RefusalView | null };

interface ReasonDialogProps {
  readonly texts: ReasonDialogTexts;
  readonly reasonMax: number;
  /** The text that it begins with. */
  readonly initial?: string;
  readonly kind?: "primary" | "danger";
  readonly send: (reason: string) => Promise<SendAnswer>;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

export function ReasonDialog({
  texts,
  reasonMax,
  initial = "",
  kind = "primary",
  send,
  onClose,
  children,
}: ReasonDialogProps) {
  const [reason, setReason] = useState(initial);
  const [error, setError] = useState<string>();
  const { failure, setFailure, attempt } = useAttempts();
  const [isSending, setSending] = useState(false);

  async function submit() {
    setFailure(null);
    if (reason.trim() === "") return setError(MISSING[texts.reasonLabel]);
    if (toLengthFault(reason, reasonMax) !== undefined) return;
    setSending(true);
    const answer = await attempt(() => send(reason.trim()));
    setSending(false);
    if (answer === null) return;
    refreshAdmin();
    if (!answer.ok) return setFailure(answer.refusal && toFailure(answer.refusal));
    notify({ kind: "done", title: texts.done, text: texts.doneText ?? "Kept in the activity log." });
    onClose();
  }

  return (
    <FormDialog
      title={texts.title}
      kind={kind}
      cancelText={texts.keep ?? "Cancel"}
      submitText={texts.submit}
      busyText={isSending && texts.busy}
      failure={failure}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="muted">{texts.body}</p>
      {children}
      <TextArea
        label={texts.reasonLabel}
        hint={texts.reasonHint}
        error={error}
        rows={initial === "" ? 3 : 8}
        charactersMax={reasonMax}
        autoComplete="off"
        value={reason}
        onChange={(event) => {
          setReason(event.target.value);
          setError(undefined);
          setFailure(null);
        }}
      />
    </FormDialog>
  );
}
