import { assertNever } from "@holo/kernel/assert.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { KOBO_MAX, type Kobo, toKobo } from "@holo/kernel/money.ts";
import { isAllocationPending, isBeingRefunded, isCredited, type Payment } from "../payment.ts";
import type { ProviderCharge, ProviderRefund } from "../provider/provider-status.ts";
import {
  BEYOND_LIMIT,
  type Effect,
  LOOKING,
  NOT_FOUND_MS,
  rest,
  type Source,
  tell,
  toNextAttemptAt,
  UNPAID_MS,
  wait,
} from "../settlement/effect.ts";
import { sumProcessed, toRefunded } from "./decide-refund.ts";

const DISPUTED = "Your bank disputes this payment. Nothing can be withdrawn until that is decided.";
const WON = "The dispute about this payment was decided in your favour. Its coins come back once Paystack confirms it.";
const BANK_REVERSED = "The payment was reversed by your bank or card.";

/** What the payer is asked for: the amount, and the provider's fee where that is theirs. */
export function toRequestedKobo({ kobo, payerFeeKobo }: Pick<Payment, "kobo" | "payerFeeKobo">): Kobo {
  return (kobo + payerFeeKobo) as Kobo;
}

/** Whether exactly what was asked for has come in: the provider may have let the payer bear its fee, and then it is beside the amount. */
function isExactAmount(payment: Payment, word: ProviderCharge): boolean {
  if (word.currency !== "NGN" || word.reference !== payment.reference) return false;
  const asked = toRequestedKobo(payment);
  if (word.amount === asked) return word.requestedAmount === null || word.requestedAmount === asked;
  return word.requestedAmount === asked && word.fees !== null && word.amount - word.fees === asked;
}

/** What of the provider's fee is the platform's: what the payer bore is nobody's here. */
function toPlatformShareOfFee(payment: Payment, word: ProviderCharge): Kobo | null {
  if (word.fees === null || word.amount !== toRequestedKobo(payment)) return null;
  const own = word.fees - payment.payerFeeKobo;
  return own <= 0n ? null : (own as Kobo);
}

/** What of a charge that differs can be credited all the same. */
export interface CreditableCharge {
  readonly kobo: Kobo;
  readonly payerFeeKobo: Kobo;
  /** The provider's fee, where it is the platform's. */
  readonly providerFeeKobo: Kobo | null;
}

/** What has arrived of a deposit by the provider's word, less the fee where it was to be the payer's; null for what is no naira, or not paid. */
export function toCreditable(payment: Payment, word: ProviderCharge | null): CreditableCharge | null {
  if (word === null || word.status !== "success" || word.currency !== "NGN") return null;
  const fees = word.fees === null || word.fees < 0n ? 0n : word.fees;
  const [borne, own] = payment.payerFeeKobo > 0n ? [fees, 0n] : [0n, fees];
  const kobo = word.amount - borne;
  if (kobo <= 0n || kobo > KOBO_MAX) return null;
  return { kobo: toKobo(kobo), payerFeeKobo: toKobo(borne), providerFeeKobo: own === 0n ? null : toKobo(own) };
}

/**
 * What the provider's word means for a deposit. Nothing is credited but a success of the right amount, currency and reference; another
 * is held for people. What was not paid may still be: a later success credits, whatever was told before.
 *
 * @param word null where the provider knows no such charge
 */
export function decideDeposit(payment: Payment, word: ProviderCharge | null, source: Source, now: Instant): Effect {
  // It may be one of before a dispute was won, and what follows from it nobody takes back here.
  const isLast = payment.money === "taken_back" && !isBeingRefunded(payment);
  if (word?.status === "reversed" && source === "webhook" && !isLast) return { type: "ask" };
  if (isBeingRefunded(payment)) {
    // Until that is done the provider goes on to call it a success.
    return word?.status === "reversed" ? toRefunded(payment) : wait(payment, payment.nextAttemptAt);
  }
  switch (payment.money) {
    case "taken_back":
      return decideTakenBack(payment, word, source, now);
    case "credited":
      if (word?.status === "reversed") {
        // A part of it was booked before, and cannot be taken once more with the whole.
        return payment.allocatedKobo === 0n
          ? { type: "take_back", reason: BANK_REVERSED }
          : decideWholeRefund(payment, source);
      }
      // Disputed, and asked about since that was lost: the charge is taken back, but not always in the same moment.
      return payment.status === "review" && source === "answer"
        ? wait(payment, toNextAttemptAt(payment, now))
        : rest(payment, source);
    case "restored":
      return word?.status === "reversed" ? decideWholeRefund(payment, source) : rest(payment, source);
    default:
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
      return isExactAmount(payment, word)
        ? { type: "credit", providerFeeKobo: toPlatformShareOfFee(payment, word), reason: null }
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

/** All of it has gone where it cannot simply be taken back whole: whose the loss is, people decide. */
function decideWholeRefund(payment: Payment, source: Source): Effect {
  if (payment.refundedKobo === payment.kobo) return rest(payment, source);
  const alert = payment.money === "restored" ? "deposit_reversed_again" : "deposit_refunded";
  return { type: "gone", kobo: payment.kobo, status: "review", reason: LOOKING, alert };
}

/** What of the charge is not with the provider any more, all told, by its word and its list of refunds; never more than the deposit. */
export function toRefundedKobo(
  payment: Payment,
  word: ProviderCharge | null,
  refunds: readonly ProviderRefund[],
): Kobo {
  if (word?.status === "reversed") return payment.kobo;
  const processed = sumProcessed(refunds);
  return processed < payment.kobo ? toKobo(processed) : payment.kobo;
}

/**
 * What the provider's answer and its list of refunds mean for a deposit that is credited: nobody here asks for a refund of one, and a part
 * leaves the charge a success.
 */
export function decideCredited(
  payment: Payment,
  word: ProviderCharge | null,
  refunds: readonly ProviderRefund[],
  now: Instant,
): Effect {
  const gone = toRefundedKobo(payment, word, refunds);
  const isMore = word?.status === "success" && isCredited(payment) && gone > payment.refundedKobo;
  if (!isMore) return decideDeposit(payment, word, "answer", now);
  // All of it is back, and the charge is not called so in the same moment: what it means hangs on that.
  if (gone === payment.kobo) return wait(payment, toNextAttemptAt(payment, now));
  return { type: "gone", kobo: gone, status: payment.status, reason: payment.reason, alert: "deposit_refunded" };
}

/** Taken back it stays, but for a dispute that was won since: then it is asked about until the provider has the money again. */
function decideTakenBack(payment: Payment, word: ProviderCharge | null, source: Source, now: Instant): Effect {
  if (payment.status !== "review" || source === "webhook") return rest(payment, source);
  return word?.status === "success" && isExactAmount(payment, word)
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
  // What goes back to somebody who has left is nobody's to win.
  if (isBeingRefunded(payment)) return wait(payment, payment.nextAttemptAt);
  if (payment.money === "taken_back" && isDeclined === true) return tell("review", WON, now);
  if (!isCredited(payment) || payment.allocatedKobo === payment.kobo) return wait(payment, payment.nextAttemptAt);
  if (isDeclined === null) return tell("review", DISPUTED, null, "deposit_disputed");
  if (!isDeclined) return { type: "ask" };
  // What was found gone meanwhile waits for people still.
  return isAllocationPending(payment) ? tell("review", LOOKING, null) : tell("completed", null, null);
}

/** Who comes back from the checkout without having paid is told so, and may still pay. */
export function decideReturn(payment: Payment, word: ProviderCharge | null, now: Instant): Effect {
  const isLeft = word?.status === "abandoned" && payment.money === "none" && payment.status === "pending";
  return isLeft
    ? tell("abandoned", "The payment was not completed.", toNextAttemptAt(payment, now))
    : decideDeposit(payment, word, "answer", now);
}

/** What would be coins of somebody who has left for good, their name and bank with them: it is held, to be sent back to who paid it. */
export function decideAfterDeletion(): Effect {
  return tell("review", "This came in after its player had left.", null, "deposit_after_leaving");
}

/**
 * What would pass a limit that its player has set goes back to who paid it, and nobody is asked: a limit that people could lift would be
 * none. Where its payer's bank disputes it, whose money it is has to be decided first.
 */
export function decideAboveLimit(isDisputed: boolean): Effect {
  return isDisputed
    ? tell("review", `${BEYOND_LIMIT} Your bank disputes it as well.`, null, "deposit_beyond_limit")
    : { type: "send_back", reason: `${BEYOND_LIMIT} It is being sent back to you.` };
}

/**
 * A deposit keeps the rate at which it was begun (ruling 4), but not for ever: who keeps checkouts open and pays them once coins have
 * become dearer would be paid the difference. After the day for which one is looked after people decide. Null: it is credited.
 */
export function decideOldExchangeRate(payment: Payment, rateKobo: number, now: Instant): Effect | null {
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
