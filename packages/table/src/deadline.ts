import { addMs, type Instant } from "@holo/kernel/instant.ts";
import { ofSeat } from "@holo/rules/by-seat.ts";
import type { GameRules } from "@holo/rules/rules.ts";
import { CLOCK_STARTS_AFTER_PLIES, type Delivery, FIRST_MOVE_LIMIT_MS, toLagAllowance } from "./clock.ts";
import { REMATCH_LIMIT_MS } from "./offers.ts";
import type { TableState } from "./state.ts";

export interface Deadline {
  readonly type: "not_joined" | "first_move" | "time" | "void" | "wait" | "rematch";
  readonly at: Instant;
}

/**
 * The next deadline, or null, by the limits in clock.ts. For a measured connection it includes the
 * remaining network time, so that a flag never falls before a move in transit arrives.
 */
export function toDeadline<Position>(
  rules: GameRules<Position>,
  state: TableState<Position>,
  delivery: Delivery,
): Deadline | null {
  const { clock } = state;
  if (state.status === "waiting") {
    return clock.waitingUntil === null ? null : { type: "not_joined", at: clock.waitingUntil };
  }
  if (state.status !== "active") return toRematchDeadline(state);
  const turn = toTurnDeadline(rules, state, delivery);
  if (clock.returnBy === null || (turn !== null && turn.at < clock.returnBy)) return turn;
  // Ruling 31: a game is void only if no player returned.
  return { type: clock.awaited.length === 1 ? "wait" : "void", at: clock.returnBy };
}

/** Ruling 19. */
function toRematchDeadline({ offers }: TableState<unknown>): Deadline | null {
  const { pending } = offers.rematch;
  return pending === null ? null : { type: "rematch", at: addMs(pending.at, REMATCH_LIMIT_MS) };
}

function toTurnDeadline<Position>(
  rules: GameRules<Position>,
  state: TableState<Position>,
  delivery: Delivery,
): Deadline | null {
  const { clock } = state;
  if (clock.turnStartedAt === null) return null;
  if (state.pliesEver < CLOCK_STARTS_AFTER_PLIES) {
    return { type: "first_move", at: addMs(clock.turnStartedAt, FIRST_MOVE_LIMIT_MS + delivery.stallMs) };
  }
  const mover = rules.toMove(state.position);
  const since = Math.max(clock.turnStartedAt, delivery.sentAt ?? clock.turnStartedAt) as Instant;
  const allowanceMs = toLagAllowance(clock, mover, delivery.lagMs);
  return { type: "time", at: addMs(since, ofSeat(clock.remainingMs, mover) + allowanceMs + delivery.stallMs) };
}
