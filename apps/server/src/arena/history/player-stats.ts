import type { PlayerId } from "@holo/kernel/ids.ts";
import type { OutcomesView } from "@holo/protocol/players.ts";
import type { GameType } from "@holo/rules/rules.ts";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";
import { GAME_COLUMNS, type GameRow } from "../log/game-store.ts";

/** How a player's games ended; a game lost on time is completed, a cancelled one counts as nothing but an abort (ruling 11). */
export interface Outcomes {
  readonly games: Readonly<Record<GameType, OutcomesView>>;
  /** Games that had begun and that this player cancelled, or let lapse by making no first move. */
  readonly aborts: number;
}

const NO_GAMES: OutcomesView = { wins: 0, losses: 0, draws: 0 };

/** Reads all of a player's games by their index. */
export async function loadOutcomes(queries: Queries, playerId: PlayerId): Promise<Outcomes> {
  const { rows } = await sql<OutcomesView & { readonly game: GameType; readonly aborts: number }>`
    select game_type as game,
      count(*) filter (where is_over and winner_id = ${playerId})::int as wins,
      count(*) filter (where is_over and winner_id <> ${playerId})::int as losses,
      count(*) filter (where is_over and winner_id is null)::int as draws,
      count(*) filter (where status = 'cancelled' and started_at is not null and cancelled_by = ${playerId})::int as aborts
    from games cross join lateral (select status in ('completed', 'timeout') as is_over) over
    where player1_id = ${playerId} or player2_id = ${playerId}
    group by game_type`.execute(queries);
  const outcomesOf = (game: GameType): OutcomesView => {
    const { wins, losses, draws } = rows.find((row) => row.game === game) ?? NO_GAMES;
    return { wins, losses, draws };
  };
  return {
    games: { checkers: outcomesOf("checkers"), chess: outcomesOf("chess") },
    aborts: rows.reduce((sum, { aborts }) => sum + aborts, 0),
  };
}

/** The player's newest games that were played to their end. Each side's index is walked by itself, and no further than needed. */
export async function loadNewestPlayed(
  queries: Queries,
  playerId: PlayerId,
  count: number,
): Promise<readonly GameRow[]> {
  const newestAs = (side: "player1_id" | "player2_id") => sql`(
    select id, created_at from games where ${sql.ref(side)} = ${playerId} and status in ('completed', 'timeout')
    order by created_at desc limit ${count})`;
  const { rows } = await sql<GameRow>`
    select ${GAME_COLUMNS} from games g
    where g.id in (
      select id from (${newestAs("player1_id")} union all ${newestAs("player2_id")}) newest
      order by created_at desc limit ${count})
    order by g.created_at desc`.execute(queries);
  return rows;
}
