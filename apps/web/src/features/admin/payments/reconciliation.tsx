import { toKobo } from "@holo/kernel/money.ts";
import type { DifferenceView, PayoutHoldView, ReconciliationView } from "@holo/protocol/admin/money.ts";
import type { OverviewView } from "@holo/protocol/admin/overview.ts";
import { useState } from "react";
import { callApi } from "../../../lib/api/api.ts";
import { toFailure } from "../../../lib/api/failure.ts";
import { queryClient } from "../../../lib/api/query.tsx";
import { formatNaira } from "../../../shared/money/naira.ts";
import { Button } from "../../../ui/button/button.tsx";
import { Badge } from "../../../ui/feedback/badge.tsx";
import { FailureNote } from "../../../ui/feedback/failure-note.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { formatFutureTime } from "../../../ui/text/relative-time.ts";
import { useNow } from "../../../ui/text/use-now.ts";
import { adminKey, refreshAdmin } from "../admin-queries.ts";
import { PayoutHoldNote } from "./payout-hold-note.tsx";
import "./reconciliation.css";
import { useAttempts } from "../../../ui/form/attempts.ts";

interface DifferenceTexts {
  readonly title: string;
  readonly text: string;
}

const DIFFERENCE_TEXTS: Readonly<Record<DifferenceView["type"], DifferenceTexts>> = {
  unknown_charge: {
    title: "Unknown money received",
    text: "The provider received it under a reference that isn't one of our deposits. Ask the provider who paid it.",
  },
  unknown_transfer: {
    title: "Unknown money sent",
    text: "The provider has sent it, or is about to, under a reference that isn't one of our withdrawals. After a restore it may be one that our records lost: find its player by the bank account and hold their withdrawals. Otherwise ask the provider now who requested it.",
  },
  unknown_refund: {
    title: "Unknown refund",
    text: "The provider refunded a payment that isn't one of our deposits. Ask the provider now who requested it.",
  },
  provider_short: {
    title: "The provider holds less than players are owed",
    text: "At today's rate, wallets, games and open payments add up to more than its balance. The amount beside this is missing.",
  },
  missing_charge: {
    title: "A deposit the provider does not confirm",
    text: "Its coins were credited here. The provider does not list it, or not as paid.",
  },
  missing_transfer: {
    title: "A withdrawal the provider does not confirm",
    text: "It counts as paid out here. The provider does not list it, or not as sent.",
  },
  unread: {
    title: "The provider's list could not be read in full",
    text: "Some entries of the list were malformed, so they could not be compared.",
  },
};

function describeAsked(asked: number): string {
  if (asked === 0) return "Nothing had to be asked.";
  return asked === 1 ? "The provider was asked about 1 payment." : `The provider was asked about ${asked} payments.`;
}

const CLOCK_MS = 30_000;

interface ReconciliationProps {
  readonly playerId: string;
  readonly last: ReconciliationView | null;
  readonly payoutHold: PayoutHoldView | null;
}

export function Reconciliation({ playerId, last, payoutHold }: ReconciliationProps) {
  const [isComparing, setComparing] = useState(false);
  const { failure, setFailure, attempt } = useAttempts();

  async function compare() {
    setFailure(null);
    setComparing(true);
    const answer = await attempt(() => callApi("reconcile", { body: {} }));
    setComparing(false);
    if (answer === null) return;
    if (!answer.ok) return setFailure(toFailure(answer.refusal));
    queryClient.setQueryData<OverviewView>(
      adminKey(playerId, "overview"),
      (overview) => overview && { ...overview, reconciliation: answer.value },
    );
    // Cancels requests that would restore the earlier reconciliation.
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
      {failure !== null && <FailureNote failure={failure} />}
      {payoutHold !== null && <PayoutHoldNote hold={payoutHold} />}
      {last === null ? (
        <p className="muted">Nothing compared yet. This runs by itself once a day.</p>
      ) : (
        <Report report={last} />
      )}
    </Panel>
  );
}

function Report({ report }: { readonly report: ReconciliationView }) {
  const now = useNow(CLOCK_MS);
  const { finishedAt, asked, differences } = report;
  return (
    <>
      <div className="comparison-state">
        {differences.length === 0 ? (
          <Badge kind="active">No difference</Badge>
        ) : (
          <Badge kind="lost">{differences.length === 1 ? "1 difference" : `${differences.length} differences`}</Badge>
        )}
        <time className="meta" dateTime={new Date(finishedAt).toISOString()}>
          {formatFutureTime(finishedAt, now)}
        </time>
      </div>
      <p className="small muted">{describeAsked(asked)}</p>
      {differences.length > 0 && (
        <ul>
          {differences.map(({ type, reference, kobo }) => (
            <li key={`${type} ${reference}`}>
              <div>
                <b>{DIFFERENCE_TEXTS[type].title}</b>
                <p className="small muted">{DIFFERENCE_TEXTS[type].text}</p>
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
