import type { GameId } from "@holo/kernel/ids.ts";
import type { ClientFrame, ServerFrame } from "@holo/protocol/frames.ts";
import type { AvailabilityView, MatchView } from "@holo/protocol/games.ts";
import type { StatsView } from "@holo/protocol/platform.ts";

export interface LobbyHandlers {
  readonly onMatch: (match: MatchView) => void;
  readonly onMatchGone: (gameId: GameId) => void;
  readonly onAvailability: (waiting: readonly AvailabilityView[]) => void;
  /** The lobby was not updated since the previous connection: load the lists again. */
  readonly onResumed?: () => void;
}

interface LobbySubscriptions {
  watchLobby(handlers: LobbyHandlers): () => void;
  watchStats(listener: (stats: StatsView) => void): () => void;
  /** Subscribes again on a new connection. */
  requestAll(): void;
  receive(frame: ServerFrame): void;
}

/** The list of games, and the numbers of players and games. */
export function createLobbySubscriptions(send: (frame: ClientFrame) => boolean): LobbySubscriptions {
  const lobby = new Set<LobbyHandlers>();
  const statsListeners = new Set<(stats: StatsView) => void>();
  let isFirstConnection = true;

  return {
    watchLobby(handlers) {
      lobby.add(handlers);
      // Every subscriber gets the whole lobby, so a second one asks again.
      send({ type: "watch_lobby" });
      return () => {
        if (lobby.delete(handlers) && lobby.size === 0) send({ type: "unwatch_lobby" });
      };
    },
    watchStats(listener) {
      statsListeners.add(listener);
      // Every subscriber gets the numbers at once, so a second one asks again.
      send({ type: "watch_stats" });
      return () => {
        if (statsListeners.delete(listener) && statsListeners.size === 0) send({ type: "unwatch_stats" });
      };
    },
    requestAll() {
      if (lobby.size > 0) send({ type: "watch_lobby" });
      if (statsListeners.size > 0) send({ type: "watch_stats" });
      if (!isFirstConnection) for (const handlers of lobby) handlers.onResumed?.();
      isFirstConnection = false;
    },
    receive(frame) {
      for (const handlers of lobby) {
        if (frame.type === "match") handlers.onMatch(frame.match);
        else if (frame.type === "match_gone") handlers.onMatchGone(frame.gameId);
        else if (frame.type === "availability") handlers.onAvailability(frame.waiting);
      }
      if (frame.type === "stats") for (const listener of statsListeners) listener(frame);
    },
  };
}
