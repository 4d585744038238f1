import type { MatchStatus } from "@holo/protocol/games.ts";
import type { Seat } from "@holo/rules/rules.ts";

/** The button of a match's details (specification 2). */
export type DetailsAction = "Join Match" | "Play Now" | "Watch" | "View";

/** @param seat the seat of the viewer, null for a watcher */
export function toDetailsAction(status: MatchStatus, seat: Seat | null): DetailsAction {
  if (status === "pending" && seat === null) return "Join Match";
  if (status !== "active") return "View";
  return seat === null ? "Watch" : "Play Now";
}
