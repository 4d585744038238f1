import type { OwnFairPlayView } from "@holo/protocol/fair-play.ts";
import { FAIR_PLAY_TEXT_MAX } from "@holo/protocol/fair-play-terms.ts";
import { type ReactNode, useState } from "react";
import type { ApiAnswer } from "../../../lib/api/api.ts";
import { toFailure } from "../../../lib/api/failure.ts";
import { useAttempts } from "../../../ui/form/attempts.ts";
import { toLengthFault } from "../../../ui/form/characters.ts";
import { TextArea } from "../../../ui/form/text-field.tsx";
import { FormDialog } from "../../../ui/overlay/form-dialog.tsx";
import { notify } from "../../../ui/overlay/notify.ts";

export interface WriteTexts {
  readonly title: string;
  readonly label: string;
  readonly hint: string;
  readonly missing: string;
  readonly submit: string;
  readonly done: string;
  readonly doneText: string;
}

interface WriteDialogProps {
  readonly texts: WriteTexts;
  readonly send: (text: string) => Promise<ApiAnswer<"writeToFairPlay" | "appealForfeit">>;
  readonly onSent: (changed: OwnFairPlayView) => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** One text to the people who decide. */
export function WriteDialog({ texts, send, onSent, onClose, children }: WriteDialogProps) {
  const [text, setText] = useState("");
  const [error, setError] = useState<string>();
  const [isSending, setSending] = useState(false);
  const { failure, setFailure, attempt } = useAttempts();

  async function submit() {
    if (text.trim() === "") return setError(texts.missing);
    if (toLengthFault(text, FAIR_PLAY_TEXT_MAX) !== undefined) return;
    setSending(true);
    const answer = await attempt(() => send(text.trim()));
    setSending(false);
    if (answer === null) return;
    if (!answer.ok) return setFailure(toFailure(answer.refusal));
    onSent(answer.value);
    notify({ kind: "done", title: texts.done, text: texts.doneText });
    onClose();
  }

  return (
    <FormDialog
      title={texts.title}
      submitText={texts.submit}
      busyText={isSending && "Sending..."}
      failure={failure}
      onSubmit={submit}
      onClose={onClose}
    >
      {children}
      <TextArea
        label={texts.label}
        hint={texts.hint}
        error={error}
        rows={5}
        charactersMax={FAIR_PLAY_TEXT_MAX}
        autoComplete="off"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setError(undefined);
          setFailure(null);
        }}
      />
    </FormDialog>
  );
}
