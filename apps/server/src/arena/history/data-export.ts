import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";

interface ExportedGame {
  readonly id: GameId;
  readonly game: string;
  readonly status: string;
  readonly colour: "white" | "black";
  readonly opponent: string | null;
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

interface ExportedMessage {
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

export interface DataExports {
  exportGames(playerId: PlayerId, after: ExportedGame | null, limit: number): Promise<readonly ExportedGame[]>;
  /** Sent messages only, not received ones. */
  exportMessages(playerId: PlayerId, after: ExportedMessage | null, limit: number): Promise<readonly ExportedMessage[]>;
  exportReports(playerId: PlayerId): Promise<readonly ExportedReport[]>;
}

type LoadPlayers = (ids: readonly PlayerId[]) => Promise<ReadonlyMap<PlayerId, { readonly username: string }>>;

export function openDataExports(queries: Queries, loadPlayers: LoadPlayers): DataExports {
  return {
    async exportGames(playerId, after, limit) {
      const { rows } = await sql<ExportedGame & { readonly opponentId: PlayerId | null }>`
        select id, game_type as game, status, case when player1_id = ${playerId} then 'white' else 'black' end as colour,
          case when player1_id = ${playerId} then player2_id else player1_id end as "opponentId",
          stake_amount as "stakePerPiece", fee_bps as "feeBps", time_limit as "limitSeconds", move_count as moves,
          case when status not in ('completed', 'timeout') then null when winner_id is null then 'drawn'
            when winner_id = ${playerId} then 'won' else 'lost' end as result,
          end_reason as "endReason", created_at::float8 as "createdAt", started_at::float8 as "startedAt",
          completed_at::float8 as "completedAt"
        from games
        where (player1_id = ${playerId} or player2_id = ${playerId})
          and (${after === null} or (created_at, id) > (${after?.createdAt ?? 0}::bigint, ${after?.id ?? null}::uuid))
        order by created_at, id limit ${limit}`.execute(queries);
      const players = await loadPlayers(rows.flatMap(({ opponentId }) => (opponentId === null ? [] : [opponentId])));
      return rows.map(({ opponentId, ...row }) => ({
        ...row,
        opponent: opponentId === null ? null : (players.get(opponentId)?.username ?? null),
      }));
    },

    async exportMessages(playerId, after, limit) {
      const { rows } = await sql<ExportedMessage>`
        select game_id as "gameId", number, message as text, created_at::float8 as at from chat_messages
        where sender_id = ${playerId}
          and (${after === null} or (game_id, number) > (${after?.gameId ?? null}::uuid, ${after?.number ?? 0}::int))
        order by game_id, number limit ${limit}`.execute(queries);
      return rows;
    },

    async exportReports(playerId) {
      const { rows } = await sql<ExportedReport>`
        select id, game_id as "gameId", player_id as about, reason, text,
          (extract(epoch from created_at) * 1000)::float8 as at
        from reports where reporter_id = ${playerId} order by created_at, id`.execute(queries);
      return rows;
    },
  };
}
