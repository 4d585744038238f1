import type { CoinsText, MatchView, OpenGameView, PlayerView, ReportReason, RoleView } from "../games.ts";
import type { PaymentView } from "../payments.ts";
import type { RestrictionsView } from "../restrictions.ts";

/** What came of a report, as its reporter is told in plain words. */
export const REPORT_OUTCOMES = ["acted", "nothing_found", "unclear"] as const;
export type ReportOutcome = (typeof REPORT_OUTCOMES)[number];

/**
 * Why what is shown is not for who looks at it to decide: it is their own (ruling 25), an admin's and so the CEO's to decide, or the CEO's
 * account. As refusals they have the same names.
 */
export const HELD_BACK = ["own_matter", "admin_matter", "ceo_matter"] as const;
export type HeldBack = (typeof HELD_BACK)[number];

export const REPORT_STATES = ["open", "closed"] as const;
export type ReportState = (typeof REPORT_STATES)[number];

/** What a player told the house. */
export interface ReportView {
  readonly id: string;
  readonly reporter: PlayerView;
  /** Whom it is about; null: the game itself. */
  readonly player: PlayerView | null;
  readonly match: MatchView;
  readonly reason: ReportReason;
  readonly text: string;
  /** ms since 1970. */
  readonly at: number;
  /** Null while it is open. */
  readonly ended: {
    readonly outcome: ReportOutcome;
    readonly note: string;
    readonly by: string;
    /** ms since 1970. */
    readonly at: number;
  } | null;
  readonly heldBack: HeldBack | null;
}

/** Open ones the oldest first, closed ones the newest first; `next` asks for those after. */
export interface ReportsView {
  readonly reports: readonly ReportView[];
  readonly next: string | null;
}

/** What the two players of a game wrote to each other, for who has to judge it. The newest 500, in order. */
export interface GameChatView {
  readonly messages: readonly {
    readonly number: number;
    readonly username: string;
    readonly text: string;
    /** ms since 1970. */
    readonly at: number;
  }[];
}

export interface FoundPlayerView extends PlayerView {
  readonly email: string;
  readonly isVerified: boolean;
  /** When they registered (ms since 1970). */
  readonly sinceAt: number;
  readonly isBlocked: boolean;
  readonly role: RoleView | null;
  /** Null and `own_matter`: their file can be read. */
  readonly heldBack: HeldBack | null;
}

/** By name; `next` asks for those after. */
export interface FoundPlayersView {
  readonly players: readonly FoundPlayerView[];
  readonly next: string | null;
}

/** What admins may know of a player, but for their games and entries, which come page by page. */
export interface PlayerFileView {
  readonly player: FoundPlayerView;
  readonly balance: CoinsText;
  readonly openGame: OpenGameView | null;
  /** Of that game. */
  readonly gameHeldBack: HeldBack | null;
  readonly limits: RestrictionsView;
  /** The newest, with no more of an account's number than its last digits. */
  readonly payments: readonly PaymentView[];
  readonly sessions: readonly {
    readonly device: string;
    /** ms since 1970. */
    readonly startedAt: number;
    /** ms since 1970. */
    readonly seenAt: number;
  }[];
  /** The newest 20 about this player. */
  readonly reports: readonly ReportView[];
}
