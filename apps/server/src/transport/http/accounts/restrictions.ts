import type { PlayerId } from "@holo/kernel/ids.ts";
import { ok } from "@holo/kernel/result.ts";
import type { ServerFrame } from "@holo/protocol/frames.ts";
import type { RestrictionsView } from "@holo/protocol/restrictions.ts";
import { type Accounts, loadOwnLimits, type OwnLimits } from "../../../accounts/accounts.ts";
import type { Arena } from "../../../arena/arena.ts";
import type { Queries } from "../../../platform/database/database.ts";
import type { Time } from "../../../platform/time/time.ts";
import { type Handlers, replyWith } from "../routes.ts";

export interface RestrictionHandlerDeps {
  readonly accounts: Pick<Accounts, "updateLimits" | "excludeSelf">;
  readonly arena: Pick<Arena, "cancelWaiting">;
  readonly queries: Queries;
  readonly time: Time;
  /** Sends a frame to all connections of a player. */
  readonly push: (playerId: PlayerId, frame: ServerFrame) => void;
}

type RestrictionRoute = "limits" | "updateLimits" | "excludeSelf";

export function makeRestrictionHandlers({
  accounts,
  arena,
  queries,
  time,
  push,
}: RestrictionHandlerDeps): Handlers<RestrictionRoute> {
  /** Sends the restrictions to every page that the player has open. */
  function notify(playerId: PlayerId, limits: OwnLimits): RestrictionsView {
    const view = toLimitsView(limits);
    push(playerId, { type: "limits", limits: view });
    return view;
  }

  return {
    async limits({ session }) {
      return ok({ body: toLimitsView(await loadOwnLimits(queries, session.player.id, time.now())) });
    },

    async updateLimits({ session, body }) {
      const playerId = session.player.id;
      return replyWith(await accounts.updateLimits(playerId, body), (limits) => notify(playerId, limits));
    },

    async excludeSelf({ session, body }) {
      const playerId = session.player.id;
      const excluded = await accounts.excludeSelf({ playerId, ...body });
      if (!excluded.ok) return excluded;
      const view = notify(playerId, excluded.value);
      await arena.cancelWaiting(playerId);
      return ok({ body: view });
    },
  };
}

/** Sends a player's restrictions to every page they have open. */
export async function pushLimits(
  { queries, time, push }: Pick<RestrictionHandlerDeps, "queries" | "time" | "push">,
  playerId: PlayerId,
): Promise<void> {
  push(playerId, { type: "limits", limits: toLimitsView(await loadOwnLimits(queries, playerId, time.now())) });
}

export function toLimitsView({ limits, excludedUntil, closingAt, banReason: blockedFor }: OwnLimits): RestrictionsView {
  return { ...limits, excludedUntil, closingAt, blockedFor };
}
