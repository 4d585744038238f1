import type { PlayerId } from "@holo/kernel/ids.ts";
import type {
  OpponentView,
  PlayerStatsView,
  RatedPlayView,
  WinRatePointView,
} from "@holo/protocol/accounts/players.ts";
import { type LoadPlayers, loadMatchViews } from "../game/game.ts";
import type { Database } from "../platform/database/database.ts";
import type { Time } from "../platform/time/time.ts";
import { type LadderLoader, openLadders } from "./ladders.ts";
import { type Leaderboard, openLeaderboard } from "./leaderboard.ts";
import { type GameCounts, loadCounts, loadNewestPlayed, loadOutcomes, loadWinRates } from "./player-stats.ts";
import {
  type BestWin,
  loadOpponents,
  loadRatedPlay,
  loadScore,
  type OpponentQuestion,
} from "./ratings/opponents-store.ts";

export { loadRatings } from "./ratings/opponents-store.ts";
export { rebuildRatings } from "./ratings/rebuild-ratings.ts";

/** What players have done. */
export interface Players extends Leaderboard, LadderLoader {
  loadCounts(playerId: PlayerId): Promise<GameCounts>;
  loadPlayerStats(playerId: PlayerId, viewer: PlayerId | null): Promise<PlayerStats>;
  /** What players are like as opponents at one game. */
  loadOpponents(question: Omit<OpponentQuestion, "at">): Promise<readonly OpponentView[]>;
  loadWinRates(playerId: PlayerId, points: number): Promise<readonly WinRatePointView[]>;
}

type PlayerStats = Pick<PlayerStatsView, "games" | "rated" | "score" | "aborts" | "recent">;

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
    ...openLadders({ queries, time, loadPlayers }),
    loadCounts: (playerId) => loadCounts(queries, playerId),
    loadWinRates: (playerId, points) => loadWinRates(queries, playerId, points),
    loadOpponents: (question) => loadOpponents(queries, { ...question, at: time.now() }),
    async loadPlayerStats(playerId, viewer) {
      const [outcomes, newest, rated, score] = await Promise.all([
        loadOutcomes(queries, playerId),
        loadNewestPlayed(queries, playerId, RECENT_MAX),
        loadRatedPlay(queries, playerId, time.now()),
        viewer === null || viewer === playerId ? null : loadScore(queries, viewer, playerId),
      ]);
      const [recent, beaten] = await Promise.all([
        loadMatchViews(newest, loadPlayers),
        loadPlayers(rated.flatMap(({ bestWin }) => (bestWin === null ? [] : [bestWin.playerId]))),
      ]);
      const named = rated.map((play) => ({ ...play, id: playerId, score, bestWin: toBestWin(play.bestWin, beaten) }));
      return { ...outcomes, rated: named, score, recent };
    },
  };
}

function toBestWin(win: BestWin | null, names: Awaited<ReturnType<LoadPlayers>>): RatedPlayView["bestWin"] {
  const player = win === null ? undefined : names.get(win.playerId);
  if (win === null || player === undefined) return null;
  return { gameId: win.gameId, player, rating: win.rating, at: win.at };
}
