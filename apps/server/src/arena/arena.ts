import { type GameId, type PlayerId, toPlayerId } from "@holo/kernel/ids.ts";
import { type Instant, MINUTE_MS, SECOND_MS, toInstant } from "@holo/kernel/instant.ts";
import type { InvitationView } from "@holo/protocol/invitations.ts";
import type { LobbyFilter } from "@holo/protocol/lobby.ts";
import type { StatsView } from "@holo/protocol/platform.ts";
import type { Outage } from "@holo/table/clock.ts";
import { findNeverPairedOf, loadSessionsSeen } from "../accounts/accounts.ts";
import type { Bus } from "../platform/bus.ts";
import { type Cluster, makeOnlyServer } from "../platform/cluster/cluster.ts";
import type { Database } from "../platform/database/database.ts";
import type { Log } from "../platform/log.ts";
import type { Metrics } from "../platform/metrics/metrics.ts";
import { loadLastSeenAt } from "../platform/nodes.ts";
import type { OutageMeter } from "../platform/time/outage-meter.ts";
import type { Time } from "../platform/time/time.ts";
import type { TimerWheel } from "../platform/time/timer-wheel.ts";
import { type Answer, UNKNOWN } from "./answer.ts";
import { type CatchUp, openCatchUp } from "./catch-up.ts";
import { Chat, type ChatOrder } from "./chat/chat.ts";
import { type DataExports, openDataExports } from "./history/data-export.ts";
import { type Evidence, openEvidence } from "./history/evidence.ts";
import { type GameExports, openGameExports } from "./history/game-export.ts";
import { type GameLists, openGameLists } from "./history/game-lists.ts";
import { type Leaderboard, openLeaderboard } from "./leaderboard/leaderboard.ts";
import { openAvailabilityFeed } from "./lobby/availability-feed.ts";
import type { FeedWatcher } from "./lobby/feed-watcher.ts";
import { type LiveStats, openLiveStats } from "./lobby/live-stats.ts";
import { type Lobby, openLobby } from "./lobby/lobby.ts";
import { LobbyFeed } from "./lobby/lobby-feed.ts";
import type { LobbyWatch } from "./lobby/lobby-view.ts";
import { toMatchView } from "./lobby/match-view.ts";
import { openNeverPaired } from "./lobby/never-paired.ts";
import { HIDDEN_AFTER_MS, type OnlinePlayers, openOnlinePlayers } from "./lobby/online-players.ts";
import { openPacedDelivery, type PacedDelivery } from "./lobby/paced-delivery.ts";
import { openStatsStore } from "./lobby/stats-store.ts";
import { type GameRow, loadActiveIds, loadGame, loadWaiting } from "./log/game-store.ts";
import { GroupCommit } from "./log/group-commit.ts";
import { LifecycleCommit } from "./log/lifecycle-commit.ts";
import { loadCoolDownEndAt } from "./matchmaking/cool-down.ts";
import { openInvitations } from "./matchmaking/invitations.ts";
import { type CreateOrder, Matchmaking } from "./matchmaking/matchmaking.ts";
import { loadOpenGame, type OpenGame } from "./matchmaking/seat-store.ts";
import { WaitingGames } from "./matchmaking/waiting-games.ts";
import { openReports, type Reports } from "./moderation/reports.ts";
import { Broadcast } from "./table/broadcast.ts";
import { type Commands, openCommands } from "./table/commands.ts";
import { loadOutages, openOutageStore, parseSeatKey } from "./table/outage-store.ts";
import { TableRegistry } from "./table/registry.ts";
import { openSweeper } from "./table/sweeper.ts";
import type { WatchCost, Watcher } from "./table/table.ts";
import type { LoadPlayers } from "./table/table-content.ts";
import type { ArenaTopics } from "./topics.ts";

export { type Answer, refused, toFailure } from "./answer.ts";
export type { ChatOrder } from "./chat/chat.ts";
export { loadMessages } from "./chat/chat-store.ts";
export { loadPairFlows, type PairFlow } from "./fair-play/pair-flows.ts";
export { countGames } from "./history/game-queries.ts";
export type { FeedWatcher, SharedFrame } from "./lobby/feed-watcher.ts";
export type { SessionCheck, SettlementHook } from "./log/settlement.ts";
export type { CreateOrder } from "./matchmaking/matchmaking.ts";
export { hasOpenGame, removeOldCommands } from "./matchmaking/seat-store.ts";
export {
  findReportedPlayers,
  type ListedReport,
  loadConflictingPlayers,
  loadReports,
  lockReport,
  type ReportsPage,
  saveReportEnd,
} from "./moderation/reports-store.ts";
export { MOVE_SECONDS } from "./table/commands.ts";
export type { OfferType } from "./table/offer-check.ts";
export type { WatchCost, Watcher } from "./table/table.ts";
export type { ArenaTopics } from "./topics.ts";

/** Commands are idempotent by their id and answered once they are on disk. */
export interface Arena extends Commands, GameLists, Evidence, DataExports, GameExports, Reports, Leaderboard, CatchUp {
  create(order: CreateOrder): Promise<Answer>;
  chat(order: ChatOrder): Promise<Answer>;
  /** Whether the table is in memory: reading a long game from its log takes milliseconds. */
  isServed(gameId: GameId): boolean;
  /**
   * Sends a table since a version, then every record; null without such a game. `chatSince` is the
   * newest known message, `invitation` the link's token, needed to watch before the start.
   */
  watch(
    watcher: Watcher,
    gameId: GameId,
    since: number,
    chatSince?: number,
    invitation?: string,
  ): Promise<WatchCost | null>;
  findOwnInvitation(gameId: GameId, playerId: PlayerId): Promise<string | null>;
  findInvitation(token: string): Promise<InvitationView | null>;
  /** The watcher left the table: its player's rematch offer lapses (ruling 19). */
  unwatch(watcher: Watcher, gameId: GameId): void;
  /** The watcher's connection was lost; it may return. */
  dropWatcher(watcher: Watcher, gameId: GameId): void;
  /** Once per connection of a player, followed by one `disconnect`. */
  connect(playerId: PlayerId): void;
  disconnect(playerId: PlayerId): void;
  /** Sends a list of matches, then its changes, until another watch or `unwatchLobby`. */
  watchLobby(watcher: FeedWatcher, watch: LobbyWatch): Promise<void>;
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
  loadOpenGame(playerId: PlayerId): Promise<OpenGame | null>;
  loadCoolDownEndAt(playerId: PlayerId): Promise<Instant | null>;
  /** No player could be served during the outage: clocks are credited (ruling 16). */
  creditOutage(outage: Outage): void;
  /** Refuses new commands and waits until every command in flight is on disk. */
  close(): Promise<void>;
}

interface ArenaDeps {
  readonly database: Database;
  readonly cluster?: Cluster;
  /** Of this server, if it shares the database. */
  readonly bootId?: string | null;
  readonly bus: Bus<ArenaTopics>;
  readonly time: Time;
  readonly wheel: TimerWheel;
  readonly outages: OutageMeter;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly feeBps: () => number;
  readonly secret: string;
  readonly loadPlayers: LoadPlayers;
  readonly searchPlayers: (text: string) => Promise<readonly PlayerId[]>;
}

export async function openArena(options: ArenaDeps): Promise<Arena> {
  const deps = { ...options, cluster: options.cluster ?? makeOnlyServer() };
  const { database, bus, cluster, time, wheel, outages, log, metrics, feeBps, loadPlayers, bootId = null } = deps;
  const queries = database.kysely;
  const delivery = openPacedDelivery();
  const { online, lobby, stats, waitingGames, closeStats } = await openLobbyParts(deps, delivery);
  const lifecycle = new LifecycleCommit(database, metrics);
  const groupCommit = new GroupCommit(database, log, metrics);
  const broadcast = new Broadcast(queries, deps.bus, lobby, waitingGames, time);
  const knownOutages = await loadOutages(queries);
  const tables = new TableRegistry({ ...deps, groupCommit, lifecycle, broadcast }, knownOutages);
  const isReachable = online.isReachable;
  const invitations = openInvitations(deps.secret);
  const commands = openCommands({ queries, tables, metrics, time, outages, log, feeBps, invitations, isReachable });
  const outageStore = openOutageStore({ queries, time, wheel, log, bootId });
  const chat = new Chat({ queries, cluster, tables, time, log });
  const matchmaking = new Matchmaking({
    queries,
    lifecycle,
    tables,
    waitingGames,
    time,
    log,
    feeBps,
    isOnline: online.isOnline,
  });
  const sweeper = openSweeper({ queries, tables, time, wheel, log, cancelWaiting: commands.cancelWaiting });
  metrics.gauge("holo_tables", "Tables in memory on this server", () => tables.size);
  metrics.gauge("holo_tables_busy", "Tables with a command in progress", () => tables.countBusy());
  metrics.gauge("holo_games_playing", "Games in progress", () => stats.current().gamesPlaying);
  metrics.gauge("holo_games_waiting", "Games waiting for an opponent, including hidden ones", () => lobby.waiting.size);
  const lists = openGameLists({ queries, lobby, loadPlayers, searchPlayers: deps.searchPlayers });
  const loadNeverPaired = openNeverPaired((playerIds) => findNeverPairedOf(queries, playerIds));
  const feed = new LobbyFeed({ ...deps, delivery, isReachable, loadNeverPaired, loadMatches: lists.loadListed });
  const { isOnline } = online;
  const availability = openAvailabilityFeed({ ...deps, delivery, waiting: lobby.waiting, isOnline, loadNeverPaired });
  const presenceChanged = (playerId: PlayerId): void => {
    stats.changed();
    availability.presenceChanged(playerId);
  };
  const connections = openConnections(deps, online, lobby, presenceChanged);
  const catchUp = openCatchUp({
    queries,
    time,
    tables,
    chat,
    lobby,
    feed,
    stats,
    online,
    broadcast,
    loadPlayers,
    known: knownOutages,
    cluster,
    bootId,
  });
  // A player who sits down on another server ends their rematch offers here.
  bus.subscribe("player", ({ playerId, frame }) => {
    if (cluster.isShared && frame.type === "open_game" && frame.openGame !== null)
      tables.playersSeated([playerId], frame.openGame.gameId);
  });

  return {
    ...commands,
    ...lists,
    ...openEvidence(queries),
    ...openDataExports(queries, loadPlayers),
    ...openGameExports(queries, loadPlayers),
    ...openReports(database, () => time.now()),
    ...openLeaderboard({ queries, time, loadPlayers }),
    create: async (order) => (tables.isClosing ? UNKNOWN : await matchmaking.create(order)),
    chat: (order) => chat.send(order),
    isServed: (gameId) => tables.find(gameId) !== null,
    watch(watcher, gameId, since, chatSince, invitation) {
      if (chatSince !== undefined) return chat.watch(watcher, gameId, since, chatSince);
      return tables.watch(watcher, gameId, since, invitation !== undefined && invitations.parse(invitation) === gameId);
    },
    async findOwnInvitation(gameId, playerId) {
      const game = await loadGame(queries, gameId);
      const isOwn = game?.status === "waiting" && game.pairing === "invitation" && game.player1_id === playerId;
      return isOwn ? invitations.toToken(gameId) : null;
    },
    async findInvitation(token) {
      const gameId = invitations.parse(token);
      return gameId === null ? null : await lists.loadInvitation(gameId);
    },
    unwatch: (watcher, gameId) => tables.unwatch(watcher, gameId, false),
    dropWatcher: (watcher, gameId) => tables.unwatch(watcher, gameId, true),
    ...connections,
    ...catchUp,
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
    loadOpenGame: (playerId) => loadOpenGame(queries, playerId),
    loadCoolDownEndAt: (playerId) => loadCoolDownEndAt(queries, playerId, time.now()),
    creditOutage(outage) {
      tables.creditOutage(outage);
      // A stall concerns the players of this server; a silent database concerns everyone.
      const isOwn = cluster.isShared && outage.cause === "stall";
      outageStore.save(outage, isOwn ? [...cluster.ownShare().keys()].filter((key) => parseSeatKey(key)) : null);
    },
    async close() {
      sweeper.stop();
      delivery.close();
      tables.stopAccepting();
      await Promise.all([chat.close(), matchmaking.close()]);
      await tables.close();
      await groupCommit.close();
      await outageStore.close();
      await closeStats();
    },
  };
}

interface LobbyParts {
  readonly online: OnlinePlayers;
  readonly lobby: Lobby;
  readonly stats: LiveStats;
  readonly waitingGames: WaitingGames;
  closeStats(): Promise<void>;
}

async function openLobbyParts(
  { database, bus, cluster, time, wheel, log, metrics, loadPlayers }: ArenaDeps & { readonly cluster: Cluster },
  delivery: PacedDelivery,
): Promise<LobbyParts> {
  const queries = database.kysely;
  const waiting = await loadWaiting(queries);
  const lastSeen = await loadLastSeen(database, waiting, time.now());
  const online = openOnlinePlayers(time, lastSeen, cluster);
  metrics.gauge("holo_players_online", "Players connected to this server", online.onlineCount);
  metrics.gauge("holo_players_away", "Recently disconnected players still in memory", online.awayCount);
  const creators = await loadPlayers(waiting.map((row) => row.player1_id));
  const activeNow = await loadActiveIds(queries);
  const stats = openLiveStats({ bus, presence: online, time, wheel, delivery, activeNow });
  const statsStore = openStatsStore({ queries, time, log, isShared: cluster.isShared });
  bus.subscribe("stats", ({ frame }) => statsStore.save(frame));
  statsStore.save(stats.current());
  const matches = waiting.map((row) => toMatchView(row, creators));
  const lobby = openLobby(bus, online, matches);
  const waitingGames = new WaitingGames();
  if (cluster.isShared) lobby.onChange((match) => waitingGames.updateMatch(match));
  for (const row of waiting) {
    const terms = {
      game: row.game_type,
      stake: row.stake_amount,
      limitMs: row.time_limit * SECOND_MS,
      feeBps: row.fee_bps,
    };
    waitingGames.add(row.id, row.player1_id, terms);
  }
  for (const [playerId, at] of lastSeen) {
    const hiddenInMs = at - time.now() + HIDDEN_AFTER_MS + SECOND_MS;
    wheel.schedule(time.monotonicMs() + Math.max(0, hiddenInMs), () => {
      if (!online.isReachable(playerId)) lobby.refresh(playerId);
    });
  }
  return { online, lobby, stats, waitingGames, closeStats: statsStore.close };
}

/**
 * When creators of waiting games were last known to be here (ruling 38). A session is recorded once
 * a minute, so a minute is added, but never beyond the last service.
 */
async function loadLastSeen(
  { kysely, pool }: Database,
  waiting: readonly GameRow[],
  now: Instant,
): Promise<ReadonlyMap<PlayerId, Instant>> {
  const servedUntil = (await loadLastSeenAt(pool)) ?? now;
  const seen = await loadSessionsSeen(
    kysely,
    waiting.map((row) => row.player1_id),
  );
  return new Map(
    waiting.map((row) => {
      const notedAt = Math.max(row.created_at, seen.get(row.player1_id) ?? 0);
      return [row.player1_id, toInstant(Math.min(notedAt + MINUTE_MS, servedUntil, now))];
    }),
  );
}

function openConnections(
  { cluster, time, wheel }: Pick<ArenaDeps, "time" | "wheel"> & { readonly cluster: Cluster },
  online: OnlinePlayers,
  lobby: Lobby,
  changed: (playerId: PlayerId) => void,
): Pick<Arena, "connect" | "disconnect"> {
  function hideLater(playerId: PlayerId): void {
    wheel.schedule(time.monotonicMs() + HIDDEN_AFTER_MS + SECOND_MS, () => {
      if (!online.isReachable(playerId)) lobby.refresh(playerId);
    });
  }

  cluster.onHeldElsewhere((key, isOnline) => {
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
  };
}
