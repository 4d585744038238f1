import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { OutcomesView } from "@holo/protocol/players.ts";
import type { GameType } from "@holo/rules/rules.ts";
import { type RawBuilder, sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";

export interface Scope {
  /** Null: both games. */
  readonly game: GameType | null;
  /** Games that ended after this instant; null: all that ever ended. */
  readonly since: Instant | null;
}

export interface PlayerRanking extends OutcomesView {
  readonly playerId: PlayerId;
}

/** How many players have so many games and wins: [games, wins, players]. */
export type Level = readonly [games: number, wins: number, players: number];

export interface Ranking {
  /** The first of them, best first; those alike stand in an order that stays. */
  readonly first: readonly PlayerRanking[];
  /** Everybody, best first: it tells a rank without a row for each player. */
  readonly levels: readonly Level[];
}

/** Wins, losses and draws of each player with at least one game in the scope. @param only of this player alone */
function tally({ game, since }: Scope, only: PlayerId | null): RawBuilder<unknown> {
  if (since === null) {
    return sql`
      select player_id, sum(wins)::int as wins, sum(losses)::int as losses, sum(draws)::int as draws from player_outcomes
      where (${game}::text is null or game_type = ${game}) and (${only}::text is null or player_id = ${only})
      group by player_id`;
  }
  const side = (player: "player1_id" | "player2_id") => sql`
    select ${sql.ref(player)} as player_id, winner_id from games
    where status in ('completed', 'timeout') and completed_at > ${since}
      and (${game}::text is null or game_type = ${game}) and (${only}::text is null or ${sql.ref(player)} = ${only})`;
  return sql`
    select player_id, count(*) filter (where winner_id = player_id)::int as wins,
      count(*) filter (where winner_id <> player_id)::int as losses, count(*) filter (where winner_id is null)::int as draws
    from (${side("player1_id")} union all ${side("player2_id")}) as seat
    group by player_id`;
}

/**
 * Ranks everybody: more games before fewer, then a higher win rate, which among those with as many games is more wins. One row comes back,
 * however many players there are.
 */
export async function loadRanking(queries: Queries, scope: Scope, count: number): Promise<Ranking> {
  const { rows } = await sql<Ranking>`
    with tally as materialized (${tally(scope, null)})
    select
      coalesce((select json_agg(json_build_object('playerId', player_id, 'wins', wins, 'losses', losses, 'draws', draws))
        from (select * from tally order by wins + losses + draws desc, wins desc, player_id limit ${count}) first), '[]') as first,
      coalesce((select json_agg(json_build_array(games, wins, players))
        from (select wins + losses + draws as games, wins, count(*)::int as players from tally
          group by 1, 2 order by 1 desc, 2 desc) level), '[]') as levels`.execute(queries);
  return rows[0] ?? { first: [], levels: [] };
}

/** Null where the player has no game in the scope. */
export async function loadPlayerRanking(
  queries: Queries,
  scope: Scope,
  playerId: PlayerId,
): Promise<PlayerRanking | null> {
  const { rows } = await sql<OutcomesView>`
    select wins, losses, draws from (${tally(scope, playerId)}) own`.execute(queries);
  return rows[0] === undefined ? null : { playerId, ...rows[0] };
}
