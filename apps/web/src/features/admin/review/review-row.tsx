import { toKobo } from "@holo/kernel/money.ts";
import type { ReviewEnd, ReviewView } from "@holo/protocol/admin/money.ts";
import { formatNaira } from "../../../shared/money/naira.ts";
import { PAYMENT_KIND_NAMES } from "../../../shared/money/payment-kinds.ts";
import { Button } from "../../../ui/button/button.tsx";
import { formatRelativeTime } from "../../../ui/text/relative-time.ts";
import { StaffConflictNote } from "../staff-conflict-note.tsx";

const END_NAMES = {
  credit: "Credit what arrived",
  refund: "Refund",
  take: "Take the coins back",
  bear: "Bear the loss",
  write_off: "Write off the loss",
  close: "Close the case",
  count_paid: "Count as paid",
  give_back: "Give the coins back",
} as const satisfies Record<ReviewEnd, string>;
const ALL_GONE = "It was credited, then refunded in full.";
const PART_GONE = "It was credited, then partly refunded.";
const LOST = "The bank paid this after its coins had gone back.";
const CAME_BACK = "Its coins went back, but the provider listed it as paid.";
const DIFFERS = "The provider reports another transfer than we ordered.";
const UNCONFIRMED = "The bank hasn't confirmed this for more than a day.";

interface ReviewRowProps {
  readonly review: ReviewView;
  readonly now: number;
  readonly onEnd: (end: ReviewEnd) => void;
}

function toNaira(kobo: number | null): string {
  return kobo === null ? "Not known" : formatNaira(toKobo(BigInt(kobo)));
}

function isDiffering({ ends }: ReviewView): boolean {
  return ends.includes("count_paid") || ends.includes("give_back");
}

function toFigures(review: ReviewView): readonly (readonly [string, string])[] {
  const { payment, arrivedKobo, refundedKobo } = review;
  const asked = toNaira(payment.kobo);
  if (isDiffering(review)) {
    return [
      ["Ordered", asked],
      ["Paid", arrivedKobo === null ? "Nothing" : toNaira(arrivedKobo)],
    ];
  }
  if (payment.kind !== "deposit") return [[payment.status === "review" ? "Amount" : "To be paid", asked]];
  if (refundedKobo !== null) {
    return [
      ["Credited", asked],
      ["Refunded", toNaira(refundedKobo)],
    ];
  }
  if (payment.status === "reversed") return [["To be refunded", toNaira(arrivedKobo ?? payment.kobo)]];
  return [
    ["Asked for", asked],
    ["Arrived", toNaira(arrivedKobo)],
  ];
}

function toReason(review: ReviewView): string | null {
  const { payment, refundedKobo, ends } = review;
  if (ends.includes("write_off")) return LOST;
  if (ends.includes("close")) return CAME_BACK;
  if (payment.kind !== "deposit" && payment.status === "review") return DIFFERS;
  if (refundedKobo !== null) return refundedKobo === payment.kobo ? ALL_GONE : PART_GONE;
  return payment.status === "processing" ? UNCONFIRMED : payment.reason;
}

export function ReviewRow({ review, now, onEnd }: ReviewRowProps) {
  const { payment, username } = review;
  const reason = toReason(review);
  return (
    <li>
      <div className="what">
        <p>
          <b>
            {PAYMENT_KIND_NAMES[payment.kind]} of{" "}
            <span className="unbroken" translate="no">
              {username}
            </span>
          </b>{" "}
          <time className="meta" dateTime={new Date(payment.createdAt).toISOString()}>
            {formatRelativeTime(payment.createdAt, now)}
          </time>
        </p>
        {reason !== null && <p className="small muted">{reason}</p>}
        <p className="meta reference">{payment.reference}</p>
      </div>
      <dl className="review-figures">
        {toFigures(review).map(([term, sum]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{sum}</dd>
          </div>
        ))}
      </dl>
      <ReviewActs review={review} onEnd={onEnd} />
    </li>
  );
}

function toWait({ kind, status }: ReviewView["payment"]): string {
  if (status === "pending") return "Not sent yet. It's sent automatically once nothing holds it up.";
  return kind !== "deposit" && status === "review"
    ? "It isn't final yet. Please ask the provider what happened to the transfer."
    : "The provider decides this, and it then closes here automatically.";
}

function ReviewActs({ review, onEnd }: Pick<ReviewRowProps, "review" | "onEnd">) {
  const { heldBack, ends, payment } = review;
  if (ends.length === 0) {
    return <p className="actions small muted">{toWait(payment)}</p>;
  }
  if (heldBack !== null) {
    return (
      <div className="actions">
        <StaffConflictNote why={heldBack} />
      </div>
    );
  }
  return (
    <div className="actions">
      {ends.map((end) => (
        <Button key={end} size="small" onClick={() => onEnd(end)}>
          {END_NAMES[end]}
        </Button>
      ))}
    </div>
  );
}
