import type { Database } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import type { Time } from "../../platform/time/time.ts";
import type { ChargeFact } from "../core/deposit-state.ts";
import type { Followed, Follower } from "../facts/follower.ts";
import { isDeposit, type Payment } from "../payment.ts";
import { makeReason } from "../payment-base.ts";
import type { Paystack } from "../provider/paystack.ts";
import type { ProviderRefusal } from "../provider/paystack-client.ts";
import { toChargeFact } from "../provider/to-facts.ts";
import { lockPaymentAndLimits } from "../store/payment-store.ts";
import type { Deposit } from "./deposit.ts";

export interface ChargeDeps {
  readonly database: Database;
  readonly time: Time;
  readonly paystack: Pick<Paystack, "verifyCharge" | "listRefunds" | "refund">;
  readonly follower: Follower;
}

/**
 * What the provider says about the charge and its refunds; null without an answer. Moves nothing.
 */
async function askCharge({ paystack, time }: ChargeDeps, deposit: Deposit): Promise<ChargeFact | null> {
  const answer = await paystack.verifyCharge(deposit.reference);
  if (!answer.ok) return null;
  const charge = answer.value;
  // The provider reports a partly refunded charge as a success, so its refunds are listed too.
  const listed = charge?.status === "success" ? await paystack.listRefunds(charge) : null;
  if (listed?.ok === false) return null;
  return toChargeFact(deposit, charge, listed?.value ?? [], time.now());
}

/**
 * Asks about the deposit and follows the answer: a step of the due loop, or because its player
 * returned.
 */
export async function followCharge(deps: ChargeDeps, deposit: Deposit, hasReturned = false): Promise<Payment | null> {
  const fact = await askCharge(deps, deposit);
  if (fact === null) return null;
  const followed = await deps.follower.answer(deposit, fact, { hasReturned });
  if (followed === null) return null;
  return await orderRefund(deps, followed);
}

export async function stepDeposit(deps: ChargeDeps, deposit: Deposit): Promise<void> {
  if ((await followCharge(deps, deposit)) !== null) return;
  const isTold = deposit.step === "open" && deposit.status === "pending";
  await deps.follower.postpone(deposit, isTold ? { reason: makeReason("awaiting_provider") } : {});
}

/** Whether the provider refuses because everything was refunded before. */
function isAlreadyRefunded(refusal: ProviderRefusal): boolean {
  return refusal.type === "refused" && /(fully|already).*(reversed|refunded)/i.test(refusal.message);
}

/**
 * Orders a refund that is committed as a fact. An unknown outcome counts as ordered: the provider
 * is asked for it. A refusal goes to staff. The whole charge includes a fee that its payer bore.
 */
export async function orderRefund(
  { database, paystack, follower }: ChargeDeps,
  { payment, refundKobo }: Followed,
  mayBeWhole = true,
): Promise<Payment> {
  if (refundKobo === null || !isDeposit(payment)) return payment;
  const isWhole = mayBeWhole && refundKobo >= payment.inKobo;
  const answer = await paystack.refund(payment.reference, isWhole ? null : refundKobo);
  if (answer.ok) return payment;
  if (answer.refusal.type !== "refused" || isAlreadyRefunded(answer.refusal)) {
    if (answer.refusal.type === "unknown") follower.notify(payment, [], ["refund_unknown"]);
    return payment;
  }
  return await transact(database, async (tx, afterCommit) => {
    const locked = await lockPaymentAndLimits(tx, payment.reference);
    if (locked === null || locked.lastFact !== payment.lastFact) return payment;
    const refused = { type: "to_staff", why: "refund_refused" } as const;
    return (await follower.follow(tx, afterCommit, locked, [refused])).payment;
  });
}
