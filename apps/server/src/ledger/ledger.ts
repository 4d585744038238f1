import { assert } from "@holo/kernel/assert.ts";
import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { type Coins, ZERO_COINS } from "@holo/kernel/money.ts";
import type { Result } from "@holo/kernel/result.ts";
import type { Queries, Tx } from "../platform/database/database.ts";
import { decideOpeningEntry, type OpeningOrder } from "./games/decide-game-entry.ts";
import { walletOf } from "./journal/journal-entry.ts";
import { loadTotals, loadWallets, lockWallet, openAccount, type Wallet } from "./journal/journal-store.ts";
import { type JournalConflict, type Posted, post } from "./journal/post.ts";

export { type DayFigures, LAGOS_AHEAD_MS, loadDayFigures } from "./figures/day-figures-store.ts";
export { loadOwedFigures, loadRevenueFigures, type OwedFigures } from "./figures/figures.ts";
export {
  decideDrawEntry,
  decideRefundEntry,
  decideStakeEntry,
  decideWinEntry,
} from "./games/decide-game-entry.ts";
export { type JournalEntry, listWalletOwners } from "./journal/journal-entry.ts";
export {
  type GameJournalEntry,
  hasOpenings,
  loadEscrowBalance,
  loadGameEntries,
  loadWallets,
  lockWallet,
  type PostedWalletRow,
  toJournalRows,
  toPostedWallets,
  updateTotals,
  type Wallet,
} from "./journal/journal-store.ts";
export type { JournalConflict, Posted } from "./journal/post.ts";
export { decideDebtRepaymentEntry } from "./payments/other-entries.ts";
export { lockRevenue } from "./payments/payment-entry-store.ts";
export {
  loadDebt,
  loadWithdrawableRevenue,
  postClosingRemainder,
  postPosition,
  postProviderFee,
  postWithdrawal,
} from "./payments/payment-postings.ts";
export { toDepositPosition, toWithdrawalPosition } from "./payments/positions.ts";
export {
  type ForfeitReceiver,
  postForfeit,
  postForfeitReturn,
} from "./provenance/forfeit.ts";
export { loadLots } from "./provenance/lots-store.ts";
export {
  loadMarkedPart,
  loadMarkedWithdrawal,
  markCoins,
  markDeposit,
  unmarkCoins,
  unmarkDeposit,
} from "./provenance/mark-store.ts";
export { type CoinOrigin, loadWalletOrigins, loadWithdrawalOrigins } from "./provenance/origins-store.ts";
export { type CoinPath, loadPaths } from "./provenance/paths-store.ts";
export {
  type CoinShare,
  listWinners,
  loadSpread,
  loadWonCoins,
  type WonCoins,
} from "./provenance/spread-store.ts";
export { loadWhereabouts, type Whereabouts } from "./provenance/whereabouts-store.ts";
export { loadBalanceHistory } from "./statement/balance-history-store.ts";
export { loadUnplayed } from "./statement/deposit-use-store.ts";
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
