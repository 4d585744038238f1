import { ok, refuse } from "@holo/kernel/result.ts";
import { EVERY_MATCH, toSearch } from "@holo/protocol/lobby/lobby.ts";
import { MATCHES_PER_PAGE } from "@holo/protocol/lobby/match-list-terms.ts";
import { LIMIT_MINUTES, STAKES } from "@holo/table/stakes.ts";
import type { Games } from "../../../game/game.ts";
import type { Lobby } from "../../../lobby/lobby.ts";
import type { Matches } from "../../../match/match.ts";
import { type Handlers, replyWith } from "../routes.ts";
import { RECORDS_PER_REQUEST } from "./game-export.ts";

type MatchRoute = "matches" | "match" | "settlement" | "log" | "stats" | "invitation" | "ownInvitation";

interface MatchHandlerDeps {
  readonly games: Games;
  readonly matches: Matches;
  readonly lobby: Lobby;
}

export function makeMatchHandlers({ games, matches, lobby }: MatchHandlerDeps): Handlers<MatchRoute> {
  return {
    async matches({ query, findSession }) {
      const session = await findSession();
      const isMine = query.mine === "true";
      if (isMine && session === null) return refuse("login_required");
      const list = await lobby.loadMatches({
        viewer: session?.player.id ?? null,
        isMine,
        filter: {
          status: query.status ?? null,
          game: query.game ?? null,
          stakeMin: findNumber(STAKES, query.stakeMin) ?? EVERY_MATCH.stakeMin,
          stakeMax: findNumber(STAKES, query.stakeMax) ?? EVERY_MATCH.stakeMax,
          limitMinutes: findNumber(LIMIT_MINUTES, query.limitMinutes),
          search: toSearch(query.search ?? ""),
        },
        count: Number(query.count ?? MATCHES_PER_PAGE),
      });
      return ok({ body: list });
    },

    async match({ params, findSession }) {
      const session = await findSession();
      const match = await games.loadMatch(params.id, session?.player.id ?? null);
      return match === null ? refuse("unknown_game") : ok({ body: match });
    },

    async settlement({ session, params }) {
      return replyWith(await games.loadSettlement(params.id, session.player.id), (settlement) => settlement);
    },

    async log({ params, findSession, charge }) {
      const session = await findSession();
      const log = await games.loadGameLog(params.id, session?.player.id ?? null);
      if (log.ok) charge(log.value.rows.length / RECORDS_PER_REQUEST);
      return replyWith(log, (value) => value);
    },

    async invitation({ params }) {
      const invitation = await matches.findInvitation(params.token);
      return invitation === null ? refuse("unknown_invitation") : ok({ body: invitation });
    },

    async ownInvitation({ params, session }) {
      const token = await matches.findOwnInvitation(params.id, session.player.id);
      return token === null ? refuse("unknown_game") : ok({ body: { token } });
    },

    async stats() {
      return ok({ body: lobby.stats() });
    },
  };
}

function findNumber<Value extends number>(values: readonly Value[], digits: string | undefined): Value | null {
  return values.find((value) => String(value) === digits) ?? null;
}
