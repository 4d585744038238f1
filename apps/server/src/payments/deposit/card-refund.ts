import type { PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { type CardRefund, toCardRefund } from "@holo/protocol/payments/withdrawal-terms.ts";
import { loadUnplayed, loadWallet, lockWallet } from "../../ledger/ledger.ts";
import type { Queries } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import { isCardRefundable } from "../core/decide-deposit.ts";
import { foldDeposits, loadFacts } from "../facts/fact-store.ts";
import { isDeposit, type Payment } from "../payment.ts";
import { loadPayment, lockPaymentAndLimits } from "../store/payment-store.ts";
import { findWithdrawalHold, HOLD_REFUSALS } from "../withdrawal/money-hold.ts";
import { type ChargeDeps, followCharge, orderRefund } from "./ask-charge.ts";

export interface CardRefundOrder {
  readonly playerId: PlayerId;
  readonly paymentId: PaymentId;
  /** What the player was shown. */
  readonly kobo: number;
  readonly feeKobo: number;
}

export type CardRefundRefusal =
  | "unknown_payment"
  | "provider_silent"
  | "debts_open"
  | "withdrawals_held"
  | "card_refund_changed";

/**
 * Sends the unplayed coins of a deposit back to the card at once (ruling 51). The provider is asked
 * first; the coins are taken with the fact, before the order. A repeat gets the same payment.
 */
export async function refundToCard(
  deps: ChargeDeps,
  order: CardRefundOrder,
): Promise<Result<Payment, CardRefundRefusal>> {
  const { kysely } = deps.database;
  const known = await loadPayment(kysely, order.paymentId);
  if (known === null || !isDeposit(known) || known.playerId !== order.playerId) return refuse("unknown_payment");
  const balance = (await loadWallet(kysely, order.playerId))?.balance ?? null;
  if (!isShown(await findCardRefund(kysely, order, balance), order)) {
    return await refuseUnlessOrdered(kysely, known, order, "card_refund_changed");
  }
  if ((await followCharge(deps, known)) === null) {
    return await refuseUnlessOrdered(kysely, known, order, "provider_silent");
  }
  const followed = await transact(deps.database, async (tx, afterCommit) => {
    const deposit = await lockPaymentAndLimits(tx, known.reference);
    if (deposit === null || !isDeposit(deposit)) return refuse("unknown_payment");
    const refund = await findCardRefund(tx, order, await lockWallet(tx, order.playerId));
    if (!isShown(refund, order)) return await refuseUnlessOrdered(tx, deposit, order, "card_refund_changed");
    const held = await findWithdrawalHold(tx, order.playerId);
    if (held !== null) return refuse(HOLD_REFUSALS[held]);
    const state = foldDeposits(await loadFacts(tx, deposit.id));
    if (!isCardRefundable(state)) return refuse("card_refund_changed");
    const { kobo, feeKobo: borneFeeKobo } = refund;
    const keptKobo = state.keptKobo - kobo - borneFeeKobo;
    if (keptKobo < 0n) return refuse("card_refund_changed");
    const facts = [
      { type: "refund_sent", kobo, cause: "player", borneFeeKobo },
      { type: "posted", keptKobo, rateKobo: null },
    ] as const;
    return ok(await deps.follower.follow(tx, afterCommit, deposit, facts));
  });
  if (!followed.ok) return followed;
  const { value } = followed;
  return ok("refundKobo" in value ? await orderRefund(deps, value, false) : value);
}

async function findCardRefund(
  queries: Queries,
  { playerId, paymentId }: CardRefundOrder,
  balance: Parameters<typeof loadUnplayed>[2] | null,
): Promise<CardRefund | null> {
  const unplayed = balance === null ? [] : await loadUnplayed(queries, playerId, balance);
  const own = unplayed.find((deposit) => deposit.paymentId === paymentId);
  return own === undefined ? null : toCardRefund(own);
}

function isShown(refund: CardRefund | null, { kobo, feeKobo }: CardRefundOrder): refund is CardRefund {
  return refund !== null && refund.kobo === BigInt(kobo) && refund.feeKobo === BigInt(feeKobo);
}

/** Refuses, unless the reason is that it was ordered before: by another press, or just now. */
async function refuseUnlessOrdered<Refusal extends CardRefundRefusal>(
  queries: Queries,
  payment: Payment,
  { kobo }: CardRefundOrder,
  refusal: Refusal,
): Promise<Result<Payment, Refusal>> {
  const facts = await loadFacts(queries, payment.id);
  const wasOrdered = facts.some(
    ({ fact }) => fact.type === "refund_sent" && fact.cause === "player" && fact.kobo === BigInt(kobo),
  );
  return wasOrdered ? ok(payment) : refuse(refusal);
}
