import type { CommandId, PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { Coins, Kobo } from "@holo/kernel/money.ts";
import type { PaymentReason, PaymentReasonCode } from "@holo/protocol/payments/payment-reasons.ts";
import type { PaymentStatus } from "@holo/protocol/payments/payments.ts";

export type { PaymentReason, PaymentReasonCode } from "@holo/protocol/payments/payment-reasons.ts";
export type { PaymentStatus } from "@holo/protocol/payments/payments.ts";

export interface PaymentBase {
  readonly id: PaymentId;
  readonly playerId: PlayerId;
  readonly commandId: CommandId;
  readonly kobo: Kobo;
  /** Kobo for one holocoin when the payment began (ruling 4). */
  readonly rateKobo: number;
  readonly coins: Coins;
  /** Known to the provider. Letters, digits and `-`, which both of its APIs accept. */
  readonly reference: string;
  readonly status: PaymentStatus;
  readonly reason: PaymentReason | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly completedAt: Instant | null;
  readonly attempts: number;
  /** When the due loop takes the next step; null for never. */
  readonly nextAttemptAt: Instant | null;
  /** When the provider was, or may have been, ordered to pay this out or to refund it. */
  readonly sentAt: Instant | null;
}

export interface BankAccount {
  readonly bankCode: string;
  readonly bankName: string;
  readonly accountNumber: string;
  readonly accountName: string;
}

export type PaymentKind = "deposit" | "withdrawal" | "revenue";

const REFERENCE_PREFIXES: Readonly<Record<PaymentKind, string>> = {
  deposit: "dep",
  withdrawal: "wdr",
  revenue: "rev",
};

export type NewPaymentFields = Pick<
  PaymentBase,
  "id" | "playerId" | "commandId" | "kobo" | "rateKobo" | "coins" | "createdAt" | "nextAttemptAt"
>;

export function makePaymentBase(kind: PaymentKind, given: NewPaymentFields, status: PaymentStatus): PaymentBase {
  return {
    ...given,
    reference: `${REFERENCE_PREFIXES[kind]}-${given.id}`,
    status,
    reason: null,
    updatedAt: given.createdAt,
    completedAt: null,
    attempts: 0,
    sentAt: null,
  };
}

export function makeReason(code: PaymentReasonCode, kobo: Kobo | null = null): PaymentReason {
  return { code, kobo };
}

export function isSameReason(a: PaymentReason | null, b: PaymentReason | null): boolean {
  return a?.code === b?.code && (a?.kobo ?? null) === (b?.kobo ?? null);
}
