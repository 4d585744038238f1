import type { Instant } from "@holo/kernel/instant.ts";
import { type BySeat, ofSeat, replaceSeat } from "@holo/rules/by-seat.ts";
import type { GameRules } from "@holo/rules/rules.ts";
import { CLOCK_STARTS_AFTER_PLIES } from "./clock.ts";
import type { TableState } from "./state.ts";

export function toRemaining<Position>(
  rules: GameRules<Position>,
  state: TableState<Position>,
  at: Instant,
): BySeat<number> {
  const { clock } = state;
  if (clock.turnStartedAt === null || state.pliesEver < CLOCK_STARTS_AFTER_PLIES) return clock.remainingMs;
  const turn = rules.toMove(state.position);
  const spentMs = Math.max(0, at - clock.turnStartedAt);
  return replaceSeat(clock.remainingMs, turn, Math.max(0, ofSeat(clock.remainingMs, turn) - spentMs));
}
