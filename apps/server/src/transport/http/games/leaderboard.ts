import { ok } from "@holo/kernel/result.ts";
import type { Arena } from "../../../arena/arena.ts";
import { loadBalanceHistory } from "../../../ledger/ledger.ts";
import type { Queries } from "../../../platform/database/database.ts";
import type { Handlers } from "../routes.ts";
import { requireSession } from "../session.ts";

export interface LeaderboardDeps {
  readonly arena: Pick<Arena, "loadLeaderboard" | "loadWinRates">;
  readonly queries: Queries;
}

/** More than a plot on a phone has room for. */
const POINTS = 120;

/** Where players stand among each other, and how the viewer came to where they are. */
export function makeLeaderboardHandlers({ arena, queries }: LeaderboardDeps): Handlers<"leaderboard" | "history"> {
  return {
    async leaderboard({ query, findSession }) {
      const session = await findSession();
      const { top, rows, ...rest } = await arena.loadLeaderboard({
        game: query.game ?? null,
        period: query.period ?? "all",
        page: Number(query.page ?? 1),
        viewer: session?.player.id ?? null,
      });
      return ok({ body: { ...rest, top: [...top], rows: [...rows] } });
    },

    async history(call) {
      const session = await requireSession(call);
      if (!session.ok) return session;
      const { id } = session.value.player;
      const [balance, winRate] = await Promise.all([
        loadBalanceHistory(queries, id, POINTS),
        arena.loadWinRates(id, POINTS),
      ]);
      return ok({
        body: {
          balance: balance.map((point) => ({ ...point, balance: String(point.balance) })),
          winRate: [...winRate],
        },
      });
    },
  };
}
