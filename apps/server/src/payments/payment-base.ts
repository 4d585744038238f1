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
  /** What the player reads. */
  readonly status: PaymentStatus;
  readonly reason: PaymentReason | null;
  readonly createdAt: Instant;
  readonly completedAt: Instant | null;
  readonly attempts: number;
  /** When the provider is asked next, or the transfer is ordered; null for never. */
  readonly nextAskAt: Instant | null;
  /**
   * How often something else than the clock wanted it asked: an answer from before does not count.
   */
  readonly questions: number;
  /** The number of its newest fact; 0 for none. */
  readonly lastFact: number;
  readonly writtenOffKobo: Kobo;
  /** The provider's fee as it is booked; null for none. */
  readonly feeKobo: Kobo | null;
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
  "id" | "playerId" | "commandId" | "kobo" | "rateKobo" | "coins" | "createdAt" | "nextAskAt"
>;

export function makePaymentBase(kind: PaymentKind, given: NewPaymentFields, status: PaymentStatus): PaymentBase {
  return {
    ...given,
    reference: `${REFERENCE_PREFIXES[kind]}-${given.id}`,
    status,
    reason: null,
    completedAt: null,
    attempts: 0,
    questions: 0,
    lastFact: 0,
    writtenOffKobo: 0n as Kobo,
    feeKobo: null,
  };
}

export function makeReason(code: PaymentReasonCode, kobo: Kobo | null = null): PaymentReason {
  return { code, kobo };
}

export function isSameReason(a: PaymentReason | null, b: PaymentReason | null): boolean {
  return a?.code === b?.code && (a?.kobo ?? null) === (b?.kobo ?? null);
}
