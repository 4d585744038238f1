import type { GameId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { BySeat } from "@holo/rules/by-seat.ts";
import type { GameType } from "@holo/rules/rules.ts";
import { NEW_PLAYER } from "@holo/table/rating.ts";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";
import { type Equals, EVEN_BELOW, GAME_CHOICES_MIN } from "./engine-use.ts";
import type { GameFigures } from "./judge-game.ts";
import { SCREENING_VERSION } from "./screening.ts";

/** A game whose last position is to be scored. */
export interface DueGame {
  readonly gameId: GameId;
  readonly game: GameType;
  readonly board: string;
  readonly isWon: boolean;
  /** Null unless it ended by resignation or time. */
  readonly loser: 1 | 2 | null;
}

/** Claims unscreened games until then: those whose moves are asked for first, then the oldest. */
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
        order by moves_wanted, ended_at limit ${count} for no key update skip locked)
      returning game_id)
    select g.id as "gameId", g.game_type as game, newest.board_state as board,
      g.winner_id is not null as "isWon",
      case when g.end_reason in ('resignation', 'time') then case g.winner_id when g.player1_id then 2 when g.player2_id then 1 end
        end as loser
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

/** A game whose moves are to be judged. */
export interface WantedGame {
  readonly gameId: GameId;
  readonly game: GameType;
  /** Before the game. */
  readonly ratings: BySeat<number>;
}

/** Claims one game whose moves are wanted, the longest ended first; null for none. */
export async function claimWanted(
  queries: Queries,
  wanted: "asked" | "sampled",
  now: Instant,
  claimedUntil: Instant,
): Promise<WantedGame | null> {
  const { rows } = await sql<Omit<WantedGame, "ratings"> & { readonly white: number; readonly black: number }>`
    with claimed as (
      update game_screenings set claimed_until = ${claimedUntil}
      where game_id = (
        select game_id from game_screenings
        where moves_wanted = ${wanted} and white is null and at is not null and (claimed_until is null or claimed_until <= ${now})
        order by ended_at limit 1 for no key update skip locked)
      returning game_id)
    select g.id as "gameId", g.game_type as game, coalesce(of_white.opponent_rating, ${NEW_PLAYER.rating}) as black,
      coalesce(of_black.opponent_rating, ${NEW_PLAYER.rating}) as white
    from claimed join games g on g.id = claimed.game_id
    left join rating_changes of_white on of_white.game_id = g.id and of_white.player_id = g.player1_id
    left join rating_changes of_black on of_black.game_id = g.id and of_black.player_id = g.player2_id`.execute(
    queries,
  );
  const row = rows[0];
  return row === undefined ? null : { gameId: row.gameId, game: row.game, ratings: [row.white, row.black] };
}

export async function saveMoves(queries: Queries, gameId: GameId, figures: GameFigures): Promise<void> {
  const { white, black, evaluation } = figures;
  await sql`
    update game_screenings set white = ${JSON.stringify(white)}::jsonb, black = ${JSON.stringify(black)}::jsonb,
      evaluation = ${JSON.stringify(evaluation)}::jsonb, claimed_until = null
    where game_id = ${gameId}`.execute(queries);
}

/** Whether chance has chosen so many games. */
export async function hasSampled(queries: Queries, count: number): Promise<boolean> {
  const { rows } = await sql`
    select from game_screenings where moves_wanted = 'sampled' offset ${count - 1} limit 1`.execute(queries);
  return rows.length > 0;
}

/** How many of the newest sampled games are read, whose ratings are near, and how much it takes. */
const EQUALS = { games: 2_000, weaker: 200, stronger: 300, realChoices: 500, sides: 20 };

/** What players find who are about as strong, and who think as people do. */
export async function loadEquals(queries: Queries, game: GameType, rating: number): Promise<Equals> {
  const { rows } = await sql<{
    readonly realChoices: number;
    readonly realFirst: number;
    readonly games: number;
    readonly mean: number;
    readonly deviation: number;
  }>`
    with recent as (
      select white, black from game_screenings join games on id = game_id
      where moves_wanted = 'sampled' and white is not null and game_type = ${game}
      order by ended_at desc limit ${EQUALS.games}
    ), sides as (
      select (side->>'realFirst')::int as real_first, (side->>'realChoices')::int as real_choices,
        (side->>'choices')::int as choices, (side->>'firstChoices')::float8 / nullif((side->>'choices')::int, 0) as share
      from recent cross join lateral (values (white), (black)) as both_sides (side)
      where (side->>'rating')::float8 between ${rating - EQUALS.weaker}::float8 and ${rating + EQUALS.stronger}::float8
        and (side->>'spreadMs')::float8 >= ${EVEN_BELOW} * (side->>'medianMs')::float8
    )
    select coalesce(sum(real_first), 0)::float8 as "realFirst", coalesce(sum(real_choices), 0)::float8 as "realChoices",
      count(*) filter (where choices >= ${GAME_CHOICES_MIN})::int as games,
      avg(share) filter (where choices >= ${GAME_CHOICES_MIN}) as mean,
      stddev_samp(share) filter (where choices >= ${GAME_CHOICES_MIN}) as deviation
    from sides`.execute(queries);
  const { realFirst, realChoices, games, mean, deviation } = rows[0]!;
  return {
    realRate: realChoices >= EQUALS.realChoices ? realFirst / realChoices : null,
    shares: games >= EQUALS.sides ? { games, mean, deviation } : null,
  };
}

/** When the game ended that waits longest; null: none waits. */
export async function findOldestUnscreened(queries: Queries): Promise<Instant | null> {
  const { rows } = await sql<{ readonly endedAt: Instant | null }>`
    select min(ended_at)::float8 as "endedAt" from game_screenings where at is null`.execute(queries);
  return rows[0]!.endedAt;
}
