import type { AvailabilityView } from "@holo/protocol/views.ts";
import type { GameType } from "@holo/rules/rules.ts";
import type { LimitMinutes, Stake } from "@holo/table/stakes.ts";

/** On which terms a player wants to play. */
export interface MatchChoice {
  readonly game: GameType;
  readonly stake: Stake;
  readonly limitMinutes: LimitMinutes;
}

/** Whether somebody else waits on these terms. */
export function isWaiting(waiting: readonly AvailabilityView[], choice: MatchChoice, viewerId: string | null): boolean {
  return waiting.some(
    (terms) =>
      terms.game === choice.game &&
      terms.stake === choice.stake &&
      terms.limitMinutes === choice.limitMinutes &&
      terms.creators.some((creator) => creator !== viewerId),
  );
}
