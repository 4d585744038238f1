import type { Kobo } from "@holo/kernel/money.ts";
import type { PaymentStatus, PaymentView } from "@holo/protocol/payments/payments.ts";
import type { BadgeKind } from "../../ui/feedback/badge.tsx";
import { formatFutureTime } from "../../ui/text/relative-time.ts";
import { formatNaira } from "./naira.ts";

const STATUS_BADGES: Readonly<Record<PaymentStatus, { readonly word: string; readonly kind: BadgeKind }>> = {
  pending: { word: "Pending", kind: "pending" },
  processing: { word: "Processing", kind: "pending" },
  completed: { word: "Completed", kind: "done" },
  failed: { word: "Failed", kind: "lost" },
  reversed: { word: "Reversed", kind: "lost" },
  abandoned: { word: "Abandoned", kind: "plain" },
  review: { word: "In review", kind: "pending" },
};

const CANCELLED = { ...STATUS_BADGES.abandoned, word: "Cancelled" };

/** An order to pay out is not abandoned by its player, as a checkout is. */
export function toStatusBadge({ kind, status }: Pick<PaymentView, "kind" | "status">): typeof CANCELLED {
  return kind !== "deposit" && status === "abandoned" ? CANCELLED : STATUS_BADGES[status];
}

const DEPOSIT_TEXTS: Readonly<Record<PaymentStatus, string>> = {
  pending: "Waiting for your payment.",
  processing: "Your bank is still working on it.",
  completed: "",
  failed: "The payment didn't go through. No coins were credited.",
  reversed: "The payment was reversed, and its coins were removed.",
  abandoned: "You didn't pay, so no coins were credited.",
  review: "The amount we received doesn't match. We're looking into it, and you'll see the result here.",
};

const WITHDRAWAL_TEXTS: Readonly<Record<PaymentStatus, string>> = {
  pending: "Waiting to be sent.",
  processing: "On its way to your bank.",
  completed: "",
  failed: "We couldn't pay this out. Your coins are back in your wallet.",
  reversed: "Your bank returned it. Your coins are back in your wallet.",
  abandoned: "This wasn't paid out. Your coins are back in your wallet.",
  review: "We're looking into it, and you'll see the result here.",
};

const TEXTS: Readonly<Record<PaymentView["kind"], Readonly<Record<PaymentStatus, string>>>> = {
  deposit: DEPOSIT_TEXTS,
  withdrawal: WITHDRAWAL_TEXTS,
  revenue: {
    ...WITHDRAWAL_TEXTS,
    failed: "It couldn't be paid out. It's back in the Admin Wallet.",
    reversed: "The bank sent it back. It's in the Admin Wallet again.",
    abandoned: "It wasn't paid out. It's back in the Admin Wallet.",
  },
};

export function isOpen({ status }: Pick<PaymentView, "status">): boolean {
  return status === "pending" || status === "processing" || status === "review";
}

export function describePayment(payment: PaymentView, now: number): string {
  const { kind, status, reason, expectedAt, checkedUntil, rateKobo, rateUntil } = payment;
  const text = reason ?? TEXTS[kind][status];
  const sentences = [text];
  if (checkedUntil !== null) {
    const until = formatFutureTime(checkedUntil, now);
    sentences.push(`It's sent ${until} at the latest, unless two of us decide otherwise. You can play and deposit.`);
  } else if (expectedAt !== null && isOpen(payment)) {
    sentences.push(
      expectedAt > now ? `Expected ${formatFutureTime(expectedAt, now)}.` : "This is taking longer than expected.",
    );
  }
  if (rateUntil !== null) {
    sentences.push(
      rateUntil > now
        ? `1 HC costs ${formatNaira(BigInt(rateKobo) as Kobo)} until ${formatFutureTime(rateUntil, now)}.`
        : "The rate at the moment you pay counts now.",
    );
  }
  return sentences.filter((sentence) => sentence !== "").join(" ");
}
