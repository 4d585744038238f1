import { randomUUID } from "node:crypto";
import { type GameId, toGameId } from "@holo/kernel/ids.ts";
import type { Status } from "@holo/table/state.ts";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";

/** A row of `games` without a log, of players without wallets. */
export async function insertBareGame(queries: Queries, status: Status, owner: string | null): Promise<GameId> {
  const gameId = toGameId(randomUUID());
  const isWaiting = status === "waiting";
  await sql`
    insert into games (id, game_type, status, player1_id, player2_id, stake_amount, fee_bps, platform_fee, time_limit, created_at,
      started_at, completed_at, owner)
    values (${gameId}, 'checkers', ${status}, 'player-ada', ${isWaiting ? null : "player-bola"}, 1, 740, 1776000, 300, 1000,
      ${isWaiting ? null : 2_000}, ${isWaiting || status === "active" ? null : 3_000}, ${owner})`.execute(queries);
  return gameId;
}
