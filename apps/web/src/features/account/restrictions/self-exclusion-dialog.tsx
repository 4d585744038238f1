import type { ExclusionTerm } from "@holo/protocol/accounts/restriction-terms.ts";
import type { RestrictionsView } from "@holo/protocol/accounts/restrictions.ts";
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

const COVERED_GAMES = [
  { value: "all", text: "All games" },
  { value: "staked", text: "Games for coins only" },
] as const;

interface SelfExclusionDialogProps {
  /** In force now. */
  readonly limits: Pick<RestrictionsView, "excludedUntil" | "excludedFromFreeUntil">;
  readonly onClose: () => void;
}

export function SelfExclusionDialog({ limits, onClose }: SelfExclusionDialogProps) {
  const now = useNow(30_000);
  const [games, setGames] = useState<"all" | "staked">("all");
  const coversFreeGames = games === "all";
  // The server ignores a shorter term.
  const terms = listLongerTerms(coversFreeGames ? limits.excludedFromFreeUntil : limits.excludedUntil, now);
  const [wished, setTerm] = useState<ExclusionTerm>("day");
  const term = terms.includes(wished) ? wished : (terms[0] ?? "half_year");
  const [password, setPassword] = useState("");
  const { failure, setFailure, attempt } = useAttempts();
  const [isSending, setSending] = useState(false);

  async function submit() {
    if (password === "") return setFailure(PASSWORD_MISSING);
    setSending(true);
    const answer = await attempt(() => callApi("excludeSelf", { body: { term, coversFreeGames, password } }));
    setSending(false);
    if (answer === null) return;
    if (!answer.ok) return setFailure(answer.refusal);
    receiveLimits(answer.value);
    notify({ kind: "done", title: "Your break has begun", text: formatExclusionEnd(answer.value, serverClock.now()) });
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
        During your break you can't deposit or {coversFreeGames ? "play" : "stake coins"}, and nobody can end it early,
        not even us. A match that's waiting for an opponent is cancelled and refunded. A game in progress goes on. You
        can always withdraw. Deleting your account doesn't end the break: you can't create another one until it's over.
      </p>
      <SelectField label="What it covers" value={games} options={COVERED_GAMES} onChange={setGames} />
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
