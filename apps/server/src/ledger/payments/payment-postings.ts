import { assert } from "@holo/kernel/assert.ts";
import type { PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { type Coins, type Kobo, toCoinsOut, ZERO_COINS } from "@holo/kernel/money.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { Queries, Tx } from "../../platform/database/database.ts";
import { debtsOf, type JournalEntry } from "../journal/journal-entry.ts";
import { loadTotals, loadWallets, lockWallet, openAccount } from "../journal/journal-store.ts";
import {
  findPosted,
  type InsufficientBalance,
  type JournalConflict,
  type Posted,
  post,
  postCovered,
} from "../journal/post.ts";
import {
  type DepositOrder,
  decideClosingRemainderEntry,
  decideDepositEntry,
  decideDepositReturnEntry,
  decideProviderFeeEntry,
  decideReversalEntry,
  decideSentBackEntry,
  type PaymentJournalEntry,
  type ProviderFeeOrder,
  type RemainderOrder,
  type SentBackOrder,
} from "./decide-deposit-entry.ts";
import {
  decideExcessEntry,
  decideExcessReturnEntry,
  decideFeeReturnEntry,
  decideRevenueLeft,
  decideRevenueWithdrawalEntry,
  decideWithdrawalEntry,
  decideWithdrawalFeeEntry,
  decideWithdrawalHoldEntry,
  findHold,
  type Hold,
  type RevenueOrder,
  type TransferOutcome,
  type WithdrawalOrder,
} from "./decide-withdrawal-entry.ts";
import { loadDebts, loadPaymentEntries, lockRevenue } from "./payment-entry-store.ts";

interface PaymentOrder {
  readonly paymentId: PaymentId;
  readonly at: Instant;
}

interface SentOrder extends PaymentOrder {
  /** What the provider sent, if it differs from the hold. */
  readonly sentKobo?: Kobo | null;
}

/**
 * Credits a deposit once, rounded up to the micro-holocoin, and repays debts first. Refuses
 * `entry_conflict` if it was credited to another player, or with another amount or rate.
 */
export async function postDeposit(
  tx: Tx,
  order: DepositOrder & { readonly at: Instant },
): Promise<Result<Posted, JournalConflict>> {
  const entry = decideDepositEntry(order);
  await lockOpenWallet(tx, order.playerId);
  return await post(tx, entry, order.at);
}

/**
 * Reverses a whole deposit, once: the wallet gives what it has, the rest becomes a debt. A payment
 * that was never credited, or with an allocated refund, is a broken invariant.
 */
export async function postDepositReversal(tx: Tx, order: PaymentOrder): Promise<Posted> {
  const deposit = (await loadPaymentEntries(tx, order.paymentId)).find(({ kind }) => kind === "deposit");
  const playerId = deposit?.postings.find(({ account }) => account.kind === "wallet")?.account.owner as PlayerId;
  assert(deposit !== undefined, `payment ${order.paymentId} was never credited`);
  const balance = await lockOpenWallet(tx, playerId);
  const posted = await loadPaymentEntries(tx, order.paymentId);
  // The split between wallet and debts followed the balance at that time.
  if (posted.some(({ kind }) => kind === "deposit_reversal")) {
    return { replayed: true, wallets: await loadWallets(tx, [playerId]) };
  }
  assert(sumAllocated(posted) === 0n, `part of payment ${order.paymentId} was allocated before`);
  const entry = decideReversalEntry(deposit, balance);
  if (entry.postings.some(({ account }) => account.kind === "debts"))
    await openAccount(tx, debtsOf(playerId), order.at);
  const reversed = await post(tx, entry, order.at);
  assert(reversed.ok, `deposit ${order.paymentId} was reversed with other postings`);
  return reversed.value;
}

/**
 * Credits a reversed deposit again, once, and repays debts first. A payment that was not reversed
 * is a broken invariant.
 */
export async function postDepositReturn(tx: Tx, order: PaymentOrder): Promise<Posted> {
  const posted = await loadPaymentEntries(tx, order.paymentId);
  const deposit = posted.find(({ kind }) => kind === "deposit");
  const playerId = deposit?.postings.find(({ account }) => account.kind === "wallet")?.account.owner as PlayerId;
  const isTaken = posted.some(({ kind }) => kind === "deposit_reversal");
  assert(deposit !== undefined && isTaken, `payment ${order.paymentId} was never taken back`);
  await lockOpenWallet(tx, playerId);
  const returned = await post(tx, decideDepositReturnEntry(deposit), order.at);
  assert(returned.ok, `deposit ${order.paymentId} was returned with other postings`);
  return returned.value;
}

/**
 * Allocates what was refunded since the last allocation, once for each total. A payment that is not
 * credited, or whose allocated total differs, is a broken invariant.
 */
export async function postDepositSentBack(
  tx: Tx,
  order: PaymentOrder & SentBackOrder,
): Promise<Result<Posted, JournalConflict>> {
  const { paymentId, allocatedKobo, refundedKobo, at } = order;
  const deposit = (await loadPaymentEntries(tx, paymentId)).find(({ kind }) => kind === "deposit");
  const playerId = deposit?.postings.find(({ account }) => account.kind === "wallet")?.account.owner as PlayerId;
  assert(deposit !== undefined, `payment ${paymentId} was never credited`);
  const balance = await lockOpenWallet(tx, playerId);
  const posted = await loadPaymentEntries(tx, paymentId);
  const allocated = sumAllocated(posted);
  if (allocated >= refundedKobo) return refuse({ type: "entry_conflict" });
  assert(!isTakenBack(posted) && allocated === allocatedKobo, `payment ${paymentId} has ${allocated} allocated kobo`);
  const entry = decideSentBackEntry(deposit, order, balance);
  if (entry.postings.some(({ account }) => account.kind === "debts")) await openAccount(tx, debtsOf(playerId), at);
  return await post(tx, entry, at);
}

/**
 * Empties the wallet of a closing account. The caller has locked the wallet, which holds less than
 * one kobo's worth.
 */
export async function postClosingRemainder(tx: Tx, order: RemainderOrder & { readonly at: Instant }): Promise<Posted> {
  const posted = await post(tx, decideClosingRemainderEntry(order), order.at);
  assert(posted.ok, `closing ${order.source} left another remainder`);
  return posted.value;
}

/**
 * Moves a withdrawal and its provider fees from the wallet to its hold. The caller has checked
 * under `lockWallet` that the coins may be withdrawn.
 */
export async function postWithdrawalHold(
  tx: Tx,
  order: WithdrawalOrder & { readonly at: Instant },
): Promise<Result<Posted, InsufficientBalance | JournalConflict>> {
  const fee = decideWithdrawalFeeEntry(order);
  const held = await postCovered(tx, decideWithdrawalHoldEntry(order), order.at);
  if (!held.ok || held.value.replayed || fee === null) return held;
  return await post(tx, fee, order.at);
}

/**
 * Takes a withdrawal of the CEO out of the platform's revenue. Revenue withdrawals are serialized.
 */
export async function postRevenueWithdrawal(
  tx: Tx,
  order: RevenueOrder & { readonly at: Instant },
): Promise<Result<Posted, InsufficientBalance | JournalConflict>> {
  await lockRevenue(tx);
  const entry = decideRevenueWithdrawalEntry(order);
  const [have, need] = [await loadWithdrawableRevenue(tx), toCoinsOut(order.kobo, order.rateKobo)];
  if (have < need) return (await findPosted(tx, entry)) ?? refuse({ type: "insufficient_balance", have, need });
  return await post(tx, entry, order.at);
}

/**
 * Returns held coins and borne fees, once. Only if the provider is conclusive that nothing was
 * sent. Refuses `entry_conflict` if it was paid (use `postLateReversal`).
 */
export async function postWithdrawalReturn(tx: Tx, order: PaymentOrder): Promise<Result<Posted, JournalConflict>> {
  return await resolve(tx, order, "not_sent");
}

/**
 * Releases the held coins once the provider has sent them. Refuses `entry_conflict` if they were
 * returned before (use `postLateSuccess`). What was sent beyond them is the platform's loss.
 */
export async function postWithdrawalPaid(tx: Tx, order: SentOrder): Promise<Result<Posted, JournalConflict>> {
  return await resolve(tx, order, "sent");
}

/**
 * Credits a sent withdrawal that came back, or reverses the platform's loss if its coins had been
 * returned already. Refuses `entry_conflict` if nothing was sent.
 */
export async function postLateReversal(tx: Tx, order: PaymentOrder): Promise<Result<Posted, JournalConflict>> {
  return await resolve(tx, order, "came_back");
}

/**
 * Posts the platform's loss for a withdrawal sent after its coins were returned. Refuses
 * `entry_conflict` if they were not returned (use `postWithdrawalPaid`).
 */
export async function postLateSuccess(tx: Tx, order: SentOrder): Promise<Result<Posted, JournalConflict>> {
  return await resolve(tx, order, "sent_late");
}

/**
 * Posts the provider's fee (above 0) once, rounded up to the micro-holocoin. Refuses
 * `entry_conflict` where another fee was posted for the payment.
 */
export async function postProviderFee(
  tx: Tx,
  order: ProviderFeeOrder & { readonly at: Instant },
): Promise<Result<Posted, JournalConflict>> {
  return await post(tx, decideProviderFeeEntry(order), order.at);
}

export async function loadDebt(queries: Queries, playerId: PlayerId): Promise<Coins> {
  return (await loadDebts(queries, [playerId])).get(playerId) ?? ZERO_COINS;
}

/** Revenue that may be withdrawn. Reads every posting of its accounts. */
export async function loadWithdrawableRevenue(queries: Queries): Promise<Coins> {
  return decideRevenueLeft(await loadTotals(queries));
}

async function lockOpenWallet(tx: Tx, playerId: PlayerId): Promise<Coins> {
  const balance = await lockWallet(tx, playerId);
  assert(balance !== null, `player ${playerId} has no wallet`);
  return balance;
}

function sumAllocated(posted: readonly PaymentJournalEntry[]): bigint {
  const allocated = posted.filter(({ kind }) => kind === "deposit_sent_back");
  return allocated.reduce((sum, { details }) => sum + BigInt(details.kobo ?? 0), 0n);
}

function isTakenBack(posted: readonly PaymentJournalEntry[]): boolean {
  const has = (wanted: PaymentJournalEntry["kind"]) => posted.some(({ kind }) => kind === wanted);
  return has("deposit_reversal") && !has("deposit_return");
}

/** Decides under the lock of the debited account, since two reports may arrive concurrently. */
async function resolve(
  tx: Tx,
  { paymentId, sentKobo = null, at }: SentOrder,
  outcome: TransferOutcome,
): Promise<Result<Posted, JournalConflict>> {
  const hold = findHold(await loadPaymentEntries(tx, paymentId));
  assert(hold !== null, `payment ${paymentId} holds nothing`);
  const owner = hold.from.kind === "wallet" ? (hold.from.owner as PlayerId) : null;
  if (owner === null) await lockRevenue(tx);
  else await lockOpenWallet(tx, owner);
  const posted = await loadPaymentEntries(tx, paymentId);
  const decision = decideWithdrawalEntry(hold, { outcome, sentKobo }, posted);
  if (decision === "conflict") return refuse({ type: "entry_conflict" });
  if (decision === "already_posted") {
    return ok({ replayed: true, wallets: owner === null ? [] : await loadWallets(tx, [owner]) });
  }
  let ended = await post(tx, decision, at);
  for (const also of decideAccompanying(hold, decision, sentKobo, posted)) {
    if (ended.ok) ended = await post(tx, also, at);
  }
  return ended;
}

function decideAccompanying(
  hold: Hold,
  { kind }: JournalEntry,
  sentKobo: Kobo | null,
  posted: readonly PaymentJournalEntry[],
): readonly JournalEntry[] {
  if (kind === "withdrawal_paid") return [sentKobo && decideExcessEntry(hold, sentKobo)].filter((entry) => !!entry);
  if (kind === "correction") return [];
  const fee = kind === "withdrawal_return" ? decideFeeReturnEntry(posted) : null;
  return [decideExcessReturnEntry(hold, posted), fee].filter((entry) => entry !== null);
}
