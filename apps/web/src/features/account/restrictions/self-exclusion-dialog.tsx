import type { ExclusionTerm } from "@holo/protocol/accounts/restriction-terms.ts";
import { useState } from "react";
import { callApi } from "../../../lib/api/api.ts";
import { serverClock } from "../../../lib/clock/server-clock.ts";
import { receiveLimits } from "../../../lib/session/session.ts";
import { formatExclusionEnd } from "../../../shared/restrictions/seat-restrictions.ts";
import { useAttempts } from "../../../ui/form/attempts.ts";
import { PasswordField } from "../../../ui/form/password-field.tsx";
import { PASSWORD_MISSING } from "../../../ui/form/password-missing.ts";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { FormDialog } from "../../../ui/overlay/form-dialog.tsx";
import { notify } from "../../../ui/overlay/notify.ts";
import { formatFutureTime } from "../../../ui/text/relative-time.ts";
import { useNow } from "../../../ui/text/use-now.ts";
import { EXCLUSION_TERM_TEXTS, listLongerTerms, toExclusionEnd } from "./restriction-text.ts";

interface SelfExclusionDialogProps {
  /** ms since 1970; null without a current self-exclusion. */
  readonly excludedUntil: number | null;
  readonly onClose: () => void;
}

export function SelfExclusionDialog({ excludedUntil, onClose }: SelfExclusionDialogProps) {
  const now = useNow(30_000);
  // The server ignores a shorter term.
  const terms = listLongerTerms(excludedUntil, now);
  const [term, setTerm] = useState<ExclusionTerm>(terms[0] ?? "half_year");
  const [password, setPassword] = useState("");
  const { failure, setFailure, attempt } = useAttempts();
  const [isSending, setSending] = useState(false);

  async function submit() {
    if (password === "") return setFailure(PASSWORD_MISSING);
    setSending(true);
    const answer = await attempt(() => callApi("excludeSelf", { body: { term, coversFreeGames: true, password } }));
    setSending(false);
    if (answer === null) return;
    if (!answer.ok) return setFailure(answer.refusal);
    receiveLimits(answer.value);
    const until = answer.value.excludedUntil;
    if (until !== null)
      notify({ kind: "done", title: "Your break has begun", text: formatExclusionEnd(until, serverClock.now()) });
    onClose();
  }

  return (
    <FormDialog
      title="Take a Break?"
      submitText="Start Break"
      kind="danger"
      busyText={isSending && "Starting..."}
      cancelText="Not Now"
      failure={failure}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>
        During your break you can't deposit or play, and nobody can end it early, not even us. A match that's waiting
        for an opponent is cancelled and refunded. A game in progress goes on. You can always withdraw. Deleting your
        account doesn't end the break: you can't create another one until it's over.
      </p>
      <SelectField
        label="For how long"
        value={term}
        hint={`It ends ${formatFutureTime(toExclusionEnd(term, now), now)}.`}
        options={terms.map((value) => ({ value, text: EXCLUSION_TERM_TEXTS[value] }))}
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
