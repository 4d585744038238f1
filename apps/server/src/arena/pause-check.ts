import type { PlayerId } from "@holo/kernel/ids.ts";
import { type Instant, MINUTE_MS } from "@holo/kernel/instant.ts";
import type { Queries } from "../platform/database.ts";
import type { Refusing } from "./answer.ts";
import { PAUSE_LOOKS_AT_GAMES, toPausedUntil } from "./pause.ts";
import { loadMissedAt } from "./store.ts";

/** Until when a player may start no new game (ruling 17), or null. */
export async function loadPausedUntil(queries: Queries, playerId: PlayerId, now: Instant): Promise<Instant | null> {
  return toPausedUntil(await loadMissedAt(queries, playerId, PAUSE_LOOKS_AT_GAMES), now);
}

export async function toPauseRefusal(queries: Queries, playerId: PlayerId, now: Instant): Promise<Refusing | null> {
  const until = await loadPausedUntil(queries, playerId, now);
  if (until === null) return null;
  return { code: "paused", figures: { minutes: Math.ceil((until - now) / MINUTE_MS) } };
}
