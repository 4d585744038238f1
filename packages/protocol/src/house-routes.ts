import { z } from "zod";
import { maintenance, playerId } from "./route-parts.ts";

/** Why somebody of the house acts; which reasons will do is for the administration to say, with its own texts. */
const reason = z.string().max(500);

/** The routes by which admins run the house; part of ROUTES (routes.ts). */
export const HOUSE_ROUTES = {
  /** For admins: turns the switch for maintenance on with what players are told, or off. */
  switchMaintenance: {
    method: "post",
    path: "/api/admin/maintenance",
    body: z.strictObject({ notice: z.string().max(300).nullable() }),
    response: z.strictObject({ maintenance: maintenance.nullable() }),
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
