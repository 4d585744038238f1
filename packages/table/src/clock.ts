import { addMs, type Instant, MINUTE_MS, SECOND_MS } from "@holo/kernel/instant.ts";
import type { Seat } from "@holo/rules/rules.ts";

/** Ruling 15. */
export const WAITING_LIMIT_MS = 30 * MINUTE_MS;
/** Ruling 15. */
export const FIRST_MOVE_LIMIT_MS = 60 * SECOND_MS;
/** Clocks run once both players have made a move (rulings 16, 17). */
export const CLOCK_STARTS_AFTER_PLIES = 2;
/** Ruling 16: the network's share of one move, and of a whole game, of one player. */
const LAG_PER_MOVE_MAX_MS = 500;
const LAG_PER_GAME_MAX_MS = 10 * SECOND_MS;
/** Ruling 16: what each clock is given beside the outage itself. */
export const OUTAGE_BONUS_MS = 10 * SECOND_MS;
/** Ruling 16: a longer outage waits for the players. */
export const OUTAGE_AWAITS_AFTER_MS = 60 * SECOND_MS;
/** Ruling 16: who is not back by then voids the game. */
export const RETURN_LIMIT_MS = 10 * MINUTE_MS;

export interface Clock {
  readonly remainingMs: readonly [number, number];
  /** The network's shares granted so far. */
  readonly lagUsedMs: readonly [number, number];
  /** Since when the turn counts: for the clock, or for the first-move limit. Null while waiting, paused or ended. */
  readonly turnStartedAt: Instant | null;
  /** When a waiting game lapses. Null once joined. */
  readonly waitingUntil: Instant | null;
  /** Seats that have to come back after a long outage before their clock runs; empty otherwise. */
  readonly awaited: readonly Seat[];
  /** Until when they have to be back. */
  readonly returnBy: Instant | null;
  /** The end of the newest outage that was made good, so that none is credited twice. */
  readonly creditedTo: Instant | null;
}

export function startWaiting(limitMs: number, at: Instant): Clock {
  return {
    remainingMs: [limitMs, limitMs],
    lagUsedMs: [0, 0],
    turnStartedAt: null,
    waitingUntil: addMs(at, WAITING_LIMIT_MS),
    awaited: [],
    returnBy: null,
    creditedTo: null,
  };
}

/** How a position reached its mover and how the answer came back, as the node measured it (ruling 16). */
export interface Delivery {
  /** When the position was written to the mover's connection; null if they were away or another node served them. */
  readonly sentAt: Instant | null;
  /** The network's share as measured, in ms, before the limits. */
  readonly lagMs: number;
  /** Time this node itself lost while the answer waited, in ms; never the player's. */
  readonly stallMs: number;
}

export const NO_DELIVERY: Delivery = { sentAt: null, lagMs: 0, stallMs: 0 };

export interface Charge {
  readonly chargedMs: number;
  readonly lagMs: number;
}

/** What a move costs that arrives at `at`: never negative, never rounded against the player. */
export function toCharge(clock: Clock, mover: Seat, at: Instant, delivery: Delivery): Charge {
  if (clock.turnStartedAt === null) return { chargedMs: 0, lagMs: 0 };
  const since = Math.max(clock.turnStartedAt, delivery.sentAt ?? clock.turnStartedAt);
  const elapsedMs = Math.max(0, at - since - delivery.stallMs);
  const lagMs = Math.floor(Math.min(elapsedMs, toLagAllowance(clock, mover, delivery.lagMs)));
  return { chargedMs: Math.floor(elapsedMs - lagMs), lagMs };
}

export function toLagAllowance(clock: Clock, seat: Seat, measuredMs: number): number {
  const left = LAG_PER_GAME_MAX_MS - clock.lagUsedMs[seat - 1]!;
  return Math.max(0, Math.min(measuredMs, LAG_PER_MOVE_MAX_MS, left));
}

export function replaceSeat<Value>(pair: readonly [Value, Value], seat: Seat, value: Value): readonly [Value, Value] {
  return seat === 1 ? [value, pair[1]] : [pair[0], value];
}
