import { assertNever } from "@holo/kernel/assert.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { KOBO_MAX } from "@holo/kernel/money.ts";
import type { ChargeFact, ChargeOutcome, RefundStage } from "../core/deposit-state.ts";
import type { TransferFact, TransferOutcome } from "../core/withdrawal-state.ts";
import type { ProviderCharge, ProviderRefund, ProviderTransfer } from "./provider-status.ts";

interface DepositOrder {
  readonly reference: string;
  readonly kobo: bigint;
  readonly payerFeeKobo: bigint;
}

/**
 * The provider's answer about a charge and its refunds as a fact. Null: it knows no such charge.
 */
export function toChargeFact(
  order: DepositOrder,
  charge: ProviderCharge | null,
  refunds: readonly ProviderRefund[],
  now: Instant,
): ChargeFact {
  const nothing = { type: "charge", kobo: 0n, backKobo: 0n, refund: "none", feeKobo: null, paidAt: null } as const;
  if (charge === null) return { ...nothing, outcome: "missing", providerId: null, channel: null };
  const outcome = toChargeOutcome(order, charge);
  const { id: providerId, channel, cardSignature } = charge;
  if (outcome !== "success" && outcome !== "other_sum" && outcome !== "foreign" && outcome !== "reversed") {
    return { ...nothing, outcome, providerId, channel: null };
  }
  const kobo = isExactAmount(order, charge) ? order.kobo : toArrived(order, charge);
  const gone = sumProcessed(refunds);
  const isGone = outcome === "reversed" || gone >= charge.amount;
  return {
    type: "charge",
    outcome,
    kobo,
    backKobo: isGone || gone > kobo ? kobo : gone,
    refund: toRefundStage(refunds),
    feeKobo: toPlatformShareOfFee(order, charge),
    paidAt: charge.paidAt === null || charge.paidAt > now ? now : charge.paidAt,
    providerId,
    channel,
    cardSignature,
  };
}

function toChargeOutcome(order: DepositOrder, charge: ProviderCharge): ChargeOutcome {
  const { status } = charge;
  switch (status) {
    case "success":
      if (charge.currency !== "NGN" || charge.amount > KOBO_MAX) return "foreign";
      return isExactAmount(order, charge) ? "success" : "other_sum";
    case "reversed":
    case "failed":
    case "abandoned":
      return status;
    case "ongoing":
    case "pending":
    case "processing":
    case "queued":
      return "busy";
    case "unknown":
      return "unreadable";
    default:
      return assertNever(status);
  }
}

/** Exactly the requested amount, or that amount plus the provider's fee. */
function isExactAmount({ reference, kobo, payerFeeKobo }: DepositOrder, charge: ProviderCharge): boolean {
  if (charge.currency !== "NGN" || charge.reference !== reference) return false;
  const requested = kobo + payerFeeKobo;
  if (charge.amount === requested) return charge.requestedAmount === null || charge.requestedAmount === requested;
  return charge.requestedAmount === requested && charge.fees !== null && charge.amount - charge.fees === requested;
}

/** What arrived, less the fee that its payer bears. */
function toArrived({ payerFeeKobo }: DepositOrder, { amount, fees }: ProviderCharge): bigint {
  const borne = payerFeeKobo > 0n && fees !== null && fees > 0n ? fees : 0n;
  const arrived = amount - borne;
  return arrived < 0n ? 0n : arrived > KOBO_MAX ? KOBO_MAX : arrived;
}

function toPlatformShareOfFee({ kobo, payerFeeKobo }: DepositOrder, { fees, amount }: ProviderCharge): bigint | null {
  const requested = kobo + payerFeeKobo;
  if (fees === null) return null;
  // The payer bore it in addition to the requested sum.
  if (amount !== requested && (payerFeeKobo > 0n || amount - fees === requested)) return null;
  const share = fees - payerFeeKobo;
  return share <= 0n ? null : share;
}

function sumProcessed(refunds: readonly ProviderRefund[]): bigint {
  return refunds.filter(({ status }) => status === "processed").reduce((sum, { amount }) => sum + amount, 0n);
}

function toRefundStage(refunds: readonly ProviderRefund[]): RefundStage {
  const has = (status: ProviderRefund["status"]) => refunds.some((refund) => refund.status === status);
  if (has("open")) return "open";
  if (has("processed")) return "processed";
  return has("failed") ? "failed" : "none";
}

interface TransferOrder {
  readonly reference: string;
  readonly kobo: bigint;
}

/** The provider's answer about a transfer as a fact. Null: it knows no such transfer. */
export function toTransferFact(order: TransferOrder, transfer: ProviderTransfer | null): TransferFact {
  if (transfer === null) return { type: "transfer", outcome: "missing", kobo: 0n, feeKobo: null, providerId: null };
  const { amount, fee, id: providerId } = transfer;
  const outcome = toTransferOutcome(order, transfer);
  const hasLeft = outcome === "success" || outcome === "other_sum";
  const isBorne = hasLeft && fee !== null && fee > 0n;
  return { type: "transfer", outcome, kobo: hasLeft ? amount : 0n, feeKobo: isBorne ? fee : null, providerId };
}

function toTransferOutcome(order: TransferOrder, transfer: ProviderTransfer): TransferOutcome {
  const { status, currency, amount } = transfer;
  switch (status) {
    case "success":
      if (currency !== "NGN" || amount <= 0n || amount > KOBO_MAX) return "foreign";
      return amount === order.kobo && transfer.reference === order.reference ? "success" : "other_sum";
    case "failed":
    case "abandoned":
    case "blocked":
    case "rejected":
      return isOrdered(order, transfer) ? "failed" : "foreign";
    case "reversed":
      return isOrdered(order, transfer) ? "reversed" : "foreign";
    case "pending":
    case "received":
      return "open";
    case "otp":
      return "otp";
    case "unknown":
      return "unreadable";
    default:
      return assertNever(status);
  }
}

/** A failure of another sum does not say that nothing of the ordered one left. */
function isOrdered({ kobo }: TransferOrder, { amount, currency }: ProviderTransfer): boolean {
  return amount === kobo && currency === "NGN";
}
