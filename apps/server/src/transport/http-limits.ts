import { randomUUID } from "node:crypto";
import type { CommandId, GameId, PlayerId } from "@holo/kernel/ids.ts";
import { ok } from "@holo/kernel/result.ts";
import type { LimitsView } from "@holo/protocol/views.ts";
import { type Accounts, loadOwnLimits, type OwnLimits } from "../accounts/accounts.ts";
import type { Arena } from "../arena/arena.ts";
import type { Queries } from "../platform/database.ts";
import type { Time } from "../platform/time.ts";
import type { Handlers } from "./http-routes.ts";
import { requireSession } from "./http-session.ts";

export interface LimitHandlersOptions {
  readonly accounts: Pick<Accounts, "updateLimits" | "excludeSelf">;
  readonly arena: Pick<Arena, "loadOpenGame" | "cancel">;
  readonly queries: Queries;
  readonly time: Time;
}

type LimitRoute = "limits" | "updateLimits" | "excludeSelf";

/** What players set for themselves, by HTTP. */
export function makeLimitHandlers({ accounts, arena, queries, time }: LimitHandlersOptions): Handlers<LimitRoute> {
  /** Nobody can join it any more, so a game that is waiting now has not begun by the time it is cancelled. */
  async function cancelWaiting(playerId: PlayerId): Promise<void> {
    const openGame = await arena.loadOpenGame(playerId);
    if (openGame?.status !== "waiting") return;
    await arena.cancel(playerId, openGame.gameId as GameId, randomUUID() as CommandId);
  }

  return {
    async limits(call) {
      const session = await requireSession(call);
      if (!session.ok) return session;
      return ok({ body: toLimitsView(await loadOwnLimits(queries, session.value.player.id, time.now())) });
    },

    async updateLimits(call) {
      const session = await requireSession(call);
      if (!session.ok) return session;
      const updated = await accounts.updateLimits(session.value.player.id, call.body);
      return updated.ok ? ok({ body: toLimitsView(updated.value) }) : updated;
    },

    async excludeSelf(call) {
      const session = await requireSession(call);
      if (!session.ok) return session;
      const playerId = session.value.player.id;
      const excluded = await accounts.excludeSelf({ playerId, ...call.body });
      if (!excluded.ok) return excluded;
      await cancelWaiting(playerId);
      return ok({ body: toLimitsView(excluded.value) });
    },
  };
}

function toLimitsView({ limits, excludedUntil }: OwnLimits): LimitsView {
  return { ...limits, excludedUntil };
}
