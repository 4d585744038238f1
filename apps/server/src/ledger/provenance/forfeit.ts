import { assert } from "@holo/kernel/assert.ts";
import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { type Coins, subtractCoins, toCoins, ZERO_COINS } from "@holo/kernel/money.ts";
import { type Result, refuse } from "@holo/kernel/result.ts";
import { sql } from "kysely";
import type { Queries, Tx } from "../../platform/database/database.ts";
import { toTimestamp } from "../../platform/database/timestamp.ts";
import { type JournalEntry, makeJournalEntry, platformAccount, walletOf } from "../journal/journal-entry.ts";
import { loadTotals, lockWallet, type Wallet } from "../journal/journal-store.ts";
import { findPosted, type InsufficientBalance, type JournalConflict, type Posted, post } from "../journal/post.ts";
import { lockRevenue } from "../payments/payment-entry-store.ts";

/** Dumped coins go to their depositors, others to those whose wallets they came from. */
export type ForfeitReceiver = "origin" | "loser";

export interface ForfeitOrder {
  /** One forfeit each. */
  readonly caseId: string;
  readonly playerId: PlayerId;
  readonly to: ForfeitReceiver;
  readonly at: Instant;
}

interface Given {
  readonly playerId: PlayerId;
  readonly coins: Coins;
}

export interface Forfeited {
  /** As they are now, debts repaid, to be sent to their owners after the commit. */
  readonly wallets: readonly Wallet[];
  /** Empty: nothing was left to take. */
  readonly given: readonly Given[];
}

/**
 * Takes the coins that a case marks in a wallet and gives them back (ruling 44).
 * Those staked in open games stay, the newest first, as do the player's own that no one else had.
 */
export async function postForfeit(tx: Tx, order: ForfeitOrder): Promise<Forfeited> {
  const { caseId, playerId, to: receiver, at } = order;
  const balance = await lockWallet(tx, playerId);
  assert(balance !== null, `player ${playerId} has no wallet`);
  const given = limit(await loadForfeited(tx, order), balance);
  if (given.length === 0) return { wallets: [], given };
  await lockWallets(
    tx,
    given.map((one) => one.playerId),
  );
  const taken = given.reduce((sum, { coins }) => sum + coins, 0n);
  const entry = makeJournalEntry({
    kind: "forfeit",
    source: caseId,
    settledGame: null,
    details: { caseId, receiver },
    postings: [
      { account: walletOf(playerId), amount: toCoins(-taken) },
      ...given.map(({ playerId: receiverId, coins }) => ({ account: walletOf(receiverId), amount: coins })),
    ],
  });
  const posted = await post(tx, entry, at);
  assert(posted.ok && !posted.value.replayed, `case ${caseId} forfeited coins before`);
  return { wallets: posted.value.wallets, given };
}

/** Oldest first. */
async function loadForfeited(queries: Queries, { caseId, playerId, to, at }: ForfeitOrder): Promise<readonly Given[]> {
  const { rows } = await sql<{ readonly owner: PlayerId; readonly coins: bigint }>`
    select receiver.owner, held.coins
    from ledger_accounts account
      cross join lateral ledger_find_forfeited(account.id, ${caseId}::text, ${to}, ${toTimestamp(at)}::timestamptz)
        with ordinality as held (piece_id, coins, to_wallet, place)
      join ledger_accounts receiver on receiver.id = held.to_wallet
    where account.kind = 'wallet' and account.owner = ${playerId} order by held.place`.execute(queries);
  return rows.map(({ owner, coins }) => ({ playerId: owner, coins: toCoins(coins) }));
}

/** The oldest pieces that the balance covers, summed by receiver. */
function limit(pieces: readonly Given[], balance: Coins): readonly Given[] {
  let left: bigint = balance;
  const sums = new Map<PlayerId, bigint>();
  for (const { playerId, coins } of pieces) {
    const part = coins < left ? coins : left;
    left -= part;
    if (part > 0n) sums.set(playerId, (sums.get(playerId) ?? 0n) + part);
  }
  return [...sums].map(([playerId, coins]) => ({ playerId, coins: toCoins(coins) }));
}

async function lockWallets(tx: Tx, playerIds: readonly PlayerId[]): Promise<void> {
  await sql`
    select from ledger_accounts where kind = 'wallet' and owner = any (${playerIds}::text[])
    order by id for no key update`.execute(tx);
}

export interface ForfeitReturnOrder {
  readonly caseId: string;
  readonly playerId: PlayerId;
  readonly coins: Coins;
  readonly at: Instant;
}

/**
 * Pays an accepted appeal from the platform's revenue: those who were given the coins keep theirs,
 * because the error is ours.
 */
export async function postForfeitReturn(
  tx: Tx,
  { caseId, playerId, coins, at }: ForfeitReturnOrder,
): Promise<Result<Posted, InsufficientBalance | JournalConflict>> {
  const entry: JournalEntry = makeJournalEntry({
    kind: "forfeit_return",
    source: caseId,
    settledGame: null,
    details: { caseId },
    postings: [
      { account: walletOf(playerId), amount: coins },
      { account: platformAccount("revenue"), amount: subtractCoins(ZERO_COINS, coins) },
    ],
  });
  await lockRevenue(tx);
  assert((await lockWallet(tx, playerId)) !== null, `player ${playerId} has no wallet`);
  const have = (await loadTotals(tx)).get("revenue") ?? ZERO_COINS;
  if (have < coins) return (await findPosted(tx, entry)) ?? refuse({ type: "insufficient_balance", have, need: coins });
  return await post(tx, entry, at);
}
