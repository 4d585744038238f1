import { addMs, DAY_MS, toInstant } from "@holo/kernel/instant.ts";
import type { Status } from "@holo/table/state.ts";
import { searchPlayers } from "../../apps/server/src/accounts/accounts.ts";
import type { TestPlayer } from "../../apps/server/src/accounts/testing/test-players.ts";
import { countGames, listTerms, loadListedGames } from "../../apps/server/src/game/history/game-queries.ts";
import {
  loadBalanceHistory,
  loadDayFigures,
  loadDebt,
  loadOwedFigures,
  loadPlatformFigures,
  loadRevenueFigures,
  loadStatement,
  loadUnplayed,
  loadWallet,
} from "../../apps/server/src/ledger/ledger.ts";
import { loadWithdrawable } from "../../apps/server/src/payments/withdrawal/withdrawable.ts";
import type { Queries } from "../../apps/server/src/platform/database/database.ts";
import { loadPlayerRanking, loadRanking } from "../../apps/server/src/players/leaderboard-store.ts";
import {
  loadCounts,
  loadNewestPlayed,
  loadOutcomes,
  loadWinRates,
} from "../../apps/server/src/players/player-stats.ts";

export interface PageQueries {
  readonly page: string;
  load(queries: Queries): Promise<unknown>;
}

const ENDED: readonly Status[] = ["completed", "timeout"];
const LISTED: readonly Status[] = ["waiting", "active", ...ENDED];
const ALL: readonly Status[] = [...LISTED, "cancelled"];

/** `veteran` has played the most. */
export function listPages({ id: veteran, username }: Pick<TestPlayer, "id" | "username">): readonly PageQueries[] {
  const now = toInstant(Date.now());
  const list = {
    playerId: null,
    viewer: veteran,
    terms: listTerms(),
    search: null,
    hiddenCreators: new Map(),
    before: null,
  };
  const search = { games: [], limits: [], playerIds: [] };
  return [
    { page: "matches, newest", load: (queries) => loadListedGames(queries, { ...list, statuses: LISTED, limit: 31 }) },
    {
      page: "matches, completed",
      load: (queries) => loadListedGames(queries, { ...list, statuses: ENDED, limit: 31 }),
    },
    {
      page: "matches, searched by minutes",
      load: (queries) =>
        loadListedGames(queries, { ...list, statuses: LISTED, search: { ...search, limits: [5] }, limit: 31 }),
    },
    {
      page: "matches, searched by name",
      async load(queries) {
        const playerIds = await searchPlayers(queries, username);
        return await loadListedGames(queries, {
          ...list,
          statuses: LISTED,
          search: { ...search, playerIds },
          limit: 31,
        });
      },
    },
    {
      page: "history of a player",
      async load(queries) {
        await loadCounts(queries, veteran);
        return await loadListedGames(queries, { ...list, playerId: veteran, statuses: ALL, limit: 100 });
      },
    },
    {
      page: "profile of a player",
      async load(queries) {
        await loadOutcomes(queries, veteran);
        await loadNewestPlayed(queries, veteran, 10);
        return await loadWinRates(queries, veteran, 30);
      },
    },
    {
      page: "leaderboard of all time",
      async load(queries) {
        await loadRanking(queries, { game: null, since: null }, 1_003);
        return await loadPlayerRanking(queries, { game: null, since: null }, veteran);
      },
    },
    {
      page: "leaderboard of a week",
      async load(queries) {
        const scope = { game: null, since: addMs(now, -7 * DAY_MS) };
        await loadRanking(queries, scope, 1_003);
        return await loadPlayerRanking(queries, scope, veteran);
      },
    },
    {
      page: "wallet",
      async load(queries) {
        const { balance } = await loadWithdrawable(queries, veteran, now);
        await loadDebt(queries, veteran);
        return await loadUnplayed(queries, veteran, balance);
      },
    },
    {
      page: "statement",
      async load(queries) {
        await loadWallet(queries, veteran);
        await loadBalanceHistory(queries, veteran, 60);
        return await loadStatement(queries, veteran, { before: null, kind: null, limit: 51 });
      },
    },
    {
      page: "statement, deposits",
      load: (queries) => loadStatement(queries, veteran, { before: null, kind: "deposit", limit: 51 }),
    },
    {
      page: "overview for staff",
      async load(queries) {
        await loadPlatformFigures(queries);
        await loadRevenueFigures(queries);
        await loadOwedFigures(queries);
        await loadDayFigures(queries, addMs(now, -DAY_MS));
        return await countGames(queries);
      },
    },
    {
      page: "revenue",
      async load(queries) {
        await loadRevenueFigures(queries);
        return await loadPlatformFigures(queries);
      },
    },
  ];
}
