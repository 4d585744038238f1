import { addMs, type Instant, MINUTE_MS } from "@holo/kernel/instant.ts";

/** Ruling 17: looked at are the newest games that began. */
export const COOL_DOWN_GAMES = 10;
const FIRST_COOL_DOWN_AT_COUNT = 3;
const FIRST_COOL_DOWN_MS = 5 * MINUTE_MS;
const LATER_COOL_DOWN_MS = 30 * MINUTE_MS;

/**
 * Until when a player may start no new game, or null: from the third game cancelled or missed among their ten newest for 5 minutes,
 * from the fourth on for 30 (ruling 17).
 *
 * @param missedAt when each game among the ten newest that this player cancelled or missed ended, in any order
 */
export function toCoolDownEndAt(missedAt: readonly Instant[], now: Instant): Instant | null {
  if (missedAt.length < FIRST_COOL_DOWN_AT_COUNT) return null;
  const newestAt = Math.max(...missedAt) as Instant;
  const until = addMs(newestAt, missedAt.length === FIRST_COOL_DOWN_AT_COUNT ? FIRST_COOL_DOWN_MS : LATER_COOL_DOWN_MS);
  return until > now ? until : null;
}
