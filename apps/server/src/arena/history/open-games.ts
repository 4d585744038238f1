import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Queries } from "../../platform/database/database.ts";
import { loadOpenGame } from "../log/game-store.ts";

/** Whether the player waits or plays at a table, by what is committed when it is asked. */
export async function hasOpenGame(queries: Queries, playerId: PlayerId): Promise<boolean> {
  return (await loadOpenGame(queries, playerId)) !== null;
}
