import { type Instant, toInstant } from "@holo/kernel/instant.ts";

/** An instant as a parameter for a timestamptz column. */
export function toTimestamp(at: Instant): Date {
  return new Date(at);
}

/** A timestamptz column as an instant, to the millisecond. */
export function fromTimestamp(timestamp: Date): Instant {
  return toInstant(timestamp.getTime());
}
