import type { GameId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";
import type { GameEvaluation, MoveFigures } from "./move-figures.ts";

/** Of the engine and of what is made of its answers. Another version's figures do not compare. */
export const SCREENING_VERSION = 1;

/** What the engine says about an ended staked game. */
export interface GameScreening {
  readonly version: number;
  /**
   * The last position for the loser of a game that ended by resignation or time, in hundredths of
   * a man or pawn; null for other ends.
   */
  readonly finalScore: number | null;
  /** These three are null until the moves were asked for and judged. */
  readonly white: MoveFigures | null;
  readonly black: MoveFigures | null;
  readonly evaluation: GameEvaluation | null;
  readonly at: Instant;
}

/** Those of the games that have been screened. */
export async function loadScreenings(
  queries: Queries,
  gameIds: readonly GameId[],
): Promise<ReadonlyMap<GameId, GameScreening>> {
  const { rows } = await sql<GameScreening & { readonly gameId: GameId }>`
    select game_id as "gameId", version, final_score as "finalScore", white, black, evaluation, at::float8 as at
    from game_screenings where game_id = any(${[...gameIds]}::uuid[]) and at is not null`.execute(queries);
  return new Map(rows.map(({ gameId, ...screening }) => [gameId, screening]));
}

/** Asks for the figures of each move, before all other screenings. Free games have none. */
export async function wantMoves(queries: Queries, gameIds: readonly GameId[]): Promise<void> {
  await sql`
    update game_screenings set moves_wanted = 'asked'
    where game_id = any(${[...gameIds]}::uuid[]) and moves_wanted is distinct from 'asked' and white is null`.execute(
    queries,
  );
}
