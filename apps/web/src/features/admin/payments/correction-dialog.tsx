import { formatNaira, toKobo } from "@holo/kernel/money.ts";
import type { CorrectionAct, PaymentCasesView, PaymentCaseView } from "@holo/protocol/admin/money.ts";
import { callApi } from "../../../lib/api/api.ts";
import { Receipt, ReceiptRow, ReceiptTotal } from "../../../ui/data/receipt.tsx";
import { ReasonDialog } from "../reason-dialog.tsx";
import { ASKED_FIRST, CORRECTION_TEXTS } from "./case-texts.ts";

const REASON_MAX = 500;

interface CorrectionDialogProps {
  readonly shown: PaymentCaseView;
  readonly correction: { readonly act: CorrectionAct; readonly kobo: number };
  readonly onClose: () => void;
  readonly onDone: (cases: PaymentCasesView) => void;
  readonly onRefused: () => void;
}

/** A correction names the facts that were shown: a newer one refuses it. */
export function CorrectionDialog({ shown, correction, onClose, onDone, onRefused }: CorrectionDialogProps) {
  const { payment, username, lastFact } = shown;
  const { act, kobo } = correction;
  const texts = CORRECTION_TEXTS[act];

  async function send(reason: string) {
    const body = { reference: payment.reference, act, kobo, lastFact, reason };
    const answer = await callApi("correctPayment", { body });
    if (answer.ok) onDone(answer.value);
    else onRefused();
    return answer;
  }

  const sum = formatNaira(toKobo(BigInt(kobo)));
  return (
    <ReasonDialog
      texts={{
        ...texts,
        body: `${texts.body} ${ASKED_FIRST}`,
        doneText: `${username}: ${sum}. Larger amounts wait for a second member.`,
        reasonLabel: "Reason",
        reasonHint: "Kept in the activity log.",
      }}
      kind={act === "debit" ? "danger" : "primary"}
      reasonMax={REASON_MAX}
      send={send}
      onClose={onClose}
    >
      <Receipt>
        <ReceiptRow term="Player">{username}</ReceiptRow>
        <ReceiptRow term="Ordered">{formatNaira(toKobo(BigInt(payment.kobo)))}</ReceiptRow>
        <ReceiptTotal term={texts.name}>{sum}</ReceiptTotal>
      </Receipt>
    </ReasonDialog>
  );
}
