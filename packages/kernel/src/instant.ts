import type { Brand } from "./brand.ts";

/** A moment as integer milliseconds since 1970-01-01T00:00Z. Pure code takes it as a parameter. */
export type Instant = Brand<number, "Instant">;

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
/** 24 hours: a duration, no calendar day. */
export const DAY_MS = 24 * HOUR_MS;

export function toInstant(ms: number): Instant {
  return Math.round(ms) as Instant;
}

export function addMs(instant: Instant, ms: number): Instant {
  return (instant + ms) as Instant;
}
