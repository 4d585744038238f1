import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { ok } from "@holo/kernel/result.ts";
import type { RestrictionsView } from "@holo/protocol/accounts/restrictions.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";
import { type Accounts, loadOwnLimits } from "../../../accounts/accounts.ts";
import type { Games } from "../../../game/game.ts";
import { findMoneyHold, loadWithdrawalHolds } from "../../../payments/payments.ts";
import type { Queries } from "../../../platform/database/database.ts";
import type { Time } from "../../../platform/time/time.ts";
import type { Handlers } from "../routes.ts";

interface RestrictionHandlerDeps {
  readonly accounts: Pick<Accounts, "updateLimits" | "excludeSelf">;
  readonly games: Pick<Games, "cancelWaiting">;
  readonly queries: Queries;
  readonly time: Time;
  readonly push: (playerId: PlayerId, frame: ServerFrame) => void;
}

type RestrictionRoute = "limits" | "updateLimits" | "excludeSelf";

export function makeRestrictionHandlers({
  accounts,
  games,
  queries,
  time,
  push,
}: RestrictionHandlerDeps): Handlers<RestrictionRoute> {
  async function notify(playerId: PlayerId): Promise<RestrictionsView> {
    const view = await loadLimitsView(queries, playerId, time.now());
    push(playerId, { type: "limits", limits: view });
    return view;
  }

  return {
    async limits({ session }) {
      return ok({ body: await loadLimitsView(queries, session.player.id, time.now()) });
    },

    async updateLimits({ session, body }) {
      const playerId = session.player.id;
      const updated = await accounts.updateLimits(playerId, body);
      return updated.ok ? ok({ body: await notify(playerId) }) : updated;
    },

    async excludeSelf({ session, body }) {
      const playerId = session.player.id;
      const excluded = await accounts.excludeSelf({ playerId, ...body });
      if (!excluded.ok) return excluded;
      const view = await notify(playerId);
      // The sweeper cancels a staked game in a few seconds, and leaves a free one.
      if (body.coversFreeGames) await games.cancelWaiting(playerId);
      return ok({ body: view });
    },
  };
}

export async function pushLimits(
  { queries, time, push }: Pick<RestrictionHandlerDeps, "queries" | "time" | "push">,
  playerId: PlayerId,
): Promise<void> {
  push(playerId, { type: "limits", limits: await loadLimitsView(queries, playerId, time.now()) });
}

export async function loadLimitsView(queries: Queries, playerId: PlayerId, now: Instant): Promise<RestrictionsView> {
  const [own, moneyHold, holds] = await Promise.all([
    loadOwnLimits(queries, playerId, now),
    findMoneyHold(queries, playerId),
    loadWithdrawalHolds(queries, [playerId]),
  ]);
  const { limits, excludedUntil, excludedFromFreeUntil, closingAt, ban } = own;
  return {
    ...limits,
    excludedUntil,
    excludedFromFreeUntil,
    closingAt,
    bannedFor: ban?.reason ?? null,
    moneyHold,
    withdrawalsHeldFor: holds.get(playerId)?.reason ?? null,
  };
}
