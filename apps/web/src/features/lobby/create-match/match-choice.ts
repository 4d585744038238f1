import type { AvailabilityView } from "@holo/protocol/game/games.ts";
import { GAMES } from "@holo/rules/registry.ts";
import type { GameType } from "@holo/rules/rules.ts";
import { LIMIT_MINUTES, type LimitMinutes, listPaidStakes, STAKES, type Stake } from "@holo/table/stakes.ts";

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
      game: (GAMES.find(({ id }) => id === named.get("game")) ?? GAMES[0]!).id,
      stake: STAKES.find((stake) => `${stake}` === named.get("stake")) ?? listPaidStakes()[0]!,
      limitMinutes: LIMIT_MINUTES.find((minutes) => `${minutes}` === named.get("minutes")) ?? LIMIT_MINUTES[0],
    },
    byInvitation: named.get("opponent") === "friend",
  };
}

export function isOpponentWaiting(waiting: readonly AvailabilityView[], choice: MatchChoice): boolean {
  return waiting.some(
    (terms) => terms.game === choice.game && terms.stake === choice.stake && terms.limitMinutes === choice.limitMinutes,
  );
}
