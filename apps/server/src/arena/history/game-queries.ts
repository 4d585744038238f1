import type { PlayerId } from "@holo/kernel/ids.ts";
import type { GameType } from "@holo/rules/rules.ts";
import type { Status } from "@holo/table/state.ts";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";
import { GAME_COLUMNS, type GameRow } from "../log/game-store.ts";

interface GameFilter {
  /** Games of this player; null for all. */
  readonly playerId: PlayerId | null;
  readonly statuses: readonly Status[];
  readonly game: GameType | null;
  readonly limitSeconds: number | null;
  /** Games by invitation that no one has joined are loaded for their creator only. */
  readonly viewer: PlayerId | null;
  /** Games with one of these players; null for no such condition. */
  readonly anyOf: readonly PlayerId[] | null;
  /** Games created before that (ms since 1970). */
  readonly before?: number | null;
  readonly limit: number;
}

/** Newest first. A search matches the players, the game or the minutes. */
export async function loadGames(queries: Queries, filter: GameFilter): Promise<readonly GameRow[]> {
  const anyOf = [...(filter.anyOf ?? [])];
  const isSearch = filter.anyOf !== null || filter.game !== null || filter.limitSeconds !== null;
  const { rows } = await sql<GameRow>`
    select ${GAME_COLUMNS} from games g
    where g.status = any(${filter.statuses as string[]}::text[])
      and (${filter.playerId}::text is null or g.player1_id = ${filter.playerId} or g.player2_id = ${filter.playerId})
      and (g.pairing is distinct from 'invitation' or g.player2_id is not null or g.player1_id = ${filter.viewer})
      and (${filter.before ?? null}::bigint is null or g.created_at < ${filter.before ?? null}::bigint)
      and (not ${isSearch} or g.game_type = ${filter.game} or g.time_limit = ${filter.limitSeconds}
        or g.player1_id = any(${anyOf}::text[]) or g.player2_id = any(${anyOf}::text[]))
    order by g.created_at desc limit ${filter.limit}`.execute(queries);
  return rows;
}

export interface GameCounts {
  readonly pending: number;
  readonly active: number;
  readonly completed: number;
  readonly wins: number;
  readonly draws: number;
}

/**
 * A player's games by outcome. A loss on time is completed; cancelled games do not count (ruling
 * 11).
 */
export async function loadCounts(queries: Queries, playerId: PlayerId): Promise<GameCounts> {
  const { rows } = await sql<GameCounts>`
    select count(*) filter (where status = 'waiting')::int as pending, count(*) filter (where status = 'active')::int as active,
      count(*) filter (where status in ('completed', 'timeout'))::int as completed,
      count(*) filter (where winner_id = ${playerId})::int as wins,
      count(*) filter (where status in ('completed', 'timeout') and winner_id is null)::int as draws
    from games where player1_id = ${playerId} or player2_id = ${playerId}`.execute(queries);
  return rows[0] ?? { pending: 0, active: 0, completed: 0, wins: 0, draws: 0 };
}

/** Counts of games; cancelled ones do not count (ruling 11). */
interface TotalGameCounts {
  readonly total: number;
  readonly completed: number;
  readonly active: number;
  readonly pending: number;
}

/** Reads every game: for the dashboard only. */
export async function countGames(queries: Queries): Promise<TotalGameCounts> {
  const { rows } = await sql<TotalGameCounts>`
    select count(*) filter (where status <> 'cancelled')::int as total,
      count(*) filter (where status in ('completed', 'timeout'))::int as completed,
      count(*) filter (where status = 'active')::int as active,
      count(*) filter (where status = 'waiting')::int as pending
    from games`.execute(queries);
  return rows[0] ?? { total: 0, completed: 0, active: 0, pending: 0 };
}
