import { assert } from "@holo/kernel/assert.ts";
import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { addCoins, type Coins, toCoins, ZERO_COINS } from "@holo/kernel/money.ts";
import type { Result } from "@holo/kernel/result.ts";
import type { Queries, Tx } from "../platform/database/database.ts";
import {
  type DrawOrder,
  decideDrawEntry,
  decideOpeningEntry,
  decideRefundEntry,
  decideStakeEntry,
  decideWinEntry,
  type OpeningOrder,
  type PaidStake,
  type StakeOrder,
  sumStakes,
  type WinOrder,
} from "./games/decide-game-entry.ts";
import { type JournalEntry, walletOf } from "./journal/journal-entry.ts";
import { loadTotals, loadWallets, lockGame, lockWallet, openAccount, type Wallet } from "./journal/journal-store.ts";
import {
  findPosted,
  type InsufficientBalance,
  type JournalConflict,
  type Posted,
  post,
  postCovered,
} from "./journal/post.ts";

export { type DayFigures, LAGOS_AHEAD_MS, loadDayFigures } from "./figures/day-figures-store.ts";
export { loadOwedFigures, loadRevenueFigures, type OwedFigures } from "./figures/figures.ts";
export {
  decideDrawEntry,
  decideRefundEntry,
  decideStakeEntry,
  decideWinEntry,
} from "./games/decide-game-entry.ts";
export type { JournalEntry } from "./journal/journal-entry.ts";
export {
  type GameJournalEntry,
  hasOpenings,
  loadEscrowBalance,
  loadGameEntries,
  loadWallets,
  lockWallet,
  toEntryRows,
  updateTotals,
  type Wallet,
} from "./journal/journal-store.ts";
export type { InsufficientBalance, JournalConflict, Posted } from "./journal/post.ts";
export { decideDebtRepaymentEntry } from "./payments/decide-deposit-entry.ts";
export { loadDebts, lockRevenue } from "./payments/payment-entry-store.ts";
export {
  loadDebt,
  loadWithdrawableRevenue,
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
} from "./payments/payment-postings.ts";
export { loadBalanceHistory } from "./statement/balance-history-store.ts";
export { loadUnplayed } from "./statement/deposit-use-store.ts";
export { loadNetChanges } from "./statement/net-change-store.ts";
export { loadStatement, type StatementPage, type StatementRow } from "./statement/statement-store.ts";

/** All coins by account, in micro-holocoins. Clearing is negative: the provider holds it for us. */
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

export async function openWallet(tx: Tx, playerId: PlayerId, at: Instant): Promise<void> {
  await openAccount(tx, walletOf(playerId), at);
}

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
    return decideWinEntry(order);
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

/**
 * Gives a player of a development database coins without a deposit, once. Never call it in
 * production.
 */
export async function postOpening(
  tx: Tx,
  order: OpeningOrder & { readonly at: Instant },
): Promise<Result<Posted, JournalConflict>> {
  const entry = decideOpeningEntry(order);
  assert((await lockWallet(tx, order.playerId)) !== null, `player ${order.playerId} has no wallet`);
  return await post(tx, entry, order.at);
}

export async function loadWallet(queries: Queries, playerId: PlayerId): Promise<Wallet | null> {
  const [wallet] = await loadWallets(queries, [playerId]);
  return wallet ?? null;
}

/** All coins by account. Reads every posting of the platform's accounts: for the dashboard only. */
export async function loadPlatformFigures(queries: Queries): Promise<PlatformFigures> {
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
