import { assert } from "@holo/kernel/assert.ts";
import type { PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { type Coins, toCoinsOut, ZERO_COINS } from "@holo/kernel/money.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { Queries, Tx } from "../platform/database.ts";
import {
  type DepositOrder,
  decideClosingRemainder,
  decideDeposit,
  decideDepositReturn,
  decideDepositReversal,
  decideProviderFee,
  decideSentBack,
  type FeeOrder,
  type PaymentEntry,
  type RemainderOrder,
  type SentBackOrder,
} from "./decide-payment.ts";
import {
  decideRevenueLeft,
  decideRevenueWithdrawal,
  decideWithdrawal,
  decideWithdrawalHold,
  findHold,
  type RevenueOrder,
  type WithdrawalOrder,
  type WithdrawalWord,
} from "./decide-withdrawal.ts";
import { debtsOf } from "./entry.ts";
import { loadDebts, loadPayment, lockRevenue } from "./payment-store.ts";
import { type EntryConflict, findPosted, type InsufficientBalance, type Posted, post, postCovered } from "./post.ts";
import { loadTotals, loadWallets, lockWallet, openAccount } from "./store.ts";

interface PaymentOrder {
  readonly paymentId: PaymentId;
  readonly at: Instant;
}

/**
 * Credits what arrived at the provider, rounded up to the micro-holocoin, once for each payment. What the player owes is repaid first.
 *
 * Refusals: `entry_conflict` where the payment was credited before to another player, with another amount or at another rate.
 */
export async function postDeposit(
  tx: Tx,
  order: DepositOrder & { readonly at: Instant },
): Promise<Result<Posted, EntryConflict>> {
  const entry = decideDeposit(order);
  await lockOpenWallet(tx, order.playerId);
  return await post(tx, entry, order.at);
}

/**
 * Takes a credited deposit back, whole and once: from the wallet what is there, the rest becomes the player's debt. A payment that was
 * never credited, or of which a part was booked as gone back, is a broken invariant.
 */
export async function postDepositReversal(tx: Tx, order: PaymentOrder): Promise<Posted> {
  const deposit = (await loadPayment(tx, order.paymentId)).find(({ kind }) => kind === "deposit");
  const playerId = deposit?.postings.find(({ account }) => account.kind === "wallet")?.account.owner as PlayerId;
  assert(deposit !== undefined, `payment ${order.paymentId} was never credited`);
  const balance = await lockOpenWallet(tx, playerId);
  const posted = await loadPayment(tx, order.paymentId);
  // How it was shared between wallet and debts was decided then, by the balance of then.
  if (posted.some(({ kind }) => kind === "deposit_reversal")) {
    return { replayed: true, wallets: await loadWallets(tx, [playerId]) };
  }
  assert(toBooked(posted) === 0n, `of payment ${order.paymentId} a part was booked before`);
  const entry = decideDepositReversal(deposit, balance);
  if (entry.postings.some(({ account }) => account.kind === "debts"))
    await openAccount(tx, debtsOf(playerId), order.at);
  const reversed = await post(tx, entry, order.at);
  assert(reversed.ok, `deposit ${order.paymentId} was reversed otherwise`);
  return reversed.value;
}

/**
 * Gives a deposit back that was taken back before, whole and once, what the player owes repaid first. A payment that was not taken back
 * is a broken invariant.
 */
export async function postDepositReturn(tx: Tx, order: PaymentOrder): Promise<Posted> {
  const posted = await loadPayment(tx, order.paymentId);
  const deposit = posted.find(({ kind }) => kind === "deposit");
  const playerId = deposit?.postings.find(({ account }) => account.kind === "wallet")?.account.owner as PlayerId;
  const isTaken = posted.some(({ kind }) => kind === "deposit_reversal");
  assert(deposit !== undefined && isTaken, `payment ${order.paymentId} was never taken back`);
  await lockOpenWallet(tx, playerId);
  const returned = await post(tx, decideDepositReturn(deposit), order.at);
  assert(returned.ok, `deposit ${order.paymentId} was given back otherwise`);
  return returned.value;
}

/**
 * Books what of a credited deposit has gone back to who paid it since it was booked last, once for each such sum. A payment that was never
 * credited or is taken back, and one of which something else was booked before, is a broken invariant.
 *
 * Refusals: `entry_conflict` where as much was booked before.
 */
export async function postDepositSentBack(
  tx: Tx,
  order: PaymentOrder & SentBackOrder,
): Promise<Result<Posted, EntryConflict>> {
  const { paymentId, bookedKobo, goneKobo, at } = order;
  const deposit = (await loadPayment(tx, paymentId)).find(({ kind }) => kind === "deposit");
  const playerId = deposit?.postings.find(({ account }) => account.kind === "wallet")?.account.owner as PlayerId;
  assert(deposit !== undefined, `payment ${paymentId} was never credited`);
  const balance = await lockOpenWallet(tx, playerId);
  const posted = await loadPayment(tx, paymentId);
  const booked = toBooked(posted);
  if (booked >= goneKobo) return refuse({ type: "entry_conflict" });
  assert(!isTakenBack(posted) && booked === bookedKobo, `of payment ${paymentId} ${booked} kobo are booked`);
  const entry = decideSentBack(deposit, order, balance);
  if (entry.postings.some(({ account }) => account.kind === "debts")) await openAccount(tx, debtsOf(playerId), at);
  return await post(tx, entry, at);
}

/**
 * Empties the wallet of who closes their account of what is worth less than a kobo. The caller has locked the wallet, and nothing more
 * than that is in it.
 */
export async function postClosingRemainder(tx: Tx, order: RemainderOrder & { readonly at: Instant }): Promise<Posted> {
  const posted = await post(tx, decideClosingRemainder(order), order.at);
  assert(posted.ok, `closing ${order.source} left another remainder`);
  return posted.value;
}

/**
 * Takes what a withdrawal sends, rounded down to the micro-holocoin, out of the wallet, which it locks. Whether the coins may be
 * withdrawn is for the caller to decide before, in the same transaction under `lockWallet`.
 *
 * Refusals: `insufficient_balance`, `entry_conflict`.
 */
export async function postWithdrawalHold(
  tx: Tx,
  order: WithdrawalOrder & { readonly at: Instant },
): Promise<Result<Posted, InsufficientBalance | EntryConflict>> {
  return await postCovered(tx, decideWithdrawalHold(order), order.at);
}

/**
 * Takes what the CEO withdraws out of the platform's revenue. One withdrawal of revenue at a time looks at what is left.
 *
 * Refusals: `insufficient_balance` with what is left (`revenueLeft`), `entry_conflict`.
 */
export async function postRevenueWithdrawal(
  tx: Tx,
  order: RevenueOrder & { readonly at: Instant },
): Promise<Result<Posted, InsufficientBalance | EntryConflict>> {
  await lockRevenue(tx);
  const entry = decideRevenueWithdrawal(order);
  const [have, need] = [await revenueLeft(tx), toCoinsOut(order.kobo, order.rateKobo)];
  if (have < need) return (await findPosted(tx, entry)) ?? refuse({ type: "insufficient_balance", have, need });
  return await post(tx, entry, order.at);
}

/**
 * Gives back what a withdrawal held, to the wallet or the revenue it was taken from, once: only where the provider is conclusive that
 * nothing was sent.
 *
 * Refusals: `entry_conflict` where it was paid (then `postLateReversal` is meant).
 */
export async function postWithdrawalReturn(tx: Tx, order: PaymentOrder): Promise<Result<Posted, EntryConflict>> {
  return await resolve(tx, order, "not_sent");
}

/**
 * Lets the coins of a withdrawal go, once, by the provider's word that it was sent.
 *
 * Refusals: `entry_conflict` where they were given back before (then `postLateSuccess` is meant).
 */
export async function postWithdrawalPaid(tx: Tx, order: PaymentOrder): Promise<Result<Posted, EntryConflict>> {
  return await resolve(tx, order, "sent");
}

/**
 * What was sent came back to the provider: the coins go back to who withdrew them, or make good the platform's loss where they had been
 * given back already.
 *
 * Refusals: `entry_conflict` where nothing was sent.
 */
export async function postLateReversal(tx: Tx, order: PaymentOrder): Promise<Result<Posted, EntryConflict>> {
  return await resolve(tx, order, "came_back");
}

/**
 * What was given back was sent all the same: the platform's loss, for an admin to look into.
 *
 * Refusals: `entry_conflict` where it was not given back (then `postWithdrawalPaid` is meant).
 */
export async function postLateSuccess(tx: Tx, order: PaymentOrder): Promise<Result<Posted, EntryConflict>> {
  return await resolve(tx, order, "sent_late");
}

/**
 * Books what the provider kept for a payment, once for each payment, rounded up to the micro-holocoin. A fee of nothing is not to be booked.
 *
 * Refusals: `entry_conflict` where another fee was booked for the payment.
 */
export async function postProviderFee(
  tx: Tx,
  order: FeeOrder & { readonly at: Instant },
): Promise<Result<Posted, EntryConflict>> {
  return await post(tx, decideProviderFee(order), order.at);
}

/** What the player owes from deposits that were taken back; 0 as a rule. */
export async function debtOf(queries: Queries, playerId: PlayerId): Promise<Coins> {
  return (await loadDebts(queries, [playerId])).get(playerId) ?? ZERO_COINS;
}

/** What of the platform's revenue may be withdrawn. Reads every posting of the platform's own accounts. */
export async function revenueLeft(queries: Queries): Promise<Coins> {
  return decideRevenueLeft(await loadTotals(queries));
}

/** Everything posted for a payment, in the order it came. */
export async function paymentEntries(queries: Queries, paymentId: PaymentId): Promise<readonly PaymentEntry[]> {
  return await loadPayment(queries, paymentId);
}

async function lockOpenWallet(tx: Tx, playerId: PlayerId): Promise<Coins> {
  const balance = await lockWallet(tx, playerId);
  assert(balance !== null, `player ${playerId} has no wallet`);
  return balance;
}

/** What of a deposit was booked as gone back to who paid it, in kobo all told. */
function toBooked(posted: readonly PaymentEntry[]): bigint {
  const booked = posted.filter(({ kind }) => kind === "deposit_sent_back");
  return booked.reduce((sum, { details }) => sum + BigInt(details.kobo ?? 0), 0n);
}

function isTakenBack(posted: readonly PaymentEntry[]): boolean {
  const has = (wanted: PaymentEntry["kind"]) => posted.some(({ kind }) => kind === wanted);
  return has("deposit_reversal") && !has("deposit_return");
}

/** Decides what a word of the provider means for a hold under the lock of what it took from, since two words may come at once. */
async function resolve(
  tx: Tx,
  { paymentId, at }: PaymentOrder,
  word: WithdrawalWord,
): Promise<Result<Posted, EntryConflict>> {
  const hold = findHold(await loadPayment(tx, paymentId));
  assert(hold !== null, `payment ${paymentId} holds nothing`);
  const owner = hold.from.kind === "wallet" ? (hold.from.owner as PlayerId) : null;
  if (owner === null) await lockRevenue(tx);
  else await lockOpenWallet(tx, owner);
  const decision = decideWithdrawal(hold, word, await loadPayment(tx, paymentId));
  if (decision === "conflict") return refuse({ type: "entry_conflict" });
  if (decision !== "stands") return await post(tx, decision, at);
  return ok({ replayed: true, wallets: owner === null ? [] : await loadWallets(tx, [owner]) });
}
