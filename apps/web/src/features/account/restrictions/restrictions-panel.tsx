import { LIMIT_KINDS, type LimitKind } from "@holo/protocol/accounts/restriction-terms.ts";
import type { RestrictionsView } from "@holo/protocol/accounts/restrictions.ts";
import { useEffect, useRef, useState } from "react";
import { callApi } from "../../../lib/api/api.ts";
import { receiveLimits } from "../../../lib/session/session.ts";
import { formatExclusionEnd } from "../../../shared/restrictions/seat-restrictions.ts";
import { useRestrictions } from "../../../shared/restrictions/use-restrictions.ts";
import { Button } from "../../../ui/button/button.tsx";
import { FailureNote, type FailureText } from "../../../ui/feedback/failure-note.tsx";
import { Note } from "../../../ui/feedback/note.tsx";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { formatFutureTime } from "../../../ui/text/relative-time.ts";
import { useNow } from "../../../ui/text/use-now.ts";
import {
  formatLimit,
  formatLimitChange,
  LIMIT_LABELS,
  listLongerTerms,
  parseLimitChoice,
  toLimitChoices,
} from "./restriction-text.ts";
import { SelfExclusionDialog } from "./self-exclusion-dialog.tsx";
import "./restrictions-panel.css";

export function RestrictionsPanel() {
  const limits = useRestrictions();
  const section = useRef<HTMLDivElement>(null);
  const [failure, setFailure] = useState<FailureText | null>(null);
  const [isExcluding, setExcluding] = useState(false);
  const now = useNow(30_000);

  // The panel did not exist when the browser resolved the address's hash.
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      if (location.hash === "#limits") section.current?.scrollIntoView();
    });
    return () => cancelAnimationFrame(frame);
  }, []);

  if (limits === null) return null;
  const { excludedUntil } = limits;
  const isFinal = listLongerTerms(limits.excludedFromFreeUntil, now).length === 0;

  async function save(kind: LimitKind, value: number | null) {
    const answer = await callApi("updateLimits", { body: { [kind]: value } });
    setFailure(answer.ok ? null : answer.refusal);
    if (answer.ok) receiveLimits(answer.value);
    return answer.ok;
  }

  return (
    <div className="limits" id="limits" ref={section}>
      <Panel label="Your limits">
        <h2>Your limits</h2>
        <p className="meta">
          A lower limit takes effect at once. Raising or removing a limit takes effect after 24 hours.
        </p>
        <div className="limits-fields">
          {LIMIT_KINDS.map((kind) => (
            <LimitField key={kind} kind={kind} limit={limits[kind]} now={now} onSave={save} />
          ))}
        </div>
        {failure !== null && <FailureNote failure={failure} />}
        <div className="limits-break">
          <Note icon="clock">
            {excludedUntil === null ? (
              "During a break you can't deposit or play. You choose how long it lasts, and whether free games stay open. A break doesn't stop withdrawals."
            ) : (
              <>
                <b className="strong">You are taking a break.</b> {formatExclusionEnd(limits, now)}
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
      {isExcluding && <SelfExclusionDialog limits={limits} onClose={() => setExcluding(false)} />}
    </div>
  );
}

interface LimitFieldProps {
  readonly kind: LimitKind;
  readonly limit: RestrictionsView[LimitKind];
  readonly now: number;
  readonly onSave: (kind: LimitKind, value: number | null) => Promise<boolean>;
}

/** A choice needs a second press: an accidental change would be binding for a day. */
function LimitField({ kind, limit, now, onSave }: LimitFieldProps) {
  const { value, next } = limit;
  const [chosen, setChosen] = useState<string | null>(null);
  const [isSaving, setSaving] = useState(false);
  const field = useRef<HTMLDivElement>(null);
  const saved = value === null ? "none" : `${value}`;

  async function set(choice: string) {
    setSaving(true);
    const isSaved = await onSave(kind, parseLimitChoice(choice));
    setSaving(false);
    if (isSaved) closeChange();
  }

  /** Moves the focus to the field, because the focused button disappears. */
  function closeChange() {
    setChosen(null);
    field.current?.querySelector("select")?.focus();
  }

  return (
    <div className="limit" ref={field}>
      <SelectField
        label={LIMIT_LABELS[kind]}
        value={chosen ?? saved}
        options={toLimitChoices(kind, value)}
        onChange={(choice) => setChosen(choice === saved ? null : choice)}
      />
      {chosen !== null && chosen !== saved && (
        <div className="limit-change">
          <p className="small" role="status">
            {formatLimitChange(value, parseLimitChoice(chosen))}
          </p>
          <Button size="small" kind="quiet" onClick={closeChange}>
            Keep {formatLimit(kind, value)}
          </Button>
          <Button size="small" busy={isSaving && "Setting..."} onClick={() => void set(chosen)}>
            Set {formatLimit(kind, parseLimitChoice(chosen))}
          </Button>
        </div>
      )}
      {next !== null && chosen === null && (
        <p className="limit-next small">
          {formatLimit(kind, next.value)} from {formatFutureTime(next.at, now)}
          <button type="button" className="link alone" onClick={() => void onSave(kind, value)}>
            Keep {formatLimit(kind, value)}
          </button>
        </p>
      )}
    </div>
  );
}
