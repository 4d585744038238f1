import { assert } from "@holo/kernel/assert.ts";
import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { addCoins, type Coins, toCoins, ZERO_COINS } from "@holo/kernel/money.ts";
import type { Result } from "@holo/kernel/result.ts";
import { sql } from "kysely";
import type { Tx } from "../../platform/database/database.ts";
import {
  type DrawOrder,
  decideDrawEntry,
  decideRefundEntry,
  decideStakeEntry,
  decideWinEntry,
  type PaidStake,
  type StakeOrder,
  sumStakes,
  type WinOrder,
} from "../games/decide-game-entry.ts";
import type { AccountKind, JournalEntry } from "../journal/journal-entry.ts";
import {
  findPosted,
  type InsufficientBalance,
  type JournalConflict,
  type Posted,
  post,
  postCovered,
} from "../journal/post.ts";

/**
 * Entries of games without the games, one at a time, for tests and measurements. The product posts
 * them in batches, with games and seats (`lifecycle_commit`).
 */

/**
 * Moves a player's buy-in into the game's escrow, once for each seat. The caller holds the game's
 * row.
 */
export async function postStake(
  tx: Tx,
  order: StakeOrder & { readonly at: Instant },
): Promise<Result<Posted, InsufficientBalance | JournalConflict>> {
  return await postCovered(tx, decideStakeEntry(order), order.at);
}

/**
 * Returns both buy-ins of a cancelled, expired or void game. The caller holds the game's row.
 * Refuses `entry_conflict` if the game ended by win or draw.
 */
export async function postRefund(
  tx: Tx,
  order: { readonly gameId: GameId; readonly at: Instant },
): Promise<Result<Posted, JournalConflict>> {
  return await settle(tx, order, (stakes) => decideRefundEntry(order.gameId, stakes));
}

/**
 * Settles a game by a win. Winnings and platform fee equal what both players staked; anything else
 * is a broken invariant. The caller holds the game's row.
 */
export async function postWin(
  tx: Tx,
  order: WinOrder & { readonly at: Instant },
): Promise<Result<Posted, JournalConflict>> {
  return await settle(tx, order, (stakes) => {
    assert(
      stakes.some(({ playerId }) => playerId === order.winnerId),
      `winner ${order.winnerId} did not stake on game ${order.gameId}`,
    );
    return decideWinEntry(order, stakes);
  });
}

/**
 * Settles a game by a draw: both players receive the same and the platform its fee, together
 * exactly what both staked. The caller holds the game's row.
 */
export async function postDraw(
  tx: Tx,
  order: DrawOrder & { readonly at: Instant },
): Promise<Result<Posted, JournalConflict>> {
  return await settle(tx, order, (stakes) => decideDrawEntry(order, stakes));
}

interface LockedGame {
  readonly escrow: Coins;
  readonly stakes: readonly PaidStake[];
}

/**
 * Locks the game's escrow and its players' wallets in the order of their ids. The caller holds the
 * game's row: a stake is visible here only after its transaction.
 */
async function lockGame(tx: Tx, gameId: GameId): Promise<LockedGame> {
  // Who waited for a lock reads the account again; the joined rows never change.
  const { rows } = await sql<{
    readonly kind: AccountKind;
    readonly owner: string;
    readonly balance: Coins;
    readonly staked: Coins;
  }>`/* prepared ledger_lock_game */
    select account.kind, account.owner, account.balance, -posting.amount as staked
    from ledger_entries entry
    join ledger_postings posting on posting.entry_id = entry.id
    join ledger_accounts account on account.id = posting.account_id
    where entry.kind = 'stake' and entry.source in (${`${gameId}:1`}, ${`${gameId}:2`})
    order by account.id for no key update of account`.execute(tx);
  const escrow = rows.find(({ kind }) => kind === "escrow");
  assert(escrow !== undefined, `game ${gameId} has no escrow`);
  const stakes = rows
    .filter(({ kind }) => kind === "wallet")
    .map(({ owner, staked }) => ({ playerId: owner as PlayerId, amount: staked }));
  return { escrow: escrow.balance, stakes };
}

/** Pays out the whole escrow. An empty one was settled before, the same way or otherwise. */
async function settle(
  tx: Tx,
  order: { readonly gameId: GameId; readonly at: Instant },
  decide: (stakes: readonly PaidStake[]) => JournalEntry,
): Promise<Result<Posted, JournalConflict>> {
  const { escrow, stakes } = await lockGame(tx, order.gameId);
  const entry = decide(stakes);
  if (escrow === ZERO_COINS) {
    const posted = await findPosted(tx, entry);
    assert(posted !== null, `the escrow of game ${order.gameId} is empty without a settlement`);
    return posted;
  }
  assert(escrow === sumStakes(stakes), `escrow of game ${order.gameId} holds ${escrow}, staked ${sumStakes(stakes)}`);
  const paid = entry.postings.find(({ account }) => account.kind === "escrow")?.amount ?? ZERO_COINS;
  assert(
    addCoins(escrow, paid) === ZERO_COINS,
    `${entry.kind} of game ${order.gameId} pays ${toCoins(-paid)} of ${escrow}`,
  );
  return await post(tx, entry, order.at);
}
