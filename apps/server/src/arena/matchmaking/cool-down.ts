import type { PlayerId } from "@holo/kernel/ids.ts";
import { addMs, type Instant, MINUTE_MS } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";
import type { Refusal } from "../answer.ts";

/** Ruling 17: how many of a player's newest started games count. */
export const COOL_DOWN_GAMES = 10;
const FIRST_COOL_DOWN_AT_COUNT = 3;
const FIRST_COOL_DOWN_MS = 5 * MINUTE_MS;
export const LATER_COOL_DOWN_MS = 30 * MINUTE_MS;

/** Until when a player may start no new game (ruling 17); null for no cool-down. */
export async function loadCoolDownEndAt(queries: Queries, playerId: PlayerId, now: Instant): Promise<Instant | null> {
  return toCoolDownEndAt(await loadMissedAt(queries, playerId), now);
}

export async function checkCoolDown(queries: Queries, playerId: PlayerId, now: Instant): Promise<Refusal | null> {
  return findCoolDown(await loadMissedAt(queries, playerId), now);
}

/** `missedAt` are the ends of the games that count, in any order. */
export function findCoolDown(missedAt: readonly Instant[], now: Instant): Refusal | null {
  const endAt = toCoolDownEndAt(missedAt, now);
  return endAt === null ? null : { code: "paused", figures: { minutes: Math.ceil((endAt - now) / MINUTE_MS) } };
}

/**
 * 5 minutes after the third, 30 minutes after each further game that the player cancelled or missed
 * (ruling 17). `missedAt` are the ends of those games, in any order.
 */
function toCoolDownEndAt(missedAt: readonly Instant[], now: Instant): Instant | null {
  if (missedAt.length < FIRST_COOL_DOWN_AT_COUNT) return null;
  const newestAt = Math.max(...missedAt) as Instant;
  const endAt = addMs(newestAt, missedAt.length === FIRST_COOL_DOWN_AT_COUNT ? FIRST_COOL_DOWN_MS : LATER_COOL_DOWN_MS);
  return endAt > now ? endAt : null;
}

async function loadMissedAt(queries: Queries, playerId: PlayerId): Promise<readonly Instant[]> {
  const { rows } = await sql<{ readonly missed: readonly Instant[] | null }>`
    select game_ends_missed(${playerId}, ${COOL_DOWN_GAMES}) as missed`.execute(queries);
  return rows[0]?.missed ?? [];
}
