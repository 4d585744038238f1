import type { PlayerId } from "@holo/kernel/ids.ts";
import type { OutcomesView, WinRatePointView } from "@holo/protocol/accounts/players.ts";
import { listGameTypes } from "@holo/rules/registry.ts";
import type { GameType } from "@holo/rules/rules.ts";
import { sql } from "kysely";
import { GAME_COLUMNS, type GameRow } from "../game/game.ts";
import type { Queries } from "../platform/database/database.ts";

/** A loss on time is completed; a cancelled game counts as an abort at most (ruling 11). */
interface Outcomes {
  readonly games: Readonly<Record<GameType, OutcomesView>>;
  /** Started games that this player cancelled, or that expired without their first move. */
  readonly aborts: number;
}

export async function loadOutcomes(queries: Queries, playerId: PlayerId): Promise<Outcomes> {
  const { rows } = await sql<OutcomesView & { readonly game: GameType; readonly aborts: number }>`
    select game, coalesce(wins, 0) as wins, coalesce(losses, 0) as losses, coalesce(draws, 0) as draws,
      (select count(*)::int from games where cancelled_by = ${playerId} and started_at is not null) as aborts
    from unnest(${listGameTypes()}::text[]) game
    left join player_outcomes ended on ended.player_id = ${playerId} and ended.game_type = game and ended.pool = 'staked'`.execute(
    queries,
  );
  return {
    games: Object.fromEntries(rows.map(({ game, wins, losses, draws }) => [game, { wins, losses, draws }])),
    aborts: rows[0]?.aborts ?? 0,
  };
}

/** Newest completed games. Walks the index of each side no further than needed. */
export async function loadNewestPlayed(
  queries: Queries,
  playerId: PlayerId,
  count: number,
): Promise<readonly GameRow[]> {
  const newestAs = (side: "player1_id" | "player2_id") => sql`(
    select id, created_at from games where ${sql.ref(side)} = ${playerId} and status in ('completed', 'timeout')
    order by created_at desc limit ${count})`;
  const { rows } = await sql<GameRow>`
    select ${GAME_COLUMNS} from current_games g
    where g.id in (
      select id from (${newestAs("player1_id")} union all ${newestAs("player2_id")}) newest
      order by created_at desc limit ${count})
    order by g.created_at desc`.execute(queries);
  return rows;
}

export interface GameCounts {
  readonly pending: number;
  readonly active: number;
  /** Staked and free. */
  readonly completed: number;
  /** Of those completed; the wins and draws are of the others (ruling 41). */
  readonly free: number;
  readonly wins: number;
  readonly draws: number;
}

/**
 * A player's games by outcome. A loss on time is completed; cancelled games do not count (ruling
 * 11).
 */
export async function loadCounts(queries: Queries, playerId: PlayerId): Promise<GameCounts> {
  const { rows } = await sql<GameCounts>`
    select count(*) filter (where game.status = 'waiting')::int as pending, count(*) filter (where game.status = 'active')::int as active,
      coalesce(max(ended.completed), 0)::int as completed, coalesce(max(ended.free), 0)::int as free,
      coalesce(max(ended.wins), 0)::int as wins,
      coalesce(max(ended.draws), 0)::int as draws
    from (
      select sum(wins + losses + draws) as completed, sum(wins + losses + draws) filter (where pool = 'free') as free,
        sum(wins) filter (where pool = 'staked') as wins, sum(draws) filter (where pool = 'staked') as draws
      from player_outcomes where player_id = ${playerId}) ended
    left join seats seat on seat.player_id = ${playerId}
    left join games game on game.id = seat.game_id`.execute(queries);
  return rows[0] ?? { pending: 0, active: 0, completed: 0, free: 0, wins: 0, draws: 0 };
}

/** Games that are read; older ones are only counted. */
const GAMES_MAX = 1_000;

/** Wins over completed staked games, oldest first: at most `points`, each after a run of games. */
export async function loadWinRates(
  queries: Queries,
  playerId: PlayerId,
  points: number,
): Promise<readonly WinRatePointView[]> {
  const newestAs = (side: "player1_id" | "player2_id") => sql`(
    select id, completed_at, winner_id from games
    where ${sql.ref(side)} = ${playerId} and status in ('completed', 'timeout') and stake_amount > 0
    order by created_at desc limit ${GAMES_MAX})`;
  const { rows } = await sql<WinRatePointView>`
    with total as (
      select coalesce(sum(wins), 0)::int as wins, coalesce(sum(wins + losses + draws), 0)::int as games
      from player_outcomes where player_id = ${playerId} and pool = 'staked'
    ), ended as (
      select completed_at, id,
        row_number() over later - 1 as games_after,
        coalesce(sum((winner_id is not distinct from ${playerId})::int)
          over (order by completed_at desc, id desc rows between unbounded preceding and 1 preceding), 0) as wins_after,
        ntile(${points}) over (order by completed_at, id) as stretch
      from (
        select * from (${newestAs("player1_id")} union all ${newestAs("player2_id")}) own
        order by completed_at desc, id desc limit ${GAMES_MAX}) newest
      window later as (order by completed_at desc, id desc)
    )
    select distinct on (stretch) completed_at::float8 as at, (total.wins - wins_after)::int as wins,
      (total.games - games_after)::int as games
    from ended cross join total order by stretch, completed_at desc, id desc`.execute(queries);
  return rows;
}
