import { assert } from "@holo/kernel/assert.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { type Coins, toCoins } from "@holo/kernel/money.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { Tx } from "../../platform/database/database.ts";
import { decideDebtRepaymentEntry } from "../payments/other-entries.ts";
import { loadDebts } from "../payments/payment-entry-store.ts";
import { type JournalEntry, toContentHash } from "./journal-entry.ts";
import { loadPosted, saveJournalEntry, type Wallet } from "./journal-store.ts";

/** The effect of an entry. A replayed one had its effect before. */
export interface Posted {
  readonly replayed: boolean;
  /** The touched wallets as they are now, to be sent to their owners after the commit. */
  readonly wallets: readonly Wallet[];
}

/** The same cause was posted with other content. Nothing was written. */
export interface JournalConflict {
  readonly type: "entry_conflict";
}

/** The wallet or the revenue holds too little. Nothing was written. */
export interface InsufficientBalance {
  readonly type: "insufficient_balance";
  readonly have: Coins;
  readonly need: Coins;
}

/**
 * Writes the entry, and repays debts from the coins it credits. The caller has locked the wallets;
 * one that holds too little is a broken invariant.
 */
export async function post(
  tx: Tx,
  entry: JournalEntry,
  at: Instant,
  options: PostOptions = {},
): Promise<Result<Posted, JournalConflict>> {
  const posted = await postCovered(tx, entry, at, options);
  if (posted.ok) return posted;
  const { refusal } = posted;
  assert(refusal.type !== "insufficient_balance", `${entry.kind} ${entry.source} takes more than is there`);
  return refuse(refusal);
}

interface PostOptions {
  /** Its coins are forfeited next, which repays debts from what is left of them. */
  readonly isForfeited?: boolean;
}

/** As `post`, for an entry whose first posting debits a wallet: locks it and checks its balance. */
export async function postCovered(
  tx: Tx,
  entry: JournalEntry,
  at: Instant,
  { isForfeited = false }: PostOptions = {},
): Promise<Result<Posted, InsufficientBalance | JournalConflict>> {
  const saved = await saveJournalEntry(tx, entry, at);
  if (saved !== null && "wallets" in saved) {
    const wallets = isForfeited ? saved.wallets : await repayDebts(tx, entry, saved.wallets, at);
    return ok({ replayed: false, wallets });
  }
  const posted = await findPosted(tx, entry);
  if (posted !== null) return posted;
  assert(saved !== null, `${entry.kind} ${entry.source} was refused by an entry that is not there`);
  return refuse({ type: "insufficient_balance", have: saved.have, need: toCoins(-entry.postings[0]!.amount) });
}

export async function findPosted(tx: Tx, entry: JournalEntry): Promise<Result<Posted, JournalConflict> | null> {
  const posted = await loadPosted(tx, entry);
  if (posted === null) return null;
  if (posted.contentHash !== toContentHash(entry)) return refuse({ type: "entry_conflict" });
  return ok({ replayed: true, wallets: posted.wallets });
}

/**
 * A player with debts has an empty wallet, so only wallets that were empty are looked up, and those
 * that a forfeit took from.
 */
async function repayDebts(
  tx: Tx,
  cause: JournalEntry,
  wallets: readonly Wallet[],
  at: Instant,
): Promise<readonly Wallet[]> {
  const filled = wallets.filter(
    ({ playerId, balance }) =>
      balance > 0n &&
      cause.postings.some(
        ({ account, amount }) =>
          account.kind === "wallet" &&
          account.owner === playerId &&
          (amount === balance || (cause.kind === "forfeit" && amount < 0n)),
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
    const repaid = await saveJournalEntry(tx, decideDebtRepaymentEntry(cause, { playerId, balance, debt }), at);
    assert(
      repaid !== null && "wallets" in repaid,
      `the debt of ${playerId} was repaid from ${cause.kind} ${cause.source} before`,
    );
    for (const wallet of repaid.wallets) after.set(wallet.playerId, wallet);
  }
  return [...after.values()];
}
