import type { AvailabilityView } from "@holo/protocol/arena/games.ts";
import { GAME_TYPES, type GameType } from "@holo/rules/rules.ts";
import { LIMIT_MINUTES, type LimitMinutes, STAKES, type Stake } from "@holo/table/stakes.ts";

export interface MatchChoice {
  readonly game: GameType;
  readonly stake: Stake;
  readonly limitMinutes: LimitMinutes;
}

export function toChoicePath({ game, stake, limitMinutes }: MatchChoice, byInvitation: boolean): string {
  const opponent = byInvitation ? "friend" : "anyone";
  return `/create-match?game=${game}&stake=${stake}&minutes=${limitMinutes}&opponent=${opponent}`;
}

export function readChoice(search: string): { readonly choice: MatchChoice; readonly byInvitation: boolean } {
  const named = new URLSearchParams(search);
  return {
    choice: {
      game: GAME_TYPES.find((game) => game === named.get("game")) ?? "checkers",
      stake: STAKES.find((stake) => `${stake}` === named.get("stake")) ?? 1,
      limitMinutes: LIMIT_MINUTES.find((minutes) => `${minutes}` === named.get("minutes")) ?? 5,
    },
    byInvitation: named.get("opponent") === "friend",
  };
}

export function isOpponentWaiting(waiting: readonly AvailabilityView[], choice: MatchChoice): boolean {
  return waiting.some(
    (terms) => terms.game === choice.game && terms.stake === choice.stake && terms.limitMinutes === choice.limitMinutes,
  );
}
