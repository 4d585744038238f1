import { RATING_POOLS } from "@holo/table/rating.ts";
import { z } from "zod";
import { coins, empty, gameId, gameType, instant, playerId, whole } from "../fields.ts";
import { match, player, rating } from "../game/games.ts";
import { REPORT_REASONS } from "../report-terms.ts";
import type { Route, View } from "../route.ts";

const outcomes = z.strictObject({ wins: whole, losses: whole, draws: whole });
export type OutcomesView = View<typeof outcomes>;

const relation = z.strictObject({
  muted: z.boolean(),
  /** The two are never paired again. */
  blocked: z.boolean(),
});
export type RelationView = View<typeof relation>;

const gameResult = z.enum(["won", "lost", "drawn"]);
export type GameResultView = View<typeof gameResult>;

export const ratingPool = z.enum(RATING_POOLS);

/** What a player is like as an opponent at one game, for coins or for nothing. */
const opponent = z.strictObject({
  id: playerId,
  /** Null before the first rated game. */
  rating: rating.nullable(),
  record: outcomes,
  /** Their newest results, at most five, newest last. */
  form: z.array(gameResult),
  /** Between the viewer and them, in all games; null for visitors and before the first. */
  score: outcomes.nullable(),
});
export type OpponentView = View<typeof opponent>;

const OPPONENTS_MAX = 50;

const ratedPlay = opponent.extend({
  game: gameType,
  pool: ratingPool,
  /** Equal results in a row, up to the newest game. */
  streak: z.strictObject({ result: gameResult, games: whole }),
  /** The best-known opponent that they beat, with the rating that the opponent had. */
  bestWin: z.strictObject({ gameId, player, rating: whole, at: instant }).nullable(),
  /** After rated games, oldest first; of many, the last one of each interval. */
  points: z.array(z.strictObject({ at: instant, rating: whole })),
});
export type RatedPlayView = View<typeof ratedPlay>;

/** What everyone may know of a player before they play for coins. */
const playerStats = z.strictObject({
  player,
  sinceAt: instant,
  games: z.record(gameType, outcomes),
  /** Each game and pool with a rated game. */
  rated: z.array(ratedPlay),
  /** Between the viewer and them; null for visitors and before the first game. */
  score: outcomes.nullable(),
  /** Started games that they cancelled or let lapse without a first move. */
  aborts: whole,
  /** Their newest finished games, at most 10. */
  recent: z.array(match),
  /** Null for visitors and for the viewer. */
  relation: relation.nullable(),
});
export type PlayerStatsView = View<typeof playerStats>;

const leaderboardPeriod = z.enum(["all", "month", "week"]);
/** All games, those of the last 30 days, those of the last 7. */
export type LeaderboardPeriod = View<typeof leaderboardPeriod>;

const standing = outcomes.extend({
  /** From 1; players with equal games and wins share a rank. */
  rank: whole,
  player,
});
export type StandingView = View<typeof standing>;

const leaderboard = z.strictObject({
  top: z.array(standing),
  rows: z.array(standing),
  pages: whole,
  players: whole,
  /** The viewer; null for visitors and for players without a completed game. */
  own: standing.nullable(),
});
export type LeaderboardView = View<typeof leaderboard>;

/** A place among players, by a figure: a rating, or wins. */
const ladderPlace = z.strictObject({
  /** From 1; players with equal figures share a rank. */
  rank: whole,
  player,
  figure: whole,
});
export type LadderPlaceView = View<typeof ladderPlace>;

const ladder = z.strictObject({
  places: z.array(ladderPlace),
  /** The viewer; null for visitors and for players without a figure. */
  own: z
    .strictObject({
      /** Null with fewer than the games that a place needs. */
      rank: whole.nullable(),
      figure: whole,
      games: whole,
      /** What is missing to the next higher place; null at the top and without a place. */
      toNext: whole.nullable(),
    })
    .nullable(),
});
export type LadderView = View<typeof ladder>;

const balancePoint = z.strictObject({ at: instant, balance: coins });
export type BalancePointView = View<typeof balancePoint>;
/** Counts of all games completed by then. */
const winRatePoint = z.strictObject({ at: instant, wins: whole, games: whole });
export type WinRatePointView = View<typeof winRatePoint>;

/** Oldest first; of many points, the last one of each interval. */
const history = z.strictObject({ balance: z.array(balancePoint), winRate: z.array(winRatePoint) });
export type HistoryView = View<typeof history>;

const params = z.strictObject({ id: playerId });

export const PLAYER_ROUTES = {
  player: {
    method: "get",
    path: "/api/players/{id}",
    access: "anyone",
    refusals: ["unknown_player"],
    params,
    response: playerStats,
  },
  /** Names are compared without regard to case. */
  playerNamed: {
    method: "get",
    path: "/api/players/named/{name}",
    access: "anyone",
    refusals: ["unknown_player"],
    params: z.strictObject({ name: z.string().regex(/^[\w-]{3,20}$/) }),
    response: playerStats,
  },
  /** Unknown players are left out. */
  opponents: {
    method: "get",
    path: "/api/opponents",
    access: "anyone",
    refusals: [],
    query: z.strictObject({
      players: z.string().regex(new RegExp(`^[\\w-]{8,36}(,[\\w-]{8,36}){0,${OPPONENTS_MAX - 1}}$`)),
      game: gameType,
      pool: ratingPool,
    }),
    response: z.strictObject({ opponents: z.array(opponent) }),
  },
  updateRelation: {
    method: "patch",
    path: "/api/players/{id}/relation",
    access: "player",
    refusals: ["own_relation", "unknown_player"],
    params,
    body: z.strictObject({ muted: z.boolean().optional(), blocked: z.boolean().optional() }),
    response: relation,
  },
  report: {
    method: "post",
    path: "/api/reports",
    access: "player",
    refusals: ["unknown_game", "own_relation", "unknown_player"],
    body: z.strictObject({
      gameId,
      /** Null: the report is about the game itself. */
      playerId: playerId.nullable(),
      reason: z.enum(REPORT_REASONS),
      text: z.string().max(500),
    }),
    response: empty,
  },
  /** Players by completed games, then by win rate. */
  leaderboard: {
    method: "get",
    path: "/api/leaderboard",
    access: "anyone",
    refusals: [],
    query: z.strictObject({
      game: gameType.optional(),
      period: leaderboardPeriod.optional(),
      page: z
        .string()
        .regex(/^[1-9]\d{0,2}$/)
        .optional(),
    }),
    response: leaderboard,
  },
  /** By rating at one game, and by games won in the last seven days. Staked games only. */
  ladders: {
    method: "get",
    path: "/api/ladders",
    access: "anyone",
    refusals: [],
    query: z.strictObject({ game: gameType }),
    response: z.strictObject({ ratings: ladder, wins: ladder }),
  },
  history: { method: "get", path: "/api/history", access: "player", refusals: [], response: history },
} as const satisfies Record<string, Route>;
