import { LIMIT_KINDS, type LimitKind, type LimitsView } from "@holo/protocol/views.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { callApi, fetchApi } from "../../lib/api.ts";
import { queryClient } from "../../lib/query.tsx";
import { Button } from "../../ui/button.tsx";
import { Failure, type FailureWords } from "../../ui/failure.tsx";
import { Note } from "../../ui/note.tsx";
import { Panel } from "../../ui/panel.tsx";
import { formatMoment } from "../../ui/relative-time.ts";
import { SelectField } from "../../ui/select-field.tsx";
import { useNow } from "../../ui/use-now.ts";
import { ExclusionDialog } from "./exclusion-dialog.tsx";
import { formatLimit, LIMIT_LABELS, parseChoice, toChoices } from "./limits-text.ts";
import "./limits.css";

/** What players set for themselves: quiet, and in reach. */
export function Limits({ playerId }: { readonly playerId: string }) {
  const key = ["limits", playerId];
  const { data } = useQuery({ queryKey: key, queryFn: ({ signal }) => fetchApi("limits", {}, signal) });
  const [failure, setFailure] = useState<FailureWords | null>(null);
  const [isSaving, setSaving] = useState(false);
  const [isExcluding, setExcluding] = useState(false);
  const now = useNow(30_000);
  if (data === undefined) return null;

  const keep = (limits: LimitsView) => queryClient.setQueryData(key, limits);

  async function save(kind: LimitKind, value: number | null) {
    setSaving(true);
    const answer = await callApi("updateLimits", { body: { [kind]: value } });
    setSaving(false);
    setFailure(answer.ok ? null : answer.refusal);
    if (answer.ok) keep(answer.value);
  }

  return (
    <Panel className="limits" label="Your limits">
      <h2>Your limits</h2>
      <p className="meta">Lower holds at once. Higher, or none, holds 24 hours later.</p>
      <div className="limits-fields">
        {LIMIT_KINDS.map((kind) => (
          <LimitField key={kind} kind={kind} limit={data[kind]} now={now} disabled={isSaving} onSave={save} />
        ))}
      </div>
      {failure !== null && <Failure words={failure} />}
      <div className="limits-break">
        {data.excludedUntil === null ? (
          <Note>A break lets you neither deposit nor play for as long as you choose. You can withdraw meanwhile.</Note>
        ) : (
          <Note>You are taking a break until {formatMoment(data.excludedUntil, now)}. You can withdraw meanwhile.</Note>
        )}
        <Button kind="quiet" onClick={() => setExcluding(true)}>
          {data.excludedUntil === null ? "Take a break" : "Take a longer break"}
        </Button>
      </div>
      {isExcluding && <ExclusionDialog onClose={() => setExcluding(false)} onExcluded={keep} />}
    </Panel>
  );
}

interface LimitFieldProps {
  readonly kind: LimitKind;
  readonly limit: LimitsView[LimitKind];
  readonly now: number;
  readonly disabled: boolean;
  readonly onSave: (kind: LimitKind, value: number | null) => Promise<void>;
}

function LimitField({ kind, limit, now, disabled, onSave }: LimitFieldProps) {
  const { value, next } = limit;
  return (
    <div className="limit">
      <SelectField
        label={LIMIT_LABELS[kind]}
        value={value === null ? "none" : `${value}`}
        options={toChoices(kind, value)}
        disabled={disabled}
        onChange={(choice) => void onSave(kind, parseChoice(choice))}
      />
      {next !== null && (
        <p className="meta">
          {formatLimit(kind, next.value)} from {formatMoment(next.at, now)}{" "}
          <Button kind="quiet" size="small" disabled={disabled} onClick={() => void onSave(kind, value)}>
            Keep as it is
          </Button>
        </p>
      )}
    </div>
  );
}
