import { assert } from "@holo/kernel/assert.ts";
import type { PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { type Coins, type Kobo, subtractCoins, toCoins, ZERO_COINS } from "@holo/kernel/money.ts";
import { type Result, refuse } from "@holo/kernel/result.ts";
import type { Queries, Tx } from "../../platform/database/database.ts";
import { debtsOf, type JournalEntry, makeJournalEntry, type Posting } from "../journal/journal-entry.ts";
import { loadTotals, lockWallet, openAccount, type Wallet } from "../journal/journal-store.ts";
import {
  findPosted,
  type InsufficientBalance,
  type JournalConflict,
  type Posted,
  post,
  postCovered,
} from "../journal/post.ts";
import {
  decideClosingRemainderEntry,
  decideProviderFeeEntry,
  decideRevenueLeft,
  type ProviderFeeOrder,
  type RemainderOrder,
} from "./other-entries.ts";
import { loadBooked, loadDebts, lockRevenue } from "./payment-entry-store.ts";
import { type Position, toDifference, toWithdrawalPosition, type WithdrawalFacts } from "./positions.ts";

type PositionKind = "deposit" | "deposit_taken" | "correction" | "withdrawal_paid" | "withdrawal_return";

export interface PositionOrder {
  readonly paymentId: PaymentId;
  readonly reference: string;
  /** What the payment's state implies. */
  readonly position: Position;
  /** The number of its newest fact. */
  readonly fact: number;
  readonly isDeposit: boolean;
  readonly isCorrection: boolean;
  /** Its coins are forfeited in the same transaction. */
  readonly isForfeited?: boolean;
  /** Facts besides the amounts. */
  readonly details: JournalEntry["details"];
  readonly at: Instant;
}

/**
 * Posts what is missing between the booked position and that of the payment's state: the only way
 * in which a payment moves coins after it was accepted. Nothing if nothing is missing.
 */
export async function postPosition(tx: Tx, order: PositionOrder): Promise<readonly Wallet[]> {
  const { paymentId, position, fact, isForfeited = false, at } = order;
  const player = position.find(({ account }) => account.kind === "wallet")?.account.owner as PlayerId | undefined;
  const balance = player === undefined ? null : await lockOpenWallet(tx, player);
  if (player === undefined) await lockRevenue(tx);
  const booked = await loadBooked(tx, paymentId, fact);
  const missing = toDifference(position, booked.position);
  if (missing.length === 0) return [];
  const kind = toKind(order, missing, booked.isPaid);
  const entry = makeJournalEntry({
    kind,
    // The database refuses a second credit and a second payout of one payment.
    source: kind === "deposit" || kind === "withdrawal_paid" ? paymentId : `${paymentId}:${fact}`,
    settledGame: null,
    details: { paymentId, reference: order.reference, ...order.details },
    postings: missing.flatMap((posting) => toLines(posting, balance)),
  });
  const debtor = entry.postings.find(({ account }) => account.kind === "debts");
  if (debtor !== undefined) await openAccount(tx, debtor.account, at);
  const posted = await post(tx, entry, at, { isForfeited });
  assert(posted.ok && !posted.value.replayed, `the ledger disagrees with payment ${paymentId}`);
  return posted.value.wallets;
}

function toKind(
  { isDeposit, isCorrection, position }: PositionOrder,
  missing: Position,
  wasPaid: boolean,
): PositionKind {
  if (isCorrection) return "correction";
  const find = (of: Position, kind: Posting["account"]["kind"]) =>
    of.find(({ account }) => account.kind === kind)?.amount ?? ZERO_COINS;
  const owner = find(missing, "wallet") + find(missing, "revenue");
  if (isDeposit) return owner > 0n ? "deposit" : "deposit_taken";
  if (owner > 0n) return "withdrawal_return";
  const isWhole = find(missing, "withdrawal_clearing") < 0n && find(position, "withdrawal_clearing") === 0n;
  return isWhole && !wasPaid && find(missing, "provider_loss") === 0n ? "withdrawal_paid" : "correction";
}

/** A debit takes what the wallet has; the rest becomes a debt (ruling 9). */
function toLines({ account, amount }: Posting, balance: Coins | null): readonly Posting[] {
  if (account.kind !== "wallet" || balance === null || amount >= ZERO_COINS) return [{ account, amount }];
  const taken = balance < -amount ? balance : toCoins(-amount);
  return [
    { account, amount: toCoins(-taken) },
    { account: debtsOf(account.owner as PlayerId), amount: subtractCoins(amount, toCoins(-taken)) },
  ];
}

export interface WithdrawalOrder extends Omit<WithdrawalFacts, "isBack" | "sentKobo"> {
  readonly paymentId: PaymentId;
  readonly reference: string;
  /** The part that was never staked (ruling 37). */
  readonly unplayedCoins?: Coins;
  readonly at: Instant;
}

/**
 * Takes an accepted withdrawal and its fees from the wallet, or from the platform's revenue. The
 * caller has checked under `lockWallet` that the coins may be withdrawn.
 */
export async function postWithdrawal(
  tx: Tx,
  order: WithdrawalOrder,
): Promise<Result<Posted, InsufficientBalance | JournalConflict>> {
  const { paymentId, reference, playerId, kobo, payerFeeKobo, rateKobo, unplayedCoins, at } = order;
  const unplayed =
    unplayedCoins === undefined ? {} : { unplayed: Number(unplayedCoins), feeKobo: Number(payerFeeKobo) };
  const entry = makeJournalEntry({
    kind: "withdrawal",
    source: paymentId,
    settledGame: null,
    details: { paymentId, reference, kobo: Number(kobo), rateKobo, ...unplayed },
    postings: toWithdrawalPosition({ ...order, isBack: false, sentKobo: 0n as Kobo }),
  });
  if (playerId !== null) return await postCovered(tx, entry, at);
  await lockRevenue(tx);
  const [have, need] = [await loadWithdrawableRevenue(tx), toCoins(-entry.postings[0]!.amount)];
  if (have < need) return (await findPosted(tx, entry)) ?? refuse({ type: "insufficient_balance", have, need });
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

/** Once for each payment. */
export async function postProviderFee(tx: Tx, order: ProviderFeeOrder & { readonly at: Instant }): Promise<void> {
  const posted = await post(tx, decideProviderFeeEntry(order), order.at);
  assert(posted.ok, `payment ${order.paymentId} has another provider fee`);
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
