import { z } from "zod";
import { role } from "../accounts/session.ts";
import { coins, instant, kobo, whole } from "../fields.ts";
import type { Route, View } from "../route.ts";
import { payoutHold, reconciliation } from "./money.ts";

const solvency = z.strictObject({
  owedCoins: coins,
  /**
   * As `owedCoins`: wallets and escrow at the current rate, rounded up, withdrawals at their own.
   */
  owedKobo: kobo,
  /** Withdrawals on their way. Some may have left the provider without confirmation. */
  onTheWayKobo: kobo,
  /** Null: the provider did not answer. */
  providerKobo: kobo.nullable(),
  /** The provider's balance less what is owed. */
  differenceKobo: kobo.nullable(),
});
export type SolvencyView = View<typeof solvency>;

/** All sums of coins are of one moment and computed from the ledger's postings. */
const overview = z.strictObject({
  role,
  at: instant,
  /** The players' coins: wallets and escrow. */
  platformBalance: coins,
  wallets: coins,
  escrow: coins,
  /** Starting coins of development players, backed by no money; "0" in production. */
  opening: coins,
  /** All fees of games that ended by win or draw. */
  completedRevenue: coins,
  providerFees: coins,
  /** Sent although the coins had been returned. */
  providerLoss: coins,
  debts: coins,
  /** Without cancelled games (ruling 11). */
  games: z.strictObject({ total: whole, completed: whole, active: whole, pending: whole }),
  rateKobo: whole,
  feeBps: whole,
  solvency,
  reconciliation: reconciliation.nullable(),
  /** Until it ends, no withdrawal is sent. */
  payoutHold: payoutHold.nullable(),
});
export type OverviewView = View<typeof overview>;

/** Payments without the provider's final status. */
const pending = z.strictObject({ count: whole, kobo });
export type PendingView = View<typeof pending>;

/**
 * Of the platform, except what `servers` describes. A count is null if the servers do not count it;
 * the day begins at midnight in Lagos.
 */
const liveFigures = z.strictObject({
  at: instant,
  playersOnline: whole.nullable(),
  gamesPlaying: whole.nullable(),
  gamesWaiting: whole.nullable(),
  /** The servers in contact: the next three figures are sums, `moveP99Ms` is of the slowest. */
  servers: whole,
  /** Open sockets, also of visitors. */
  connections: whole.nullable(),
  memoryBytes: whole.nullable(),
  /** Over the last minute, or since the start. */
  movesPerSecond: z.number(),
  /** From a move's arrival to its answer, of the slowest server. Null: no moves. */
  moveP99Ms: z.number().nullable(),
  depositsTodayKobo: kobo,
  withdrawalsTodayKobo: kobo,
  pendingDeposits: pending,
  pendingWithdrawals: pending,
});
export type LiveFiguresView = View<typeof liveFigures>;

const day = z.strictObject({
  /** YYYY-MM-DD, in Lagos. */
  day: z.string(),
  /** Games that ended by win or draw. */
  games: whole,
  revenue: coins,
  depositsKobo: kobo,
  /** Confirmed by the provider on this day. */
  withdrawalsKobo: kobo,
});
export type DayView = View<typeof day>;

const days = z.strictObject({
  /** The last 90 days in Lagos, today included, oldest first, without gaps. */
  days: z.array(day),
});
export type DaysView = View<typeof days>;

export const OVERVIEW_ROUTES = {
  adminOverview: { method: "get", path: "/api/admin/overview", access: "admin", refusals: [], response: overview },
  adminLive: { method: "get", path: "/api/admin/live", access: "admin", refusals: [], response: liveFigures },
  adminDays: { method: "get", path: "/api/admin/days", access: "admin", refusals: [], response: days },
} as const satisfies Record<string, Route>;
