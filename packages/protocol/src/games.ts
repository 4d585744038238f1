import type { GameType, Seat } from "@holo/rules/rules.ts";
import type { EndReason } from "@holo/table/log-record.ts";
import type { LimitMinutes, Stake } from "@holo/table/stakes.ts";
import type { RestrictionsView } from "./restrictions.ts";

/** Coins on the wire: the decimal digits of their micro-holocoins (see kernel/money.ts). */
export type CoinsText = string;

export interface PlayerView {
  readonly id: string;
  readonly username: string;
}

/** The signed-in player as only they see themselves. */
export interface OwnPlayerView extends PlayerView {
  readonly email: string;
  /** Whether a mailed link has shown that they read that address. */
  readonly emailVerified: boolean;
  readonly notificationsEnabled: boolean;
  readonly soundEnabled: boolean;
  /** Off: this player takes no move back, and nobody need ask (ruling 18). */
  readonly takebacksEnabled: boolean;
}

/** One of the player's own sessions: a browser in which they are logged in. */
export interface OwnSessionView {
  readonly id: string;
  /** Browser and machine in words: "Chrome on Android". */
  readonly device: string;
  /** ms since 1970. */
  readonly startedAt: number;
  /** ms since 1970, to some minutes. */
  readonly seenAt: number;
  /** Whether it is the one that asks. */
  readonly isCurrent: boolean;
}

export interface SettingsView {
  /** Kobo for one holocoin (30600 = ₦306). */
  readonly rateKobo: number;
  /** Basis points (740 = 7.4 %), for games created from now on. */
  readonly feeBps: number;
}

/** What somebody may do in the house beyond playing (ruling 25); a CEO may all that an admin may. */
export const ROLES = ["admin", "ceo"] as const;
export type RoleView = (typeof ROLES)[number];

export interface SessionView {
  /** Null for a visitor; then balance is "0" and the games are null. */
  readonly player: OwnPlayerView | null;
  /** As it was when this was asked; the server looks again at every act. Null for players and visitors. */
  readonly role: RoleView | null;
  readonly balance: CoinsText;
  /** The player's one open game, where there is one. */
  readonly openGame: OpenGameView | null;
  readonly settings: SettingsView;
  /** Whether this player may not create or join at the moment (ruling 17), and until when (ms since 1970). */
  readonly pausedUntil: number | null;
  /** What the player has set for themselves; null for a visitor. */
  readonly limits: RestrictionsView | null;
  /** Null while no maintenance is on. */
  readonly maintenance: MaintenanceView | null;
}

/** While it is on no game begins and nothing is deposited; games under way and withdrawals go on. */
export interface MaintenanceView {
  /** What players are told, in the words of the house. */
  readonly text: string;
  /** ms since 1970. */
  readonly sinceAt: number;
}

export interface OpenGameView {
  readonly gameId: string;
  readonly status: "waiting" | "active";
}

/** `pending` is a waiting game (specification 3); a game lost on time is `completed` (ruling 11). */
export type MatchStatus = "pending" | "active" | "completed" | "cancelled";

/** A game as lists and cards show it. */
export interface MatchView {
  readonly id: string;
  readonly game: GameType;
  readonly status: MatchStatus;
  readonly white: PlayerView;
  readonly black: PlayerView | null;
  /** Holocoins per piece. */
  readonly stake: Stake;
  /** The fee kept on this game. */
  readonly feeBps: number;
  readonly limitMinutes: LimitMinutes;
  /** Seat of the winner; null while it goes on, after a draw, or when cancelled. */
  readonly winner: Seat | null;
  readonly endReason: EndReason | null;
  readonly moveCount: number;
  /**
   * 64 characters, a8 first: `.` empty; checkers `a`/`A` player 1's man/king, `b`/`B` player 2's; chess the letters of FEN.
   */
  readonly board: string;
  /** ms since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** How many games wait for an opponent on these terms, games of players who are away left out. */
export interface AvailabilityView {
  readonly game: GameType;
  readonly stake: Stake;
  readonly limitMinutes: LimitMinutes;
  /** Creators of those games, so that a page can leave out its own player. */
  readonly creators: readonly string[];
}

export interface ProfileView {
  readonly player: OwnPlayerView;
  readonly balance: CoinsText;
  readonly games: {
    readonly pending: number;
    readonly active: number;
    readonly completed: number;
    readonly wins: number;
    readonly losses: number;
    readonly draws: number;
  };
  /** All of the player's games, newest first, at most 100. */
  readonly matches: readonly MatchView[];
}

export interface StatsView {
  readonly playersOnline: number;
  readonly gamesPlaying: number;
}

/** One message at a table. */
export interface ChatMessageView {
  /** From 1 without gaps in each game. */
  readonly number: number;
  readonly seat: Seat;
  readonly text: string;
  /** ms since 1970. */
  readonly at: number;
}

/** What one player has asked for about another. */
export interface RelationView {
  /** Their chat is not shown. */
  readonly muted: boolean;
  /** The two are never paired again. */
  readonly blocked: boolean;
}

export interface OutcomesView {
  readonly wins: number;
  readonly losses: number;
  readonly draws: number;
}

/** What everyone may know of a player before they play for coins. */
export interface PlayerStatsView {
  readonly player: PlayerView;
  /** When they registered, ms since 1970. */
  readonly sinceAt: number;
  readonly games: Readonly<Record<GameType, OutcomesView>>;
  /** Games that had begun and that they cancelled or let lapse by making no first move. */
  readonly aborts: number;
  /** Their newest finished games, at most 10. */
  readonly recent: readonly MatchView[];
  /** The viewer's own wishes about them; null for visitors and for oneself. */
  readonly relation: RelationView | null;
}

export const LEADERBOARD_PERIODS = ["all", "month", "week"] as const;
/** The games of all time, of the last 30 days, of the last 7. */
export type LeaderboardPeriod = (typeof LEADERBOARD_PERIODS)[number];

/** Where a player stands among all. */
export interface StandingView extends OutcomesView {
  /** From 1; who has as many games and wins as another shares their rank. */
  readonly rank: number;
  readonly player: PlayerView;
}

export interface LeaderboardView {
  /** The best three, or as many as there are. */
  readonly top: readonly StandingView[];
  /** The page that was asked for, of those who come after them. */
  readonly rows: readonly StandingView[];
  /** How many such pages there are. */
  readonly pages: number;
  /** How many players are ranked, those beyond the last page as well. */
  readonly players: number;
  /** The viewer's own standing; null for visitors and for who has no completed game. */
  readonly own: StandingView | null;
}

/** How to reach the people of the house. */
export interface ContactView {
  readonly email: string;
  /** Where a message to them is written; `text` says it beforehand. */
  readonly messagingUrl: string;
}

/** A moment and what held since then. */
export interface BalancePointView {
  /** ms since 1970. */
  readonly at: number;
  readonly balance: CoinsText;
}

export interface WinRatePointView {
  readonly at: number;
  /** Of all games completed by then. */
  readonly wins: number;
  readonly games: number;
}

/** How a player's balance and win rate went, oldest first; of many points those that close a stretch of time. */
export interface HistoryView {
  readonly balance: readonly BalancePointView[];
  readonly winRate: readonly WinRatePointView[];
}

/** Where coins were and went to in a game's entries. */
export type Holder = "white" | "black" | "escrow" | "platform";

/** One entry of the ledger that a game brought about. */
export interface JournalEntryView {
  readonly id: string;
  readonly kind: "stake" | "refund" | "win" | "draw";
  /** ms since 1970. */
  readonly at: number;
  readonly postings: readonly { readonly holder: Holder; readonly amount: CoinsText }[];
}

/** One row of a finished game's log as it is stored, for checking its chain of SHA-256 hashes. */
export interface LogRowView {
  readonly text: string;
  readonly hash: string;
}

export const REPORT_REASONS = ["cheating", "abuse", "stalling", "fault", "other"] as const;
export type ReportReason = (typeof REPORT_REASONS)[number];
