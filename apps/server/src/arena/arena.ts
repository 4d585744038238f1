import { assert } from "@holo/kernel/assert.ts";
import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import { type Instant, SECOND_MS } from "@holo/kernel/instant.ts";
import type { AvailabilityView, StatsView } from "@holo/protocol/views.ts";
import type { TableCommand } from "@holo/table/command.ts";
import { isOpen } from "@holo/table/state.ts";
import type { Bus } from "../platform/bus.ts";
import type { Database } from "../platform/database.ts";
import type { Log } from "../platform/log.ts";
import type { Metrics } from "../platform/metrics.ts";
import type { StallMeter } from "../platform/stall.ts";
import type { Time } from "../platform/time.ts";
import type { TimerWheel } from "../platform/timer-wheel.ts";
import { type Answer, refused } from "./answer.ts";
import { type ChatOrder, openChat } from "./chat.ts";
import { openClocks } from "./clocks.ts";
import { type Commands, openCommands } from "./commands.ts";
import { openGroupCommit } from "./commit.ts";
import { type Evidence, openEvidence } from "./evidence.ts";
import { type Exports, openExports } from "./export-store.ts";
import { type Leaderboard, openLeaderboard } from "./leaderboard.ts";
import { openLiveStats } from "./live-stats.ts";
import { openLobby } from "./lobby.ts";
import { type Mailbox, openMailbox } from "./mailbox.ts";
import { type CreateOrder, openMatchmaking } from "./matchmaking.ts";
import { openMoveTimes } from "./move-times.ts";
import { loadPausedUntil } from "./pause-check.ts";
import { HIDDEN_AFTER_MS, openPresence } from "./presence.ts";
import { openPublisher } from "./publish.ts";
import { openReading, type Reading } from "./reading.ts";
import { openRecordFiles, type RecordFiles } from "./record-file.ts";
import { openRefresh } from "./refresh.ts";
import type { StartedRematch } from "./rematch.ts";
import { openRematchLapses } from "./rematch-lapses.ts";
import { openReports, type Reports } from "./reports.ts";
import { openStatsKeeping } from "./stats-keeping.ts";
import { loadActiveIds, loadOpenGame, loadOutages, loadWaiting, type OpenGame, type Outage } from "./store.ts";
import { openSweeper } from "./sweeper.ts";
import type { Table, Watcher } from "./table.ts";
import { type LoadPlayers, openTables } from "./tables.ts";
import type { ArenaTopics } from "./topics.ts";
import { toMatchView } from "./views.ts";
import { dropIdle, openWatching, type Watching } from "./watching.ts";

export { type Answer, refused } from "./answer.ts";
export type { ChatOrder } from "./chat.ts";
export { loadMessages } from "./chat-store.ts";
export { countGames } from "./game-counts.ts";
export type { CreateOrder } from "./matchmaking.ts";
export { MOVE_SECONDS } from "./move-times.ts";
export type { OfferType } from "./offering.ts";
export { hasOpenGame } from "./open-games.ts";
export { loadOpposed } from "./opposed-store.ts";
export {
  findReportedPlayers,
  type ListedReport,
  loadReports,
  lockReport,
  type ReportsPage,
  saveReportEnd,
} from "./reports-store.ts";
export type { Permit, Watcher } from "./table.ts";
export type { ArenaTopics } from "./topics.ts";

/** Every use of the arena. Commands are idempotent by their id and answered once they are on disk. */
export interface Arena
  extends Omit<Watching, "returnPresent">,
    Reading,
    Evidence,
    Exports,
    RecordFiles,
    Reports,
    Leaderboard,
    Commands {
  create(order: CreateOrder): Promise<Answer>;
  /** What one player writes to the other. See `Chat.say` for its refusals. */
  chat(order: ChatOrder): Promise<Answer>;
  /** See `Watching.watch`; a player who names the newest message they know is shown, next, what was written since. */
  watch(watcher: Watcher, gameId: GameId, since: number, chatSince?: number): Promise<boolean>;
  /** A player's connection came; each is to be followed by one `depart`. */
  arrive(playerId: PlayerId): void;
  depart(playerId: PlayerId): void;
  availability(): readonly AvailabilityView[];
  stats(): StatsView;
  loadOpenGame(playerId: PlayerId): Promise<OpenGame | null>;
  loadPausedUntil(playerId: PlayerId): Promise<Instant | null>;
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
  const presence = openPresence(time);
  const waitingRows = await loadWaiting(queries);
  const creators = await loadPlayers(waitingRows.map((row) => row.player1_id));
  const stats = openLiveStats({ bus, presence, time, wheel, activeNow: await loadActiveIds(queries) });
  const statsKeeping = openStatsKeeping({ queries, time, log });
  bus.subscribe("stats", ({ frame }) => statsKeeping.keep(frame));
  statsKeeping.keep(stats.current());
  const lobby = openLobby(
    bus,
    presence,
    waitingRows.map((row) => toMatchView(row, creators)),
  );
  const groupCommit = openGroupCommit(database, log, metrics);
  const clocks = openClocks(time, wheel, stalls, deps.isServed, () => mailbox);
  const publisher = openPublisher(bus, lobby, clocks, time);
  const tables = openTables({ queries, loadPlayers, onLoaded });
  const mailbox: Mailbox = openMailbox({
    database,
    groupCommit,
    log,
    catchUp: (table) => refresh.catchUp(table),
    restart: (table) => refresh.restart(table),
    publish: (table, entry, written, { wallets, rematch }) => {
      publisher.publish(table, entry, written, wallets);
      if (rematch !== undefined) showRematch(table, rematch);
      if (entry.events[0]?.type === "clock_credited") watching.returnPresent(table);
      if (entry.events[0]?.type === "joined") rematches.seated(table.state.players, table.gameId);
      dropIdle(tables, table);
    },
  });
  const refresh = openRefresh({ queries, loadPlayers, tables, clocks, publisher, mailbox, onLoaded, time, log });
  const rematches = openRematchLapses(tables, () => mailbox, time, wheel);
  const watching = openWatching(tables, mailbox, rematches, time);
  let isClosed = false;
  const commands = openCommands({
    queries,
    tables,
    mailbox,
    stalls,
    moveTimes: openMoveTimes(metrics),
    time,
    log,
    feeBps,
    isClosed: () => isClosed,
  });
  const chat = openChat({ queries, tables, mailbox, time, log });
  const reading = openReading({ queries, lobby, loadPlayers, searchPlayers: deps.searchPlayers });
  const matchmaking = openMatchmaking({
    database,
    log,
    feeBps,
    now: () => time.now(),
    isOnline: presence.isOnline,
    showCreated: ({ state, written, wallets }, player) => {
      const table = tables.keep(state, [written], [player, null]);
      publisher.publishCreated(table, wallets);
      rematches.seated(state.players, state.gameId);
      return toOpenStatus(table);
    },
    showJoined: async (gameId, playerId) => {
      rematches.seated([playerId], gameId);
      const served = tables.find(gameId);
      if (served !== null) return await mailbox.look(served);
      // Nobody watches it here: read now it is up to date, and only its players are to be told.
      const table = await tables.load(gameId);
      if (table !== null) await refresh.tellStatus(table);
    },
    repeat: async (gameId, commandId) => {
      const table = await tables.load(gameId);
      const answered = table?.state.answered.find(commandId) ?? null;
      if (table === null || answered === null) return refused("unknown_game");
      return { type: "done", gameId, version: answered.version, status: toOpenStatus(table), isRepeat: true };
    },
  });
  metrics.gauge("holo_tables", "Tables served by this node", tables.count);
  metrics.gauge("holo_players_online", "Players with a connection here", presence.onlineCount);
  metrics.gauge("holo_players_away", "Players remembered who have gone", presence.awayCount);
  metrics.gauge("holo_games_playing", "Games that are played", () => stats.current().gamesPlaying);
  metrics.gauge("holo_games_waiting", "Games that wait for an opponent, hidden ones too", lobby.waitingCount);
  // Until its first minute is over a node takes everybody for reachable; who has not come by then is told of to who looks at the lobby.
  wheel.schedule(time.monotonicMs() + HIDDEN_AFTER_MS + SECOND_MS, () => {
    for (const { player1_id } of waitingRows) if (!presence.isReachable(player1_id)) lobby.refresh(player1_id);
  });
  const { cancelWaiting } = commands;
  const sweeper = openSweeper({ queries, tables, look: mailbox.look, time, wheel, log, cancelWaiting });

  /** The game that both agreed to; the players of the one before are known here already. */
  function showRematch({ players: [second, first] }: Table, { state, written }: StartedRematch): void {
    assert(first !== null, "two players agreed to a rematch");
    publisher.publishRematch(tables.keep(state, written, [first, second]));
    rematches.seated(state.players, state.gameId);
  }

  function onLoaded(table: Table): void {
    // Of a game that is over only an offered rematch can still run out.
    if (!isOpen(table.state.status)) return clocks.set(table);
    // What this node lost before it knew the table is nothing to its players.
    clocks.markSent(table, false);
    for (const outage of outages) credit(table, outage);
    clocks.set(table);
  }

  function credit(table: Table, outage: Outage): void {
    if (table.state.changedAt >= outage.toAt) return;
    const command: TableCommand = { type: "credit", outageFromAt: outage.fromAt, outageToAt: outage.toAt };
    mailbox.deliver(table, { command, at: time.now(), answer: () => undefined });
  }

  return {
    ...watching,
    ...commands,
    ...reading,
    ...openEvidence(queries),
    ...openExports(queries, loadPlayers),
    ...openRecordFiles(queries, loadPlayers),
    ...openReports(database, () => time.now()),
    ...openLeaderboard({ queries, time, loadPlayers }),
    create: (order) => (isClosed ? Promise.resolve(refused("unavailable")) : matchmaking.create(order)),
    chat: chat.say,
    watch(watcher, gameId, since, chatSince) {
      const show = () => watching.watch(watcher, gameId, since);
      return chatSince === undefined ? show() : chat.follow(watcher, gameId, chatSince, show);
    },
    arrive(playerId) {
      const wasReachable = presence.isReachable(playerId);
      if (!presence.arrive(playerId)) return;
      stats.changed();
      if (!wasReachable) lobby.refresh(playerId);
    },
    depart(playerId) {
      if (!presence.leave(playerId)) return;
      stats.changed();
      wheel.schedule(time.monotonicMs() + HIDDEN_AFTER_MS + SECOND_MS, () => {
        if (!presence.isReachable(playerId)) lobby.refresh(playerId);
      });
    },
    availability: lobby.availability,
    stats: stats.current,
    loadOpenGame: (playerId) => loadOpenGame(queries, playerId),
    loadPausedUntil: (playerId) => loadPausedUntil(queries, playerId, time.now()),
    creditOutage(outage) {
      outages.push(outage);
      for (const table of tables.all()) if (isOpen(table.state.status)) credit(table, outage);
    },
    async close() {
      isClosed = true;
      sweeper.stop();
      refresh.stop();
      await chat.close();
      const isAnyBusy = () => [...tables.all()].some((table) => table.isBusy);
      while (isAnyBusy()) await new Promise((resolve) => setTimeout(resolve, DRAIN_MS));
      for (const table of tables.all()) tables.drop(table);
      await groupCommit.close();
      await statsKeeping.close();
    },
  };
}

function toOpenStatus(table: Table): "waiting" | "active" | "ended" {
  const { status } = table.state;
  return status === "waiting" || status === "active" ? status : "ended";
}
