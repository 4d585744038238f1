import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { MatchView } from "@holo/protocol/game/games.ts";
import { STATUSES } from "@holo/table/state.ts";
import type { Queries } from "../../platform/database/database.ts";
import { isHiddenFrom, loadGame } from "../log/game-store.ts";
import { loadMatchViews } from "../table/match-view.ts";
import type { LoadPlayers } from "../table/table-content.ts";
import { listTerms, loadListedGames } from "./game-queries.ts";

/** The number of games in a profile. */
const OWN_MATCHES_MAX = 100;

export interface PlayerGames {
  /** Null without such a game, or for a waiting game that the viewer may not see (ruling 22). */
  loadMatch(gameId: GameId, viewer: PlayerId | null): Promise<MatchView | null>;
  loadOwnMatches(playerId: PlayerId): Promise<readonly MatchView[]>;
  /** A player's games, newest first. `before` (ms since 1970) selects games created earlier. */
  loadGamesOf(playerId: PlayerId, before: number | null, limit: number): Promise<readonly MatchView[]>;
}

export function openPlayerGames(queries: Queries, loadPlayers: LoadPlayers): PlayerGames {
  const loadGamesOf: PlayerGames["loadGamesOf"] = async (playerId, before, limit) => {
    const any = { statuses: STATUSES, terms: listTerms(), search: null, hiddenCreators: new Map() };
    const games = await loadListedGames(queries, { playerId, viewer: playerId, ...any, before, limit });
    return await loadMatchViews(games, loadPlayers);
  };

  return {
    async loadMatch(gameId, viewer) {
      const game = await loadGame(queries, gameId);
      if (game === null || (game.status === "waiting" && viewer === null) || isHiddenFrom(viewer, game)) return null;
      const [match] = await loadMatchViews([game], loadPlayers);
      return match ?? null;
    },
    loadOwnMatches: (playerId) => loadGamesOf(playerId, null, OWN_MATCHES_MAX),
    loadGamesOf,
  };
}
