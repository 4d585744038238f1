import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { GameResultView, OpponentView, OutcomesView, RatedPlayView } from "@holo/protocol/accounts/players.ts";
import type { RatingView } from "@holo/protocol/game/games.ts";
import type { GameType } from "@holo/rules/rules.ts";
import { NEW_ABOVE_DEVIATION, type PlayerRating, type RatingPool, toDeviationAt } from "@holo/table/rating.ts";
import { type RawBuilder, sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";

export interface OpponentQuestion {
  readonly playerIds: readonly PlayerId[];
  readonly game: GameType;
  readonly pool: RatingPool;
  readonly viewer: PlayerId | null;
  readonly at: Instant;
}

const FORM_GAMES = 5;
/** A longer streak counts as this one. */
const STREAK_MAX = 100;
const POINTS_MAX = 120;

type Score = 0 | 0.5 | 1;

interface OpponentRow extends OutcomesView {
  readonly id: PlayerId;
  readonly own: PlayerRating | null;
  readonly form: readonly Score[];
  readonly score: OutcomesView | null;
}

const OUTCOMES = sql`coalesce(record.wins, 0) as wins, coalesce(record.losses, 0) as losses, coalesce(record.draws, 0) as draws`;

const OWN_RATING = sql`json_build_object('rating', own.rating, 'deviation', own.deviation, 'volatility', own.volatility,
  'games', own.games, 'ratedAt', own.rated_at)`;

/** What the viewer scored against a player, as `versus.score`. */
function joinScore(viewer: PlayerId | null, playerId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    cross join lateral (select case when count(*) > 0 then json_build_object('wins', count(*) filter (where score = 1),
        'losses', count(*) filter (where score = 0), 'draws', count(*) filter (where score = 0.5)) end as score
      from rating_changes where player_id = ${viewer} and opponent_id = ${playerId}) versus`;
}

export async function loadOpponents(
  queries: Queries,
  { playerIds, game, pool, viewer, at }: OpponentQuestion,
): Promise<readonly OpponentView[]> {
  const { rows } = await sql<OpponentRow>`
    select profile.id, case when own.player_id is not null then ${OWN_RATING} end as own,
      ${OUTCOMES}, form.scores as form, versus.score
    from profiles profile
    left join ratings own on own.player_id = profile.id and own.game_type = ${game} and own.pool = ${pool}
    left join player_outcomes record on record.player_id = profile.id and record.game_type = ${game} and record.pool = ${pool}
    cross join lateral (select coalesce(json_agg(score order by games), '[]') as scores from (
      select score, games from rating_changes where player_id = profile.id and game_type = ${game} and pool = ${pool}
      order by games desc limit ${FORM_GAMES}) newest) form
    ${joinScore(viewer, sql`profile.id`)}
    where profile.id = any(${[...playerIds]}::text[])`.execute(queries);
  return rows.map(({ id, own, wins, losses, draws, form, score }) => ({
    id,
    rating: own === null ? null : toRatingView(own, at),
    record: { wins, losses, draws },
    form: form.map(toResult),
    score,
  }));
}

/** A best win by its player's id: the caller knows names. */
export type RatedPlay = Omit<RatedPlayView, "bestWin" | "id" | "score"> & { readonly bestWin: BestWin | null };

export interface BestWin {
  readonly gameId: GameId;
  readonly playerId: PlayerId;
  readonly rating: number;
  readonly at: Instant;
}

interface RatedPlayRow extends OutcomesView {
  readonly game: GameType;
  readonly pool: RatingPool;
  readonly own: PlayerRating;
  /** Newest first. */
  readonly scores: readonly Score[];
  readonly bestWin: BestWin | null;
  readonly points: readonly { readonly at: Instant; readonly rating: number }[];
}

interface KeptRating extends PlayerRating {
  readonly game: GameType;
  readonly pool: RatingPool;
}

/** As kept, for the player's own file. */
export async function loadRatings(queries: Queries, playerId: PlayerId): Promise<readonly KeptRating[]> {
  const { rows } = await sql<KeptRating>`
    select game_type as game, pool, rating, deviation, volatility, games, rated_at as "ratedAt" from ratings
    where player_id = ${playerId} order by game_type, pool`.execute(queries);
  return rows;
}

/** Each game and pool in which the player has a rating. */
export async function loadRatedPlay(queries: Queries, playerId: PlayerId, at: Instant): Promise<readonly RatedPlay[]> {
  const own = sql`player_id = own.player_id and game_type = own.game_type and pool = own.pool`;
  const { rows } = await sql<RatedPlayRow>`
    select own.game_type as game, own.pool, ${OWN_RATING} as own, ${OUTCOMES}, newest.scores,
      best.win as "bestWin", graph.points
    from ratings own
    left join player_outcomes record using (player_id, game_type, pool)
    cross join lateral (select json_agg(score order by games desc) as scores from (
      select score, games from rating_changes where ${own} order by games desc limit ${STREAK_MAX}) n) newest
    left join lateral (
      select json_build_object('gameId', game_id, 'playerId', opponent_id, 'rating', opponent_rating, 'at', rated_at) as win
      from rating_changes where ${own} and score = 1 and opponent_deviation <= ${NEW_ABOVE_DEVIATION}
      order by opponent_rating desc, rated_at desc limit 1) best on true
    cross join lateral (select json_agg(json_build_object('at', rated_at, 'rating', rating) order by games) as points from (
      select distinct on (stretch) rated_at, rating, games from (
        select rated_at, rating, games, ntile(${POINTS_MAX}) over (order by games) as stretch from rating_changes where ${own}) all_changes
      order by stretch, games desc) point) graph
    where own.player_id = ${playerId} order by own.pool desc, own.games desc, own.game_type`.execute(queries);
  return rows.map(({ game, pool, own, wins, losses, draws, scores, bestWin, points }) => ({
    game,
    pool,
    rating: toRatingView(own, at),
    record: { wins, losses, draws },
    form: scores.slice(0, FORM_GAMES).reverse().map(toResult),
    streak: toStreak(scores),
    bestWin: bestWin === null ? null : { ...bestWin, rating: Math.round(bestWin.rating) },
    points: points.map((point) => ({ at: point.at, rating: Math.round(point.rating) })),
  }));
}

/** Null before the first game between the two. */
export async function loadScore(
  queries: Queries,
  viewer: PlayerId,
  opponentId: PlayerId,
): Promise<OutcomesView | null> {
  const { rows } = await sql<{ readonly score: OutcomesView | null }>`
    select versus.score from (select) as nothing ${joinScore(viewer, sql`${opponentId}`)}`.execute(queries);
  return rows[0]?.score ?? null;
}

function toRatingView(own: PlayerRating, at: Instant): RatingView {
  return { rating: Math.round(own.rating), deviation: Math.round(toDeviationAt(own, at)) };
}

function toResult(score: Score): GameResultView {
  return score === 1 ? "won" : score === 0 ? "lost" : "drawn";
}

/** `scores` are newest first, and not empty. */
function toStreak(scores: readonly Score[]): RatedPlay["streak"] {
  const [newest = 0] = scores;
  const end = scores.findIndex((score) => score !== newest);
  return { result: toResult(newest), games: end === -1 ? scores.length : end };
}
