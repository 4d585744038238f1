import type { GameId } from "@holo/kernel/ids.ts";
import { ok, refuse } from "@holo/kernel/result.ts";
import type { Arena } from "../arena/arena.ts";
import type { Handlers } from "./http-routes.ts";

type ArenaRoute = "matches" | "match" | "availability" | "stats";

/** The arena's views by HTTP. Commands go over the socket alone. */
export function makeArenaHandlers(arena: Arena): Handlers<ArenaRoute> {
  return {
    async matches({ query, findSession }) {
      const session = await findSession();
      const isMine = query.mine === "true";
      if (isMine && session === null) return refuse("login_required");
      const matches = await arena.loadMatches({
        viewer: session?.player.id ?? null,
        isMine,
        status: query.status ?? null,
        search: query.search ?? "",
      });
      return ok({ body: { matches: [...matches] } });
    },

    async match({ params, findSession }) {
      const session = await findSession();
      const match = await arena.loadMatch(params.id as GameId, session?.player.id ?? null);
      return match === null ? refuse("unknown_game") : ok({ body: match });
    },

    async availability({ findSession }) {
      const session = await findSession();
      if (session === null) return refuse("login_required");
      const waiting = arena.availability().map((terms) => ({ ...terms, creators: [...terms.creators] }));
      return ok({ body: { waiting } });
    },

    async stats() {
      return ok({ body: await arena.loadStats() });
    },
  };
}
