import type { PlayerId } from "@holo/kernel/ids.ts";
import type { LobbyFilter } from "@holo/protocol/game/games.ts";
import type { StatsView } from "@holo/protocol/platform.ts";
import { findNeverPairedOf } from "../accounts/accounts.ts";
import { type LoadPlayers, loadActiveIds, loadGames, loadMatchViews, loadWaiting } from "../game/game.ts";
import type { WaitingGames } from "../match/match.ts";
import type { Bus } from "../platform/bus.ts";
import type { Database } from "../platform/database/database.ts";
import type { Log } from "../platform/log.ts";
import type { Metrics } from "../platform/metrics/metrics.ts";
import { openPacedDelivery } from "../platform/paced-delivery.ts";
import type { OwnServer } from "../platform/servers/own-server.ts";
import type { Time } from "../platform/time/time.ts";
import type { TimerWheel } from "../platform/time/timer-wheel.ts";
import { openAvailabilityFeed } from "./availability-feed.ts";
import { type Connections, loadLastSeen, openConnections } from "./connections.ts";
import type { FeedWatcher } from "./feed-watcher.ts";
import { openListedMatches } from "./listed-matches.ts";
import { openLiveStats } from "./live-stats.ts";
import { LobbyFeed } from "./lobby-feed.ts";
import type { LobbyWatch } from "./lobby-view.ts";
import { type MatchLists, openMatchLists } from "./match-lists.ts";
import { openNeverPairedLoader } from "./never-paired-loader.ts";
import { type OnlinePlayers, openOnlinePlayers } from "./online-players.ts";
import type { LobbyTopics } from "./topics.ts";

export type { FeedWatcher, SharedFrame } from "./feed-watcher.ts";
export type { LobbyTopics } from "./topics.ts";

/** The players who are here, the games that wait and are played, and what is sent about them. */
export interface Lobby
  extends Connections,
    Pick<MatchLists, "loadMatches">,
    Pick<OnlinePlayers, "isOnline" | "isReachable" | "listConnected"> {
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
  /** Messages of other servers were missed: reads the games that wait and are played again. */
  resync(): Promise<void>;
  close(): void;
}

interface LobbyDeps {
  readonly database: Database;
  readonly own: OwnServer;
  readonly bus: Bus<LobbyTopics>;
  readonly time: Time;
  readonly wheel: TimerWheel;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly waitingGames: WaitingGames;
  readonly feeBps: () => number;
  readonly loadPlayers: LoadPlayers;
  readonly searchPlayers: (text: string) => Promise<readonly PlayerId[]>;
}

export async function openLobby(deps: LobbyDeps): Promise<Lobby> {
  const { database, bus, time, metrics, waitingGames, loadPlayers } = deps;
  const queries = database.kysely;
  const delivery = openPacedDelivery();
  const lastSeen = await loadLastSeen(database, waitingGames, time.now());
  const online = openOnlinePlayers(time, lastSeen);
  const { isOnline, isReachable, listConnected } = online;
  const stats = openLiveStats({ ...deps, delivery, presence: online, activeNow: await loadActiveIds(queries) });
  const listed = openListedMatches(bus, online, waitingGames);
  const lists = openMatchLists({ ...deps, queries, listed });
  const loadNeverPaired = openNeverPairedLoader((playerIds) => findNeverPairedOf(queries, playerIds, time.now()));
  const feed = new LobbyFeed({ ...deps, delivery, isReachable, loadNeverPaired, loadMatches: lists.loadListed });
  const waiting = waitingGames.byCreator;
  const availability = openAvailabilityFeed({ ...deps, delivery, waiting, isOnline, loadNeverPaired });
  function onChange(playerId: PlayerId): void {
    stats.changed();
    availability.presenceChanged(playerId);
  }
  metrics.gauge("holo_players_online", "Players connected to any server", online.onlineCount);
  metrics.gauge("holo_players_away", "Recently disconnected players still in memory", online.awayCount);
  metrics.gauge("holo_games_playing", "Games in progress on any server", () => stats.current().gamesPlaying);
  metrics.gauge(
    "holo_games_waiting",
    "Games waiting for an opponent on any server, including hidden ones",
    () => waiting.size,
  );

  return {
    ...openConnections({ ...deps, online, listed, onChange }, lastSeen),
    loadMatches: lists.loadMatches,
    isOnline,
    isReachable,
    listConnected,
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
    async resync() {
      const [rows] = await Promise.all([loadWaiting(queries), stats.reloadPlaying(() => loadActiveIds(queries))]);
      const ids = new Set(rows.map(({ id }) => id));
      const known = new Set([...waiting.values()].map(({ id }) => id));
      const gone = await loadGames(
        queries,
        [...known].filter((id) => !ids.has(id)),
      );
      const changed = [...gone, ...rows.filter(({ id }) => !known.has(id))];
      for (const match of await loadMatchViews(changed, loadPlayers)) waitingGames.note(match);
      await feed.refresh();
    },
    close: () => delivery.close(),
  };
}
