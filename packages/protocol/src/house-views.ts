import type { MatchView, PlayerView, ReportReason } from "./views.ts";

/** What came of a report, as its reporter is told in plain words. */
export const REPORT_OUTCOMES = ["acted", "nothing_found", "unclear"] as const;
export type ReportOutcome = (typeof REPORT_OUTCOMES)[number];

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
