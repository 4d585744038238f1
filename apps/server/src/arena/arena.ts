import { assert } from "@holo/kernel/assert.ts";
import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import { type Instant, SECOND_MS } from "@holo/kernel/instant.ts";
import type { AvailabilityView, StatsView } from "@holo/protocol/games.ts";
import type { TableCommand } from "@holo/table/command.ts";
import { isOpen } from "@holo/table/state.ts";
import type { Bus } from "../platform/bus.ts";
import type { Database } from "../platform/database/database.ts";
import type { Log } from "../platform/log.ts";
import type { Metrics } from "../platform/metrics/metrics.ts";
import type { StallMeter } from "../platform/time/stall-meter.ts";
import type { Time } from "../platform/time/time.ts";
import type { TimerWheel } from "../platform/time/timer-wheel.ts";
import { type Answer, refused } from "./answer.ts";
import { type ChatOrder, openChat } from "./chat/chat.ts";
import { type DataExports, openDataExports } from "./history/data-export.ts";
import { type GameExports, openGameExports } from "./history/game-export.ts";
import { type GameLists, openGameLists } from "./history/game-lists.ts";
import { type Leaderboard, openLeaderboard } from "./leaderboard/leaderboard.ts";
import { openLiveStats } from "./lobby/live-stats.ts";
import { openLobby } from "./lobby/lobby.ts";
import { toMatchView } from "./lobby/match-view.ts";
import { HIDDEN_AFTER_MS, openOnlinePlayers } from "./lobby/online-players.ts";
import { openStatsStore } from "./lobby/stats-store.ts";
import { loadActiveIds, loadOpenGame, loadOutages, loadWaiting, type OpenGame, type Outage } from "./log/game-store.ts";
import { openGroupCommit } from "./log/group-commit.ts";
import { loadCoolDownEndAt } from "./matchmaking/cool-down-check.ts";
import { type CreateOrder, openMatchmaking } from "./matchmaking/matchmaking.ts";
import type { StartedRematch } from "./matchmaking/rematch.ts";
import { openRematchLapses } from "./matchmaking/rematch-lapses.ts";
import { type Evidence, openEvidence } from "./moderation/evidence.ts";
import { openReports, type Reports } from "./moderation/reports.ts";
import { openBroadcast } from "./table/broadcast.ts";
import { openClocks } from "./table/clocks.ts";
import { type Commands, openCommands } from "./table/commands.ts";
import { openMoveTimes } from "./table/move-times.ts";
import { dropIdle, openTablePresence, type TablePresence } from "./table/presence.ts";
import { type LoadPlayers, openTableRegistry } from "./table/registry.ts";
import { openResync } from "./table/resync.ts";
import { openSweeper } from "./table/sweeper.ts";
import type { Table, Watcher } from "./table/table.ts";
import { openTableActors, type TableActors } from "./table/table-actor.ts";
import type { ArenaTopics } from "./topics.ts";

export { type Answer, refused } from "./answer.ts";
export type { ChatOrder } from "./chat/chat.ts";
export { loadMessages } from "./chat/chat-store.ts";
export { countGames } from "./history/game-counts.ts";
export { hasOpenGame } from "./history/open-games.ts";
export type { CreateOrder } from "./matchmaking/matchmaking.ts";
export { loadConflictingPlayers } from "./moderation/conflicts.ts";
export {
  findReportedPlayers,
  type ListedReport,
  loadReports,
  lockReport,
  type ReportsPage,
  saveReportEnd,
} from "./moderation/reports-store.ts";
export { MOVE_SECONDS } from "./table/move-times.ts";
export type { OfferType } from "./table/offer-check.ts";
export type { SettlementHook, Watcher } from "./table/table.ts";
export type { ArenaTopics } from "./topics.ts";

/** Every use of the arena. Commands are idempotent by their id and answered once they are on disk. */
export interface Arena
  extends Omit<TablePresence, "returnPresent">,
    GameLists,
    Evidence,
    DataExports,
    GameExports,
    Reports,
    Leaderboard,
    Commands {
  create(order: CreateOrder): Promise<Answer>;
  /** What one player writes to the other. See `Chat.say` for its refusals. */
  chat(order: ChatOrder): Promise<Answer>;
  /** See `Watching.watch`; a player who names the newest message they know is shown, next, what was written since. */
  watch(watcher: Watcher, gameId: GameId, since: number, chatSince?: number): Promise<boolean>;
  /** A player's connection came; each is to be followed by one `depart`. */
  connect(playerId: PlayerId): void;
  disconnect(playerId: PlayerId): void;
  availability(): readonly AvailabilityView[];
  stats(): StatsView;
  loadOpenGame(playerId: PlayerId): Promise<OpenGame | null>;
  loadCoolDownEndAt(playerId: PlayerId): Promise<Instant | null>;
  /** Nobody could be served between these instants: clocks are credited (ruling 16). */
  creditOutage(outage: Outage): void;
  /** Waits until every command on its way is on disk; takes no more. */
  close(): Promise<void>;
}

export interface ArenaDeps {
  readonly database: Database;
  readonly bus: Bus<ArenaTopics>;
  readonly time: Time;
  readonly wheel: TimerWheel;
  readonly stalls: StallMeter;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Whether the database was there a moment ago; if not, nobody knows yet how long an outage there is to credit. */
  readonly isServed: () => boolean;
  readonly feeBps: () => number;
  readonly loadPlayers: LoadPlayers;
  readonly searchPlayers: (text: string) => Promise<readonly PlayerId[]>;
}

const DRAIN_MS = 20;

export async function openArena(deps: ArenaDeps): Promise<Arena> {
  const { database, bus, time, wheel, stalls, log, metrics, feeBps, loadPlayers } = deps;
  const queries = database.kysely;
  const outages: Outage[] = [...(await loadOutages(queries))];
  const online = openOnlinePlayers(time);
  const waitingRows = await loadWaiting(queries);
  const creators = await loadPlayers(waitingRows.map((row) => row.player1_id));
  const stats = openLiveStats({ bus, presence: online, time, wheel, activeNow: await loadActiveIds(queries) });
  const statsStore = openStatsStore({ queries, time, log });
  bus.subscribe("stats", ({ frame }) => statsStore.save(frame));
  statsStore.save(stats.current());
  const lobby = openLobby(
    bus,
    online,
    waitingRows.map((row) => toMatchView(row, creators)),
  );
  const groupCommit = openGroupCommit(database, log, metrics);
  const clocks = openClocks(time, wheel, stalls, deps.isServed, () => actors);
  const broadcast = openBroadcast(bus, lobby, clocks, time);
  const tables = openTableRegistry({ queries, loadPlayers, onLoaded });
  const actors: TableActors = openTableActors({
    database,
    groupCommit,
    log,
    resync: (table) => resync.resync(table),
    restart: (table) => resync.restart(table),
    broadcast: (table, record, written, { wallets, rematch }) => {
      broadcast.broadcastRecord(table, record, written, wallets);
      if (rematch !== undefined) broadcastRematch(table, rematch);
      if (record.events[0]?.type === "clock_credited") watching.returnPresent(table);
      if (record.events[0]?.type === "joined") rematches.seated(table.state.players, table.gameId);
      dropIdle(tables, table);
    },
  });
  const resync = openResync({ queries, loadPlayers, tables, clocks, broadcast, actors, onLoaded, time, log });
  const rematches = openRematchLapses(tables, () => actors, time, wheel);
  const watching = openTablePresence(tables, actors, rematches, time);
  let isClosed = false;
  const commands = openCommands({
    queries,
    tables,
    actors,
    stalls,
    moveTimes: openMoveTimes(metrics),
    time,
    log,
    feeBps,
    isClosed: () => isClosed,
  });
  const chat = openChat({ queries, tables, actors, time, log });
  const gameLists = openGameLists({ queries, lobby, loadPlayers, searchPlayers: deps.searchPlayers });
  const matchmaking = openMatchmaking({
    database,
    log,
    feeBps,
    now: () => time.now(),
    isOnline: online.isOnline,
    broadcastCreated: ({ state, written, wallets }, player) => {
      const table = tables.keep(state, [written], [player, null]);
      broadcast.broadcastCreated(table, wallets);
      rematches.seated(state.players, state.gameId);
      return toOpenStatus(table);
    },
    broadcastJoined: async (gameId, playerId) => {
      rematches.seated([playerId], gameId);
      const served = tables.find(gameId);
      if (served !== null) return await actors.resync(served);
      // Nobody watches it here: read now it is up to date, and only its players are to be told.
      const table = await tables.load(gameId);
      if (table !== null) await resync.broadcastStatus(table);
    },
    repeat: async (gameId, commandId) => {
      const table = await tables.load(gameId);
      const answered = table?.state.answered.find(commandId) ?? null;
      if (table === null || answered === null) return refused("unknown_game");
      return { type: "done", gameId, version: answered.version, status: toOpenStatus(table), isRepeat: true };
    },
  });
  metrics.gauge("holo_tables", "Tables served by this node", tables.count);
  metrics.gauge("holo_players_online", "Players with a connection here", online.onlineCount);
  metrics.gauge("holo_players_away", "Players remembered who have gone", online.awayCount);
  metrics.gauge("holo_games_playing", "Games that are played", () => stats.current().gamesPlaying);
  metrics.gauge("holo_games_waiting", "Games that wait for an opponent, hidden ones too", lobby.waitingCount);
  // Until its first minute is over a node takes everybody for reachable; who has not come by then is told of to who looks at the lobby.
  wheel.schedule(time.monotonicMs() + HIDDEN_AFTER_MS + SECOND_MS, () => {
    for (const { player1_id } of waitingRows) if (!online.isReachable(player1_id)) lobby.refresh(player1_id);
  });
  const { cancelWaiting } = commands;
  const sweeper = openSweeper({ queries, tables, look: actors.resync, time, wheel, log, cancelWaiting });

  /** The game that both agreed to; the players of the one before are known here already. */
  function broadcastRematch({ players: [second, first] }: Table, { state, written }: StartedRematch): void {
    assert(first !== null, "two players agreed to a rematch");
    broadcast.broadcastRematch(tables.keep(state, written, [first, second]));
    rematches.seated(state.players, state.gameId);
  }

  function onLoaded(table: Table): void {
    // Of a game that is over only an offered rematch can still run out.
    if (!isOpen(table.state.status)) return clocks.schedule(table);
    // What this node lost before it knew the table is nothing to its players.
    clocks.markPositionSent(table, false);
    for (const outage of outages) credit(table, outage);
    clocks.schedule(table);
  }

  function credit(table: Table, outage: Outage): void {
    if (table.state.changedAt >= outage.toAt) return;
    const command: TableCommand = { type: "credit", outageFromAt: outage.fromAt, outageToAt: outage.toAt };
    actors.enqueue(table, { command, at: time.now(), answer: () => undefined });
  }

  return {
    ...watching,
    ...commands,
    ...gameLists,
    ...openEvidence(queries),
    ...openDataExports(queries, loadPlayers),
    ...openGameExports(queries, loadPlayers),
    ...openReports(database, () => time.now()),
    ...openLeaderboard({ queries, time, loadPlayers }),
    create: (order) => (isClosed ? Promise.resolve(refused("unavailable")) : matchmaking.create(order)),
    chat: chat.send,
    watch(watcher, gameId, since, chatSince) {
      const show = () => watching.watch(watcher, gameId, since);
      return chatSince === undefined ? show() : chat.follow(watcher, gameId, chatSince, show);
    },
    connect(playerId) {
      const wasReachable = online.isReachable(playerId);
      if (!online.connect(playerId)) return;
      stats.changed();
      if (!wasReachable) lobby.refresh(playerId);
    },
    disconnect(playerId) {
      if (!online.disconnect(playerId)) return;
      stats.changed();
      wheel.schedule(time.monotonicMs() + HIDDEN_AFTER_MS + SECOND_MS, () => {
        if (!online.isReachable(playerId)) lobby.refresh(playerId);
      });
    },
    availability: lobby.availability,
    stats: stats.current,
    loadOpenGame: (playerId) => loadOpenGame(queries, playerId),
    loadCoolDownEndAt: (playerId) => loadCoolDownEndAt(queries, playerId, time.now()),
    creditOutage(outage) {
      outages.push(outage);
      for (const table of tables.all()) if (isOpen(table.state.status)) credit(table, outage);
    },
    async close() {
      isClosed = true;
      sweeper.stop();
      resync.stop();
      await chat.close();
      const isAnyBusy = () => [...tables.all()].some((table) => table.isBusy);
      while (isAnyBusy()) await new Promise((resolve) => setTimeout(resolve, DRAIN_MS));
      for (const table of tables.all()) tables.drop(table);
      await groupCommit.close();
      await statsStore.close();
    },
  };
}

function toOpenStatus(table: Table): "waiting" | "active" | "ended" {
  const { status } = table.state;
  return status === "waiting" || status === "active" ? status : "ended";
}
