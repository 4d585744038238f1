import type { ExclusionTerm } from "@holo/protocol/views.ts";
import { type SubmitEvent, useId, useState } from "react";
import { callApi } from "../../lib/api.ts";
import { takeLimits } from "../../lib/session.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Failure, type FailureWords } from "../../ui/failure.tsx";
import { notify } from "../../ui/notify.ts";
import { formatBreak } from "../../ui/permit.ts";
import { formatMoment } from "../../ui/relative-time.ts";
import { SelectField } from "../../ui/select-field.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { useNow } from "../../ui/use-now.ts";
import { TERM_TEXTS, toBreakEnd, toLongerTerms } from "./limits-text.ts";

interface ExclusionDialogProps {
  /** Until when a break lasts that has begun already (ms since 1970); null: there is none. */
  readonly excludedUntil: number | null;
  readonly onClose: () => void;
}

const NO_PASSWORD: FailureWords = { title: "Confirm it is you", text: "Please enter your password." };

/** Says what cannot be undone before it is done. */
export function ExclusionDialog({ excludedUntil, onClose }: ExclusionDialogProps) {
  const formId = useId();
  const now = useNow(30_000);
  // a shorter one would change nothing
  const terms = toLongerTerms(excludedUntil, now);
  const [term, setTerm] = useState<ExclusionTerm>(terms[0] ?? "half_year");
  const [password, setPassword] = useState("");
  const [failure, setFailure] = useState<FailureWords | null>(null);
  const [isSending, setSending] = useState(false);

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (password === "") return setFailure(NO_PASSWORD);
    setSending(true);
    const answer = await callApi("excludeSelf", { body: { term, password } });
    setSending(false);
    if (!answer.ok) return setFailure(answer.refusal);
    takeLimits(answer.value);
    const until = answer.value.excludedUntil;
    if (until !== null) notify({ kind: "done", title: "Your break has begun", text: formatBreak(until, Date.now()) });
    onClose();
  }

  return (
    <Dialog
      title="Take a Break?"
      onClose={isSending ? undefined : onClose}
      actions={
        <>
          <Button disabled={isSending} onClick={onClose}>
            Not Now
          </Button>
          <Button kind="danger" type="submit" form={formId} busy={isSending && "Starting..."}>
            Start Break
          </Button>
        </>
      }
    >
      <form id={formId} className="exclusion" noValidate onSubmit={(event) => void submit(event)}>
        <p>
          Until it is over you can neither deposit nor play, and nobody can end it sooner, not even we. A match that
          waits for an opponent is cancelled and refunded; a game that has begun goes on. You can withdraw at any time.
        </p>
        <SelectField
          label="For how long"
          value={term}
          hint={`It ends ${formatMoment(toBreakEnd(term, now), now)}.`}
          options={terms.map((value) => ({ value, text: TERM_TEXTS[value] }))}
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
