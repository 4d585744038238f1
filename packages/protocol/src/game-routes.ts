import { GAME_TYPES } from "@holo/rules/rules.ts";
import { z } from "zod";
import { coins, match } from "./route-parts.ts";

/** The routes about games, for everyone and for their own players; part of ROUTES (routes.ts). */
export const GAME_ROUTES = {
  /** The newest games a viewer may see, at most 30; pending ones only for players (ruling 22). `mine`: the viewer's own. */
  matches: {
    method: "get",
    path: "/api/matches",
    query: z.strictObject({
      mine: z.literal("true").optional(),
      status: z.enum(["pending", "active", "completed"]).optional(),
      search: z.string().max(60).optional(),
    }),
    response: z.strictObject({ matches: z.array(match) }),
  },
  match: {
    method: "get",
    path: "/api/matches/{id}",
    params: z.strictObject({ id: z.uuid() }),
    response: match,
  },
  /** The entries of the ledger that a game brought about, oldest first; for its two players. */
  settlement: {
    method: "get",
    path: "/api/matches/{id}/settlement",
    params: z.strictObject({ id: z.uuid() }),
    response: z.strictObject({
      entries: z.array(
        z.strictObject({
          id: z.string(),
          kind: z.enum(["stake", "refund", "win", "draw"]),
          at: z.int(),
          postings: z.array(
            z.strictObject({ holder: z.enum(["white", "black", "escrow", "platform"]), amount: coins }),
          ),
        }),
      ),
    }),
  },
  /** The whole log of a game that is over, as it is stored, so that anyone can check its chain of hashes. */
  log: {
    method: "get",
    path: "/api/matches/{id}/log",
    params: z.strictObject({ id: z.uuid() }),
    response: z.strictObject({
      /** What the first row's hash follows. */
      before: z.string(),
      rows: z.array(z.strictObject({ text: z.string(), hash: z.string() })),
      /** The hash of the row that ended the game, which its settlement carries. */
      finalHash: z.string(),
    }),
  },
  availability: {
    method: "get",
    path: "/api/availability",
    response: z.strictObject({
      waiting: z.array(
        z.strictObject({
          game: z.enum(GAME_TYPES),
          stake: match.shape.stake,
          limitMinutes: match.shape.limitMinutes,
          creators: z.array(z.string()),
        }),
      ),
    }),
  },
  stats: {
    method: "get",
    path: "/api/stats",
    response: z.strictObject({ playersOnline: z.int(), gamesPlaying: z.int() }),
  },
} as const;
