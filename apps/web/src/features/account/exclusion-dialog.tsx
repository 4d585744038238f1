import { EXCLUSION_TERMS, type ExclusionTerm, type LimitsView } from "@holo/protocol/views.ts";
import { type SubmitEvent, useId, useState } from "react";
import { callApi } from "../../lib/api.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Failure, type FailureWords } from "../../ui/failure.tsx";
import { SelectField } from "../../ui/select-field.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { TERM_TEXTS } from "./limits-text.ts";

interface ExclusionDialogProps {
  readonly onClose: () => void;
  readonly onExcluded: (limits: LimitsView) => void;
}

/** Says what cannot be undone before it is done. */
export function ExclusionDialog({ onClose, onExcluded }: ExclusionDialogProps) {
  const formId = useId();
  const [term, setTerm] = useState<ExclusionTerm>("day");
  const [password, setPassword] = useState("");
  const [failure, setFailure] = useState<FailureWords | null>(null);
  const [isSending, setSending] = useState(false);

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    setSending(true);
    const answer = await callApi("excludeSelf", { body: { term, password } });
    setSending(false);
    if (!answer.ok) return setFailure(answer.refusal);
    onExcluded(answer.value);
    onClose();
  }

  return (
    <Dialog
      title="Take a Break?"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Not Now</Button>
          <Button kind="danger" type="submit" form={formId} busy={isSending && "Starting..."}>
            Start Break
          </Button>
        </>
      }
    >
      <form id={formId} className="exclusion" noValidate onSubmit={(event) => void submit(event)}>
        <p>
          Until it is over you can neither deposit nor play, and nobody can end it sooner. A game that waits is
          cancelled and refunded, one that is played goes on. You can withdraw at any time.
        </p>
        <SelectField
          label="For how long"
          value={term}
          options={EXCLUSION_TERMS.map((value) => ({ value, text: TERM_TEXTS[value] }))}
          onChange={setTerm}
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
