import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";

/** How many games there are and were; a cancelled one is in no count (ruling 11). */
export interface GameCounts {
  readonly total: number;
  readonly completed: number;
  readonly active: number;
  readonly pending: number;
}

/** Reads the status of every game: for the dashboard, not for a request of play. */
export async function countGames(queries: Queries): Promise<GameCounts> {
  const { rows } = await sql<GameCounts>`
    select count(*) filter (where status <> 'cancelled')::int as total,
      count(*) filter (where status in ('completed', 'timeout'))::int as completed,
      count(*) filter (where status = 'active')::int as active,
      count(*) filter (where status = 'waiting')::int as pending
    from games`.execute(queries);
  return rows[0] ?? { total: 0, completed: 0, active: 0, pending: 0 };
}
