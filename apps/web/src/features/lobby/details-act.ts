import type { MatchStatus } from "@holo/protocol/views.ts";
import type { Seat } from "@holo/rules/rules.ts";

/** What the details of a match lead to (specification 2): its open seat, one's own game, or a look at it. */
export type DetailsAct = "Join Match" | "Play Now" | "Watch" | "View";

/** @param seat the viewer's own; null for who is not at the table */
export function toDetailsAct(status: MatchStatus, seat: Seat | null): DetailsAct {
  if (status === "pending" && seat === null) return "Join Match";
  if (status !== "active") return "View";
  return seat === null ? "Watch" : "Play Now";
}
