import { toKobo } from "@holo/kernel/money.ts";
import type { OverviewView, ReconciliationView } from "@holo/protocol/admin-views.ts";
import { useState } from "react";
import { callApi } from "../../lib/api.ts";
import { queryClient } from "../../lib/query.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Failure, type FailureWords } from "../../ui/failure.tsx";
import { formatNaira } from "../../ui/naira.ts";
import { Panel } from "../../ui/panel.tsx";
import { formatMoment } from "../../ui/relative-time.ts";
import { useNow } from "../../ui/use-now.ts";
import { DIFFERENCE_WORDS, describeSettled } from "./comparison-text.ts";
import { adminKey, refreshAdmin } from "./use-overview.ts";
import "./comparison.css";

const CLOCK_MS = 30_000;

interface ComparisonProps {
  readonly playerId: string;
  readonly last: ReconciliationView | null;
}

/** What the provider's lists and ours did not say alike, when they were last held against each other. */
export function Comparison({ playerId, last }: ComparisonProps) {
  const [isComparing, setComparing] = useState(false);
  const [failure, setFailure] = useState<FailureWords | null>(null);

  async function compare() {
    setFailure(null);
    setComparing(true);
    const answer = await callApi("adminReconcile", { body: {} });
    setComparing(false);
    if (!answer.ok) return setFailure(answer.refusal);
    queryClient.setQueryData<OverviewView>(
      adminKey(playerId, "overview"),
      (overview) => overview && { ...overview, reconciliation: answer.value },
    );
    // figures that were asked for before it ended would put the comparison before it back
    refreshAdmin();
  }

  return (
    <Panel className="comparison" label="Compared with the provider">
      <div className="panel-head">
        <h2>Compared with the provider</h2>
        <Button size="small" busy={isComparing && "Comparing..."} onClick={() => void compare()}>
          Compare now
        </Button>
      </div>
      {failure !== null && <Failure words={failure} />}
      {last === null ? (
        <p className="muted">Nothing has been compared yet. It is done by itself once a day.</p>
      ) : (
        <Report report={last} />
      )}
    </Panel>
  );
}

function Report({ report }: { readonly report: ReconciliationView }) {
  const now = useNow(CLOCK_MS);
  const { finishedAt, settled, differences } = report;
  return (
    <>
      <div className="comparison-state">
        {differences.length === 0 ? (
          <Badge kind="active">No difference</Badge>
        ) : (
          <Badge kind="lost">{differences.length === 1 ? "1 difference" : `${differences.length} differences`}</Badge>
        )}
        <time className="meta" dateTime={new Date(finishedAt).toISOString()}>
          {formatMoment(finishedAt, now)}
        </time>
      </div>
      <p className="small muted">{describeSettled(settled)}</p>
      {differences.length > 0 && (
        <ul>
          {differences.map(({ type, reference, kobo }) => (
            <li key={`${type} ${reference}`}>
              <div>
                <b>{DIFFERENCE_WORDS[type].title}</b>
                <p className="small muted">{DIFFERENCE_WORDS[type].text}</p>
                <p className="meta reference">{reference}</p>
              </div>
              {kobo > 0 && <b>{formatNaira(toKobo(BigInt(kobo)))}</b>}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
