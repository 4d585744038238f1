import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";

export interface ExportedGame {
  readonly id: GameId;
  readonly game: string;
  readonly status: string;
  readonly colour: "white" | "black";
  readonly opponentId: PlayerId | null;
  readonly stakePerPiece: number;
  readonly feeBps: number;
  readonly limitSeconds: number;
  readonly moves: number;
  readonly result: "won" | "lost" | "drawn" | null;
  readonly endReason: string | null;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly completedAt: number | null;
}

export interface ExportedMessage {
  readonly gameId: GameId;
  readonly number: number;
  readonly text: string;
  readonly at: number;
}

interface ExportedReport {
  readonly id: string;
  readonly gameId: GameId;
  readonly about: PlayerId | null;
  readonly reason: string;
  readonly text: string;
  readonly at: number;
}

/** Newest first. A player has one open game, so only the first page can still change. */
export async function loadExportedGames(
  queries: Queries,
  playerId: PlayerId,
  before: ExportedGame | null,
  limit: number,
): Promise<readonly ExportedGame[]> {
  const { rows } = await sql<ExportedGame>`
    with page as materialized (
      select id from games
      where (player1_id = ${playerId} or player2_id = ${playerId})
        and (${before === null} or (created_at, id) < (${before?.createdAt ?? 0}::bigint, ${before?.id ?? null}::uuid))
      order by created_at desc, id desc limit ${limit})
    select id, game_type as game, status, case when player1_id = ${playerId} then 'white' else 'black' end as colour,
      case when player1_id = ${playerId} then player2_id else player1_id end as "opponentId",
      stake_amount as "stakePerPiece", fee_bps as "feeBps", time_limit as "limitSeconds", move_count as moves,
      case when status not in ('completed', 'timeout') then null when winner_id is null then 'drawn'
        when winner_id = ${playerId} then 'won' else 'lost' end as result,
      end_reason as "endReason", created_at::float8 as "createdAt", started_at::float8 as "startedAt",
      completed_at::float8 as "completedAt"
    from page join current_games using (id) order by created_at desc, id desc`.execute(queries);
  return rows;
}

/** Sent messages only, not received ones, newest first. */
export async function loadExportedMessages(
  queries: Queries,
  playerId: PlayerId,
  before: ExportedMessage | null,
  limit: number,
): Promise<readonly ExportedMessage[]> {
  const { rows } = await sql<ExportedMessage>`
    select game_id as "gameId", number, message as text, created_at::float8 as at from chat_messages
    where sender_id = ${playerId} and (${before === null} or (created_at, game_id, number) <
      (${before?.at ?? 0}::bigint, ${before?.gameId ?? null}::uuid, ${before?.number ?? 0}::int))
    order by created_at desc, game_id desc, number desc limit ${limit}`.execute(queries);
  return rows;
}

export async function loadExportedReports(queries: Queries, playerId: PlayerId): Promise<readonly ExportedReport[]> {
  const { rows } = await sql<ExportedReport>`
    select id, game_id as "gameId", player_id as about, reason, text,
      (extract(epoch from created_at) * 1000)::float8 as at
    from reports where reporter_id = ${playerId} order by created_at, id`.execute(queries);
  return rows;
}
