import { type Instant, toInstant } from "@holo/kernel/instant.ts";

export function toTimestamp(at: Instant): Date {
  return new Date(at);
}

export function fromTimestamp(timestamp: Date): Instant {
  return toInstant(timestamp.getTime());
}
