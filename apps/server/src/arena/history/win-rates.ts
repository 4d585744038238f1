import type { PlayerId } from "@holo/kernel/ids.ts";
import type { WinRatePointView } from "@holo/protocol/players.ts";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";

/** No more of a player's games are looked at, of either side; those before them are counted all the same. */
const GAMES_MAX = 1_000;

/** How a player's wins went among all their completed games, oldest first: at most `points`, each the last of a stretch of games. */
export async function loadWinRates(
  queries: Queries,
  playerId: PlayerId,
  points: number,
): Promise<readonly WinRatePointView[]> {
  const newestAs = (side: "player1_id" | "player2_id") => sql`(
    select id, completed_at, winner_id from games where ${sql.ref(side)} = ${playerId} and status in ('completed', 'timeout')
    order by created_at desc limit ${GAMES_MAX})`;
  const { rows } = await sql<WinRatePointView>`
    with total as (
      select coalesce(sum(wins), 0)::int as wins, coalesce(sum(wins + losses + draws), 0)::int as games
      from player_outcomes where player_id = ${playerId}
    ), ended as (
      select completed_at, id,
        row_number() over later - 1 as games_after,
        coalesce(sum((winner_id is not distinct from ${playerId})::int)
          over (order by completed_at desc, id desc rows between unbounded preceding and 1 preceding), 0) as wins_after,
        ntile(${points}) over (order by completed_at, id) as stretch
      from (${newestAs("player1_id")} union all ${newestAs("player2_id")}) newest
      window later as (order by completed_at desc, id desc)
    )
    select distinct on (stretch) completed_at::float8 as at, (total.wins - wins_after)::int as wins,
      (total.games - games_after)::int as games
    from ended cross join total order by stretch, completed_at desc, id desc`.execute(queries);
  return rows;
}
