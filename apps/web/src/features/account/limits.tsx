import { LIMIT_KINDS, type LimitKind, type LimitsView } from "@holo/protocol/limit-views.ts";
import { useEffect, useRef, useState } from "react";
import { callApi } from "../../lib/api.ts";
import { takeLimits } from "../../lib/session.ts";
import { Button } from "../../ui/button.tsx";
import { Failure, type FailureWords } from "../../ui/failure.tsx";
import { Note } from "../../ui/note.tsx";
import { Panel } from "../../ui/panel.tsx";
import { formatBreak } from "../../ui/permit.ts";
import { formatMoment } from "../../ui/relative-time.ts";
import { SelectField } from "../../ui/select-field.tsx";
import { useLimits } from "../../ui/use-limits.ts";
import { useNow } from "../../ui/use-now.ts";
import { ExclusionDialog } from "./exclusion-dialog.tsx";
import { formatLimit, formatWish, LIMIT_LABELS, parseChoice, toChoices, toLongerTerms } from "./limits-text.ts";
import "./limits.css";

/** What players set for themselves: quiet, and in reach. */
export function Limits() {
  const limits = useLimits();
  const section = useRef<HTMLDivElement>(null);
  const [failure, setFailure] = useState<FailureWords | null>(null);
  const [isExcluding, setExcluding] = useState(false);
  const now = useNow(30_000);

  // for who came by a link to this place: it was not there yet when the page was
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      if (location.hash === "#limits") section.current?.scrollIntoView();
    });
    return () => cancelAnimationFrame(frame);
  }, []);

  if (limits === null) return null;
  const { excludedUntil } = limits;
  const isFinal = toLongerTerms(excludedUntil, now).length === 0;

  async function save(kind: LimitKind, value: number | null) {
    const answer = await callApi("updateLimits", { body: { [kind]: value } });
    setFailure(answer.ok ? null : answer.refusal);
    if (answer.ok) takeLimits(answer.value);
    return answer.ok;
  }

  return (
    <div className="limits" id="limits" ref={section}>
      <Panel label="Your limits">
        <h2>Your limits</h2>
        <p className="meta">A lower limit holds at once. A higher one, or none, holds 24 hours later.</p>
        <div className="limits-fields">
          {LIMIT_KINDS.map((kind) => (
            <LimitField key={kind} kind={kind} limit={limits[kind]} now={now} onSave={save} />
          ))}
        </div>
        {failure !== null && <Failure words={failure} />}
        <div className="limits-break">
          <Note icon="clock">
            {excludedUntil === null ? (
              "A break lets you neither deposit nor play, for as long as you choose. You can withdraw at any time."
            ) : (
              <>
                <b className="strong">You are taking a break.</b> {formatBreak(excludedUntil, now)}
              </>
            )}
          </Note>
          {!isFinal && (
            <Button onClick={() => setExcluding(true)}>
              {excludedUntil === null ? "Take a break" : "Take a longer break"}
            </Button>
          )}
        </div>
      </Panel>
      {isExcluding && <ExclusionDialog excludedUntil={excludedUntil} onClose={() => setExcluding(false)} />}
    </div>
  );
}

interface LimitFieldProps {
  readonly kind: LimitKind;
  readonly limit: LimitsView[LimitKind];
  readonly now: number;
  /** Returns whether it is kept. */
  readonly onSave: (kind: LimitKind, value: number | null) => Promise<boolean>;
}

/** A choice is set by a press of its own: a key on the field or a slip of the thumb could else bind its player for a day. */
function LimitField({ kind, limit, now, onSave }: LimitFieldProps) {
  const { value, next } = limit;
  const [wished, setWished] = useState<string | null>(null);
  const [isSaving, setSaving] = useState(false);
  const field = useRef<HTMLDivElement>(null);
  const kept = value === null ? "none" : `${value}`;

  async function set(choice: string) {
    setSaving(true);
    const isKept = await onSave(kind, parseChoice(choice));
    setSaving(false);
    if (isKept) leave();
  }

  /** The buttons go; the focus stays beside them. */
  function leave() {
    setWished(null);
    field.current?.querySelector("select")?.focus();
  }

  return (
    <div className="limit" ref={field}>
      <SelectField
        label={LIMIT_LABELS[kind]}
        value={wished ?? kept}
        options={toChoices(kind, value)}
        onChange={(choice) => setWished(choice === kept ? null : choice)}
      />
      {wished !== null && wished !== kept && (
        <div className="limit-wish">
          <p className="small" role="status">
            {formatWish(value, parseChoice(wished))}
          </p>
          <Button size="small" kind="quiet" onClick={leave}>
            Keep {formatLimit(kind, value)}
          </Button>
          <Button size="small" busy={isSaving && "Setting..."} onClick={() => void set(wished)}>
            Set {formatLimit(kind, parseChoice(wished))}
          </Button>
        </div>
      )}
      {next !== null && wished === null && (
        <p className="limit-next small">
          {formatLimit(kind, next.value)} from {formatMoment(next.at, now)}
          <button type="button" className="link alone" onClick={() => void onSave(kind, value)}>
            Keep {formatLimit(kind, value)}
          </button>
        </p>
      )}
    </div>
  );
}
