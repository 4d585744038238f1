import type { CommandId, GameId, PlayerId } from "@holo/kernel/ids.ts";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";
import type { SeatCommand } from "../log/finding.ts";

export interface OpenGame {
  readonly gameId: GameId;
  readonly status: "waiting" | "active";
}

/** The game at which the player waits or plays; null for none. */
export async function loadOpenGame(queries: Queries, playerId: PlayerId): Promise<OpenGame | null> {
  const { rows } = await sql<OpenGame>`
    select g.id as "gameId", g.status from seats s join games g on g.id = s.game_id
    where s.player_id = ${playerId}`.execute(queries);
  return rows[0] ?? null;
}

export async function hasOpenGame(queries: Queries, playerId: PlayerId): Promise<boolean> {
  return (await loadOpenGame(queries, playerId)) !== null;
}

/** What the same command id led to before; null for nothing. */
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
