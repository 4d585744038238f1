import type { RoleView } from "@holo/protocol/accounts/session.ts";
import type { OrphanedBalanceView, PaymentCasesView, PaymentCaseView } from "@holo/protocol/admin/money.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { callApi, fetchApi } from "../../../lib/api/api.ts";
import { toFailure } from "../../../lib/api/failure.ts";
import { queryClient } from "../../../lib/api/query.tsx";
import { Badge } from "../../../ui/feedback/badge.tsx";
import { FailureNote } from "../../../ui/feedback/failure-note.tsx";
import { useAttempts } from "../../../ui/form/attempts.ts";
import { Panel } from "../../../ui/layout/panel.tsx";
import { notify } from "../../../ui/overlay/notify.ts";
import { useNow } from "../../../ui/text/use-now.ts";
import { adminKey, REFETCH_MS, refreshAdmin } from "../admin-queries.ts";
import { Loaded } from "../loaded.tsx";
import { type CaseAct, CaseCard } from "./case-card.tsx";
import { CorrectionDialog } from "./correction-dialog.tsx";
import { DisputeDialog } from "./dispute-dialog.tsx";
import { OrphanedBalanceRow } from "./orphaned-balance-row.tsx";
import { SendOrphanedBalanceDialog } from "./send-orphaned-balance-dialog.tsx";
import "./payment-cases.css";

const CLOCK_MS = 30_000;

interface PaymentCasesProps {
  readonly playerId: string;
  readonly role: RoleView;
}

type Open =
  | { readonly type: "act"; readonly shown: PaymentCaseView; readonly act: CaseAct }
  | { readonly type: "left"; readonly wallet: OrphanedBalanceView };

/** Payments with staff: what is known about each, and the five corrections. */
export function PaymentCases({ playerId, role }: PaymentCasesProps) {
  const queryKey = adminKey(playerId, "payment-cases");
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => fetchApi("paymentCases", {}, signal),
    refetchInterval: REFETCH_MS,
  });
  const [open, setOpen] = useState<Open | null>(null);
  const { failure, setFailure, attempt } = useAttempts();
  const now = useNow(CLOCK_MS);
  const count = query.data === undefined ? 0 : query.data.cases.length + query.data.orphanedBalances.length;
  const show = ({ cases, orphanedBalances }: PaymentCasesView): void => {
    queryClient.setQueryData<PaymentCasesView>(queryKey, { cases, orphanedBalances });
  };

  /** New facts are shown only after a refusal, never between reading and pressing. */
  async function showLatest(): Promise<void> {
    const { data } = await query.refetch();
    if (data !== undefined) setOpen((current) => current && renew(current, data));
  }

  async function confirm(proposalId: string): Promise<void> {
    setFailure(null);
    const answer = await attempt(() => callApi("confirmCorrection", { body: { id: proposalId } }));
    if (answer === null) return;
    refreshAdmin();
    if (!answer.ok) return setFailure(toFailure(answer.refusal));
    show(answer.value);
    notify({ kind: "done", title: "Confirmed", text: "Kept in the activity log." });
  }

  function act(shown: PaymentCaseView, chosen: CaseAct): void {
    if (chosen.type === "confirm") void confirm(chosen.proposalId);
    else setOpen({ type: "act", shown, act: chosen });
  }

  const onClose = () => setOpen(null);
  return (
    <Panel className="payment-cases" label="Payments with staff">
      <div className="panel-head">
        <h2>Payments with staff</h2>
        {count > 0 && <Badge kind="pending">{count} to look at</Badge>}
      </div>
      {failure !== null && <FailureNote failure={failure} />}
      <Loaded query={query} loading="Loading payments..." failed="We couldn't load the payments with staff.">
        {({ cases, orphanedBalances }) =>
          count === 0 ? (
            <p className="muted">No payment is with staff.</p>
          ) : (
            <ul className="case-list">
              {orphanedBalances.map((wallet) => (
                <OrphanedBalanceRow
                  key={wallet.playerId}
                  wallet={wallet}
                  canSend={wallet.bankName !== null || role === "ceo"}
                  onSend={() => setOpen({ type: "left", wallet })}
                />
              ))}
              {cases.map((shown) => (
                <CaseCard key={shown.payment.id} shown={shown} now={now} onAct={(chosen) => act(shown, chosen)} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {open?.type === "act" && open.act.type === "correct" && (
        <CorrectionDialog
          shown={open.shown}
          correction={open.act.correction}
          onClose={onClose}
          onDone={show}
          onRefused={() => void showLatest()}
        />
      )}
      {open?.type === "act" && open.act.type === "answer" && (
        <DisputeDialog shown={open.shown} dispute={open.act.dispute} onClose={onClose} onDone={show} />
      )}
      {open?.type === "left" && (
        <SendOrphanedBalanceDialog
          wallet={open.wallet}
          isCeo={role === "ceo"}
          onClose={onClose}
          onEnded={show}
          onRefused={() => void showLatest()}
        />
      )}
    </Panel>
  );
}

/**
 * What the open dialog shows after the cases were loaded again. A correction that is gone keeps
 * its figures.
 */
function renew(open: Open, { cases, orphanedBalances }: PaymentCasesView): Open {
  if (open.type === "left") {
    const wallet = orphanedBalances.find(({ playerId }) => playerId === open.wallet.playerId);
    return wallet === undefined ? open : { ...open, wallet };
  }
  const shown = cases.find(({ payment }) => payment.id === open.shown.payment.id);
  if (shown === undefined || open.act.type !== "correct") return open;
  const { act } = open.act.correction;
  const correction = shown.corrections.find((one) => one.act === act);
  return correction === undefined ? open : { ...open, shown, act: { type: "correct", correction } };
}
