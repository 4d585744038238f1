import type { CommandId, PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import { addMs, MINUTE_MS, toInstant } from "@holo/kernel/instant.ts";
import { toCoins, toKobo } from "@holo/kernel/money.ts";
import type { Payment } from "../payment.ts";
import type { ProviderCharge, ProviderTransfer } from "../provider/provider-status.ts";
import type { Effect } from "../settlement/effect.ts";

export const NOW = toInstant(Date.UTC(2026, 0, 1));
const REFERENCE = "dep-0123456789abcdef";

/** A deposit that was begun a minute ago. */
export function makeTestPayment(change: Partial<Payment> = {}): Payment {
  return {
    id: "p" as PaymentId,
    kind: "deposit",
    playerId: "ada" as PlayerId,
    commandId: "c" as CommandId,
    kobo: toKobo(500_000n),
    rateKobo: 30_600,
    coins: toCoins(16_339_870n),
    providerFeeKobo: null,
    payerFeeKobo: toKobo(0n),
    status: "pending",
    money: "none",
    reference: REFERENCE,
    reason: null,
    authorizationUrl: "https://checkout.example/x",
    account: null,
    recipientCode: null,
    createdAt: addMs(NOW, -MINUTE_MS),
    completedAt: null,
    updatedAt: NOW,
    attempts: 0,
    nextAttemptAt: NOW,
    sentAt: null,
    notFoundSince: null,
    refundedKobo: toKobo(0n),
    allocatedKobo: toKobo(0n),
    ...change,
  };
}

/** A withdrawal whose coins are held. */
export const makeHeldWithdrawal = (change: Partial<Payment> = {}): Payment =>
  makeTestPayment({ kind: "withdrawal", status: "processing", money: "held", sentAt: NOW, ...change });

/** The provider's word of that deposit: paid. */
export function makeProviderCharge(change: Partial<ProviderCharge> = {}): ProviderCharge {
  const amounts = { amount: 500_000n, requestedAmount: 500_000n, fees: 17_500n };
  return { id: "1", reference: REFERENCE, status: "success", currency: "NGN", ...amounts, ...change };
}

/** The provider's word of that withdrawal: gone through. */
export function makeProviderTransfer(change: Partial<ProviderTransfer> = {}): ProviderTransfer {
  const word = { id: "1", reference: REFERENCE, status: "success", amount: 500_000n } as const;
  return { ...word, currency: "NGN", fee: 1_000n, failure: null, ...change };
}

/** In a word: the effect, and the status where it is only told. */
export const nameOf = (effect: Effect): string => (effect.type === "tell" ? effect.status : effect.type);
