import { type Instant, toInstant } from "@holo/kernel/instant.ts";

/** Converts an instant to a timestamptz parameter. */
export function toTimestamp(at: Instant): Date {
  return new Date(at);
}

/** Converts a timestamptz column to an instant, in ms. */
export function fromTimestamp(timestamp: Date): Instant {
  return toInstant(timestamp.getTime());
}
