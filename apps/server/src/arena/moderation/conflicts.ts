import type { PlayerId } from "@holo/kernel/ids.ts";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";

/** Of these players, those who sit in one open game with this one, and those of whom one told the house of the other, which is not ended yet. */
export async function loadConflictingPlayers(
  queries: Queries,
  playerId: PlayerId,
  others: readonly PlayerId[],
): Promise<ReadonlySet<PlayerId>> {
  const ids = [...others];
  const { rows } = await sql<{ readonly id: PlayerId }>`
    select theirs.player_id as id from seats own join seats theirs on theirs.game_id = own.game_id
      where own.player_id = ${playerId} and theirs.player_id <> ${playerId} and theirs.player_id = any(${ids})
    union select player_id from reports
      where state = 'open' and reporter_id = ${playerId} and player_id = any(${ids})
    union select reporter_id from reports
      where state = 'open' and player_id = ${playerId} and reporter_id = any(${ids})`.execute(queries);
  return new Set(rows.map(({ id }) => id));
}
