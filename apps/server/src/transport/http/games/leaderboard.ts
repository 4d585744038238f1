import { ok } from "@holo/kernel/result.ts";
import { loadBalanceHistory } from "../../../ledger/ledger.ts";
import type { Queries } from "../../../platform/database/database.ts";
import type { Players } from "../../../players/players.ts";
import type { Handlers } from "../routes.ts";

interface LeaderboardDeps {
  readonly players: Pick<Players, "loadLeaderboard" | "loadLadders" | "loadWinRates">;
  readonly queries: Queries;
}

/** More than a plot on a phone has room for. */
const POINTS = 120;

export function makeLeaderboardHandlers({
  players,
  queries,
}: LeaderboardDeps): Handlers<"leaderboard" | "ladders" | "history"> {
  return {
    async leaderboard({ query, findSession }) {
      const session = await findSession();
      const leaderboard = await players.loadLeaderboard({
        game: query.game ?? null,
        period: query.period ?? "all",
        page: Number(query.page ?? 1),
        viewer: session?.player.id ?? null,
      });
      return ok({ body: leaderboard });
    },

    async ladders({ query, findSession }) {
      const session = await findSession();
      return ok({ body: await players.loadLadders(query.game, session?.player.id ?? null) });
    },

    async history({ session }) {
      const { id } = session.player;
      const [balance, winRate] = await Promise.all([
        loadBalanceHistory(queries, id, POINTS),
        players.loadWinRates(id, POINTS),
      ]);
      return ok({
        body: {
          balance: balance.map((point) => ({ ...point, balance: String(point.balance) })),
          winRate,
        },
      });
    },
  };
}
