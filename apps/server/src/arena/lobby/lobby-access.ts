import { type PlayerId, toPlayerId } from "@holo/kernel/ids.ts";
import { SECOND_MS } from "@holo/kernel/instant.ts";
import type { LobbyFilter } from "@holo/protocol/arena/games.ts";
import type { StatsView } from "@holo/protocol/platform.ts";
import type { Servers } from "../../platform/servers/servers.ts";
import type { Time } from "../../platform/time/time.ts";
import type { TimerWheel } from "../../platform/time/timer-wheel.ts";
import { parseSeatKey } from "../table/outage-store.ts";
import type { FeedWatcher } from "./feed-watcher.ts";
import type { LobbyParts } from "./lobby-parts.ts";
import type { LobbyWatch } from "./lobby-view.ts";
import { HIDDEN_AFTER_MS } from "./online-players.ts";

/** Connections of players, and what a connection can watch in the lobby. */
export interface LobbyAccess {
  /** Once per connection of a player, followed by one `disconnect`. */
  connect(playerId: PlayerId): void;
  disconnect(playerId: PlayerId): void;
  /**
   * Sends a list of matches, then its changes, until another watch or `unwatchLobby`. Returns the
   * number of matches sent.
   */
  watchLobby(watcher: FeedWatcher, watch: LobbyWatch): Promise<number>;
  unwatchLobby(watcher: FeedWatcher): void;
  /** Whether a watch of this filter needs no query. */
  isLobbyServed(filter: LobbyFilter): boolean;
  watchAvailability(watcher: FeedWatcher): Promise<void>;
  unwatchAvailability(watcher: FeedWatcher): void;
  watchStats(watcher: FeedWatcher): void;
  unwatchStats(watcher: FeedWatcher): void;
  /** A player has blocked or unblocked another. */
  relationsChanged(playerIds: readonly PlayerId[]): void;
  stats(): StatsView;
}

interface LobbyAccessDeps extends Pick<LobbyParts, "online" | "lobby" | "feed" | "availability" | "stats"> {
  readonly servers: Servers;
  readonly time: Time;
  readonly wheel: TimerWheel;
}

export function openLobbyAccess(deps: LobbyAccessDeps): LobbyAccess {
  const { online, lobby, feed, availability, stats, servers, time, wheel } = deps;

  function changed(playerId: PlayerId): void {
    stats.changed();
    availability.presenceChanged(playerId);
  }

  function hideLater(playerId: PlayerId): void {
    wheel.schedule(time.monotonicMs() + HIDDEN_AFTER_MS + SECOND_MS, () => {
      if (!online.isReachable(playerId)) lobby.refresh(playerId);
    });
  }

  servers.onHeldElsewhere((key, isOnline) => {
    if (parseSeatKey(key) !== null) return;
    const playerId = toPlayerId(key);
    online.noteElsewhere(playerId, isOnline);
    changed(playerId);
    if (isOnline) lobby.refresh(playerId);
    else hideLater(playerId);
  });

  return {
    connect(playerId) {
      const wasReachable = online.isReachable(playerId);
      if (!online.connect(playerId)) return;
      changed(playerId);
      if (!wasReachable) lobby.refresh(playerId);
    },
    disconnect(playerId) {
      if (!online.disconnect(playerId)) return;
      changed(playerId);
      hideLater(playerId);
    },
    watchLobby: (watcher, watch) => feed.watch(watcher, watch),
    unwatchLobby: (watcher) => feed.unwatch(watcher),
    isLobbyServed: (filter) => feed.isServed(filter),
    watchAvailability: availability.watch,
    unwatchAvailability: availability.unwatch,
    watchStats: stats.watch,
    unwatchStats: stats.unwatch,
    relationsChanged(playerIds) {
      feed.relationsChanged(playerIds);
      availability.relationsChanged(playerIds);
    },
    stats: stats.current,
  };
}
