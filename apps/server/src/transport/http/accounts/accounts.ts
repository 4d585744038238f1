import type { PlayerId } from "@holo/kernel/ids.ts";
import { ok } from "@holo/kernel/result.ts";
import type { MaintenanceView, SettingsView } from "@holo/protocol/platform.ts";
import type { RouteResponse } from "@holo/protocol/routes.ts";
import type { Accounts, Session } from "../../../accounts/accounts.ts";
import type { Games } from "../../../game/game.ts";
import { loadWallet } from "../../../ledger/ledger.ts";
import type { Matches } from "../../../match/match.ts";
import type { Queries } from "../../../platform/database/database.ts";
import type { Time } from "../../../platform/time/time.ts";
import type { Players } from "../../../players/players.ts";
import { type Handlers, replyWith, toEmpty } from "../routes.ts";
import { loadLimitsView } from "./restrictions.ts";

interface AccountHandlerDeps {
  readonly accounts: Accounts;
  readonly games: Pick<Games, "loadOpenGame" | "loadOwnMatches">;
  readonly matches: Pick<Matches, "loadCoolDownEndAt">;
  readonly players: Pick<Players, "loadCounts">;
  readonly queries: Queries;
  readonly time: Time;
  readonly settings: () => SettingsView;
  readonly maintenance: () => MaintenanceView | null;
}

type AccountRoute =
  | "register"
  | "login"
  | "logout"
  | "verifyEmail"
  | "resendVerification"
  | "session"
  | "profile"
  | "updateProfile";

export function makeAccountHandlers(deps: AccountHandlerDeps): Handlers<AccountRoute> {
  const { accounts, games, matches, players, queries, time, settings, maintenance } = deps;

  async function loadBalance(playerId: PlayerId): Promise<string> {
    return String((await loadWallet(queries, playerId))?.balance ?? 0n);
  }

  async function loadSessionView(session: Pick<Session, "player" | "role"> | null): Promise<RouteResponse<"session">> {
    const visitor = { player: null, role: null, balance: "0", openGame: null, pausedUntil: null, limits: null };
    if (session === null) return { ...visitor, settings: settings(), maintenance: maintenance() };
    const { player, role } = session;
    const [balance, openGame, pausedUntil, limits] = await Promise.all([
      loadBalance(player.id),
      games.loadOpenGame(player.id),
      matches.loadCoolDownEndAt(player.id),
      loadLimitsView(queries, player.id, time.now()),
    ]);
    return {
      player,
      role,
      balance,
      openGame,
      settings: settings(),
      pausedUntil,
      limits,
      maintenance: maintenance(),
    };
  }

  return {
    async register({ body, client }) {
      return replyWith(await accounts.register(body, client), toEmpty);
    },

    async login({ body, client }) {
      const loggedIn = await accounts.login(body, client);
      if (!loggedIn.ok) return loggedIn;
      const { session, isFirst, setCookies } = loggedIn.value;
      return ok({ body: { ...(await loadSessionView(session)), isFirst }, setCookies });
    },

    async logout({ client }) {
      const setCookies = await accounts.logout(client.cookie);
      return ok({ body: await loadSessionView(null), setCookies });
    },

    async verifyEmail({ body, client }) {
      return replyWith(await accounts.verifyEmail(body.token, client.cookie), toEmpty);
    },

    async resendVerification({ session }) {
      return replyWith(await accounts.resendVerification(session.player.id), toEmpty);
    },

    async session({ findSession, client }) {
      const session = await findSession();
      const setCookies = session === null ? [] : await accounts.renewSession(session, client);
      return ok({ body: await loadSessionView(session), setCookies });
    },

    async profile({ session: { player } }) {
      const [balance, counts, own] = await Promise.all([
        loadBalance(player.id),
        players.loadCounts(player.id),
        games.loadOwnMatches(player.id),
      ]);
      const losses = counts.completed - counts.free - counts.wins - counts.draws;
      return ok({ body: { player, balance, games: { ...counts, losses }, matches: own } });
    },

    async updateProfile({ session, body }) {
      return ok({ body: await accounts.updateProfile(session.player.id, body) });
    },
  };
}
