import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { Outage } from "@holo/table/clock.ts";
import { type Answer, UNKNOWN } from "../game/answer.ts";
import { Chat, type ChatOrder } from "../game/chat/chat.ts";
import { type GameExports, openGameExports } from "../game/history/game-export.ts";
import type { GameLists } from "../game/history/game-lists.ts";
import { openSettlementAndLog, type SettlementAndLog } from "../game/history/settlement-and-log.ts";
import { GroupCommit } from "../game/log/group-commit.ts";
import { LifecycleCommit } from "../game/log/lifecycle-commit.ts";
import { openReports, type Reports } from "../game/moderation/reports.ts";
import { Broadcast } from "../game/table/broadcast.ts";
import { type Commands, openCommands } from "../game/table/commands.ts";
import { Gateway } from "../game/table/gateway.ts";
import { makeOrderTaker } from "../game/table/order-taker.ts";
import { loadOutages, openOutageStore } from "../game/table/outages.ts";
import { openSweeper } from "../game/table/sweeper.ts";
import type { LoadPlayers } from "../game/table/table-content.ts";
import { Tables } from "../game/table/tables.ts";
import type { WatchCost, Watcher } from "../game/table/watcher.ts";
import type { ArenaTopics } from "../game/topics.ts";
import { type LobbyAccess, openLobbyAccess } from "../lobby/lobby-access.ts";
import { openLobbyParts } from "../lobby/lobby-parts.ts";
import { openPacedDelivery } from "../lobby/paced-delivery.ts";
import { type InvitationLinks, openInvitationLinks } from "../match/invitation-links.ts";
import { openInvitations } from "../match/invitations.ts";
import { type CreateOrder, Matchmaking } from "../match/matchmaking.ts";
import { loadCoolDownEndAt } from "../match/seat-facts.ts";
import { loadOpenGame } from "../match/seat-store.ts";
import type { OpenGame } from "../match/who-may-sit.ts";
import type { Bus } from "../platform/bus.ts";
import type { Database } from "../platform/database/database.ts";
import type { Log } from "../platform/log.ts";
import type { Metrics } from "../platform/metrics/metrics.ts";
import { type Links, makeNoLinks } from "../platform/servers/links.ts";
import type { OwnServer } from "../platform/servers/own-server.ts";
import type { OutageMeter } from "../platform/time/outage-meter.ts";
import type { Time } from "../platform/time/time.ts";
import type { TimerWheel } from "../platform/time/timer-wheel.ts";
import { type Leaderboard, openLeaderboard } from "../players/leaderboard.ts";
import { openResync, type Resync } from "./resync.ts";

export { loadPairFlows, type PairFlow } from "../fairplay/fairplay.ts";
export { type Answer, refused, toFailure } from "../game/answer.ts";
export type { ChatOrder } from "../game/chat/chat.ts";
export { GAME_MESSAGES_MAX, loadMessages } from "../game/chat/chat-store.ts";
export {
  type ExportedGame,
  type ExportedMessage,
  loadExportedGames,
  loadExportedMessages,
  loadExportedReports,
} from "../game/history/data-export.ts";
export { countGames, loadOpponents } from "../game/history/game-queries.ts";
export type { SettlementHook } from "../game/log/settlement.ts";
export {
  findReportedPlayers,
  type ListedReport,
  loadConflictingPlayers,
  loadReports,
  lockReport,
  type ReportsPage,
  saveReportEnd,
} from "../game/moderation/reports-store.ts";
export { MOVE_SECONDS } from "../game/table/commands.ts";
export type { OfferType } from "../game/table/offer-check.ts";
export type { WatchCost, Watcher } from "../game/table/watcher.ts";
export type { ArenaTopics } from "../game/topics.ts";
export type { FeedWatcher, SharedFrame } from "../lobby/feed-watcher.ts";
export type { CreateOrder } from "../match/matchmaking.ts";
export { hasOpenGame, removeOldCommands } from "../match/seat-store.ts";
export type { SessionCheck } from "../match/who-may-sit.ts";

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
    Resync {
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
  /** This server stops: others take over the tables of these players. */
  handOver(playerIds: ReadonlySet<PlayerId>): Promise<void>;
  /** Refuses new commands and waits until every command in flight is on disk. */
  close(): Promise<void>;
}

export interface ArenaDeps {
  readonly database: Database;
  readonly own: OwnServer;
  /** Default: there is no other server. */
  readonly links?: Links;
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

type OpenDeps = ArenaDeps & { readonly links: Links };

/** Opens the parts of the arena, each with the parts that it uses. */
async function openParts(deps: OpenDeps) {
  const { database, own, time, wheel, log, metrics, feeBps, loadPlayers } = deps;
  const queries = database.kysely;
  const delivery = openPacedDelivery();
  const lobbyParts = await openLobbyParts({ ...deps, delivery });
  const { online, lobby, waitingGames } = lobbyParts;
  const { isOnline, isReachable } = online;
  const lifecycle = new LifecycleCommit(database, metrics, own);
  const groupCommit = new GroupCommit(database, log, metrics, own);
  const broadcast = new Broadcast(queries, deps.bus, lobby, waitingGames, time);
  const tables = new Tables({ ...deps, groupCommit, lifecycle, broadcast }, await loadOutages(queries));
  const invitations = openInvitations(deps.secret);
  const chat = new Chat({ queries, own, tables, time, log, masksContacts: deps.masksContacts ?? true });
  const takeOrder = makeOrderTaker({ queries, tables, time, log, feeBps, isReachable });
  const gateway = new Gateway({
    ...deps,
    tables,
    local: {
      command: takeOrder,
      chat: (table, order) => chat.send(table, order),
      watch: (table, watcher, request, wasServed) => chat.watch(table, watcher, request, wasServed),
    },
  });
  const commands = openCommands({ queries, gateway, metrics, time, feeBps, invitations });
  return {
    delivery,
    lobbyParts,
    groupCommit,
    tables,
    gateway,
    invitations,
    commands,
    chat,
    matchmaking: new Matchmaking({ ...deps, queries, lifecycle, tables, gateway, waitingGames, isOnline, loadPlayers }),
    sweeper: openSweeper({ queries, tables, time, wheel, log, cancelWaiting: commands.cancelWaiting }),
    outageStore: openOutageStore({ queries, time, wheel, log }),
    resync: openResync({ ...deps, ...lobbyParts, queries, tables, broadcast }),
  };
}

export async function openArena(given: ArenaDeps): Promise<Arena> {
  const deps = { ...given, links: given.links ?? makeNoLinks() };
  const { database, bus, own, time, metrics, loadPlayers } = deps;
  const queries = database.kysely;
  const parts = await openParts(deps);
  const { lobbyParts, tables, gateway, invitations, commands, chat, matchmaking, outageStore } = parts;
  const { lists } = lobbyParts;
  metrics.gauge("holo_tables", "Tables in memory on this server", () => tables.size);
  metrics.gauge("holo_tables_busy", "Tables with a command in progress", () => tables.countBusy());
  // A player who sits down on another server ends their rematch offers here.
  bus.subscribe("player", ({ playerId, frame }) => {
    if (own.isShared && frame.type === "open_game" && frame.openGame !== null)
      tables.playersSeated([playerId], frame.openGame.gameId);
  });

  return {
    ...commands,
    ...lists,
    ...openInvitationLinks(queries, invitations, lists),
    ...openLobbyAccess({ ...deps, ...lobbyParts, queries }),
    ...openSettlementAndLog(queries),
    ...openGameExports(queries, loadPlayers),
    ...openReports(database, () => time.now()),
    ...openLeaderboard({ queries, time, loadPlayers }),
    ...parts.resync,
    create: async (order) => (tables.isClosing ? UNKNOWN : await matchmaking.create(order)),
    chat: (order) => gateway.chat(order),
    isServed: (gameId) => gateway.isServed(gameId),
    async watch(watcher, gameId, since, chatSince, invitation) {
      const isInvited = invitation !== undefined && invitations.parse(invitation) === gameId;
      return await gateway.watch(watcher, { gameId, since, chatSince, isInvited });
    },
    unwatch: (watcher, gameId) => gateway.unwatch(watcher, gameId, false),
    dropWatcher: (watcher, gameId) => gateway.unwatch(watcher, gameId, true),
    loadOpenGame: (playerId) => loadOpenGame(queries, playerId),
    loadCoolDownEndAt: (playerId) => loadCoolDownEndAt(queries, playerId, time.now()),
    creditOutage(outage) {
      tables.creditOutage(outage);
      // With several servers the rest concerns tables in the memory of one.
      if (outage.cause === "restart" || (outage.cause === "database" && !own.isShared)) outageStore.save(outage);
    },
    handOver: (playerIds) => tables.release(playerIds),
    async close() {
      parts.sweeper.stop();
      parts.delivery.close();
      gateway.close();
      tables.stopAccepting();
      await Promise.all([chat.close(), matchmaking.close()]);
      await tables.close();
      await parts.groupCommit.close();
      await outageStore.close();
    },
  };
}
