import type { LeaderboardPeriod } from "@holo/protocol/players.ts";
import type { GameType } from "@holo/rules/rules.ts";

export interface LeaderboardChoice {
  readonly game: GameType | "both";
  readonly period: LeaderboardPeriod;
  /** From 1, below the podium. */
  readonly page: number;
}

export const GAMES = [
  { value: "both", text: "Both" },
  { value: "checkers", text: "Checkers" },
  { value: "chess", text: "Chess" },
] as const;

export const PERIODS = [
  { value: "all", text: "All time" },
  { value: "month", text: "30 days" },
  { value: "week", text: "7 days" },
] as const;

/** The query parameters, without defaults. */
export function toQuery({ game, period, page }: LeaderboardChoice) {
  return {
    ...(game !== "both" && { game }),
    ...(period !== "all" && { period }),
    ...(page !== 1 && { page: String(page) }),
  };
}
