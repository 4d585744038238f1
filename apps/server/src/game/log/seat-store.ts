import type { CommandId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";
import type { OpenGame, SeatCommand } from "./seat-facts.ts";

export async function loadOpenGame(queries: Queries, playerId: PlayerId): Promise<OpenGame | null> {
  const { rows } = await sql<OpenGame>`
    select g.id as "gameId", g.status from seats s join games g on g.id = s.game_id
    where s.player_id = ${playerId}`.execute(queries);
  return rows[0] ?? null;
}

export async function loadOpenGames(
  queries: Queries,
  playerIds: readonly PlayerId[],
): Promise<ReadonlyMap<PlayerId, OpenGame>> {
  const { rows } = await sql<OpenGame & { readonly playerId: PlayerId }>`
    select s.player_id as "playerId", g.id as "gameId", g.status from seats s join games g on g.id = s.game_id
    where s.player_id = any(${playerIds}::text[])`.execute(queries);
  return new Map(rows.map(({ playerId, ...openGame }) => [playerId, openGame]));
}

export async function hasOpenGame(queries: Queries, playerId: PlayerId): Promise<boolean> {
  return (await loadOpenGame(queries, playerId)) !== null;
}

/** The result of an earlier copy of the command; null for none. */
export async function findCommand(
  queries: Queries,
  playerId: PlayerId,
  commandId: CommandId,
): Promise<SeatCommand | null> {
  const { rows } = await sql<SeatCommand>`
    select content, game_id as "gameId" from game_commands
    where player_id = ${playerId} and command_id = ${commandId}`.execute(queries);
  return rows[0] ?? null;
}

const COMMANDS_AT_ONCE = 5_000;

/**
 * Deletes the commands that began games before, in batches. A page that repeats one so old would
 * begin another game.
 */
export async function removeOldCommands(queries: Queries, before: Instant): Promise<void> {
  let removed: number;
  do {
    const { numAffectedRows } = await sql`
      delete from game_commands where ctid = any(array(
        select ctid from game_commands where at < ${before} order by at limit ${COMMANDS_AT_ONCE}))`.execute(queries);
    removed = Number(numAffectedRows ?? 0n);
  } while (removed === COMMANDS_AT_ONCE);
}
