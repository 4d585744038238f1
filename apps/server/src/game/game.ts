import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { Outage } from "@holo/table/clock.ts";
import type { TableState } from "@holo/table/state.ts";
import type { Bus } from "../platform/bus.ts";
import type { Database } from "../platform/database/database.ts";
import type { Log } from "../platform/log.ts";
import type { Metrics } from "../platform/metrics/metrics.ts";
import { openPacedDelivery } from "../platform/paced-delivery.ts";
import type { Links } from "../platform/servers/links.ts";
import type { OwnServer } from "../platform/servers/own-server.ts";
import type { OutageMeter } from "../platform/time/outage-meter.ts";
import type { Time } from "../platform/time/time.ts";
import type { TimerWheel } from "../platform/time/timer-wheel.ts";
import type { Answer } from "./answer.ts";
import { Chat } from "./chat/chat.ts";
import { type Commands, openCommands } from "./forwarding/commands.ts";
import { Gateway } from "./forwarding/gateway.ts";
import { type GameExports, openGameExports } from "./history/game-export.ts";
import { openPlayerGames, type PlayerGames } from "./history/player-games.ts";
import { openSettlementAndLog, type SettlementAndLog } from "./history/settlement-and-log.ts";
import type { Verdict } from "./log/carry-out.ts";
import type { Finding } from "./log/finding.ts";
import { GroupCommit } from "./log/group-commit.ts";
import { LifecycleCommit } from "./log/lifecycle-commit.ts";
import type { LifecycleJob } from "./log/lifecycle-job.ts";
import type { OpenGame, SeatRules } from "./log/seat-facts.ts";
import { loadOpenGame } from "./log/seat-store.ts";
import { openReports, type Reports } from "./moderation/reports.ts";
import { type GamePictures, openGamePictures } from "./picture/game-pictures.ts";
import { type Begun, beginGame, type GameBeginning } from "./table/begin-game.ts";
import { Broadcast } from "./table/broadcast.ts";
import { makeOrderTaker } from "./table/order-taker.ts";
import type { ChatOrder } from "./table/orders.ts";
import { loadOutages, openOutageStore } from "./table/outages.ts";
import { openResync, type Resync } from "./table/resync.ts";
import { openSweeper } from "./table/sweeper.ts";
import { type LoadPlayers, loadTableContent } from "./table/table-content.ts";
import { Tables } from "./table/tables.ts";
import type { WatchCost, Watcher } from "./table/watcher.ts";
import type { GameTopics } from "./topics.ts";

export { type Answer, done, type Refusal, refused, toFailure, UNKNOWN } from "./answer.ts";
export { GAME_MESSAGES_MAX, loadMessages } from "./chat/chat-store.ts";
export { MOVE_SECONDS } from "./forwarding/commands.ts";
export {
  type ExportedGame,
  type ExportedMessage,
  loadExportedGames,
  loadExportedMessages,
  loadExportedReports,
} from "./history/data-export.ts";
export { countGames, loadListedGames, loadOpponents } from "./history/game-queries.ts";
export type { Prevented, Verdict } from "./log/carry-out.ts";
export { type Finding, listSeatFacts } from "./log/finding.ts";
export {
  GAME_COLUMNS,
  type GameRow,
  loadActiveIds,
  loadGame,
  loadGames,
  loadLog,
  loadWaiting,
} from "./log/game-store.ts";
export type { LifecycleJob } from "./log/lifecycle-job.ts";
export { parseRecord } from "./log/log-record.ts";
export { makeNewGame, toPaidSeat } from "./log/new-game.ts";
export { type RatedGame, type RatingChange, toRatingChanges } from "./log/rating-change.ts";
export {
  findFactsOf,
  LATER_COOL_DOWN_MS,
  loadSeatFacts,
  type SeatCommand,
  type SeatFacts,
  type SeatRefusal,
  type SeatRequest,
  type SeatRules,
  type SessionCheck,
} from "./log/seat-facts.ts";
export { findCommand, hasOpenGame, removeOldCommands } from "./log/seat-store.ts";
export type { SettlementHook } from "./log/settlement.ts";
export { toJoinContent } from "./log/terms.ts";
export {
  findReportedPlayers,
  type ListedReport,
  loadConflictingPlayers,
  loadReports,
  lockReport,
  type ReportsPage,
  saveReportEnd,
} from "./moderation/reports-store.ts";
export { SharedAnswers } from "./shared-answers.ts";
export { loadMatchViews } from "./table/match-view.ts";
export type { OfferType } from "./table/offer-check.ts";
export { Refusals } from "./table/refusals.ts";
export type { LoadPlayers } from "./table/table-content.ts";
export type { WatchCost, Watcher } from "./table/watcher.ts";
export type { GameTopics, Waiting } from "./topics.ts";

/** Commands are idempotent by their id and answered once they are on disk. */
export interface Games extends Commands, PlayerGames, SettlementAndLog, GameExports, GamePictures, Reports, Resync {
  chat(order: ChatOrder): Promise<Answer>;
  /** Whether the table is in memory: reading a long game from its log takes milliseconds. */
  isServed(gameId: GameId): boolean;
  /**
   * Sends a table since a version, then every record; null without such a game. `chatSince` is the
   * newest known message; only an invited player watches a game by invitation before its start.
   */
  watch(
    watcher: Watcher,
    gameId: GameId,
    since: number,
    chatSince?: number,
    isInvited?: boolean,
  ): Promise<WatchCost | null>;
  /** The watcher left the table: its player's rematch offer lapses (ruling 19). */
  unwatch(watcher: Watcher, gameId: GameId): void;
  /** The watcher's connection was lost; it may return. */
  dropWatcher(watcher: Watcher, gameId: GameId): void;
  loadOpenGame(playerId: PlayerId): Promise<OpenGame | null>;
  /** Starts a game whose players are to pay, if `judge` accepts what is known about them. */
  begin(beginning: GameBeginning, judge: (findings: readonly Finding[], job: LifecycleJob) => Verdict): Promise<Begun>;
  /** Calls back before the next batch of games begins, or at once if none is in progress. */
  beforeNextBegins(call: () => void): void;
  /** The game of an earlier command. `isUnsure`: it was perhaps committed and never announced. */
  findBegun(gameId: GameId, isUnsure: boolean): Promise<TableState<unknown> | null>;
  /** No player could be served during the outage: clocks are credited (ruling 16). */
  creditOutage(outage: Outage): void;
  /** This server stops: others take over the tables of these players. */
  handOver(playerIds: ReadonlySet<PlayerId>): Promise<void>;
  readonly isClosing: boolean;
  /** Refuses new commands from now on. */
  stopAccepting(): void;
  /** Waits until every command in flight is on disk. */
  close(): Promise<void>;
}

interface GamesDeps {
  readonly database: Database;
  readonly own: OwnServer;
  readonly links: Links;
  readonly bus: Bus<GameTopics>;
  readonly time: Time;
  readonly wheel: TimerWheel;
  readonly outages: OutageMeter;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly feeBps: () => number;
  /** Links and phone numbers in the chat. Default: masked. */
  readonly masksContacts?: boolean;
  readonly seatRules: SeatRules;
  readonly isReachable: (playerId: PlayerId) => boolean;
  readonly loadPlayers: LoadPlayers;
}

export async function openGames(deps: GamesDeps): Promise<Games> {
  const { database, own, bus, time, metrics, loadPlayers } = deps;
  const queries = database.kysely;
  const lifecycle = new LifecycleCommit(database, metrics, own);
  const groupCommit = new GroupCommit(database, deps.log, metrics, own);
  const broadcast = new Broadcast(queries, bus, time);
  const delivery = openPacedDelivery();
  const tables = new Tables({ ...deps, groupCommit, lifecycle, broadcast, delivery }, await loadOutages(queries));
  const chat = new Chat({ ...deps, queries, tables, masksContacts: deps.masksContacts ?? true });
  const gateway = new Gateway({
    ...deps,
    tables,
    local: {
      command: makeOrderTaker({ ...deps, queries, tables }),
      chat: (table, order) => chat.send(table, order),
      watch: (table, watcher, request, wasServed) => chat.watch(table, watcher, request, wasServed),
    },
  });
  const commands = openCommands({ ...deps, queries, gateway });
  const sweeper = openSweeper({ ...deps, queries, tables, cancelWaiting: commands.cancelWaiting });
  const outageStore = openOutageStore({ ...deps, queries });
  metrics.gauge("holo_tables", "Tables in memory on this server", () => tables.size);
  metrics.gauge("holo_tables_busy", "Tables with a command in progress", () => tables.countBusy());
  // A player who sits down on another server ends their rematch offers here.
  bus.subscribe("player", ({ playerId, frame }) => {
    if (own.isShared && frame.type === "open_game" && frame.openGame !== null)
      tables.playersSeated([playerId], frame.openGame.gameId);
  });

  return {
    ...commands,
    ...openPlayerGames(queries, loadPlayers),
    ...openSettlementAndLog(queries),
    ...openGameExports(queries, loadPlayers),
    ...openGamePictures(queries, loadPlayers),
    ...openReports(database, () => time.now()),
    ...openResync(queries, tables, broadcast),
    chat: (order) => gateway.chat(order),
    isServed: (gameId) => gateway.isServed(gameId),
    watch: (watcher, gameId, since, chatSince, isInvited = false) =>
      gateway.watch(watcher, { gameId, since, chatSince, isInvited }),
    unwatch: (watcher, gameId) => gateway.unwatch(watcher, gameId, false),
    dropWatcher: (watcher, gameId) => gateway.unwatch(watcher, gameId, true),
    loadOpenGame: (playerId) => loadOpenGame(queries, playerId),
    begin: (beginning, judge) => beginGame(lifecycle, tables, beginning, judge),
    beforeNextBegins: (call) => lifecycle.beforeNext(call),
    async findBegun(gameId, isUnsure) {
      if (isUnsure) await tables.announce(gameId);
      return (tables.find(gameId) ?? (await loadTableContent(queries, loadPlayers, gameId)))?.state ?? null;
    },
    creditOutage(outage) {
      tables.creditOutage(outage);
      // With several servers the rest concerns tables in the memory of one.
      if (outage.cause === "restart" || (outage.cause === "database" && !own.isShared)) outageStore.save(outage);
    },
    handOver: (playerIds) => tables.release(playerIds),
    get isClosing() {
      return tables.isClosing;
    },
    stopAccepting() {
      sweeper.stop();
      gateway.close();
      tables.stopAccepting();
    },
    async close() {
      await chat.close();
      await tables.close();
      delivery.close();
      await groupCommit.close();
      await outageStore.close();
    },
  };
}
