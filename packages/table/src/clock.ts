import { addMs, type Instant, MINUTE_MS, SECOND_MS } from "@holo/kernel/instant.ts";
import { type BySeat, ofSeat } from "@holo/rules/by-seat.ts";
import type { Seat } from "@holo/rules/rules.ts";

/** Ruling 15. */
export const WAITING_LIMIT_MS = 30 * MINUTE_MS;
/** Ruling 15. */
export const FIRST_MOVE_LIMIT_MS = 60 * SECOND_MS;
/** Clocks run once both players have made a move (rulings 16, 17). */
export const CLOCK_STARTS_AFTER_PLIES = 2;
/** Ruling 16: network time not charged, per move and per game of one player. */
export const LAG_PER_MOVE_MAX_MS = 500;
const LAG_PER_GAME_MAX_MS = 10 * SECOND_MS;
/** Rulings 16 and 30: added to each clock after a real outage, in addition to the lost time. */
export const OUTAGE_BONUS_MS = 10 * SECOND_MS;
/** Ruling 30. */
export const OUTAGE_BONUSES_MAX = 3;
/** Ruling 16: after a longer outage the table waits for both players. */
export const OUTAGE_AWAITS_AFTER_MS = 60 * SECOND_MS;
/**
 * How long players may take to return (ruling 31). Then the game is void if both are absent,
 * otherwise the absent player's clock runs.
 */
export const RETURN_LIMIT_MS = 10 * MINUTE_MS;

/**
 * "restart": no process served. "database": nothing could be stored. "stall": the process did not
 * run, which clients may have caused, so no bonus follows (ruling 30).
 */
export type OutageCause = "restart" | "database" | "stall";

export interface Outage {
  readonly fromAt: Instant;
  readonly toAt: Instant;
  readonly cause: OutageCause;
}

export interface Clock {
  readonly remainingMs: BySeat<number>;
  readonly lagUsedMs: BySeat<number>;
  /** Start of the turn, for the clock or the first move. Null while waiting, paused or ended. */
  readonly turnStartedAt: Instant | null;
  /** Null once an opponent has joined. */
  readonly waitingUntil: Instant | null;
  /** Seats that must return after a long outage before their clock runs; otherwise empty. */
  readonly awaited: readonly Seat[];
  readonly returnBy: Instant | null;
  /** The end of the newest credited outage, so that none is credited twice. */
  readonly creditedTo: Instant | null;
  /** Outages that added a bonus. */
  readonly bonuses: number;
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
    bonuses: 0,
  };
}

/**
 * Network measurements of a turn: how the position reached the mover and the answer returned
 * (ruling 16).
 */
export interface Delivery {
  /** When the position was stored and sent; null if another process did that. */
  readonly sentAt: Instant | null;
  /** Network time of the connection that carried the answer, before the limits (ruling 39). */
  readonly lagMs: number;
  /** Time that stalls and outages took from the turn; never charged to the player. */
  readonly stallMs: number;
}

export const NO_DELIVERY: Delivery = { sentAt: null, lagMs: 0, stallMs: 0 };

interface Charge {
  readonly chargedMs: number;
  readonly lagMs: number;
}

/** The cost of a move that arrives at `at`. Never negative; fractions are rounded down. */
export function toCharge(clock: Clock, mover: Seat, at: Instant, delivery: Delivery): Charge {
  if (clock.turnStartedAt === null) return { chargedMs: 0, lagMs: 0 };
  const since = Math.max(clock.turnStartedAt, delivery.sentAt ?? clock.turnStartedAt);
  const elapsedMs = Math.max(0, at - since - delivery.stallMs);
  const lagMs = Math.floor(Math.min(elapsedMs, toLagAllowance(clock, mover, delivery.lagMs)));
  return { chargedMs: Math.floor(elapsedMs - lagMs), lagMs };
}

export function toLagAllowance(clock: Clock, seat: Seat, measuredMs: number): number {
  const left = LAG_PER_GAME_MAX_MS - ofSeat(clock.lagUsedMs, seat);
  return Math.max(0, Math.min(measuredMs, LAG_PER_MOVE_MAX_MS, left));
}
