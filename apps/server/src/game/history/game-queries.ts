import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import { GAMES, listGameTypes } from "@holo/rules/registry.ts";
import type { GameType } from "@holo/rules/rules.ts";
import { LIMIT_MINUTES, type LimitMinutes, STAKES, type Stake } from "@holo/table/stakes.ts";
import type { Status } from "@holo/table/state.ts";
import { type RawBuilder, sql } from "kysely";
import { findPlayers, type NeverPaired } from "../../accounts/accounts.ts";
import type { Queries } from "../../platform/database/database.ts";
import { GAME_COLUMNS, type GameRow } from "../log/game-store.ts";

interface GameFilter {
  readonly playerId: PlayerId | null;
  readonly viewer: PlayerId | null;
  readonly statuses: readonly Status[];
  readonly terms: Terms;
  /** Games that match one of these; null for no such condition. */
  readonly search: Search | null;
  /** Omits waiting games of these creators. */
  readonly hiddenCreators: NeverPaired;
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

export function listTerms(): Terms {
  return { games: listGameTypes(), stakes: STAKES, limits: LIMIT_MINUTES };
}

const OPEN: readonly Status[] = ["waiting", "active"];

/** Newest first; of the same moment by id (`compareMatches`). */
export async function loadListedGames(queries: Queries, filter: GameFilter): Promise<readonly GameRow[]> {
  // The records are looked up for the games of the page only.
  const { rows } = await sql<GameRow>`
    with page as materialized (
      select id from (${sql.join(toWalks(filter), sql` union `)}) found order by created_at desc, id desc limit ${filter.limit})
    select ${GAME_COLUMNS} from page join current_games g on g.id = page.id
    order by g.created_at desc, g.id desc`.execute(queries);
  return rows;
}

/**
 * Queries for the newest games that match, at most `limit` in each group. Each group is
 * a range of an index in the list's order; together they contain all matching games.
 */
function toWalks(filter: GameFilter): readonly RawBuilder<unknown>[] {
  const { playerId, statuses, search, terms, limit } = filter;
  const condition = toCondition(filter);
  const walk = (group: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
    select g.id, g.created_at from games g where ${group} and ${condition} order by g.created_at desc, g.id desc limit ${limit})`;
  const walkPlayers = (ids: readonly PlayerId[]): RawBuilder<unknown> => sql`
    select walk.* from unnest(${[...ids]}::text[]) player,
      lateral (${walk(sql`g.player1_id = player`)} union all ${walk(sql`g.player2_id = player`)}) walk`;
  const walkTerms = ({ games, stakes, limits }: Terms): RawBuilder<unknown> => sql`
    select walk.*
    from unnest(${[...games]}::text[]) game, unnest(${[...stakes]}::int[]) stake, unnest(${toSeconds(limits)}::int[]) seconds,
      lateral ${walk(sql`g.game_type = game and g.stake_amount = stake and g.time_limit = seconds`)} walk`;
  if (playerId !== null) return [walkPlayers([playerId])];
  if (statuses.every((status) => OPEN.includes(status))) return [walk(sql`g.status in ('waiting', 'active')`)];
  if (search !== null) {
    return [
      walkTerms({ ...terms, games: search.games.filter((game) => terms.games.includes(game)) }),
      walkTerms({ ...terms, limits: search.limits.filter((minutes) => terms.limits.includes(minutes)) }),
      walkPlayers(search.playerIds),
    ];
  }
  const isOnAnyTerms =
    terms.games.length === GAMES.length &&
    terms.stakes.length === STAKES.length &&
    terms.limits.length === LIMIT_MINUTES.length;
  return [isOnAnyTerms ? walk(sql`true`) : walkTerms(terms)];
}

function toSeconds(limits: readonly LimitMinutes[]): number[] {
  return limits.map((minutes) => minutes * 60);
}

function toCondition(filter: GameFilter): RawBuilder<unknown> {
  const { viewer, statuses, terms, search, hiddenCreators, before } = filter;
  const hidden = [...hiddenCreators.keys()];
  const hiddenInAny = hidden.filter((id) => hiddenCreators.get(id) === "in_any_game");
  const playerIds = [...(search?.playerIds ?? [])];
  return sql`g.status = any(${[...statuses]}::text[])
    and g.game_type = any(${[...terms.games]}::text[]) and g.stake_amount = any(${[...terms.stakes]}::int[])
    and g.time_limit = any(${toSeconds(terms.limits)}::int[])
    and (g.pairing is distinct from 'invitation' or g.player2_id is not null or g.player1_id = ${viewer})
    and (${before}::bigint is null or g.created_at < ${before}::bigint)
    and not (g.status = 'waiting' and g.player1_id = any(${hiddenInAny}::text[]))
    and not (g.status = 'waiting' and g.stake_amount > 0 and g.player1_id = any(${hidden}::text[]))
    and (${search === null} or g.game_type = any(${[...(search?.games ?? [])]}::text[])
      or g.time_limit = any(${toSeconds(search?.limits ?? [])}::int[])
      or g.player1_id = any(${playerIds}::text[]) or g.player2_id = any(${playerIds}::text[]))`;
}

/** Neither cancelled games (ruling 11) nor free ones (ruling 41) count. */
interface TotalGameCounts {
  readonly total: number;
  readonly completed: number;
  readonly active: number;
  readonly pending: number;
}

export async function countGames(queries: Queries): Promise<TotalGameCounts> {
  const { rows } = await sql<TotalGameCounts>`
    select (completed + active + waiting)::int as total, completed::int, active::int, waiting::int as pending
    from (
      select (select coalesce(sum(wins + losses + draws), 0) / 2 from player_outcomes where pool = 'staked') as completed,
        count(*) filter (where status = 'active') as active, count(*) filter (where status = 'waiting') as waiting
      from games where status in ('waiting', 'active') and stake_amount > 0) counted`.execute(queries);
  return rows[0] ?? { total: 0, completed: 0, active: 0, pending: 0 };
}

/** The usernames of the player's opponents in these games. A game that no one joined is omitted. */
export async function loadOpponents(
  queries: Queries,
  playerId: PlayerId,
  gameIds: readonly GameId[],
): Promise<ReadonlyMap<GameId, string>> {
  const { rows } = await sql<{ readonly id: GameId; readonly opponentId: PlayerId }>`
    select id, case when player1_id = ${playerId} then player2_id else player1_id end as "opponentId"
    from games where id = any(${gameIds}::uuid[]) and player2_id is not null`.execute(queries);
  const players = await findPlayers(
    queries,
    rows.map(({ opponentId }) => opponentId),
  );
  return new Map(rows.map(({ id, opponentId }) => [id, players.get(opponentId)?.username ?? "Deleted player"]));
}
