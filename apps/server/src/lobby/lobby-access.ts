import type { PlayerId } from "@holo/kernel/ids.ts";
import { SECOND_MS } from "@holo/kernel/instant.ts";
import type { LobbyFilter } from "@holo/protocol/game/games.ts";
import type { StatsView } from "@holo/protocol/platform.ts";
import type { ArenaTopics } from "../game/topics.ts";
import type { Bus } from "../platform/bus.ts";
import type { Queries } from "../platform/database/database.ts";
import type { Log } from "../platform/log.ts";
import type { OwnServer } from "../platform/servers/own-server.ts";
import type { Time } from "../platform/time/time.ts";
import type { TimerWheel } from "../platform/time/timer-wheel.ts";
import type { FeedWatcher } from "./feed-watcher.ts";
import type { LobbyParts } from "./lobby-parts.ts";
import type { LobbyWatch } from "./lobby-view.ts";
import { openOnlineElsewhere } from "./online-elsewhere.ts";
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
  /** With several servers, to be called every second: who is connected to the others. */
  refreshOnline(): Promise<void>;
}

interface LobbyAccessDeps extends Pick<LobbyParts, "online" | "lobby" | "feed" | "availability" | "stats"> {
  readonly queries: Queries;
  readonly own: OwnServer;
  readonly bus: Bus<ArenaTopics>;
  readonly time: Time;
  readonly wheel: TimerWheel;
  readonly log: Log;
}

export function openLobbyAccess(deps: LobbyAccessDeps): LobbyAccess {
  const { online, lobby, feed, availability, stats, own, time, wheel } = deps;

  function changed(playerId: PlayerId): void {
    stats.changed();
    availability.presenceChanged(playerId);
  }

  function hideLater(playerId: PlayerId): void {
    wheel.schedule(time.monotonicMs() + HIDDEN_AFTER_MS + SECOND_MS, () => {
      if (!online.isReachable(playerId)) lobby.refresh(playerId);
    });
  }

  function changedElsewhere(playerId: PlayerId, isThere: boolean): void {
    online.noteElsewhere(playerId, isThere);
    changed(playerId);
    if (isThere) lobby.refresh(playerId);
    else hideLater(playerId);
  }
  const { listConnected } = online;
  const elsewhere = own.isShared ? openOnlineElsewhere({ ...deps, listConnected, onChange: changedElsewhere }) : null;

  return {
    connect(playerId) {
      const wasReachable = online.isReachable(playerId);
      if (!online.connect(playerId)) return;
      elsewhere?.connected(playerId);
      changed(playerId);
      if (!wasReachable) lobby.refresh(playerId);
    },
    disconnect(playerId) {
      if (!online.disconnect(playerId)) return;
      elsewhere?.disconnected(playerId);
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
    refreshOnline: async () => await elsewhere?.refresh(),
  };
}
