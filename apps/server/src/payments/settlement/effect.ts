import { addMs, DAY_MS, type Instant, MINUTE_MS, SECOND_MS } from "@holo/kernel/instant.ts";
import type { Kobo } from "@holo/kernel/money.ts";
import type { Payment, PaymentStatus } from "../payment.ts";

/** What is to happen to a payment, once: its coins, what the player is told, and when to look again (null: never by itself). */
export type Effect =
  /** The reason is what the player is to know of it; as a rule there is nothing. */
  | { readonly type: "credit"; readonly providerFeeKobo: Kobo | null; readonly reason: string | null }
  | { readonly type: "take_back"; readonly reason: string }
  /**
   * Something of a credited deposit has gone back to who paid it, all told, and people have to say who bears it. They are called where it is
   * more than before.
   */
  | {
      readonly type: "gone";
      readonly kobo: Kobo;
      readonly status: PaymentStatus;
      readonly reason: string | null;
      readonly alert: string;
    }
  /** They have said so. */
  | { readonly type: "book"; readonly bearer: "player" | "platform" }
  /** What was taken back is the provider's to us again: a dispute was won. */
  | { readonly type: "restore" }
  /** What nobody was credited with is to go back to who paid it; the provider was not told so yet. */
  | { readonly type: "send_back"; readonly reason: string }
  /** It has gone back. */
  | { readonly type: "refunded"; readonly reason: string }
  | { readonly type: "pay"; readonly providerFeeKobo: Kobo | null }
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
  /** Only the provider's answer to a question of ours can be believed here. */
  | { readonly type: "ask" };

/** Where a word comes from: an answer says what is so now, a webhook what once was, in any order. */
export type Source = "answer" | "webhook";

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

export function tell(
  status: PaymentStatus,
  reason: string | null,
  nextAttemptAt: Instant | null,
  alert: string | null = null,
): Effect {
  return { type: "tell", status, reason, nextAttemptAt, alert };
}

/** What was written stays as it is, but when to look again. */
export function wait(payment: Payment, nextAttemptAt: Instant | null): Effect {
  return tell(payment.status, payment.reason, nextAttemptAt);
}

/** There is nothing to do: an answer ends the question, a webhook leaves one that was put as it is. */
export function rest(payment: Payment, source: Source): Effect {
  return wait(payment, source === "webhook" ? payment.nextAttemptAt : null);
}

/** Begins what is said of a deposit that would pass a limit of its player's own. */
export const BEYOND_LIMIT = "This is more than you let yourself deposit.";
/** Where people have to look before anything more can be said. */
export const LOOKING = "We are looking into this payment.";
