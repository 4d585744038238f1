import type { GameId } from "@holo/kernel/ids.ts";
import { gameOf } from "@holo/rules/registry.ts";
import { type Terms, toTerms } from "@holo/table/platform-fee.ts";
import type { TableState } from "@holo/table/state.ts";

export function termsOf(state: TableState<unknown>): Terms {
  return toTerms(state.stake, gameOf(state.game).pieceCount, state.feeBps);
}

export function toJoinContent(gameId: GameId): string {
  return `join ${gameId}`;
}
