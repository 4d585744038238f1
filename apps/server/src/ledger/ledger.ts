import { assert } from "@holo/kernel/assert.ts";
import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { addCoins, type Coins, toCoins, ZERO_COINS } from "@holo/kernel/money.ts";
import type { Result } from "@holo/kernel/result.ts";
import type { Queries, Tx } from "../platform/database.ts";
import {
  type DrawOrder,
  decideDraw,
  decideOpening,
  decideRefund,
  decideStake,
  decideWin,
  type OpeningOrder,
  type PaidStake,
  type StakeOrder,
  sumStakes,
  type WinOrder,
} from "./decide.ts";
import { type Entry, walletOf } from "./entry.ts";
import { type EntryConflict, findPosted, type InsufficientBalance, type Posted, post, postCovered } from "./post.ts";
import {
  type GameEntry,
  loadEscrow,
  loadGameEntries,
  loadTotals,
  loadWallets,
  lockGame,
  lockWallet,
  openAccount,
  type Wallet,
} from "./store.ts";

export { loadBalanceHistory } from "./balance-history-store.ts";
export { type DayFigures, LAGOS_AHEAD_MS, loadDayFigures } from "./day-figures-store.ts";
export type { DrawOrder, OpeningOrder, StakeOrder, WinOrder } from "./decide.ts";
export { type OwedFigures, owedFigures, revenueFigures } from "./figures.ts";
export { loadNetChanges } from "./history-store.ts";
export {
  debtOf,
  paymentEntries,
  postClosingRemainder,
  postDeposit,
  postDepositReturn,
  postDepositReversal,
  postDepositSentBack,
  postLateReversal,
  postLateSuccess,
  postProviderFee,
  postRevenueWithdrawal,
  postWithdrawalHold,
  postWithdrawalPaid,
  postWithdrawalReturn,
  revenueLeft,
} from "./payments.ts";
export type { EntryConflict, InsufficientBalance, Posted } from "./post.ts";
export { loadStatement, type StatementPage, type StatementRow } from "./statement-store.ts";
export { type GameEntry, lockWallet, type Wallet } from "./store.ts";

/** Whose coins are where, in micro-holocoins. What came in through a provider is negative: the outside owes it to us. */
export interface PlatformFigures {
  readonly wallets: Coins;
  readonly escrow: Coins;
  readonly revenue: Coins;
  readonly providerFees: Coins;
  readonly providerLoss: Coins;
  readonly depositClearing: Coins;
  readonly withdrawalClearing: Coins;
  readonly rounding: Coins;
  readonly debts: Coins;
  readonly opening: Coins;
}

/** Opens a player's wallet at 0; without effect where it is open. */
export async function openWallet(tx: Tx, playerId: PlayerId, at: Instant): Promise<void> {
  await openAccount(tx, walletOf(playerId), at);
}

/**
 * Moves a player's whole entry into the game's escrow, once for each seat. The caller holds the game's row. A player without a
 * wallet is a fault.
 *
 * Refusals: `insufficient_balance`, `entry_conflict`.
 */
export async function postStake(
  tx: Tx,
  order: StakeOrder & { readonly at: Instant },
): Promise<Result<Posted, InsufficientBalance | EntryConflict>> {
  return await postCovered(tx, decideStake(order), order.at);
}

/**
 * Ends a game's money by giving each player their whole entry back: cancelled, expired or void. The caller holds the game's row.
 *
 * Refusals: `entry_conflict` where the game ended by win or draw.
 */
export async function postRefund(
  tx: Tx,
  order: { readonly gameId: GameId; readonly at: Instant },
): Promise<Result<Posted, EntryConflict>> {
  return await settle(tx, order, (stakes) => decideRefund(order.gameId, stakes));
}

/**
 * Ends a game's money by a win: the winner receives the winnings and the platform its fee, together exactly what both staked;
 * anything else, or a winner who did not stake, is a broken invariant. The caller holds the game's row.
 *
 * Refusals: `entry_conflict` where the game was settled otherwise.
 */
export async function postWin(
  tx: Tx,
  order: WinOrder & { readonly at: Instant },
): Promise<Result<Posted, EntryConflict>> {
  return await settle(tx, order, (stakes) => {
    assert(
      stakes.some(({ playerId }) => playerId === order.winnerId),
      `winner ${order.winnerId} did not stake on game ${order.gameId}`,
    );
    return decideWin(order);
  });
}

/**
 * Ends a game's money by a draw: both who staked receive the same and the platform its fee, together exactly what both staked. The
 * caller holds the game's row.
 *
 * Refusals: `entry_conflict` where the game was settled otherwise.
 */
export async function postDraw(
  tx: Tx,
  order: DrawOrder & { readonly at: Instant },
): Promise<Result<Posted, EntryConflict>> {
  return await settle(tx, order, (stakes) => decideDraw(order, stakes));
}

/**
 * Coins for a player of a development database, once for each player. Nothing stands behind them: never call it in production.
 *
 * Refusals: `entry_conflict` where the player opened with another amount.
 */
export async function postOpening(
  tx: Tx,
  order: OpeningOrder & { readonly at: Instant },
): Promise<Result<Posted, EntryConflict>> {
  const entry = decideOpening(order);
  assert((await lockWallet(tx, order.playerId)) !== null, `player ${order.playerId} has no wallet`);
  return await post(tx, entry, order.at);
}

/** The player's wallet, or null where none was opened. */
export async function walletBalance(queries: Queries, playerId: PlayerId): Promise<Wallet | null> {
  const [wallet] = await loadWallets(queries, [playerId]);
  return wallet ?? null;
}

/** The wallets of these players, in no order; who has none is left out. */
export async function walletBalances(queries: Queries, playerIds: readonly PlayerId[]): Promise<readonly Wallet[]> {
  return await loadWallets(queries, playerIds);
}

/** What the game's escrow holds: 0 before its first stake and after its settlement. */
export async function escrowBalance(queries: Queries, gameId: GameId): Promise<Coins> {
  return await loadEscrow(queries, gameId);
}

/** What the game did to anyone's coins: its stakes in the order of the seats, then what settled it, as they were posted. */
export async function gameEntries(queries: Queries, gameId: GameId): Promise<readonly GameEntry[]> {
  return await loadGameEntries(queries, gameId);
}

/** All coins by where they are. Reads every posting of the platform's own accounts: for the dashboard, not for a request of play. */
export async function platformFigures(queries: Queries): Promise<PlatformFigures> {
  const totals = await loadTotals(queries);
  return {
    wallets: totals.get("wallet") ?? ZERO_COINS,
    escrow: totals.get("escrow") ?? ZERO_COINS,
    revenue: totals.get("revenue") ?? ZERO_COINS,
    providerFees: totals.get("provider_fees") ?? ZERO_COINS,
    providerLoss: totals.get("provider_loss") ?? ZERO_COINS,
    depositClearing: totals.get("deposit_clearing") ?? ZERO_COINS,
    withdrawalClearing: totals.get("withdrawal_clearing") ?? ZERO_COINS,
    rounding: totals.get("rounding") ?? ZERO_COINS,
    debts: totals.get("debts") ?? ZERO_COINS,
    opening: totals.get("opening") ?? ZERO_COINS,
  };
}

/** Settles what the escrow holds, all of it. An escrow already empty tells of a settlement that stands: the same one, or another. */
async function settle(
  tx: Tx,
  order: { readonly gameId: GameId; readonly at: Instant },
  decide: (stakes: readonly PaidStake[]) => Entry,
): Promise<Result<Posted, EntryConflict>> {
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
