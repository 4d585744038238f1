import type { GameId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { GameType } from "@holo/rules/rules.ts";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";
import { SCREENING_VERSION } from "./screening.ts";

/** A game whose last position is to be scored. */
export interface DueGame {
  readonly gameId: GameId;
  readonly game: GameType;
  readonly board: string;
  /** Null unless it ended by resignation or time. */
  readonly loser: 1 | 2 | null;
}

/** Claims unscreened games until then, the longest ended first. */
export async function claimUnscreened(
  queries: Queries,
  now: Instant,
  claimedUntil: Instant,
  count: number,
): Promise<readonly DueGame[]> {
  // A claim that another server made is skipped, and an ended one is taken over.
  const { rows } = await sql<DueGame>`
    with claimed as (
      update game_screenings set claimed_until = ${claimedUntil}
      where game_id in (
        select game_id from game_screenings
        where at is null and (claimed_until is null or claimed_until <= ${now})
        order by ended_at limit ${count} for no key update skip locked)
      returning game_id)
    select g.id as "gameId", g.game_type as game, newest.board_state as board,
      case when g.winner_id is null or g.end_reason not in ('resignation', 'time') or g.end_reason is null then null
        when g.winner_id = g.player1_id then 2 else 1 end as loser
    from claimed join games g on g.id = claimed.game_id cross join lateral (
      select board_state from game_log record where record.game_id = g.id order by record.version desc limit 1) newest
    order by g.completed_at`.execute(queries);
  return rows;
}

export interface FinalScore {
  readonly gameId: GameId;
  readonly finalScore: number | null;
  /** Its moves are judged when nothing else is due. */
  readonly isSampled: boolean;
}

export async function saveFinalScores(queries: Queries, scores: readonly FinalScore[], at: Instant): Promise<void> {
  await sql`
    update game_screenings known set at = ${at}, version = ${SCREENING_VERSION}, final_score = found.score, claimed_until = null,
      moves_wanted = coalesce(known.moves_wanted, case when found.is_sampled then 'sampled' end)
    from unnest(${scores.map(({ gameId }) => gameId)}::uuid[], ${scores.map(({ finalScore }) => finalScore)}::int[],
      ${scores.map(({ isSampled }) => isSampled)}::boolean[]) as found (game_id, score, is_sampled)
    where known.game_id = found.game_id and known.at is null`.execute(queries);
}

export async function countUnscreened(queries: Queries): Promise<number> {
  const { rows } = await sql<{ readonly waiting: number }>`
    select count(*)::int as waiting from game_screenings where at is null`.execute(queries);
  return rows[0]!.waiting;
}
