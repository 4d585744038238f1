import type { PlayerId } from "@holo/kernel/ids.ts";
import { ok } from "@holo/kernel/result.ts";
import type { Admin } from "../admin/admin.ts";
import type { Handlers } from "./http-routes.ts";
import { requireRole } from "./http-session.ts";

export interface HouseHandlersOptions {
  readonly admin: Pick<Admin, "maintenance" | "blocks">;
}

type HouseRoute = "switchMaintenance" | "blockPlayer" | "unblockPlayer";

/** How people of the house run it, by HTTP. */
export function makeHouseHandlers({ admin }: HouseHandlersOptions): Handlers<HouseRoute> {
  const { maintenance, blocks } = admin;

  return {
    async switchMaintenance(call) {
      const session = await requireRole(call, "admin");
      if (!session.ok) return session;
      const turned = await maintenance.turn(session.value.player.id, call.body.notice);
      return turned.ok ? ok({ body: { maintenance: turned.value } }) : turned;
    },

    async blockPlayer(call) {
      const session = await requireRole(call, "admin");
      if (!session.ok) return session;
      const { playerId, reason } = call.body;
      const order = { actorId: session.value.player.id, playerId: playerId as PlayerId, reason };
      const blocked = await blocks.block(order);
      return blocked.ok ? ok({ body: {} }) : blocked;
    },

    async unblockPlayer(call) {
      const session = await requireRole(call, "admin");
      if (!session.ok) return session;
      const { playerId, reason } = call.body;
      const order = { actorId: session.value.player.id, playerId: playerId as PlayerId, reason };
      const unblocked = await blocks.unblock(order);
      return unblocked.ok ? ok({ body: {} }) : unblocked;
    },
  };
}
