import { z } from "zod";
import { coins, empty, gameId, gameType, instant, playerId, whole } from "../fields.ts";
import { match, player } from "../game/games.ts";
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

/** What everyone may know of a player before they play for coins. */
const playerStats = z.strictObject({
  player,
  sinceAt: instant,
  games: z.record(gameType, outcomes),
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
  history: { method: "get", path: "/api/history", access: "player", refusals: [], response: history },
} as const satisfies Record<string, Route>;
