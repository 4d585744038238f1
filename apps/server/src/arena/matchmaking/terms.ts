import type { GameId } from "@holo/kernel/ids.ts";
import { type Terms, toTerms } from "@holo/table/platform-fee.ts";
import type { TableState } from "@holo/table/state.ts";
import { rulesOf } from "../game-rules.ts";

export function termsOf(state: TableState<unknown>): Terms {
  return toTerms(state.stake, rulesOf(state.game).pieceCount, state.feeBps);
}

export function toJoinContent(gameId: GameId): string {
  return `join ${gameId}`;
}
