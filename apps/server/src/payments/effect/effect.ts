import { addMs, DAY_MS, type Instant, MINUTE_MS, SECOND_MS } from "@holo/kernel/instant.ts";
import type { Kobo } from "@holo/kernel/money.ts";
import type { Payment } from "../payment.ts";
import { makeReason, type PaymentReason, type PaymentReasonCode, type PaymentStatus } from "../payment-base.ts";

/** A change without postings: status, reason and the next attempt (null for none). */
export interface SetStatusEffect {
  readonly type: "set_status";
  readonly status: PaymentStatus;
  readonly reason: PaymentReason | null;
  readonly nextAttemptAt: Instant | null;
  /** Raised when the status or the reason is new: staff must act. */
  readonly alert: string | null;
}

/** The report alone is not conclusive: asks the provider. */
export interface AskEffect {
  readonly type: "ask";
}

export type DepositEffect =
  | SetStatusEffect
  | AskEffect
  | {
      readonly type: "credit";
      readonly providerFeeKobo: Kobo | null;
      readonly paidAt: Instant;
      /** Kobo for one holocoin: the deposit's own rate, or that of a late payment (ruling 35). */
      readonly rateKobo: number;
      readonly reason: PaymentReason | null;
      /** A dispute was opened before the credit: the coins are the player's, but under review. */
      readonly isDisputed: boolean;
      /** Whether the provider may have refunded a part before the credit, and is asked for it. */
      readonly isAskedAgain: boolean;
    }
  | { readonly type: "take_back" }
  /** The provider has refunded so much of a credited deposit, in total (ruling 53). */
  | { readonly type: "take_part"; readonly refundedKobo: Kobo }
  | {
      readonly type: "record_refund";
      /** As `take_part`, but a dispute may return it: staff decide. */
      readonly kobo: Kobo;
      readonly status: PaymentStatus;
      readonly reason: PaymentReason | null;
      readonly alert: string;
    }
  | {
      readonly type: "allocate_refund";
      readonly bearer: "player" | "platform";
      /** The bank has still to take the money of a lost dispute: the deposit remains in review. */
      readonly isDisputed: boolean;
    }
  | { readonly type: "restore" }
  | { readonly type: "start_refund"; readonly reason: PaymentReason }
  | { readonly type: "finish_refund"; readonly reason: PaymentReason }
  | { readonly type: "retry_refund" };

export type WithdrawalEffect =
  | SetStatusEffect
  | AskEffect
  /** `sentKobo`: what was sent, if staff decided that it differs. */
  | { readonly type: "pay"; readonly providerFeeKobo: Kobo | null; readonly sentKobo?: Kobo }
  /** By staff: the provider sent less. The platform bears that, and the coins return. */
  | { readonly type: "bear_sent"; readonly providerFeeKobo: Kobo | null; readonly sentKobo: Kobo }
  | {
      readonly type: "return_coins";
      readonly status: "failed" | "reversed" | "abandoned";
      readonly reason: PaymentReason;
    }
  | { readonly type: "return_late"; readonly reason: PaymentReason }
  /**
   * The payment went through after its coins were returned: the platform's loss, for staff.
   * `sentKobo`: what was sent, if it differs from what is known.
   */
  | { readonly type: "record_loss"; readonly sentKobo?: Kobo }
  /** The provider does not know the transfer: it is sent again. */
  | { readonly type: "send_again" };

/** A webhook states what was true once. Except for disputes it only causes a query (ruling 59). */
export type ReportSource = "answer" | "webhook";

/** A later payment is found by its webhook or reconciliation. */
export const UNPAID_MS = DAY_MS;
/** "Not found" is conclusive after it was repeated this long (ruling 9). */
export const NOT_FOUND_MS = 10 * MINUTE_MS;

const DEPOSIT_PAUSE_MS_MIN = 15 * SECOND_MS;
const DEPOSIT_PAUSE_MS_MAX = 30 * MINUTE_MS;
const WITHDRAWAL_PAUSE_MS_MIN = 2 * SECOND_MS;
const WITHDRAWAL_PAUSE_MS_MAX = 5 * MINUTE_MS;
const DOUBLINGS_MAX = 20;

/** Doubling pauses: deposits from 15 s to 30 minutes, withdrawals from 2 s to 5 minutes. */
export function toNextAttemptAt({ kind, attempts }: Pick<Payment, "kind" | "attempts">, now: Instant): Instant {
  const [least, most] =
    kind === "deposit"
      ? [DEPOSIT_PAUSE_MS_MIN, DEPOSIT_PAUSE_MS_MAX]
      : [WITHDRAWAL_PAUSE_MS_MIN, WITHDRAWAL_PAUSE_MS_MAX];
  return addMs(now, Math.min(most, least * 2 ** Math.min(attempts, DOUBLINGS_MAX)));
}

export const ASK: AskEffect = { type: "ask" };

export function setStatus(
  status: PaymentStatus,
  reason: PaymentReasonCode | null,
  nextAttemptAt: Instant | null,
  alert: string | null = null,
): SetStatusEffect {
  return { type: "set_status", status, reason: reason && makeReason(reason), nextAttemptAt, alert };
}

export function waitUntil({ status, reason }: Payment, nextAttemptAt: Instant | null): SetStatusEffect {
  return { type: "set_status", status, reason, nextAttemptAt, alert: null };
}

/** Nothing to do: the answer ends the polling. */
export function keepUnchanged(payment: Payment): SetStatusEffect {
  return waitUntil(payment, null);
}
