import type { PlayerId } from "@holo/kernel/ids.ts";
import { GAME_TYPES, type GameType } from "@holo/rules/rules.ts";
import { LIMIT_MINUTES, type LimitMinutes, STAKES, type Stake } from "@holo/table/stakes.ts";
import type { Status } from "@holo/table/state.ts";
import { type RawBuilder, sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";
import { GAME_COLUMNS, type GameRow } from "../log/game-store.ts";

interface GameFilter {
  /** Games of this player; null for all. */
  readonly playerId: PlayerId | null;
  /** Games by invitation that no one has joined are loaded for their creator only. */
  readonly viewer: PlayerId | null;
  readonly statuses: readonly Status[];
  readonly terms: Terms;
  /** Games that one of these applies to; null for no such condition. */
  readonly search: Search | null;
  /** Waiting games of these creators are left out. */
  readonly hiddenCreators: readonly PlayerId[];
  /** Games created before that (ms since 1970). */
  readonly before: number | null;
  readonly limit: number;
}

interface Terms {
  readonly games: readonly GameType[];
  readonly stakes: readonly Stake[];
  readonly limits: readonly LimitMinutes[];
}

interface Search {
  readonly games: readonly GameType[];
  readonly limits: readonly LimitMinutes[];
  readonly playerIds: readonly PlayerId[];
}

export const ANY_TERMS: Terms = { games: GAME_TYPES, stakes: STAKES, limits: LIMIT_MINUTES };

const OPEN: readonly Status[] = ["waiting", "active"];

/** Newest first; of the same moment by id (`compareMatches`). */
export async function loadGames(queries: Queries, filter: GameFilter): Promise<readonly GameRow[]> {
  const { terms, statuses, limit } = filter;
  const order = sql`order by g.created_at desc, g.id desc limit ${limit}`;
  const condition = toCondition(filter);
  const toSeconds = (limits: readonly LimitMinutes[]): number[] => limits.map((minutes) => minutes * 60);
  const isOnAnyTerms =
    terms.games.length === GAME_TYPES.length &&
    terms.stakes.length === STAKES.length &&
    terms.limits.length === LIMIT_MINUTES.length;
  // Few games are open, and an index has them all.
  const isOpenOnly = statuses.every((status) => OPEN.includes(status));
  const { rows } = await (isOnAnyTerms || isOpenOnly
    ? sql<GameRow>`
        select ${GAME_COLUMNS} from games g
        where ${condition} ${isOpenOnly ? sql`and g.status in ('waiting', 'active')` : sql``}
          and g.game_type = any(${[...terms.games]}::text[]) and g.stake_amount = any(${[...terms.stakes]}::int[])
          and g.time_limit = any(${toSeconds(terms.limits)}::int[])
        ${order}`
    : sql<GameRow>`
        select ${GAME_COLUMNS}
        from unnest(${[...terms.games]}::text[]) game, unnest(${[...terms.stakes]}::int[]) stake,
          unnest(${toSeconds(terms.limits)}::int[]) seconds,
          lateral (
            select * from games g
            where g.game_type = game and g.stake_amount = stake and g.time_limit = seconds and ${condition}
            ${order}
          ) g
        ${order}`
  ).execute(queries);
  return rows;
}

function toCondition({ playerId, viewer, statuses, search, hiddenCreators, before }: GameFilter): RawBuilder<unknown> {
  const seconds = search?.limits.map((minutes) => minutes * 60) ?? [];
  const playerIds = [...(search?.playerIds ?? [])];
  return sql`g.status = any(${[...statuses]}::text[])
    and (${playerId}::text is null or g.player1_id = ${playerId} or g.player2_id = ${playerId})
    and (g.pairing is distinct from 'invitation' or g.player2_id is not null or g.player1_id = ${viewer})
    and (${before}::bigint is null or g.created_at < ${before}::bigint)
    and not (g.status = 'waiting' and g.player1_id = any(${[...hiddenCreators]}::text[]))
    and (${search === null} or g.game_type = any(${[...(search?.games ?? [])]}::text[])
      or g.time_limit = any(${seconds}::int[])
      or g.player1_id = any(${playerIds}::text[]) or g.player2_id = any(${playerIds}::text[]))`;
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
