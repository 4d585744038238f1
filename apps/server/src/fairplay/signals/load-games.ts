import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { listGameTypes } from "@holo/rules/registry.ts";
import { type RawBuilder, sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";
import { SCREENING_VERSION } from "../engine/screening.ts";
import type { PlayedGame, Seek } from "./facts.ts";

const GAMES_PER_PAIR_MAX = 300;
const GAMES_PER_PLAYER_MAX = 60;

type Pair = readonly [PlayerId, PlayerId];
type GameRow = Omit<PlayedGame, "opponent"> & PlayedGame["opponent"];

/** All staked games between the two of each pair, as the first of them saw them. */
export function loadGamesOfPairs(queries: Queries, pairs: readonly Pair[]): Promise<readonly PlayedGame[]> {
  return loadGames(
    queries,
    "games_of_pairs",
    sql`
      select change.* from unnest(${pairs.map(([one]) => one)}::text[], ${pairs.map(([, other]) => other)}::text[]) as pair (one, other)
      cross join lateral (
        select * from rating_changes where player_id = pair.one and opponent_id = pair.other and pool = 'staked'
        limit ${GAMES_PER_PAIR_MAX}) change`,
  );
}

/** The newest staked games of each player. */
export function loadNewestGames(queries: Queries, playerIds: readonly PlayerId[]): Promise<readonly PlayedGame[]> {
  return loadGames(
    queries,
    "newest_games",
    sql`
      select change.* from unnest(${[...playerIds]}::text[]) as player (id)
      cross join unnest(${[...listGameTypes()]}::text[]) as type (name)
      cross join lateral (
        select * from rating_changes where player_id = player.id and game_type = type.name and pool = 'staked'
        order by games desc limit ${GAMES_PER_PLAYER_MAX}) change`,
  );
}

async function loadGames(queries: Queries, name: string, changes: RawBuilder<unknown>): Promise<readonly PlayedGame[]> {
  const { rows } = await sql<GameRow>`${sql.raw(`/* prepared fair_play_${name} */`)}
    select change.game_id as "gameId", change.game_type as game, change.player_id as "playerId", change.opponent_id as "opponentId",
      change.score, change.opponent_rating as rating, change.opponent_deviation as deviation, game.end_reason as "end", game.pairing,
      change.rated_at::float8 as at, screening.final_score as "finalScore",
      case when screening.version = ${SCREENING_VERSION} then
        case when change.player_id = game.player1_id then screening.white else screening.black end end as own
    from (${changes}) change join games game on game.id = change.game_id
      left join game_screenings screening on screening.game_id = change.game_id
    order by change.rated_at desc`.execute(queries);
  return rows.map(({ rating, deviation, ...game }) => ({ ...game, opponent: { rating, deviation } }));
}

const NEAR_MS = 60_000;
const SEEKS_MAX = 60;

interface SeekQuestion {
  readonly playerIds: readonly PlayerId[];
  readonly sourceIds: readonly PlayerId[];
  readonly from: Instant;
  readonly to: Instant;
}

/** The players' matchmaking games of a time, and who sought on their terms while these waited. */
export async function loadSeeks(
  queries: Queries,
  { playerIds, sourceIds, from, to }: SeekQuestion,
): Promise<readonly Seek[]> {
  const [own, source] = [[...playerIds], [...sourceIds]];
  const { rows } = await sql<Seek & { readonly id: GameId }>`
    with own as materialized (
      select distinct game.* from unnest(${own}::text[]) as player (id) cross join lateral (
        select id, game_type, stake_amount, time_limit, player1_id, player2_id, created_at, started_at from games
        where player1_id = player.id and created_at between ${from} and ${to} and pairing = 'matchmaking' and stake_amount > 0
        union all
        select id, game_type, stake_amount, time_limit, player1_id, player2_id, created_at, started_at from games
        where player2_id = player.id and created_at between ${from} and ${to} and pairing = 'matchmaking' and stake_amount > 0) game
      order by game.started_at desc limit ${SEEKS_MAX})
    select own.id, own.player1_id = any(${source}::text[]) or own.player2_id = any(${source}::text[]) as "isWithSource",
      near.candidates, near.of_source as "candidatesOfSource"
    from own cross join lateral (
      select count(distinct seeker.id)::int as candidates,
        count(distinct seeker.id) filter (where seeker.id = any(${source}::text[]))::int as of_source
      from games other cross join lateral (values (other.player1_id), (other.player2_id)) as seeker (id)
      where other.game_type = own.game_type and other.stake_amount = own.stake_amount and other.time_limit = own.time_limit
        and other.created_at between own.created_at - ${NEAR_MS} and own.started_at + ${NEAR_MS}
        and other.pairing = 'matchmaking' and seeker.id <> all(${own}::text[])) near`.execute(queries);
  return rows;
}
