import { formatCoins, toKobo } from "@holo/kernel/money.ts";
import type { ReviewEnd, ReviewsView, ReviewView } from "@holo/protocol/admin-views.ts";
import { callApi } from "../../lib/api.ts";
import { readCoins } from "../../lib/coins.ts";
import { formatNaira } from "../../ui/naira.ts";
import { Receipt, ReceiptRow, ReceiptTotal } from "../../ui/receipt.tsx";
import { ActDialog } from "./act-dialog.tsx";

const WORDS = {
  credit: {
    title: "Credit What Arrived?",
    text: "The player gets coins for what really arrived, and is shown so. This cannot be taken back.",
    act: "Credit",
    busy: "Crediting...",
    done: "Credited",
  },
  refund: {
    title: "Refund the Payment?",
    text: "All that arrived goes back to where it came from, and no coins are credited. The player is shown so. This cannot be taken back.",
    act: "Refund",
    busy: "Refunding...",
    done: "Refund ordered",
  },
} as const satisfies Record<ReviewEnd, object>;
/** As the wire bounds it. */
const REASON_MAX = 500;

interface ReviewDialogProps {
  readonly review: ReviewView;
  readonly end: ReviewEnd;
  readonly onClose: () => void;
  readonly onEnded: (reviews: ReviewsView) => void;
}

/** Shows in figures what ending a review this way does, and asks why. */
export function ReviewDialog({ review, end, onClose, onEnded }: ReviewDialogProps) {
  const { payment, username, arrivedKobo, arrivedCoins } = review;
  const arrived = arrivedKobo === null ? "Not known" : formatNaira(toKobo(BigInt(arrivedKobo)));

  async function send(reason: string) {
    const answer = await callApi("endReview", { body: { reference: payment.reference, end, reason } });
    if (answer.ok) onEnded(answer.value);
    return answer;
  }

  return (
    <ActDialog
      words={{ ...WORDS[end], doneText: `${username}: ${arrived}`, label: "Reason", hint: "Kept in the log of acts." }}
      reasonMax={REASON_MAX}
      send={send}
      onClose={onClose}
    >
      <Receipt>
        <ReceiptRow term="Player">{username}</ReceiptRow>
        <ReceiptRow term="Asked for">{formatNaira(toKobo(BigInt(payment.kobo)))}</ReceiptRow>
        <ReceiptRow term="Arrived">{arrived}</ReceiptRow>
        <ReceiptTotal term={end === "credit" ? "The player gets" : "Goes back"}>
          {end === "refund" ? arrived : `${arrivedCoins === null ? "?" : formatCoins(readCoins(arrivedCoins))} HC`}
        </ReceiptTotal>
      </Receipt>
    </ActDialog>
  );
}
