import type { CoinsText, RoleView, SettingsView } from "../games.ts";
import type { PaymentView, SavedAccountView } from "../payments.ts";
import type { HeldBack } from "./moderation.ts";

/** What players are owed beside what the provider holds for us. Sums of naira are in kobo. */
export interface SolvencyView {
  /** Wallets, escrow and withdrawals on their way. */
  readonly owedCoins: CoinsText;
  /** The same: wallets and escrow at the rate in force, rounded up, withdrawals at what each is of. */
  readonly owedKobo: number;
  /** Of that, withdrawals on their way: some may have left the provider already without its final word. */
  readonly onTheWayKobo: number;
  /** Null: the provider does not say at the moment. */
  readonly providerKobo: number | null;
  /** What the provider holds beyond what is owed; negative where it holds less. */
  readonly differenceKobo: number | null;
  /** When the provider was asked (ms since 1970). */
  readonly askedAt: number;
}

/** How the provider and we can differ once everything that could be settled was. */
export const DIFFERENCES = [
  /** Money that came in or went out at the provider and belongs to no payment of ours. */
  "unknown_charge",
  "unknown_transfer",
  /** We say that it came in or went out, the provider does not. */
  "missing_charge",
  "missing_transfer",
  /** The provider still has what we took back. */
  "kept_charge",
  /** Another amount than ours, held for people. */
  "other_amount",
  /** Something that was listed could not be understood. */
  "unread",
] as const;

/** Where the provider and we do not say the same. */
export interface DifferenceView {
  readonly type: (typeof DIFFERENCES)[number];
  readonly reference: string;
  readonly kobo: number;
}

/** The last comparison with the provider that was finished. */
export interface ReconciliationView {
  /** UTC, YYYY-MM-DD. */
  readonly day: string;
  /** ms since 1970. */
  readonly finishedAt: number;
  /** How many payments came to their end by it. */
  readonly settled: number;
  readonly differences: readonly DifferenceView[];
}

/** The house at a glance. Every sum of coins is of one moment and of the ledger's postings alone. */
export interface OverviewView {
  readonly role: RoleView;
  /** ms since 1970. */
  readonly at: number;
  /** Wallets and escrow: everything that is the players'. */
  readonly platformBalance: CoinsText;
  readonly wallets: CoinsText;
  readonly escrow: CoinsText;
  /** Coins that a development database gave its players to begin with; nothing stands behind them. "0" in production. */
  readonly opening: CoinsText;
  /** Fees earned by games that ended by win or draw, since the beginning. */
  readonly completedRevenue: CoinsText;
  /** What the provider kept. */
  readonly providerFees: CoinsText;
  /** What was sent although it had been given back. */
  readonly providerLoss: CoinsText;
  /** Owed by players from deposits that were taken back. */
  readonly debts: CoinsText;
  /** Withdrawn or on its way. */
  readonly revenueWithdrawn: CoinsText;
  /** What of the revenue may still be withdrawn (ruling 10). */
  readonly revenueLeft: CoinsText;
  /** Cancelled games are in no count (ruling 11). */
  readonly games: {
    readonly total: number;
    readonly completed: number;
    readonly active: number;
    readonly pending: number;
  };
  readonly rateKobo: number;
  readonly feeBps: number;
  readonly solvency: SolvencyView;
  /** Payments that people have to look at, and wallets of who left. */
  readonly reviews: number;
  readonly reconciliation: ReconciliationView | null;
}

/**
 * What goes on at this moment. What is counted is of the server that answers, as at /metrics; null where it counts none of it. Money is
 * everybody's, in kobo; today began at midnight in Lagos.
 */
export interface LiveFiguresView {
  /** ms since 1970. */
  readonly at: number;
  readonly playersOnline: number | null;
  readonly gamesPlaying: number | null;
  /** Also those whose creator is away. */
  readonly gamesWaiting: number | null;
  /** Open sockets, those of visitors too. */
  readonly connections: number | null;
  readonly memoryBytes: number | null;
  /** Of the last minute, and of the time since the start where that is shorter; as is what follows. */
  readonly movesPerSecond: number;
  /** From a move's arrival to its answer, which follows the commit: 99 of 100 took no longer. Null: no moves. */
  readonly moveP99Ms: number | null;
  readonly depositsTodayKobo: number;
  readonly withdrawalsTodayKobo: number;
  readonly pendingDeposits: PendingView;
  readonly pendingWithdrawals: PendingView;
}

/** Payments of which the provider has not said its last word. */
export interface PendingView {
  readonly count: number;
  readonly kobo: number;
}

/** A day of the house by the ledger. */
export interface DayView {
  /** YYYY-MM-DD, in Lagos. */
  readonly day: string;
  /** Games that ended by win or draw. */
  readonly games: number;
  /** The fees of these. */
  readonly revenue: CoinsText;
  /** Arrived and credited on this day. */
  readonly depositsKobo: number;
  /** Sent to players on this day, by the provider's word. */
  readonly withdrawalsKobo: number;
}

/** The last 90 days and no gap among them, the oldest first; the last is today. */
export interface DaysView {
  readonly days: readonly DayView[];
}

export interface AdminView {
  readonly id: string;
  readonly email: string;
  /** Whether a player has shown to read this address: until then it gives nobody a role (ruling 25). */
  readonly isVerified: boolean;
  /** Null: nobody has registered with it. */
  readonly username: string | null;
  /** ms since 1970. */
  readonly addedAt: number;
}

export interface AdminsView {
  /** The CEO by the server's configuration; cannot be removed. */
  readonly owner: { readonly email: string; readonly isVerified: boolean };
  /** The oldest first. */
  readonly admins: readonly AdminView[];
}

/** Everything that people of the house do to others, or to the house. */
export const AUDIT_EVENT_TYPES = [
  /** The server was started with another owner's address. */
  "owner_set",
  "admin_added",
  "admin_removed",
  "settings_changed",
  "review_credited",
  "review_refunded",
  "review_taken",
  "review_borne",
  "left_coins_sent",
  "reconciled",
  "revenue_withdrawn",
  "maintenance_begun",
  "maintenance_ended",
  "player_blocked",
  "player_unblocked",
  "game_cancelled",
  "report_ended",
  "release_uploaded",
  "release_made_current",
] as const;
export type AuditEventType = (typeof AUDIT_EVENT_TYPES)[number];

export interface AuditEventView {
  /** Digits; grows from act to act. */
  readonly id: string;
  /** ms since 1970. */
  readonly at: number;
  /** Null: the server itself. */
  readonly username: string | null;
  readonly act: AuditEventType;
  /** What it was done to: an address, a reference. */
  readonly subject: string;
  /** In words. */
  readonly detail: string;
}

/** Newest first, at most 50; `next` asks for those before. */
export interface AuditEventsView {
  readonly acts: readonly AuditEventView[];
  readonly next: string | null;
}

export interface SettingChangeView extends SettingsView {
  /** ms since 1970; 0 for what the product began with. */
  readonly at: number;
  /** Null for what the product began with. */
  readonly username: string | null;
}

export interface AdminSettingsView extends SettingsView {
  /** Newest first, at most 100. */
  readonly changes: readonly SettingChangeView[];
}

/** What other settings would do to what players are owed. */
export interface SettingsEffectView {
  readonly owedCoins: CoinsText;
  readonly owedKoboNow: number;
  readonly owedKoboThen: number;
  /** Null: the provider does not say at the moment. */
  readonly providerKobo: number | null;
}

/** What arrived is credited or sent back; what of a credited deposit went back to its payer is taken from its player or borne by the platform. */
export const REVIEW_ENDS = ["credit", "refund", "take", "bear"] as const;
export type ReviewEnd = (typeof REVIEW_ENDS)[number];

/** A payment that people have to look at. */
export interface ReviewView {
  readonly payment: PaymentView;
  readonly playerId: string;
  readonly username: string;
  /** What could be credited of it, by the provider's last word; null where that is nothing. */
  readonly arrivedKobo: number | null;
  readonly arrivedCoins: CoinsText | null;
  /** What of a credited deposit went back to who paid it and is nobody's loss yet; null where that is nothing. */
  readonly goneKobo: number | null;
  readonly goneCoins: CoinsText | null;
  /** What its player has now. */
  readonly walletCoins: CoinsText;
  /** How it can be ended here; where in no way, it is decided at the provider. */
  readonly ends: readonly ReviewEnd[];
  readonly heldBack: HeldBack | null;
}

/** Coins that came to somebody who had left for good. */
export interface OrphanedBalanceView {
  readonly playerId: string;
  /** A pseudonym. */
  readonly username: string;
  readonly coins: CoinsText;
  /** What of it can be sent, at the rate in force. */
  readonly kobo: number;
  /** Where they were paid last; null where that is not kept. */
  readonly bankName: string | null;
}

/** The oldest first. */
export interface ReviewsView {
  readonly payments: readonly ReviewView[];
  readonly leftWallets: readonly OrphanedBalanceView[];
}

/** What the platform earned, and where it is. */
export interface RevenueView {
  /** Fees of games that ended by win or draw. */
  readonly earned: CoinsText;
  /** What the provider kept. */
  readonly providerFees: CoinsText;
  /** What was sent although it had been given back. */
  readonly providerLoss: CoinsText;
  readonly withdrawn: CoinsText;
  readonly onTheWay: CoinsText;
  /** What may be withdrawn now (ruling 10). */
  readonly left: CoinsText;
  /** The newest 20. */
  readonly payments: readonly PaymentView[];
  readonly accounts: readonly SavedAccountView[];
}
