import { assertNever } from "@holo/kernel/assert.ts";
import { formatCoins, subtractCoins, toKobo } from "@holo/kernel/money.ts";
import type { ReviewEnd, ReviewsView, ReviewView } from "@holo/protocol/admin/money.ts";
import { callApi } from "../../../lib/api/api.ts";
import { readCoins } from "../../../lib/api/coins.ts";
import { formatNaira } from "../../../shared/money/naira.ts";
import { roundParts } from "../../../shared/money/round-parts.ts";
import { Receipt, ReceiptRow, ReceiptTotal } from "../../../ui/data/receipt.tsx";
import { ReasonDialog } from "../reason-dialog.tsx";

const TEXTS = {
  credit: {
    title: "Credit What Arrived?",
    body: "The player gets coins for what arrived, and we tell them. This can't be undone.",
    submit: "Credit",
    busy: "Crediting...",
    done: "Credited",
  },
  refund: {
    title: "Refund the Payment?",
    body: "Everything that arrived is refunded to where it came from, and no coins are credited. We tell the player. This can't be undone.",
    submit: "Refund",
    busy: "Refunding...",
    done: "Refund ordered",
  },
  take: {
    title: "Take the Coins Back?",
    body: "The refunded amount is taken out of the player's wallet. If the wallet has too little, they owe the rest. We tell them. This can't be undone.",
    submit: "Take Back",
    busy: "Taking back...",
    done: "Taken back",
  },
  bear: {
    title: "Bear the Loss?",
    body: "The player keeps their coins, and the platform bears the refunded amount. This can't be undone.",
    submit: "Bear It",
    busy: "Booking...",
    done: "Booked as a loss",
  },
  write_off: {
    title: "Write Off the Loss?",
    body: "The bank paid this after its coins had gone back, so the player has both. The platform bears it. We ask the provider once more first. This can't be undone.",
    submit: "Write Off",
    busy: "Writing off...",
    done: "Written off",
  },
  close: {
    title: "Close This Case?",
    body: "Money and coins are back where they were, and nothing is moved. We ask the provider once more first.",
    submit: "Close Case",
    busy: "Closing...",
    done: "Case closed",
  },
  count_paid: {
    title: "Count It as Paid?",
    body: "The bank paid more than was ordered, and the platform bears the difference. We ask the provider once more first. This can't be undone.",
    submit: "Count as Paid",
    busy: "Saving...",
    done: "Counted as paid",
  },
  give_back: {
    title: "Give the Coins Back?",
    body: "All coins of this withdrawal return to where they came from. What the bank paid all the same is the platform's loss. We ask the provider once more first. This can't be undone.",
    submit: "Give Back",
    busy: "Giving back...",
    done: "Given back",
  },
} as const satisfies Record<ReviewEnd, object>;
const REASON_MAX = 500;

interface ReviewDialogProps {
  readonly review: ReviewView;
  readonly end: ReviewEnd;
  readonly onClose: () => void;
  readonly onEnded: (reviews: ReviewsView) => void;
  readonly onRefused: () => void;
}

function toNaira(kobo: number | null): string {
  return kobo === null ? "Not known" : formatNaira(toKobo(BigInt(kobo)));
}

export function ReviewDialog({ review, end, onClose, onEnded, onRefused }: ReviewDialogProps) {
  const { payment, username, arrivedKobo, refundedKobo } = review;
  const isBooked = end === "take" || end === "bear";
  const isDiffering = end === "count_paid" || end === "give_back";
  const isTransfer = end === "write_off" || end === "close" || isDiffering;

  async function send(reason: string) {
    const shownKobo = isBooked ? refundedKobo : arrivedKobo;
    const answer = await callApi("endReview", { body: { reference: payment.reference, end, kobo: shownKobo, reason } });
    if (answer.ok) onEnded(answer.value);
    else onRefused();
    return answer;
  }

  const lostKobo = end === "write_off" ? (arrivedKobo ?? payment.kobo) : payment.kobo;
  const sum = toNaira(isTransfer ? lostKobo : isBooked ? refundedKobo : arrivedKobo);
  return (
    <ReasonDialog
      texts={{
        ...TEXTS[end],
        doneText: `${username}: ${sum}`,
        reasonLabel: "Reason",
        reasonHint: "Kept in the activity log.",
      }}
      kind={end === "take" ? "danger" : "primary"}
      reasonMax={REASON_MAX}
      send={send}
      onClose={onClose}
    >
      <Receipt>
        <ReceiptRow term="Player">{username}</ReceiptRow>
        {!isTransfer && (
          <>
            <ReceiptRow term={isBooked ? "Credited" : "Asked for"}>{toNaira(payment.kobo)}</ReceiptRow>
            <ReceiptRow term={isBooked ? "Refunded" : "Arrived"}>{sum}</ReceiptRow>
          </>
        )}
        {isDiffering && (
          <>
            <ReceiptRow term="Ordered">{toNaira(payment.kobo)}</ReceiptRow>
            <ReceiptRow term="Paid">{arrivedKobo === null ? "Nothing" : toNaira(arrivedKobo)}</ReceiptRow>
          </>
        )}
        <Outcome review={review} end={end} />
      </Receipt>
    </ReasonDialog>
  );
}

function Outcome({ review, end }: Pick<ReviewDialogProps, "review" | "end">) {
  const { payment, arrivedKobo, arrivedCoins, refundedKobo, refundedCoins, walletCoins } = review;
  const gone = readCoins(refundedCoins ?? "0");
  const wallet = readCoins(walletCoins);
  const taken = wallet < gone ? wallet : gone;
  const [shownTaken, shownOwed] = roundParts([taken, subtractCoins(gone, taken)], gone);
  switch (end) {
    case "credit":
      return (
        <ReceiptTotal term="The player gets">
          {arrivedCoins === null ? "?" : formatCoins(readCoins(arrivedCoins))} HC
        </ReceiptTotal>
      );
    case "refund":
      return <ReceiptTotal term="To be refunded">{toNaira(arrivedKobo)}</ReceiptTotal>;
    case "take":
      return (
        <>
          <ReceiptRow term="From the wallet">{formatCoins(shownTaken!)} HC</ReceiptRow>
          <ReceiptRow term="Owed from now on">{formatCoins(shownOwed!)} HC</ReceiptRow>
          <ReceiptTotal term="Taken from the player">{formatCoins(gone)} HC</ReceiptTotal>
        </>
      );
    case "bear":
      return <ReceiptTotal term="The platform's loss">{toNaira(refundedKobo)}</ReceiptTotal>;
    case "write_off":
      return <ReceiptTotal term="The platform's loss">{toNaira(arrivedKobo ?? payment.kobo)}</ReceiptTotal>;
    case "close":
      return <ReceiptTotal term="Returned">{toNaira(payment.kobo)}</ReceiptTotal>;
    case "count_paid":
      return <ReceiptTotal term="The platform's loss">{toNaira((arrivedKobo ?? 0) - payment.kobo)}</ReceiptTotal>;
    case "give_back":
      return <ReceiptTotal term="The platform's loss">{toNaira(arrivedKobo ?? 0)}</ReceiptTotal>;
    default:
      return assertNever(end);
  }
}
