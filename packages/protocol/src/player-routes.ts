import { GAME_TYPES } from "@holo/rules/rules.ts";
import { z } from "zod";
import { LEADERBOARD_PERIODS, REPORT_REASONS } from "./games.ts";
import { coins, match, player, playerId } from "./route-parts.ts";

const outcomes = z.strictObject({ wins: z.int(), losses: z.int(), draws: z.int() });
const standing = outcomes.extend({ rank: z.int(), player });
const relation = z.strictObject({ muted: z.boolean(), blocked: z.boolean() });

/** The routes about players as others see them, how they stand, and how to reach the house; part of ROUTES (routes.ts). */
export const PLAYER_ROUTES = {
  /** A player's public record. */
  player: {
    method: "get",
    path: "/api/players/{id}",
    params: z.strictObject({ id: playerId }),
    response: z.strictObject({
      player,
      sinceAt: z.int(),
      games: z.strictObject({ checkers: outcomes, chess: outcomes }),
      aborts: z.int(),
      recent: z.array(match),
      relation: relation.nullable(),
    }),
  },
  /** The viewer's own wishes about another player. */
  updateRelation: {
    method: "patch",
    path: "/api/players/{id}/relation",
    params: z.strictObject({ id: playerId }),
    body: z.strictObject({ muted: z.boolean().optional(), blocked: z.boolean().optional() }),
    response: relation,
  },
  /** Tells the house of a player or a game. */
  report: {
    method: "post",
    path: "/api/reports",
    body: z.strictObject({
      gameId: z.uuid(),
      /** Whom it is about; null for the game itself. */
      playerId: playerId.nullable(),
      reason: z.enum(REPORT_REASONS),
      text: z.string().max(500),
    }),
    response: z.strictObject({ reportId: z.string() }),
  },
  /** Players by completed games, then by win rate; below the best three a page of those who come after them. */
  leaderboard: {
    method: "get",
    path: "/api/leaderboard",
    query: z.strictObject({
      game: z.enum(GAME_TYPES).optional(),
      period: z.enum(LEADERBOARD_PERIODS).optional(),
      page: z
        .string()
        .regex(/^[1-9]\d{0,2}$/)
        .optional(),
    }),
    response: z.strictObject({
      top: z.array(standing),
      rows: z.array(standing),
      pages: z.int(),
      players: z.int(),
      own: standing.nullable(),
    }),
  },
  /** How the viewer's balance and win rate went. */
  history: {
    method: "get",
    path: "/api/history",
    response: z.strictObject({
      balance: z.array(z.strictObject({ at: z.int(), balance: coins })),
      winRate: z.array(z.strictObject({ at: z.int(), wins: z.int(), games: z.int() })),
    }),
  },
  contact: {
    method: "get",
    path: "/api/contact",
    response: z.strictObject({ email: z.string(), messagingUrl: z.string() }),
  },
} as const;
