import type { PlayerId } from "@holo/kernel/ids.ts";
import { type Instant, MINUTE_MS } from "@holo/kernel/instant.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { Refusal } from "../answer.ts";
import { loadMissedAt } from "../log/game-store.ts";
import { COOL_DOWN_GAMES, toCoolDownEndAt } from "./cool-down.ts";

/** Until when a player may start no new game (ruling 17), or null. */
export async function loadCoolDownEndAt(queries: Queries, playerId: PlayerId, now: Instant): Promise<Instant | null> {
  return toCoolDownEndAt(await loadMissedAt(queries, playerId, COOL_DOWN_GAMES), now);
}

export async function checkCoolDown(queries: Queries, playerId: PlayerId, now: Instant): Promise<Refusal | null> {
  const until = await loadCoolDownEndAt(queries, playerId, now);
  if (until === null) return null;
  return { code: "paused", figures: { minutes: Math.ceil((until - now) / MINUTE_MS) } };
}
