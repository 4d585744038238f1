import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import { ok, refuse } from "@holo/kernel/result.ts";
import { type Accounts, findProfile, loadRelation } from "../../../accounts/accounts.ts";
import type { Arena } from "../../../arena/arena.ts";
import type { Queries } from "../../../platform/database/database.ts";
import type { Handlers } from "../routes.ts";
import { requireSession } from "../session.ts";

export interface PlayerHandlerDeps {
  readonly accounts: Pick<Accounts, "updateRelation">;
  readonly arena: Pick<Arena, "loadPlayerStats" | "report">;
  readonly queries: Queries;
}

type PlayerRoute = "player" | "updateRelation" | "report";

/** What players may know of each other, ask for about each other, and tell the house of each other. */
export function makePlayerHandlers({ accounts, arena, queries }: PlayerHandlerDeps): Handlers<PlayerRoute> {
  return {
    async player({ params, findSession }) {
      const id = params.id as PlayerId;
      const [profile, record, session] = await Promise.all([
        findProfile(queries, id),
        arena.loadPlayerStats(id),
        findSession(),
      ]);
      if (profile === null) return refuse("unknown_player");
      const viewer = session?.player.id ?? null;
      const relation = viewer === null || viewer === id ? null : await loadRelation(queries, viewer, id);
      return ok({ body: { ...profile, ...record, recent: [...record.recent], relation } });
    },

    async updateRelation(call) {
      const session = await requireSession(call);
      if (!session.ok) return session;
      const updated = await accounts.updateRelation(session.value.player.id, call.params.id as PlayerId, call.body);
      return updated.ok ? ok({ body: updated.value }) : updated;
    },

    async report(call) {
      const session = await requireSession(call);
      if (!session.ok) return session;
      const { gameId, playerId, reason, text } = call.body;
      const reported = await arena.report({
        reporterId: session.value.player.id,
        gameId: gameId as GameId,
        playerId: playerId as PlayerId | null,
        reason,
        text,
      });
      return reported.ok ? ok({ body: { reportId: reported.value } }) : reported;
    },
  };
}
