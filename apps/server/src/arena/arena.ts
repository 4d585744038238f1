import { type GameId, type PlayerId, toPlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { Outage } from "@holo/table/clock.ts";
import type { Bus } from "../platform/bus.ts";
import type { Database } from "../platform/database/database.ts";
import type { Log } from "../platform/log.ts";
import type { Metrics } from "../platform/metrics/metrics.ts";
import { makeOnlyServer, type Servers } from "../platform/servers/servers.ts";
import type { OutageMeter } from "../platform/time/outage-meter.ts";
import type { Time } from "../platform/time/time.ts";
import type { TimerWheel } from "../platform/time/timer-wheel.ts";
import { type Answer, UNKNOWN } from "./answer.ts";
import { type CatchUp, openCatchUp } from "./catch-up.ts";
import { Chat, type ChatOrder } from "./chat/chat.ts";
import { type GameExports, openGameExports } from "./history/game-export.ts";
import type { GameLists } from "./history/game-lists.ts";
import { openSettlementAndLog, type SettlementAndLog } from "./history/settlement-and-log.ts";
import { type Leaderboard, openLeaderboard } from "./leaderboard/leaderboard.ts";
import { type LobbyAccess, openLobbyAccess } from "./lobby/lobby-access.ts";
import { openLobbyParts } from "./lobby/lobby-parts.ts";
import { openPacedDelivery } from "./lobby/paced-delivery.ts";
import { GroupCommit } from "./log/group-commit.ts";
import { LifecycleCommit } from "./log/lifecycle-commit.ts";
import { type InvitationLinks, openInvitationLinks } from "./matchmaking/invitation-links.ts";
import { openInvitations } from "./matchmaking/invitations.ts";
import { type CreateOrder, Matchmaking } from "./matchmaking/matchmaking.ts";
import { loadCoolDownEndAt } from "./matchmaking/seat-facts.ts";
import { loadOpenGame } from "./matchmaking/seat-store.ts";
import type { OpenGame } from "./matchmaking/who-may-sit.ts";
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
export { GAME_MESSAGES_MAX, loadMessages } from "./chat/chat-store.ts";
export { loadPairFlows, type PairFlow } from "./fair-play/pair-flows.ts";
export {
  type ExportedGame,
  type ExportedMessage,
  loadExportedGames,
  loadExportedMessages,
  loadExportedReports,
} from "./history/data-export.ts";
export { countGames, loadOpponents } from "./history/game-queries.ts";
export type { FeedWatcher, SharedFrame } from "./lobby/feed-watcher.ts";
export type { SettlementHook } from "./log/settlement.ts";
export type { CreateOrder } from "./matchmaking/matchmaking.ts";
export { hasOpenGame, removeOldCommands } from "./matchmaking/seat-store.ts";
export type { SessionCheck } from "./matchmaking/who-may-sit.ts";
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
export interface Arena
  extends Commands,
    GameLists,
    LobbyAccess,
    InvitationLinks,
    SettlementAndLog,
    GameExports,
    Reports,
    Leaderboard,
    CatchUp {
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
  /** The watcher left the table: its player's rematch offer lapses (ruling 19). */
  unwatch(watcher: Watcher, gameId: GameId): void;
  /** The watcher's connection was lost; it may return. */
  dropWatcher(watcher: Watcher, gameId: GameId): void;
  loadOpenGame(playerId: PlayerId): Promise<OpenGame | null>;
  loadCoolDownEndAt(playerId: PlayerId): Promise<Instant | null>;
  /** No player could be served during the outage: clocks are credited (ruling 16). */
  creditOutage(outage: Outage): void;
  /** With several servers: this one does not serve these players from now on. */
  handOver(playerIds: ReadonlySet<PlayerId>): void;
  /** Refuses new commands and waits until every command in flight is on disk. */
  close(): Promise<void>;
}

export interface ArenaDeps {
  readonly database: Database;
  readonly servers?: Servers;
  /** Of this server, if it shares the database. */
  readonly serverId?: string | null;
  readonly bus: Bus<ArenaTopics>;
  readonly time: Time;
  readonly wheel: TimerWheel;
  readonly outages: OutageMeter;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly feeBps: () => number;
  /** Links and phone numbers in the chat. Default: masked. */
  readonly masksContacts?: boolean;
  readonly secret: string;
  readonly loadPlayers: LoadPlayers;
  readonly searchPlayers: (text: string) => Promise<readonly PlayerId[]>;
}

type OpenDeps = ArenaDeps & { readonly servers: Servers };

/** Opens the parts of the arena, each with the parts that it uses. */
async function openParts(deps: OpenDeps) {
  const { database, servers, time, wheel, outages, log, metrics, feeBps, serverId = null } = deps;
  const queries = database.kysely;
  const delivery = openPacedDelivery();
  const lobbyParts = await openLobbyParts({ ...deps, delivery });
  const { online, lobby, waitingGames } = lobbyParts;
  const { isOnline, isReachable } = online;
  const lifecycle = new LifecycleCommit(database, metrics);
  const groupCommit = new GroupCommit(database, log, metrics, servers.isShared);
  const broadcast = new Broadcast(queries, deps.bus, lobby, waitingGames, time);
  const known = await loadOutages(queries);
  const tables = new TableRegistry({ ...deps, groupCommit, lifecycle, broadcast }, known);
  const invitations = openInvitations(deps.secret);
  const commands = openCommands({ queries, tables, metrics, time, outages, log, feeBps, invitations, isReachable });
  const chat = new Chat({ queries, servers, tables, time, log, masksContacts: deps.masksContacts ?? true });
  return {
    delivery,
    lobbyParts,
    groupCommit,
    tables,
    invitations,
    commands,
    chat,
    matchmaking: new Matchmaking({ queries, lifecycle, tables, waitingGames, time, log, feeBps, isOnline }),
    sweeper: openSweeper({ queries, tables, time, wheel, log, cancelWaiting: commands.cancelWaiting }),
    outageStore: openOutageStore({ queries, time, wheel, log, serverId }),
    catchUp: openCatchUp({ ...deps, ...lobbyParts, queries, tables, chat, broadcast, known, serverId }),
  };
}

export async function openArena(given: ArenaDeps): Promise<Arena> {
  const deps = { ...given, servers: given.servers ?? makeOnlyServer() };
  const { database, bus, servers, time, metrics, loadPlayers } = deps;
  const queries = database.kysely;
  const parts = await openParts(deps);
  const { lobbyParts, tables, invitations, commands, chat, matchmaking, outageStore } = parts;
  const { lists } = lobbyParts;
  metrics.gauge("holo_tables", "Tables in memory on this server", () => tables.size);
  metrics.gauge("holo_tables_busy", "Tables with a command in progress", () => tables.countBusy());
  // A player who sits down on another server ends their rematch offers here.
  bus.subscribe("player", ({ playerId, frame }) => {
    if (servers.isShared && frame.type === "open_game" && frame.openGame !== null)
      tables.playersSeated([playerId], frame.openGame.gameId);
  });

  return {
    ...commands,
    ...lists,
    ...openInvitationLinks(queries, invitations, lists),
    ...openLobbyAccess({ ...deps, ...lobbyParts }),
    ...openSettlementAndLog(queries),
    ...openGameExports(queries, loadPlayers),
    ...openReports(database, () => time.now()),
    ...openLeaderboard({ queries, time, loadPlayers }),
    create: async (order) => (tables.isClosing ? UNKNOWN : await matchmaking.create(order)),
    chat: (order) => chat.send(order),
    isServed: (gameId) => tables.find(gameId) !== null,
    watch(watcher, gameId, since, chatSince, invitation) {
      const isInvited = invitation !== undefined && invitations.parse(invitation) === gameId;
      if (chatSince !== undefined) return chat.watch(watcher, gameId, since, chatSince, isInvited);
      return tables.watch(watcher, gameId, since, isInvited);
    },
    unwatch: (watcher, gameId) => tables.unwatch(watcher, gameId, false),
    dropWatcher: (watcher, gameId) => tables.unwatch(watcher, gameId, true),
    ...parts.catchUp,
    loadOpenGame: (playerId) => loadOpenGame(queries, playerId),
    loadCoolDownEndAt: (playerId) => loadCoolDownEndAt(queries, playerId, time.now()),
    creditOutage(outage) {
      // A restart is reported here only if no other server ran meanwhile.
      const isAll = !servers.isShared || outage.cause === "restart";
      const keys = isAll ? null : tables.seats.servedSince(outage.fromAt);
      tables.creditOutage(outage, keys);
      outageStore.save(outage, keys);
    },
    handOver(playerIds) {
      const isTheirs = (key: string): boolean => playerIds.has(parseSeatKey(key)?.playerId ?? toPlayerId(key));
      tables.seats.handOver(playerIds);
      servers.handOver([...servers.ownShare().keys()].filter(isTheirs));
    },
    async close() {
      parts.sweeper.stop();
      parts.delivery.close();
      tables.stopAccepting();
      await Promise.all([chat.close(), matchmaking.close()]);
      await tables.close();
      await parts.groupCommit.close();
      await outageStore.close();
    },
  };
}
