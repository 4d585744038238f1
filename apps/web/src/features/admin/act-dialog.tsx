import { type RefusalView, toRefusalView } from "@holo/protocol/refusals.ts";
import { type ReactNode, useState } from "react";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { notify } from "../../ui/notify.ts";
import { TextField } from "../../ui/text-field.tsx";
import { refreshAdmin } from "./use-overview.ts";

export interface ActWords {
  readonly title: string;
  readonly text: string;
  readonly act: string;
  readonly busy: string;
  /** What is said once it is done. */
  readonly done: string;
  /** More of it, where there is more to say than that it is logged. */
  readonly doneText?: string;
  /** Of the field for the reason. */
  readonly label: string;
  /** Who will read it. */
  readonly hint: string;
}

interface ActDialogProps {
  readonly words: ActWords;
  readonly reasonMax: number;
  /** Carries it out; what the server refuses stands in the dialog. */
  readonly send: (
    reason: string,
  ) => Promise<{ readonly ok: true } | { readonly ok: false; readonly refusal: RefusalView }>;
  readonly onClose: () => void;
  /** What else there is to choose, above the reason. */
  readonly children?: ReactNode;
}

/** Says what an act of the house does, and asks why before it is done. */
export function ActDialog({ words, reasonMax, send, onClose, children }: ActDialogProps) {
  const [reason, setReason] = useState("");
  const [error, setError] = useState<string>();
  const [failure, setFailure] = useState<RefusalView | null>(null);
  const [isSending, setSending] = useState(false);

  async function submit() {
    setFailure(null);
    if (reason.trim() === "") return setError(toRefusalView("reason_missing").text);
    setSending(true);
    const answer = await send(reason.trim());
    setSending(false);
    refreshAdmin();
    if (!answer.ok) return setFailure(answer.refusal);
    notify({ kind: "done", title: words.done, text: words.doneText ?? "It stands in the log of acts." });
    onClose();
  }

  return (
    <FormDialog
      title={words.title}
      act={words.act}
      busy={isSending && words.busy}
      failure={failure}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="muted">{words.text}</p>
      {children}
      <TextField
        label={words.label}
        hint={words.hint}
        error={error}
        maxLength={reasonMax}
        autoComplete="off"
        value={reason}
        onChange={(event) => {
          setReason(event.target.value);
          setError(undefined);
        }}
      />
    </FormDialog>
  );
}
