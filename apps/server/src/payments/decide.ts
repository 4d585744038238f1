import { assertNever } from "@holo/kernel/assert.ts";
import { addMs, type Instant, MINUTE_MS, SECOND_MS } from "@holo/kernel/instant.ts";
import { KOBO_MAX, type Kobo, toKobo } from "@holo/kernel/money.ts";
import { isBeingRefunded, type Payment, type PaymentStatus } from "./payment.ts";
import type { ChargeWord, RefundWord, TransferWord } from "./word.ts";

/** What is to happen to a payment, once: its coins, what the player is told, and when to look again (null: never by itself). */
export type Effect =
  /** The reason is what the player is to know of it; as a rule there is nothing. */
  | { readonly type: "credit"; readonly feeKobo: Kobo | null; readonly reason: string | null }
  | { readonly type: "take_back"; readonly reason: string }
  /** What was taken back is the provider's to us again: a dispute was won. */
  | { readonly type: "restore" }
  /** What nobody was credited with is to go back to who paid it; the provider was not told so yet. */
  | { readonly type: "send_back"; readonly reason: string }
  /** It has gone back. */
  | { readonly type: "refunded" }
  | { readonly type: "pay"; readonly feeKobo: Kobo | null }
  | { readonly type: "give_back"; readonly status: "failed" | "reversed"; readonly reason: string }
  /** A payment that had gone through came back. */
  | { readonly type: "compensate"; readonly reason: string }
  /** A payment went through although its coins were returned: the platform's loss, for people to look at. */
  | { readonly type: "lose" }
  | {
      readonly type: "tell";
      readonly status: PaymentStatus;
      readonly reason: string | null;
      readonly nextAttemptAt: Instant | null;
      /** People have to do something: money at the provider, a one-time code, a look. */
      readonly alert: string | null;
    }
  /** The provider certainly was not told to pay this out, or back: it may be told. */
  | { readonly type: "send_again" }
  /** Only the provider's answer to a question of ours can be believed here. People are called where there is an alert. */
  | { readonly type: "ask"; readonly alert?: string };

/** Where a word comes from: an answer says what is so now, a webhook what once was, in any order. */
export type Source = "answer" | "webhook";

const DAY_MS = 24 * 60 * MINUTE_MS;
/** For so long a checkout is looked after; what comes later is found by its webhook or the daily comparison. */
export const UNPAID_MS = DAY_MS;
/** "Not found" is believed once it has been heard for so long (ruling 9). */
export const NOT_FOUND_MS = 10 * MINUTE_MS;

const DEPOSIT_PAUSE_MS_MIN = 15 * SECOND_MS;
const DEPOSIT_PAUSE_MS_MAX = 30 * MINUTE_MS;
const OUT_PAUSE_MS_MIN = 2 * SECOND_MS;
const OUT_PAUSE_MS_MAX = 5 * MINUTE_MS;
const DOUBLINGS_MAX = 20;

/** When to ask again after so many attempts: 15 s, twice as long each time, half an hour at most; money out from 2 s to 5 minutes. */
export function toNextAttemptAt(payment: Pick<Payment, "kind" | "attempts">, now: Instant): Instant {
  const [least, most] =
    payment.kind === "deposit" ? [DEPOSIT_PAUSE_MS_MIN, DEPOSIT_PAUSE_MS_MAX] : [OUT_PAUSE_MS_MIN, OUT_PAUSE_MS_MAX];
  return addMs(now, Math.min(most, least * 2 ** Math.min(payment.attempts, DOUBLINGS_MAX)));
}

const DISPUTED = "Your bank disputes this payment. Nothing can be withdrawn until that is decided.";
const WON = "The dispute about this payment was decided in your favour. Its coins come back once Paystack confirms it.";
const BEYOND_LIMIT = "This is more than you let yourself deposit.";
const BANK_REVERSED = "The payment was reversed by your bank or card.";

/** What the payer is asked for: the amount, and the provider's fee where that is theirs. */
export function toAskedKobo({ kobo, payerFeeKobo }: Pick<Payment, "kobo" | "payerFeeKobo">): Kobo {
  return (kobo + payerFeeKobo) as Kobo;
}

/** Whether exactly what was asked for has come in: the provider may have let the payer bear its fee, and then it is beside the amount. */
function isWhole(payment: Payment, word: ChargeWord): boolean {
  if (word.currency !== "NGN" || word.reference !== payment.reference) return false;
  const asked = toAskedKobo(payment);
  if (word.amount === asked) return word.requestedAmount === null || word.requestedAmount === asked;
  return word.requestedAmount === asked && word.fees !== null && word.amount - word.fees === asked;
}

/** What of the provider's fee is the platform's: what the payer bore is nobody's here. */
function toChargeFee(payment: Payment, word: ChargeWord): Kobo | null {
  if (word.fees === null || word.amount !== toAskedKobo(payment)) return null;
  const own = word.fees - payment.payerFeeKobo;
  return own <= 0n ? null : (own as Kobo);
}

/** What of a charge that differs can be credited all the same. */
export interface Arrived {
  readonly kobo: Kobo;
  readonly payerFeeKobo: Kobo;
  /** The provider's fee, where it is the platform's. */
  readonly feeKobo: Kobo | null;
}

/** What has arrived of a deposit by the provider's word, less the fee where it was to be the payer's; null for what is no naira, or not paid. */
export function toArrived(payment: Payment, word: ChargeWord | null): Arrived | null {
  if (word === null || word.status !== "success" || word.currency !== "NGN") return null;
  const fees = word.fees === null || word.fees < 0n ? 0n : word.fees;
  const [borne, own] = payment.payerFeeKobo > 0n ? [fees, 0n] : [0n, fees];
  const kobo = word.amount - borne;
  if (kobo <= 0n || kobo > KOBO_MAX) return null;
  return { kobo: toKobo(kobo), payerFeeKobo: toKobo(borne), feeKobo: own === 0n ? null : toKobo(own) };
}

function tell(
  status: PaymentStatus,
  reason: string | null,
  nextAttemptAt: Instant | null,
  alert: string | null = null,
): Effect {
  return { type: "tell", status, reason, nextAttemptAt, alert };
}

/** What was written stays as it is, but when to look again. */
function wait(payment: Payment, nextAttemptAt: Instant | null): Effect {
  return tell(payment.status, payment.reason, nextAttemptAt);
}

/** There is nothing to do: an answer ends the question, a webhook leaves one that was put as it is. */
function rest(payment: Payment, source: Source): Effect {
  return wait(payment, source === "webhook" ? payment.nextAttemptAt : null);
}

/**
 * What the provider's word means for a deposit. Nothing is credited but a success of the right amount, currency and reference; another
 * is held for people. What was not paid may still be: a later success credits, whatever was told before.
 *
 * @param word null where the provider knows no such charge
 */
export function decideDeposit(payment: Payment, word: ChargeWord | null, source: Source, now: Instant): Effect {
  // It may be one of before a dispute was won, and what follows from it nobody takes back here.
  if (word?.status === "reversed" && source === "webhook" && payment.money !== "taken_back") return { type: "ask" };
  switch (payment.money) {
    case "taken_back":
      return decideTakenBack(payment, word, source, now);
    case "credited":
      if (word?.status === "reversed") return { type: "take_back", reason: BANK_REVERSED };
      // Disputed, and asked about since that was lost: the charge is taken back, but not always in the same moment.
      return payment.status === "review" && source === "answer"
        ? wait(payment, toNextAttemptAt(payment, now))
        : rest(payment, source);
    case "restored":
      return word?.status === "reversed"
        ? tell("review", "We are looking into this payment.", null, "deposit_reversed_again")
        : rest(payment, source);
    default:
  }
  if (isBeingRefunded(payment)) {
    // Until that is done the provider goes on to call it a success.
    return word?.status === "reversed" ? { type: "refunded" } : wait(payment, payment.nextAttemptAt);
  }
  if (payment.status === "reversed") return rest(payment, source);
  const isOver = now - payment.createdAt >= UNPAID_MS;
  const next = isOver ? null : toNextAttemptAt(payment, now);
  if (word === null) {
    // Nobody can pay what has no checkout.
    const isGone = isOver || (payment.authorizationUrl === null && now - payment.createdAt >= NOT_FOUND_MS);
    return isGone && payment.status !== "review"
      ? tell("failed", "The payment was never begun.", null)
      : wait(payment, next);
  }
  switch (word.status) {
    case "success":
      if (payment.status === "review") return rest(payment, source);
      return isWhole(payment, word)
        ? { type: "credit", feeKobo: toChargeFee(payment, word), reason: null }
        : tell(
            "review",
            "What arrived differs from what was to be paid. We are looking into it.",
            null,
            "deposit_differs",
          );
    case "reversed":
      return tell("reversed", BANK_REVERSED, null);
    case "failed":
      return payment.status === "review"
        ? wait(payment, null)
        : tell("failed", "Your bank or card declined the payment.", next);
    case "abandoned":
      // So the provider calls what nobody has paid yet, too: only time tells.
      return payment.status === "review" || !isOver
        ? wait(payment, next)
        : tell("abandoned", "The payment was not completed.", null);
    case "ongoing":
    case "pending":
    case "processing":
    case "queued":
      return wait(payment, toNextAttemptAt(payment, now));
    default:
      return assertNever(word.status);
  }
}

/** Taken back it stays, but for a dispute that was won since: then it is asked about until the provider has the money again. */
function decideTakenBack(payment: Payment, word: ChargeWord | null, source: Source, now: Instant): Effect {
  if (payment.status !== "review" || source === "webhook") return rest(payment, source);
  return word?.status === "success" && isWhole(payment, word)
    ? { type: "restore" }
    : wait(payment, toNextAttemptAt(payment, now));
}

/**
 * A credited deposit that the payer's bank disputes: nothing is taken before that is decided, but nothing can be withdrawn either. One
 * that was taken back before the dispute was won comes back.
 *
 * @param isDeclined whether the dispute ended in our favour; null while it goes on
 */
export function decideDispute(payment: Payment, isDeclined: boolean | null, now: Instant): Effect {
  if (payment.money === "taken_back" && isDeclined === true) return tell("review", WON, now);
  if (payment.money !== "credited" && payment.money !== "restored") return wait(payment, payment.nextAttemptAt);
  if (isDeclined === null) return tell("review", DISPUTED, null, "deposit_disputed");
  return isDeclined ? tell("completed", null, null) : { type: "ask" };
}

/** A refund takes its ten working days at the worst; what takes a week is worth a look at the provider's own pages. */
const REFUND_SLOW_MS = 7 * DAY_MS;

const REFUND_SLOW = "Your payment is still on its way back to you. We are looking into it.";
const NOT_REFUNDED = "We could not send your payment back yet. We are looking into it.";

/**
 * What has become of a deposit that is being sent back, by what the provider says of the charge and lists of its refunds. That it lists
 * none, or failed ones alone, is believed after ten minutes, since the newest may not be listed yet: then the first is told to it again,
 * which it takes once, and the second is for people to look at. They are called as well, once, where it stays on its way for a week;
 * nothing else changes by that, since a second refund could be one too many.
 */
export function decideRefund(
  payment: Payment,
  charge: ChargeWord | null,
  refunds: readonly RefundWord[],
  now: Instant,
): Effect {
  if (!isBeingRefunded(payment)) return wait(payment, payment.nextAttemptAt);
  const processed = refunds
    .filter(({ status }) => status === "processed")
    .reduce((sum, { amount }) => sum + amount, 0n);
  const isWholeBack = charge !== null && processed >= charge.amount;
  if (charge?.status === "reversed" || isWholeBack) return { type: "refunded" };
  const isBelieved = payment.askedSince !== null && now - payment.askedSince >= NOT_FOUND_MS;
  if (!isBelieved || refunds.some(({ status }) => status === "open")) {
    const isSlow = payment.sentAt !== null && now - payment.sentAt >= REFUND_SLOW_MS;
    const next = toNextAttemptAt(payment, now);
    return isSlow ? tell(payment.status, REFUND_SLOW, next, "refund_slow") : wait(payment, next);
  }
  return refunds.length === 0 ? { type: "send_again" } : tell("review", NOT_REFUNDED, null, "refund_failed");
}

/** The provider refused to send it back: the money is there still, and for people to look at. */
export function decideRefundRefused(payment: Payment): Effect {
  return isBeingRefunded(payment)
    ? tell("review", NOT_REFUNDED, null, "refund_refused")
    : wait(payment, payment.nextAttemptAt);
}

/** Who comes back from the checkout without having paid is told so, and may still pay. */
export function decideReturn(payment: Payment, word: ChargeWord | null, now: Instant): Effect {
  const isLeft = word?.status === "abandoned" && payment.money === "none" && payment.status === "pending";
  return isLeft
    ? tell("abandoned", "The payment was not completed.", toNextAttemptAt(payment, now))
    : decideDeposit(payment, word, "answer", now);
}

function toTransferFee(word: TransferWord): Kobo | null {
  return word.fee === null || word.fee <= 0n ? null : (word.fee as Kobo);
}

function isOurs(payment: Payment, word: TransferWord): boolean {
  return word.currency === "NGN" && word.reference === payment.reference && word.amount === payment.kobo;
}

/**
 * What a refund's webhook means: how much was paid back, of what, and whether it was this time, the provider's lists say. Of a credited
 * deposit nobody here asks for one, and a part of it leaves the charge a success: people are to look.
 */
export function decideRefundTold(payment: Payment, isProcessed: boolean): Effect {
  const isOthers = (payment.money === "credited" || payment.money === "restored") && payment.status !== "review";
  return isProcessed && isOthers ? { type: "ask", alert: "deposit_refunded" } : { type: "ask" };
}

/** What would credit somebody who has left for good, their name and bank with them: it is held, to be sent back to who paid it. */
export function decideAfterLeaving(): Effect {
  return tell("review", "This was paid after its player had left.", null, "deposit_after_leaving");
}

/**
 * What would pass a limit that its player has set goes back to who paid it, and nobody is asked: a limit that people could lift would be
 * none. Where its payer's bank disputes it, whose money it is has to be decided first.
 */
export function decideBeyondLimit(isDisputed: boolean): Effect {
  return isDisputed
    ? tell("review", `${BEYOND_LIMIT} Your bank disputes it as well.`, null, "deposit_beyond_limit")
    : { type: "send_back", reason: `${BEYOND_LIMIT} It is being sent back to you.` };
}

/**
 * A deposit keeps the rate at which it was begun (ruling 4), but not for ever: who keeps checkouts open and pays them once coins have
 * become dearer would be paid the difference. After the day for which one is looked after people decide. Null: it is credited.
 */
export function decideOldRate(payment: Payment, rateKobo: number, now: Instant): Effect | null {
  const isOld = now - payment.createdAt >= UNPAID_MS && payment.rateKobo < rateKobo;
  return isOld
    ? tell(
        "review",
        "This was paid long after it was begun, at a rate of before. We are looking into it.",
        null,
        "deposit_at_old_rate",
      )
    : null;
}

const FAILED = "Failed to process withdrawal: the bank did not take the payment.";
const REVERSED = "The bank sent the payment back.";

/** What became of money that was sent out, and where its coins are now. */
function explainReturn({ kind }: Payment, what: string): string {
  return `${what} ${kind === "revenue" ? "It is back in the Admin Wallet." : "Your coins are back in your wallet."}`;
}

/**
 * What the provider's word means for money out. Only a conclusive word moves coins, and each of them once. Webhooks come in any order, so
 * one that contradicts what was done is asked about first; so is every one that would return coins, since what was sent back may be
 * what was never taken.
 *
 * @param word null where the provider knows no such transfer
 */
export function decideTransfer(payment: Payment, word: TransferWord | null, source: Source, now: Instant): Effect {
  if (word === null) return decideMissing(payment, now);
  if (!isOurs(payment, word)) {
    if (payment.money === "held") {
      return tell("review", "We are looking into this payment.", toNextAttemptAt(payment, now), "transfer_differs");
    }
    return rest(payment, source);
  }
  const { money } = payment;
  switch (word.status) {
    case "success":
      if (money === "held") return { type: "pay", feeKobo: toTransferFee(word) };
      if (money === "paid" || money === "lost") return rest(payment, source);
      // Coins were returned. What came back had been a success before, and its webhook may be the later one.
      return source === "webhook" ? { type: "ask" } : { type: "lose" };
    case "failed":
    case "reversed":
    case "abandoned":
    case "blocked":
    case "rejected":
      if (money === "returned") return rest(payment, source);
      if (source === "webhook") return { type: "ask" };
      if (money === "paid" || money === "lost") return { type: "compensate", reason: explainReturn(payment, REVERSED) };
      return word.status === "reversed"
        ? { type: "give_back", status: "reversed", reason: explainReturn(payment, REVERSED) }
        : { type: "give_back", status: "failed", reason: explainReturn(payment, FAILED) };
    case "otp":
      if (money !== "held") return rest(payment, source);
      return tell("pending", "Waiting for our confirmation.", toNextAttemptAt(payment, now), "transfer_otp");
    case "pending":
    case "received":
      if (money !== "held") return rest(payment, source);
      return tell("processing", null, toNextAttemptAt(payment, now));
    default:
      return assertNever(word.status);
  }
}

/** The provider refused the order and knows nothing of it: nothing was sent, and nothing will be. */
export function decideRefused(payment: Payment): Effect {
  return payment.money === "held"
    ? { type: "give_back", status: "failed", reason: explainReturn(payment, FAILED) }
    : wait(payment, null);
}

function decideMissing(payment: Payment, now: Instant): Effect {
  if (payment.money !== "held") return wait(payment, null);
  const isBelieved = payment.askedSince !== null && now - payment.askedSince >= NOT_FOUND_MS;
  return isBelieved ? { type: "send_again" } : wait(payment, toNextAttemptAt(payment, now));
}
