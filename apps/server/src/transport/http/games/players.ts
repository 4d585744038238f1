import { toPlayerId } from "@holo/kernel/ids.ts";
import { ok, refuse } from "@holo/kernel/result.ts";
import { type Accounts, findProfile, findProfileNamed, loadRelation } from "../../../accounts/accounts.ts";
import type { Games } from "../../../game/game.ts";
import type { Queries } from "../../../platform/database/database.ts";
import type { Players } from "../../../players/players.ts";
import type { Callers } from "../access.ts";
import { type Handlers, replyWith, toEmpty } from "../routes.ts";

interface PlayerHandlerDeps {
  readonly accounts: Pick<Accounts, "updateRelation">;
  readonly players: Pick<Players, "loadPlayerStats" | "loadOpponents">;
  readonly games: Pick<Games, "report">;
  readonly queries: Queries;
}

type PlayerRoute = "player" | "playerNamed" | "opponents" | "updateRelation" | "report";

export function makePlayerHandlers({ accounts, games, players, queries }: PlayerHandlerDeps): Handlers<PlayerRoute> {
  async function loadStats(
    profile: Awaited<ReturnType<typeof findProfile>>,
    findSession: Callers["anyone"]["findSession"],
  ) {
    if (profile === null) return refuse("unknown_player");
    const { id } = profile.player;
    const viewer = (await findSession())?.player.id ?? null;
    const [stats, relation] = await Promise.all([
      players.loadPlayerStats(id, viewer),
      viewer === null || viewer === id ? null : loadRelation(queries, viewer, id),
    ]);
    return ok({ body: { ...profile, ...stats, relation } });
  }

  return {
    async player({ params, findSession }) {
      return await loadStats(await findProfile(queries, params.id), findSession);
    },

    async playerNamed({ params, findSession }) {
      return await loadStats(await findProfileNamed(queries, params.name), findSession);
    },

    async opponents({ query, findSession }) {
      const { game, pool } = query;
      const playerIds = query.players.split(",").map(toPlayerId);
      const viewer = (await findSession())?.player.id ?? null;
      return ok({ body: { opponents: await players.loadOpponents({ playerIds, game, pool, viewer }) } });
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
