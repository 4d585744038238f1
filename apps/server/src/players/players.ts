import type { PlayerId } from "@holo/kernel/ids.ts";
import type { PlayerStatsView, WinRatePointView } from "@holo/protocol/accounts/players.ts";
import { type LoadPlayers, loadMatchViews } from "../game/game.ts";
import type { Database } from "../platform/database/database.ts";
import type { Time } from "../platform/time/time.ts";
import { type Leaderboard, openLeaderboard } from "./leaderboard.ts";
import { type GameCounts, loadCounts, loadNewestPlayed, loadOutcomes, loadWinRates } from "./player-stats.ts";

export { type RebuiltRatings, rebuildRatings } from "./ratings/rebuild-ratings.ts";

/** What players have done. */
export interface Players extends Leaderboard {
  loadCounts(playerId: PlayerId): Promise<GameCounts>;
  loadPlayerStats(playerId: PlayerId): Promise<Pick<PlayerStatsView, "games" | "aborts" | "recent">>;
  loadWinRates(playerId: PlayerId, points: number): Promise<readonly WinRatePointView[]>;
}

interface PlayersDeps {
  readonly database: Database;
  readonly time: Time;
  readonly loadPlayers: LoadPlayers;
}

const RECENT_MAX = 10;

export function openPlayers({ database, time, loadPlayers }: PlayersDeps): Players {
  const queries = database.kysely;
  return {
    ...openLeaderboard({ queries, time, loadPlayers }),
    loadCounts: (playerId) => loadCounts(queries, playerId),
    loadWinRates: (playerId, points) => loadWinRates(queries, playerId, points),
    async loadPlayerStats(playerId) {
      const [outcomes, newest] = await Promise.all([
        loadOutcomes(queries, playerId),
        loadNewestPlayed(queries, playerId, RECENT_MAX),
      ]);
      return { ...outcomes, recent: await loadMatchViews(newest, loadPlayers) };
    },
  };
}
