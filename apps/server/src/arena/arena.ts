import { randomUUID } from "node:crypto";
import { assert } from "@holo/kernel/assert.ts";
import type { CommandId, GameId, PlayerId } from "@holo/kernel/ids.ts";
import { type Instant, SECOND_MS } from "@holo/kernel/instant.ts";
import type { AvailabilityView, PlayerView, StatsView } from "@holo/protocol/views.ts";
import type { Promotion, Square } from "@holo/rules/rules.ts";
import type { TableCommand } from "@holo/table/command.ts";
import type { OfferAnswer } from "@holo/table/entry.ts";
import { isOpen } from "@holo/table/state.ts";
import type { Bus } from "../platform/bus.ts";
import type { Database } from "../platform/database.ts";
import type { Log } from "../platform/log.ts";
import type { Metrics } from "../platform/metrics.ts";
import type { StallMeter } from "../platform/stall.ts";
import type { Time } from "../platform/time.ts";
import type { TimerWheel } from "../platform/timer-wheel.ts";
import { type Answer, type Refusing, refused } from "./answer.ts";
import { type ChatOrder, openChat } from "./chat.ts";
import { openClocks } from "./clocks.ts";
import { openGroupCommit } from "./commit.ts";
import { type Evidence, openEvidence } from "./evidence.ts";
import { type Exports, openExports } from "./export-store.ts";
import { type Leaderboard, openLeaderboard } from "./leaderboard.ts";
import { openLiveStats } from "./live-stats.ts";
import { openLobby } from "./lobby.ts";
import { type Mailbox, openMailbox } from "./mailbox.ts";
import { type CreateOrder, openMatchmaking } from "./matchmaking.ts";
import { openMoveTimes } from "./move-times.ts";
import { type OfferType, toOfferRefusal } from "./offering.ts";
import { loadPausedUntil } from "./pause-check.ts";
import { HIDDEN_AFTER_MS, openPresence } from "./presence.ts";
import { openPublisher } from "./publish.ts";
import { openReading, type Reading } from "./reading.ts";
import { openRecordFiles, type RecordFiles } from "./record-file.ts";
import { openRefresh } from "./refresh.ts";
import type { StartedRematch } from "./rematch.ts";
import { openRematches } from "./rematches.ts";
import { openReports, type Reports } from "./reports.ts";
import { toJoinContent } from "./seating.ts";
import { openStatsKeeping } from "./stats-keeping.ts";
import {
  findCommand,
  loadActiveIds,
  loadOpenGame,
  loadOutages,
  loadWaiting,
  type OpenGame,
  type Outage,
} from "./store.ts";
import { openSweeper } from "./sweeper.ts";
import { type Permit, type Table, toDelivery, type Watcher } from "./table.ts";
import { type LoadPlayers, openTables } from "./tables.ts";
import type { ArenaTopics } from "./topics.ts";
import { toMatchView } from "./views.ts";
import { dropIdle, openWatching, type Watching } from "./watching.ts";

export { type Answer, refused } from "./answer.ts";
export type { ChatOrder } from "./chat.ts";
export { type ChatMessage, loadMessages } from "./chat-store.ts";
export type { ExportedGame, ExportedMessage } from "./export-store.ts";
export { countGames, type GameCounts } from "./game-counts.ts";
export type { CreateOrder } from "./matchmaking.ts";
export type { OfferType } from "./offering.ts";
export { hasOpenGame } from "./open-games.ts";
export {
  type ListedReport,
  loadReports,
  lockReport,
  type ReportsPage,
  saveReportEnd,
} from "./reports-store.ts";
export type { Permit, Watcher } from "./table.ts";
export type { ArenaTopics } from "./topics.ts";

export interface MoveOrder {
  readonly player: PlayerId;
  readonly moveId: CommandId;
  readonly gameId: GameId;
  readonly atVersion: number;
  readonly path: readonly Square[];
  readonly promotion?: Promotion;
}

export type AnswerOrder = {
  readonly player: PlayerId;
  readonly commandId: CommandId;
  readonly gameId: GameId;
  /** The version of the entry that made the offer. */
  readonly offer: number;
} & (
  | {
      readonly type: "answer_draw" | "answer_takeback";
      readonly answer: OfferAnswer;
      readonly atVersion: number;
    }
  | { readonly type: "answer_rematch"; readonly answer: Exclude<OfferAnswer, "decline_all"> }
);

/** Every use of the arena. Commands are idempotent by their id and answered once they are on disk. */
export interface Arena
  extends Omit<Watching, "returnPresent">,
    Reading,
    Evidence,
    Exports,
    RecordFiles,
    Reports,
    Leaderboard {
  create(order: CreateOrder): Promise<Answer>;
  join(player: PlayerView, gameId: GameId, commandId: CommandId): Promise<Answer>;
  cancel(playerId: PlayerId, gameId: GameId, commandId: CommandId): Promise<Answer>;
  /** Cancels the waiting game of a player who has one, and refunds it; for one whom nobody may join any more (ruling 27). */
  cancelWaiting(playerId: PlayerId): Promise<void>;
  /**
   * Cancels an active game for the house and refunds both, once; they are shown the note. Counts for nobody's pause (ruling 17). Refuses
   * `unknown_game`, `game_over`, `not_started`, and what the permit refuses, which is asked in the transaction and writes what belongs to it.
   */
  cancelByHouse(gameId: GameId, note: string, permit: Permit): Promise<Answer>;
  resign(playerId: PlayerId, gameId: GameId, commandId: CommandId): Promise<Answer>;
  /** @param feeBps the fee that who offers a rematch was shown; left out, and for what costs nothing: the one in force */
  offer(type: OfferType, playerId: PlayerId, gameId: GameId, commandId: CommandId, feeBps?: number): Promise<Answer>;
  answerOffer(order: AnswerOrder): Promise<Answer>;
  /** What one player writes to the other. See `Chat.say` for its refusals. */
  chat(order: ChatOrder): Promise<Answer>;
  /** See `Watching.watch`; a player who names the newest message they know is shown, next, what was written since. */
  watch(watcher: Watcher, gameId: GameId, since: number, chatSince?: number): Promise<boolean>;
  /** The hot path: answers by a call, so that a move costs no promise. */
  move(order: MoveOrder, answer: (answer: Answer) => void): void;
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
  const { database, bus, time, wheel, log, metrics, loadPlayers } = deps;
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
  const groupCommit = openGroupCommit({ connectionString: database.connectionString }, log, metrics);
  const clocks = openClocks(time, wheel, deps.stalls, deps.isServed, () => mailbox);
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
  const rematches = openRematches(tables, () => mailbox, time, wheel);
  const watching = openWatching(tables, mailbox, rematches, time);
  const chat = openChat({ queries, tables, mailbox, time, log });
  const reading = openReading({ queries, lobby, loadPlayers, searchPlayers: deps.searchPlayers });
  const matchmaking = openMatchmaking({
    database,
    feeBps: deps.feeBps,
    now: () => time.now(),
    isOnline: presence.isOnline,
    showCreated: ({ state, written, wallets }, player) => {
      publisher.publishCreated(tables.keep(state, [written], [player, null]), wallets);
      rematches.seated(state.players, state.gameId);
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
  const moveTimes = openMoveTimes(metrics);
  let isClosed = false;
  // Until its first minute is over a node takes everybody for reachable; who has not come by then is told of to who looks at the lobby.
  wheel.schedule(time.monotonicMs() + HIDDEN_AFTER_MS + SECOND_MS, () => {
    for (const { player1_id } of waitingRows) if (!presence.isReachable(player1_id)) lobby.refresh(player1_id);
  });
  const sweeper = openSweeper({ queries, tables, time, wheel, log, cancelWaiting });

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

  /** Hands a command to its table, read from the database first where it is not served here yet. */
  async function send(
    gameId: GameId,
    toCommand: (table: Table) => TableCommand,
    answer: (answer: Answer) => void,
    {
      joiner,
      check,
      permit,
    }: {
      readonly joiner?: PlayerView;
      readonly check?: (table: Table) => Promise<Refusing | null>;
      readonly permit?: Permit;
    } = {},
  ): Promise<void> {
    const at = time.now();
    try {
      let table = isClosed ? null : (tables.find(gameId) ?? (await tables.load(gameId)));
      if (table !== null && check !== undefined) {
        const refusing = await check(table);
        if (refusing !== null) return answer({ type: "refused", ...refusing });
        // While the database was asked, the table may have been let go and read again by another.
        table = isClosed ? null : await tables.load(gameId);
      }
      if (table === null) return answer(refused(isClosed ? "unavailable" : "unknown_game"));
      mailbox.deliver(table, {
        command: toCommand(table),
        at,
        answer,
        ...(joiner === undefined ? {} : { joiner }),
        ...(permit === undefined ? {} : { permit }),
      });
    } catch (err) {
      log.error({ err, gameId }, "a command could not reach its table");
      answer(refused("something_went_wrong"));
    }
  }

  const measure = (table: Table) => toDelivery(table, deps.stalls.stalledMs());

  async function join(player: PlayerView, gameId: GameId, commandId: CommandId): Promise<Answer> {
    const playerId = player.id as PlayerId;
    const earlier = await findCommand(queries, playerId, commandId);
    if (earlier !== null && earlier.content !== toJoinContent(gameId)) return refused("command_id_reused");
    const command: TableCommand = { type: "join", id: commandId, player: playerId };
    return await new Promise<Answer>((answer) => void send(gameId, () => command, answer, { joiner: player }));
  }

  function offer(
    type: OfferType,
    player: PlayerId,
    gameId: GameId,
    id: CommandId,
    feeBps = deps.feeBps(),
  ): Promise<Answer> {
    const nextGameId = randomUUID() as GameId;
    const toCommand = (table: Table): TableCommand => {
      if (type === "offer_rematch") return { type, id, player, feeBps, nextGameId };
      return type === "offer_draw" ? { type, id, player } : { type, id, player, delivery: measure(table) };
    };
    const check = async (table: Table): Promise<Refusing | null> =>
      // What was carried out before gets its answer again, whatever has become of it since.
      table.state.answered.find(id) === null
        ? await toOfferRefusal(queries, time, table, player, { type, feeBps, feeInForceBps: deps.feeBps() })
        : null;
    return new Promise((answer) => void send(gameId, toCommand, answer, { check }));
  }

  function answerOffer(order: AnswerOrder): Promise<Answer> {
    const { player, commandId: id, gameId, offer: toOffer } = order;
    const base = { id, player, offer: toOffer };
    const toCommand = (table: Table): TableCommand =>
      order.type === "answer_rematch"
        ? { ...base, type: order.type, answer: order.answer, nextGameId: randomUUID() as GameId }
        : { ...base, type: order.type, answer: order.answer, atVersion: order.atVersion, delivery: measure(table) };
    return new Promise((answer) => void send(gameId, toCommand, answer));
  }

  function ask(type: "cancel" | "resign", player: PlayerId, gameId: GameId, id: CommandId): Promise<Answer> {
    return new Promise((answer) => void send(gameId, () => ({ type, id, player }), answer));
  }

  async function cancelWaiting(playerId: PlayerId): Promise<void> {
    const openGame = await loadOpenGame(queries, playerId);
    if (openGame?.status !== "waiting") return;
    // Refused only where it has gone meanwhile.
    await ask("cancel", playerId, openGame.gameId as GameId, randomUUID() as CommandId);
  }

  return {
    ...watching,
    ...reading,
    ...openEvidence(queries),
    ...openExports(queries, loadPlayers),
    ...openRecordFiles(queries, loadPlayers),
    ...openReports(database, () => time.now()),
    ...openLeaderboard({ queries, time, loadPlayers }),
    create: (order) => (isClosed ? Promise.resolve(refused("unavailable")) : matchmaking.create(order)),
    join,
    cancel: (player, gameId, id) => ask("cancel", player, gameId, id),
    cancelWaiting,
    cancelByHouse: (gameId, note, permit) =>
      new Promise((answer) => void send(gameId, () => ({ type: "cancel_by_house", note }), answer, { permit })),
    resign: (player, gameId, id) => ask("resign", player, gameId, id),
    offer,
    answerOffer,
    chat: chat.say,
    watch(watcher, gameId, since, chatSince) {
      const show = () => watching.watch(watcher, gameId, since);
      return chatSince === undefined ? show() : chat.follow(watcher, gameId, chatSince, show);
    },
    move(order, answer) {
      const { player, moveId, gameId, atVersion, path, promotion } = order;
      void send(
        gameId,
        (table) => ({
          type: "move",
          id: moveId,
          player,
          atVersion,
          path,
          ...(promotion === undefined ? {} : { promotion }),
          delivery: measure(table),
        }),
        moveTimes.start(answer),
      );
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
