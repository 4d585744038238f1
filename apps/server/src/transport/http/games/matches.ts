import type { GameId } from "@holo/kernel/ids.ts";
import { ok, refuse } from "@holo/kernel/result.ts";
import type { Arena } from "../../../arena/arena.ts";
import type { Handlers } from "../routes.ts";
import { requireSession } from "../session.ts";

type MatchRoute = "matches" | "match" | "settlement" | "log" | "availability" | "stats";

/** The arena's views by HTTP. Commands go over the socket alone. */
export function makeMatchHandlers(arena: Arena): Handlers<MatchRoute> {
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

    async settlement(call) {
      const session = await requireSession(call);
      if (!session.ok) return session;
      const entries = await arena.loadSettlement(call.params.id as GameId, session.value.player.id);
      if (!entries.ok) return entries;
      const views = entries.value.map((entry) => ({ ...entry, postings: [...entry.postings] }));
      return ok({ body: { entries: views } });
    },

    async log({ params, findSession }) {
      const session = await findSession();
      const log = await arena.loadGameLog(params.id as GameId, session?.player.id ?? null);
      return log.ok ? ok({ body: { ...log.value, rows: [...log.value.rows] } }) : log;
    },

    async availability({ findSession }) {
      const session = await findSession();
      if (session === null) return refuse("login_required");
      const waiting = arena.availability().map((terms) => ({ ...terms, creators: [...terms.creators] }));
      return ok({ body: { waiting } });
    },

    async stats() {
      return ok({ body: arena.stats() });
    },
  };
}
