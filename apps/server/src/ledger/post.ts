import { assert } from "@holo/kernel/assert.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { type Coins, toCoins, ZERO_COINS } from "@holo/kernel/money.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { Tx } from "../platform/database.ts";
import { decideDebtRepayment } from "./decide-payment.ts";
import { type Entry, toContentHash } from "./entry.ts";
import { loadDebts } from "./payment-store.ts";
import { loadPosted, type Saved, saveEntry, type Wallet } from "./store.ts";

/** What an entry did. Replayed, it did nothing this time: it stood already. */
export interface Posted {
  readonly replayed: boolean;
  /** The wallets the entry touched, as they are now: what to show their owners once the transaction has committed. */
  readonly wallets: readonly Wallet[];
}

/** The same cause was posted before with other content, or what it ends was ended otherwise. Nothing was written. */
export interface EntryConflict {
  readonly type: "entry_conflict";
}

/** There is less than is asked for, in the wallet or of the platform's revenue. Nothing was written. */
export interface InsufficientBalance {
  readonly type: "insufficient_balance";
  readonly have: Coins;
  readonly need: Coins;
}

/**
 * Writes the entry, and where it brings coins to a player who owes, the repayment of what they owe. The accounts that keep a balance
 * are locked already, and hold what the entry takes: less is a broken invariant.
 *
 * Refusals: `entry_conflict`.
 */
export async function post(tx: Tx, entry: Entry, at: Instant): Promise<Result<Posted, EntryConflict>> {
  const saved = await saveEntry(tx, entry, at);
  assert(saved.type !== "uncovered", `${entry.kind} ${entry.source} takes more than is there`);
  return await answer(tx, entry, at, saved);
}

/**
 * As `post`, for an entry whose first posting takes from a wallet: locks it, and takes only where it holds enough. A player without a
 * wallet is a fault.
 *
 * Refusals: `insufficient_balance`, `entry_conflict`.
 */
export async function postCovered(
  tx: Tx,
  entry: Entry,
  at: Instant,
): Promise<Result<Posted, InsufficientBalance | EntryConflict>> {
  const [given] = entry.postings;
  assert(
    given?.account.kind === "wallet" && given.amount < ZERO_COINS,
    `${entry.kind} ${entry.source} takes from no wallet`,
  );
  const saved = await saveEntry(tx, entry, at);
  if (saved.type !== "uncovered") return await answer(tx, entry, at, saved);
  const { have } = saved;
  return (await findPosted(tx, entry)) ?? refuse({ type: "insufficient_balance", have, need: toCoins(-given.amount) });
}

async function answer(
  tx: Tx,
  entry: Entry,
  at: Instant,
  saved: Exclude<Saved, { readonly type: "uncovered" }>,
): Promise<Result<Posted, EntryConflict>> {
  if (saved.type === "posted") return ok({ replayed: false, wallets: await repayDebts(tx, entry, saved.wallets, at) });
  const posted = await findPosted(tx, entry);
  assert(posted !== null, `${entry.kind} ${entry.source} was refused by an entry that is not there`);
  return posted;
}

/** The answer where the cause was posted before; null where it was not. */
export async function findPosted(tx: Tx, entry: Entry): Promise<Result<Posted, EntryConflict> | null> {
  const posted = await loadPosted(tx, entry);
  if (posted === null) return null;
  if (posted.contentHash !== toContentHash(entry)) return refuse({ type: "entry_conflict" });
  return ok({ replayed: true, wallets: posted.wallets });
}

/** Who owes has an empty wallet, so only a wallet that was empty before can have to repay: the others cost nothing here. */
async function repayDebts(tx: Tx, cause: Entry, wallets: readonly Wallet[], at: Instant): Promise<readonly Wallet[]> {
  const filled = wallets.filter(({ playerId, balance }) =>
    cause.postings.some(
      ({ account, amount }) => account.kind === "wallet" && account.owner === playerId && amount === balance,
    ),
  );
  if (filled.length === 0) return wallets;
  const debts = await loadDebts(
    tx,
    filled.map(({ playerId }) => playerId),
  );
  const after = new Map(wallets.map((wallet) => [wallet.playerId, wallet]));
  for (const { playerId, balance } of filled) {
    const debt = debts.get(playerId);
    if (debt === undefined) continue;
    const repaid = await saveEntry(tx, decideDebtRepayment(cause, { playerId, balance, debt }), at);
    assert(repaid.type === "posted", `the debt of ${playerId} was repaid from ${cause.kind} ${cause.source} before`);
    for (const wallet of repaid.wallets) after.set(wallet.playerId, wallet);
  }
  return [...after.values()];
}
