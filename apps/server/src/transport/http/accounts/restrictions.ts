import type { PlayerId } from "@holo/kernel/ids.ts";
import { ok } from "@holo/kernel/result.ts";
import type { ServerFrame } from "@holo/protocol/frames.ts";
import type { RestrictionsView } from "@holo/protocol/restrictions.ts";
import { type Accounts, loadOwnLimits, type OwnLimits } from "../../../accounts/accounts.ts";
import type { Arena } from "../../../arena/arena.ts";
import type { Queries } from "../../../platform/database/database.ts";
import type { Time } from "../../../platform/time/time.ts";
import type { Handlers } from "../routes.ts";
import { requireSession } from "../session.ts";

export interface RestrictionHandlerDeps {
  readonly accounts: Pick<Accounts, "updateLimits" | "excludeSelf">;
  readonly arena: Pick<Arena, "cancelWaiting">;
  readonly queries: Queries;
  readonly time: Time;
  /** Shows a frame to all connections of a player. */
  readonly push: (playerId: PlayerId, frame: ServerFrame) => void;
}

type RestrictionRoute = "limits" | "updateLimits" | "excludeSelf";

/** What players set for themselves, by HTTP. */
export function makeRestrictionHandlers({
  accounts,
  arena,
  queries,
  time,
  push,
}: RestrictionHandlerDeps): Handlers<RestrictionRoute> {
  /** For every page that the player has open. */
  function tell(playerId: PlayerId, limits: OwnLimits): RestrictionsView {
    const view = toLimitsView(limits);
    push(playerId, { type: "limits", limits: view });
    return view;
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
      const playerId = session.value.player.id;
      const updated = await accounts.updateLimits(playerId, call.body);
      return updated.ok ? ok({ body: tell(playerId, updated.value) }) : updated;
    },

    async excludeSelf(call) {
      const session = await requireSession(call);
      if (!session.ok) return session;
      const playerId = session.value.player.id;
      const excluded = await accounts.excludeSelf({ playerId, ...call.body });
      if (!excluded.ok) return excluded;
      const view = tell(playerId, excluded.value);
      await arena.cancelWaiting(playerId);
      return ok({ body: view });
    },
  };
}

/** Shows all pages of a player what they may do now. */
export async function pushLimits(
  { queries, time, push }: Pick<RestrictionHandlerDeps, "queries" | "time" | "push">,
  playerId: PlayerId,
): Promise<void> {
  push(playerId, { type: "limits", limits: toLimitsView(await loadOwnLimits(queries, playerId, time.now())) });
}

export function toLimitsView({ limits, excludedUntil, closingAt, banReason: blockedFor }: OwnLimits): RestrictionsView {
  return { ...limits, excludedUntil, closingAt, blockedFor };
}
