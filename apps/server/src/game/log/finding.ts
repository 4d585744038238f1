import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { PlayerRating } from "@holo/table/rating.ts";
import type { SeatFacts } from "./seat-facts.ts";

/** What `lifecycle_findings` found about a job. TypeScript judges it. */
export type Finding =
  /** Another record has this version, or the record before it differs. */
  | { readonly type: "stale" }
  /** Another server owns the game, or none. */
  | { readonly type: "not_owned" }
  /** About a player who is to sit down, or the creator of the game that starts. */
  | PersonFinding
  /** A player who is paid owes this much, in micro-holocoins. */
  | { readonly type: "debt"; readonly player: PlayerId; readonly debt: string }
  /** Of a player whose game ends, before it; a player without one has no rated game. */
  | RatingFinding
  | { readonly type: "waiting"; readonly gameId: GameId };

type RatingFinding = { readonly type: "rating"; readonly player: PlayerId } & PlayerRating;

type PersonFinding = { readonly type: "person" } & SeatFacts;

export function listSeatFacts(findings: readonly Finding[]): readonly SeatFacts[] {
  return findings.filter((finding): finding is PersonFinding => finding.type === "person");
}
