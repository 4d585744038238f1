import type { AvailabilityView } from "@holo/protocol/games.ts";
import type { GameType } from "@holo/rules/rules.ts";
import type { LimitMinutes, Stake } from "@holo/table/stakes.ts";

export interface MatchChoice {
  readonly game: GameType;
  readonly stake: Stake;
  readonly limitMinutes: LimitMinutes;
}

/** Whether another player waits on these terms. */
export function isOpponentWaiting(waiting: readonly AvailabilityView[], choice: MatchChoice): boolean {
  return waiting.some(
    (terms) => terms.game === choice.game && terms.stake === choice.stake && terms.limitMinutes === choice.limitMinutes,
  );
}
