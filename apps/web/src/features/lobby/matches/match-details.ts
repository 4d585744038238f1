import type { MatchStatus, MatchView } from "@holo/protocol/game/games.ts";
import type { Seat } from "@holo/rules/rules.ts";

/** The button of a match's details (specification 2). */
type DetailsAction = "Join Match" | "Play Now" | "Watch" | "View";

export function toDetailsAction(status: MatchStatus, seat: Seat | null): DetailsAction {
  if (status === "pending" && seat === null) return "Join Match";
  if (status !== "active") return "View";
  return seat === null ? "Watch" : "Play Now";
}

export function toWinnerName({ winner, white, black }: MatchView): string | null {
  if (winner === null) return null;
  return winner === 1 ? white.username : (black?.username ?? null);
}
