import type { Instant } from "@holo/kernel/instant.ts";
import type { GameRules } from "@holo/rules/rules.ts";
import { CLOCK_STARTS_AFTER_PLIES, replaceSeat } from "./clock.ts";
import type { TableState } from "./state.ts";

export function toRemaining<Position>(
  rules: GameRules<Position>,
  state: TableState<Position>,
  at: Instant,
): readonly [number, number] {
  const { clock } = state;
  if (clock.turnStartedAt === null || state.pliesEver < CLOCK_STARTS_AFTER_PLIES) return clock.remainingMs;
  const turn = rules.toMove(state.position);
  const spentMs = Math.max(0, at - clock.turnStartedAt);
  return replaceSeat(clock.remainingMs, turn, Math.max(0, clock.remainingMs[turn - 1]! - spentMs));
}
