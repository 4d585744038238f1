import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { GameType } from "@holo/rules/rules.ts";
import { toPool } from "@holo/table/rating.ts";
import { sql } from "kysely";
import type { RatingChange } from "../game/game.ts";
import type { Queries } from "../platform/database/database.ts";
import { holds, type Invariant } from "../platform/database/invariant.ts";
import { RatingFold } from "./ratings/rated-games.ts";

const GAMES_AT_ONCE = 1_000;

interface EndedRow {
  readonly id: GameId;
  readonly game_type: GameType;
  readonly stake_amount: number;
  readonly player1_id: PlayerId;
  readonly player2_id: PlayerId;
  readonly winner_id: PlayerId | null;
  readonly completed_at: Instant;
  readonly started_at: Instant;
  readonly changes: readonly RatingChange[];
}

/** Another invariant compares the games with their logs, so this one need not read them. */
async function checkChanges(queries: Queries): Promise<string | null> {
  const fold = new RatingFold();
  let last: Pick<EndedRow, "completed_at" | "started_at" | "id"> | undefined;
  for (;;) {
    const rows = await loadEnded(queries, last);
    for (const row of rows) {
      const { id, player1_id, player2_id, winner_id } = row;
      const winner = winner_id === null ? null : winner_id === player1_id ? 1 : 2;
      const expected = fold.rate({
        gameId: id,
        game: row.game_type,
        pool: toPool(row.stake_amount),
        players: [player1_id, player2_id],
        winner,
        at: row.completed_at,
      });
      const isRated =
        row.changes.length === 2 && expected.every((change) => row.changes.some((one) => isEqual(one, change)));
      if (!isRated) return `game ${id} was not rated according to its result`;
    }
    last = rows.at(-1);
    if (last === undefined) return null;
  }
}

async function loadEnded(
  queries: Queries,
  after: Pick<EndedRow, "completed_at" | "started_at" | "id"> | undefined,
): Promise<readonly EndedRow[]> {
  const { completed_at = -1, started_at = -1, id = "00000000-0000-0000-0000-000000000000" } = after ?? {};
  const { rows } = await sql<EndedRow>`
    select id, game_type, stake_amount, player1_id, player2_id, winner_id, completed_at::float8 as completed_at,
      started_at::float8 as started_at,
      coalesce((select json_agg(change) from rating_changes change where change.game_id = ended.id), '[]') as changes
    from (select * from games where status in ('completed', 'timeout') and completed_at >= ${completed_at}
        and (completed_at, started_at, id) > (${completed_at}, ${started_at}, ${id}::uuid)
      order by completed_at, started_at, id limit ${GAMES_AT_ONCE}) ended
    order by completed_at, started_at, id`.execute(queries);
  return rows;
}

function isEqual(stored: RatingChange, expected: RatingChange): boolean {
  return (Object.keys(expected) as (keyof RatingChange)[]).every((name) => stored[name] === expected[name]);
}

export const playerInvariants: readonly Invariant[] = [
  {
    name: "each game with a result was rated once, according to the ratings before it",
    check: checkChanges,
  },
  holds(
    "only games with a result are rated",
    sql`
      select 'game ' || change.game_id as found from rating_changes change left join games g on g.id = change.game_id
      where g.id is null or g.status not in ('completed', 'timeout')`,
  ),
  holds(
    "the rating of each player is what their newest rated game left",
    sql`
      select 'player ' || coalesce(own.player_id, newest.player_id) || ' at ' || coalesce(own.game_type, newest.game_type) as found
      from ratings own full join (
        select distinct on (player_id, game_type, pool) player_id, game_type, pool, rating, deviation, volatility, games, rated_at
        from rating_changes order by player_id, game_type, pool, games desc
      ) newest using (player_id, game_type, pool)
      where (own.rating, own.deviation, own.volatility, own.games, own.rated_at)
        is distinct from (newest.rating, newest.deviation, newest.volatility, newest.games, newest.rated_at)`,
  ),
];
