import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { OutcomesView } from "@holo/protocol/accounts/players.ts";
import type { GameType } from "@holo/rules/rules.ts";
import { type RawBuilder, sql } from "kysely";
import type { Queries } from "../platform/database/database.ts";

interface Scope {
  readonly game: GameType | null;
  /** Games that ended after this instant; null: all. */
  readonly since: Instant | null;
}

export interface PlayerRanking extends OutcomesView {
  readonly playerId: PlayerId;
}

type Level = readonly [games: number, wins: number, players: number];

export interface Ranking {
  /** Best first; equal players in a stable order. */
  readonly first: readonly PlayerRanking[];
  /** All players, best first: gives a rank without a row per player. */
  readonly levels: readonly Level[];
}

/** Outcomes of staked games of each player with one in the scope, or of `only` this player. */
function tally({ game, since }: Scope, only: PlayerId | null): RawBuilder<unknown> {
  if (since === null) {
    return sql`
      select player_id, sum(wins)::int as wins, sum(losses)::int as losses, sum(draws)::int as draws from player_outcomes
      where pool = 'staked' and (${game}::text is null or game_type = ${game}) and (${only}::text is null or player_id = ${only})
      group by player_id`;
  }
  const side = (player: "player1_id" | "player2_id") => sql`
    select ${sql.ref(player)} as player_id, winner_id from games
    where status in ('completed', 'timeout') and completed_at > ${since} and stake_amount > 0
      and (${game}::text is null or game_type = ${game}) and (${only}::text is null or ${sql.ref(player)} = ${only})`;
  return sql`
    select player_id, count(*) filter (where winner_id = player_id)::int as wins,
      count(*) filter (where winner_id <> player_id)::int as losses, count(*) filter (where winner_id is null)::int as draws
    from (${side("player1_id")} union all ${side("player2_id")}) as seat
    group by player_id`;
}

/**
 * More games rank first, then more wins, which among equal games is the higher win rate. The result
 * is one row, whatever the number of players.
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

export async function loadPlayerRanking(
  queries: Queries,
  scope: Scope,
  playerId: PlayerId,
): Promise<PlayerRanking | null> {
  const { rows } = await sql<OutcomesView>`
    select wins, losses, draws from (${tally(scope, playerId)}) own`.execute(queries);
  return rows[0] === undefined ? null : { playerId, ...rows[0] };
}
