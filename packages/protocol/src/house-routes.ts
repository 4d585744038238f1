import { z } from "zod";
import { REPORT_OUTCOMES, REPORT_STATES } from "./house-views.ts";
import { maintenance, match, player, playerId } from "./route-parts.ts";
import { REPORT_REASONS } from "./views.ts";

/** Why somebody of the house acts; which reasons will do is for the administration to say, with its own texts. */
const reason = z.string().max(500);

const report = z.strictObject({
  id: z.uuid(),
  reporter: player,
  player: player.nullable(),
  match,
  reason: z.enum(REPORT_REASONS),
  text: z.string(),
  at: z.int(),
  ended: z.strictObject({ outcome: z.enum(REPORT_OUTCOMES), note: z.string(), by: z.string(), at: z.int() }).nullable(),
});

/** The routes by which admins run the house; part of ROUTES (routes.ts). */
export const HOUSE_ROUTES = {
  /** For admins: turns the switch for maintenance on with what players are told, or off. */
  switchMaintenance: {
    method: "post",
    path: "/api/admin/maintenance",
    body: z.strictObject({ notice: z.string().max(300).nullable() }),
    response: z.strictObject({ maintenance: maintenance.nullable() }),
  },
  /** For admins who do not play in it: ends an active game that cannot go on, and refunds both. Everybody may read the reason. */
  cancelGame: {
    method: "post",
    path: "/api/admin/games/cancel",
    body: z.strictObject({ gameId: z.uuid(), reason: z.string().max(300) }),
    response: z.strictObject({}),
  },
  /** For admins: what the two players of a game wrote to each other. */
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
  /** For admins whom it does not concern: ends a report, of which its reporter is told. */
  endReport: {
    method: "post",
    path: "/api/admin/reports/end",
    body: z.strictObject({ id: z.uuid(), outcome: z.enum(REPORT_OUTCOMES), note: reason }),
    response: z.strictObject({}),
  },
  /** For admins, not themselves: a player neither plays, chats nor deposits any more. They are shown the reason. */
  blockPlayer: {
    method: "post",
    path: "/api/admin/players/block",
    body: z.strictObject({ playerId, reason }),
    response: z.strictObject({}),
  },
  /** For admins, not themselves. */
  unblockPlayer: {
    method: "post",
    path: "/api/admin/players/unblock",
    body: z.strictObject({ playerId, reason }),
    response: z.strictObject({}),
  },
} as const;
