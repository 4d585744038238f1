import { ok, refuse } from "@holo/kernel/result.ts";
import { type Accounts, findProfile, loadRelation } from "../../../accounts/accounts.ts";
import type { Games } from "../../../game/game.ts";
import type { Queries } from "../../../platform/database/database.ts";
import type { Players } from "../../../players/players.ts";
import { type Handlers, replyWith, toEmpty } from "../routes.ts";

interface PlayerHandlerDeps {
  readonly accounts: Pick<Accounts, "updateRelation">;
  readonly players: Pick<Players, "loadPlayerStats">;
  readonly games: Pick<Games, "report">;
  readonly queries: Queries;
}

type PlayerRoute = "player" | "updateRelation" | "report";

export function makePlayerHandlers({ accounts, games, players, queries }: PlayerHandlerDeps): Handlers<PlayerRoute> {
  return {
    async player({ params: { id }, findSession }) {
      const [profile, stats, session] = await Promise.all([
        findProfile(queries, id),
        players.loadPlayerStats(id),
        findSession(),
      ]);
      if (profile === null) return refuse("unknown_player");
      const viewer = session?.player.id ?? null;
      const relation = viewer === null || viewer === id ? null : await loadRelation(queries, viewer, id);
      return ok({ body: { ...profile, ...stats, relation } });
    },

    async updateRelation({ session, params, body }) {
      const updated = await accounts.updateRelation(session.player.id, params.id, body);
      return replyWith(updated, (relation) => relation);
    },

    async report({ session, body }) {
      const reported = await games.report({ ...body, reporterId: session.player.id });
      return replyWith(reported, toEmpty);
    },
  };
}
