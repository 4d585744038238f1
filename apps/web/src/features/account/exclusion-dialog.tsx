import type { ExclusionTerm } from "@holo/protocol/limit-views.ts";
import { useState } from "react";
import { callApi } from "../../lib/api.ts";
import { takeLimits } from "../../lib/session.ts";
import type { FailureWords } from "../../ui/failure.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { notify } from "../../ui/notify.ts";
import { PASSWORD_MISSING, PasswordField } from "../../ui/password-field.tsx";
import { formatBreak } from "../../ui/permit.ts";
import { formatMoment } from "../../ui/relative-time.ts";
import { SelectField } from "../../ui/select-field.tsx";
import { useNow } from "../../ui/use-now.ts";
import { TERM_TEXTS, toBreakEnd, toLongerTerms } from "./limits-text.ts";

interface ExclusionDialogProps {
  /** Until when a break lasts that has begun already (ms since 1970); null: there is none. */
  readonly excludedUntil: number | null;
  readonly onClose: () => void;
}

/** Says what cannot be undone before it is done. */
export function ExclusionDialog({ excludedUntil, onClose }: ExclusionDialogProps) {
  const now = useNow(30_000);
  // a shorter one would change nothing
  const terms = toLongerTerms(excludedUntil, now);
  const [term, setTerm] = useState<ExclusionTerm>(terms[0] ?? "half_year");
  const [password, setPassword] = useState("");
  const [failure, setFailure] = useState<FailureWords | null>(null);
  const [isSending, setSending] = useState(false);

  async function submit() {
    if (password === "") return setFailure(PASSWORD_MISSING);
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
    <FormDialog
      title="Take a Break?"
      act="Start Break"
      kind="danger"
      busy={isSending && "Starting..."}
      stay="Not Now"
      failure={failure}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>
        Until it is over you can neither deposit nor play, and nobody can end it sooner, not even we. A match that waits
        for an opponent is cancelled and refunded; a game that has begun goes on. You can withdraw at any time. Deleting
        your account does not end it: your mailbox gets no other until then.
      </p>
      <SelectField
        label="For how long"
        value={term}
        hint={`It ends ${formatMoment(toBreakEnd(term, now), now)}.`}
        options={terms.map((value) => ({ value, text: TERM_TEXTS[value] }))}
        onChange={setTerm}
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
