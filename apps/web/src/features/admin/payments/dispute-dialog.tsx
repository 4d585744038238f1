import type { PaymentCasesView, PaymentCaseView } from "@holo/protocol/admin/money.ts";
import { callApi } from "../../../lib/api/api.ts";
import { ReasonDialog } from "../reason-dialog.tsx";

const EVIDENCE_MAX = 500;

interface DisputeDialogProps {
  readonly shown: PaymentCaseView;
  readonly dispute: PaymentCaseView["disputes"][number];
  readonly onClose: () => void;
  readonly onDone: (cases: PaymentCasesView) => void;
}

/** Hands the payer's bank what ledger and log say. */
export function DisputeDialog({ shown, dispute, onClose, onDone }: DisputeDialogProps) {
  async function send(evidence: string) {
    const body = { reference: shown.payment.reference, disputeId: dispute.id, evidence };
    const answer = await callApi("answerDispute", { body });
    if (answer.ok) onDone(answer.value);
    return answer;
  }

  return (
    <ReasonDialog
      texts={{
        title: "Answer the Dispute?",
        body: "The provider hands this to the payer's bank, which then decides. Please check it first: it's sent as it is.",
        submit: "Send Answer",
        busy: "Sending...",
        done: "Answer sent",
        reasonLabel: "Evidence",
        reasonHint: "From our ledger and log. Kept in the activity log.",
      }}
      initial={dispute.evidence}
      reasonMax={EVIDENCE_MAX}
      send={send}
      onClose={onClose}
    />
  );
}
