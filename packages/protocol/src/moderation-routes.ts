import { z } from "zod";
import { HELD_BACK, REPORT_OUTCOMES, REPORT_STATES } from "./admin/moderation.ts";
import { REPORT_REASONS, ROLES } from "./games.ts";
import {
  coins,
  gameId,
  limits,
  maintenance,
  match,
  name,
  openGame,
  payment,
  player,
  playerId,
  statementRow,
} from "./route-parts.ts";

/** Why somebody of the house acts; which reasons will do is for the administration to say, with its own texts. */
const reason = z.string().max(500);

const heldBack = z.enum(HELD_BACK).nullable();

const report = z.strictObject({
  id: z.uuid(),
  reporter: player,
  player: player.nullable(),
  match,
  reason: z.enum(REPORT_REASONS),
  text: z.string(),
  at: z.int(),
  ended: z.strictObject({ outcome: z.enum(REPORT_OUTCOMES), note: z.string(), by: z.string(), at: z.int() }).nullable(),
  heldBack,
});

const foundPlayer = player.extend({
  email: z.string(),
  isVerified: z.boolean(),
  sinceAt: z.int(),
  isBlocked: z.boolean(),
  role: z.enum(ROLES).nullable(),
  heldBack,
});
const before = z.strictObject({
  before: z
    .string()
    .regex(/^\d{1,18}$/)
    .optional(),
});

/** The routes by which admins run the house; part of ROUTES (routes.ts). */
export const MODERATION_ROUTES = {
  /** For admins: turns the switch for maintenance on with what players are told, or off. */
  switchMaintenance: {
    method: "post",
    path: "/api/admin/maintenance",
    body: z.strictObject({ notice: z.string().max(300).nullable() }),
    response: z.strictObject({ maintenance: maintenance.nullable() }),
  },
  /**
   * For admins who do not play in it, and the CEO where another admin does: ends an active game that cannot go on, and refunds both.
   * Everybody may read the reason.
   */
  cancelGame: {
    method: "post",
    path: "/api/admin/games/cancel",
    body: z.strictObject({ gameId, reason: z.string().max(300) }),
    response: z.strictObject({}),
  },
  /** For admins: what the two players of a game wrote to each other, where somebody reported something of it. */
  gameChat: {
    method: "get",
    path: "/api/admin/games/{id}/chat",
    params: z.strictObject({ id: z.uuid() }),
    response: z.strictObject({
      messages: z.array(z.strictObject({ number: z.int(), username: z.string(), text: z.string(), at: z.int() })),
    }),
  },
  /** For admins: what players told the house, 20 at a time; `after` asks for those that come after a report. */
  reports: {
    method: "get",
    path: "/api/admin/reports",
    query: z.strictObject({ state: z.enum(REPORT_STATES).optional(), after: z.uuid().optional() }),
    response: z.strictObject({ reports: z.array(report), next: z.string().nullable() }),
  },
  /** For admins whom it does not concern, and the CEO where it concerns another admin: ends a report, of which its reporter is told. */
  endReport: {
    method: "post",
    path: "/api/admin/reports/end",
    body: z.strictObject({ id: z.uuid(), outcome: z.enum(REPORT_OUTCOMES), note: reason }),
    response: z.strictObject({}),
  },
  /** For admins: players by name, address or id, 20 at a time; `after` asks for those whose names come after one. */
  findPlayers: {
    method: "get",
    path: "/api/admin/players",
    query: z.strictObject({ text: name(320), after: name(40).optional() }),
    response: z.strictObject({ players: z.array(foundPlayer), next: z.string().nullable() }),
  },
  /** For admins: what there is to know of a player. An admin's file is for themself and the CEO, the CEO's for nobody else. */
  playerFile: {
    method: "get",
    path: "/api/admin/players/{id}",
    params: z.strictObject({ id: playerId }),
    response: z.strictObject({
      player: foundPlayer,
      balance: coins,
      openGame: openGame.nullable(),
      gameHeldBack: heldBack,
      limits,
      payments: z.array(payment),
      sessions: z.array(z.strictObject({ device: z.string(), startedAt: z.int(), seenAt: z.int() })),
      reports: z.array(report),
    }),
  },
  playerGames: {
    method: "get",
    path: "/api/admin/players/{id}/games",
    params: z.strictObject({ id: playerId }),
    query: before,
    response: z.strictObject({ matches: z.array(match), next: z.string().nullable() }),
  },
  playerEntries: {
    method: "get",
    path: "/api/admin/players/{id}/entries",
    params: z.strictObject({ id: playerId }),
    query: before,
    response: z.strictObject({ rows: z.array(statementRow), next: z.string().nullable() }),
  },
  /** For admins, not themselves: a player neither plays, chats nor deposits any more. They are shown the reason. Only the CEO blocks an admin, nobody the CEO. */
  blockPlayer: {
    method: "post",
    path: "/api/admin/blocks",
    body: z.strictObject({ playerId, reason }),
    response: z.strictObject({}),
  },
  /** For who may block them. */
  unblockPlayer: {
    method: "post",
    path: "/api/admin/blocks/end",
    body: z.strictObject({ playerId, reason }),
    response: z.strictObject({}),
  },
} as const;
