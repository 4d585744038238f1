import { assert, BrokenInvariant } from "@holo/kernel/assert.ts";
import type { CommandId, GameId, PlayerId } from "@holo/kernel/ids.ts";
import { SECOND_MS } from "@holo/kernel/instant.ts";
import type { GameRules, Seat } from "@holo/rules/rules.ts";
import { NO_DELIVERY, type Outage } from "@holo/table/clock.ts";
import type { TableCommand } from "@holo/table/command.ts";
import type { LogRecord, TableEvent } from "@holo/table/log-record.ts";
import { isOpen, type TableState } from "@holo/table/state.ts";
import type { Wallet } from "../../ledger/ledger.ts";
import { rulesOf } from "../game-rules.ts";
import { awaitCommits } from "../log/game-store.ts";
import { type EncodedRecord, toSendable } from "../log/log-record.ts";
import type { Settled } from "../log/settlement.ts";
import type { Broadcast } from "./broadcast.ts";
import { type ClockDeps, TableClock } from "./clocks.ts";
import { CommandQueue, type CommandQueueDeps, type Commit } from "./command-queue.ts";
import { toFirstSent, toPresenceFrame, toRecordFrame, toTableFrame } from "./frames.ts";
import { TablePresence } from "./presence.ts";
import { RestartTimer } from "./restart-timer.ts";
import { type QueuedCommand, seatOf, type Table, type Watcher } from "./table.ts";
import { type LoadPlayers, loadNewerContent, loadTableContent, type TableContent } from "./table-content.ts";

export interface TableActorDeps extends ClockDeps, CommandQueueDeps {
  readonly broadcast: Broadcast;
  readonly loadPlayers: LoadPlayers;
}

/** What a table needs of the registry that holds it. */
export interface TableHost {
  readonly isClosing: boolean;
  readonly outages: readonly Outage[];
  load(gameId: GameId): Promise<Table | null>;
  /** Opens the table of a game that this node created. */
  open(content: TableContent, wallets: readonly Wallet[]): Table;
  /** These players have an open game: their rematch offers elsewhere lapse. */
  playersSeated(playerIds: readonly (PlayerId | null)[], gameId: GameId): void;
  dropIfIdle(table: TableActor): void;
  drop(table: TableActor): void;
}

const STARTS_TURN: ReadonlySet<TableEvent["type"]> = new Set([
  "joined",
  "moved",
  "taken_back",
  "returned",
  "wait_ended",
]);

/** A flag that waits longer for the database may have fallen in an outage, which is credited. */
const FLAG_DELAY_MS_MAX = 1 * SECOND_MS;

/** Ruling 19: a player who is back within this time has not left the table. */
export const LEFT_AFTER_MS = 15 * SECOND_MS;

/**
 * Owns one game in memory: its state, queue, clock and watchers; nothing else changes them. Every
 * record passes through its queue. The database holds the truth: where it may have newer records
 * the table reads its log.
 */
export class TableActor implements Table {
  readonly gameId: GameId;
  readonly rules: GameRules<unknown>;
  readonly #deps: TableActorDeps;
  readonly #host: TableHost;
  readonly #commands: CommandQueue;
  readonly #presence: TablePresence;
  readonly #clock: TableClock;
  readonly #restarts = new RestartTimer();
  #content: TableContent;

  constructor(deps: TableActorDeps, host: TableHost, content: TableContent) {
    const { gameId, game, changedAt } = content.state;
    this.gameId = gameId;
    this.rules = rulesOf(game);
    this.#deps = deps;
    this.#host = host;
    this.#content = content;
    this.#commands = new CommandQueue(deps, {
      table: this,
      hash: () => this.#content.hash,
      apply: (commit) => this.#apply(commit),
      measureDelivery: (arrival) => this.#clock.measureDelivery(arrival),
      broadcast: (commit, settled) => this.#broadcast(commit, settled),
      readNewer: (afterUnknown) => this.#readNewer(afterUnknown),
      restart: () => this.#restart(),
    });
    this.#presence = new TablePresence(changedAt);
    this.#clock = new TableClock(deps, this, {
      lagMs: () => this.#presence.lagMs(this.#moverId),
      onDue: () => this.#expire(),
    });
  }

  get state(): TableState<unknown> {
    return this.#content.state;
  }

  get records(): Table["records"] {
    return this.#content.records;
  }

  get players(): Table["players"] {
    return this.#content.players;
  }

  get watchers(): ReadonlySet<Watcher> {
    return this.#presence.watchers;
  }

  get awaySinceAt(): Table["awaySinceAt"] {
    return this.#presence.awaySinceAt;
  }

  /** Whether commands or a resync wait or run. */
  get isBusy(): boolean {
    return this.#commands.isBusy || !this.#commands.isEmpty;
  }

  /** Whether it waits for its restart. */
  get isStopped(): boolean {
    return this.#restarts.isPending;
  }

  isPresent(seat: Seat): boolean {
    return this.#presence.isWatchedBy(this.state.players[seat - 1] ?? null);
  }

  /** Queues a command. It is answered once, after its commit or its refusal. */
  enqueue(queued: QueuedCommand): void {
    this.#commands.add(queued);
  }

  /** Whether a command with this id waits or runs. */
  isQueued(id: CommandId): boolean {
    return this.#commands.has(id);
  }

  /** Reads the records that other nodes wrote and broadcasts them, before the next command. */
  resync(): Promise<void> {
    return this.#commands.resync();
  }

  /** Starts the clock of a table that was read or created; credits outages to an open game. */
  start(): void {
    if (isOpen(this.state.status)) {
      this.#clock.markLoaded();
      for (const outage of this.#host.outages) this.#creditUnmeasured(outage);
    }
    this.#clock.schedule();
  }

  /** Credits what an outage that has just ended took from the turn in progress. */
  creditOutage(outage: Outage): void {
    if (outage.cause === "restart") return this.#creditUnmeasured(outage);
    if (isOpen(this.state.status)) this.#enqueueOwn({ type: "credit", outage, delivery: NO_DELIVERY });
  }

  /** A pending rematch offer lapses if one of these players sits at another game. */
  lapseRematchOf(playerIds: readonly (PlayerId | null)[]): void {
    if (this.state.offers.rematch.pending === null) return;
    const index = this.state.players.findIndex((player) => player !== null && playerIds.includes(player));
    if (index !== -1) this.#lapseRematch("other_game", index === 0 ? 1 : 2);
  }

  /** Sends the records after that version and returns their number, then sends every new one. */
  watch(watcher: Watcher, since: number): number {
    const seat = seatOf(this, watcher.player);
    const wasPresent = seat === null || this.isPresent(seat);
    this.#presence.add(watcher);
    if (seat !== null && !wasPresent) this.#broadcastPresence(seat, true);
    watcher.send(toTableFrame(this, watcher, since, this.#deps.time.now()));
    if (seat !== null) this.#returnAwaited(seat);
    return this.state.version - toFirstSent(this, since);
  }

  /** @param isLost the connection was lost and may come back, as opposed to leaving the table */
  unwatch(watcher: Watcher, isLost: boolean): void {
    if (!this.#presence.remove(watcher)) return;
    const seat = seatOf(this, watcher.player);
    if (seat !== null && !this.isPresent(seat)) {
      this.#broadcastPresence(seat, false);
      if (isLost) this.#lapseRematchUnlessBack(seat);
      else this.#lapseRematch("left", seat);
    }
    this.#host.dropIfIdle(this);
  }

  /** Whether the game is over and the table has no watchers and no work. */
  isIdle(): boolean {
    const { status, offers } = this.state;
    const isOver = !isOpen(status) && offers.rematch.pending === null;
    return isOver && this.watchers.size === 0 && !this.isBusy;
  }

  /** At shutdown: drops a table that waits for its restart. */
  dropIfStopped(): void {
    if (this.isStopped) this.#host.drop(this);
  }

  /** Ends a dropped table: refuses its queue. */
  close(): void {
    this.#clock.cancel();
    this.#restarts.cancel();
    this.#commands.close();
  }

  get #moverId(): PlayerId | null {
    return this.state.players[this.rules.toMove(this.state.position) - 1] ?? null;
  }

  /** The table was not in memory during the outage. */
  #creditUnmeasured(outage: Outage): void {
    if (!isOpen(this.state.status) || this.state.changedAt >= outage.toAt) return;
    this.#enqueueOwn({ type: "credit", outage });
  }

  #enqueueOwn(command: TableCommand, answer: QueuedCommand["answer"] = () => undefined): void {
    this.enqueue({ command, at: this.#deps.time.now(), ...this.#clock.arriveNow(), answer });
  }

  #expire(): void {
    const arrival = this.#clock.arriveNow();
    const { time, outages } = this.#deps;
    this.enqueue({
      command: { type: "expire", delivery: NO_DELIVERY },
      at: time.now(),
      ...arrival,
      // A refusal means that a move came first, which set the timer, or that time was lost.
      answer: () => this.#clock.scheduleIfIdle(),
      hook: async () => {
        outages.noteAnswer();
        return outages.lostMs() - arrival.lostMs > FLAG_DELAY_MS_MAX ? "unavailable" : null;
      },
    });
  }

  #apply({ queued, next, encoded }: Commit): void {
    const { records, players } = this.#content;
    records.push(toSendable(encoded));
    this.#content = {
      state: next,
      records,
      hash: encoded.hash,
      players: queued.joiner === undefined ? players : [players[0], queued.joiner],
    };
  }

  #broadcast({ queued, record, encoded }: Commit, { wallets, rematch }: Settled): void {
    const type = record.events[0]?.type;
    const isJoined = type === "joined";
    if (isJoined) this.#presence.setAwaySince(2, this.isPresent(2) ? null : record.at);
    this.#sendToWatchers(record, encoded, isJoined);
    if (type === "clock_credited") this.#clock.markCredited(queued.lostMs);
    else if (this.#isTurnStart(record)) this.#clock.markTurnStarted();
    this.#clock.schedule();
    this.#deps.broadcast.sendRecord(this, record, wallets);
    if (rematch !== undefined) this.#openRematch(rematch);
    if (type === "clock_credited") this.#returnPresent();
    if (isJoined) this.#host.playersSeated(this.state.players, this.gameId);
    this.#host.dropIfIdle(this);
  }

  /** Other records in the middle of a turn, such as the opponent's return, do not restart it. */
  #isTurnStart({ at, events }: LogRecord): boolean {
    return this.state.clock.turnStartedAt === at && events.some(({ type }) => STARTS_TURN.has(type));
  }

  #sendToWatchers(record: LogRecord, encoded: EncodedRecord, isJoined: boolean): void {
    const now = this.#deps.time.now();
    this.#presence.send((watcher) => {
      // A record does not carry the name of the player who joined; the table frame does.
      if (isJoined) return toTableFrame(this, watcher, record.version - 1, now);
      return toRecordFrame(this, encoded, seatOf(this, watcher.player));
    });
  }

  #openRematch({ state, encoded }: NonNullable<Settled["rematch"]>): void {
    const [second, first] = this.players;
    const newest = encoded.at(-1);
    assert(first !== null && newest !== undefined, "two players agreed to a rematch");
    // The wallets were sent with the record of the acceptance.
    this.#host.open({ state, records: encoded.map(toSendable), hash: newest.hash, players: [first, second] }, []);
  }

  async #readNewer(afterUnknown: boolean): Promise<void> {
    const before = this.state;
    const { database, loadPlayers, broadcast, time } = this.#deps;
    if (afterUnknown) await awaitCommits(database.kysely, this.gameId);
    const newer = await loadNewerContent(database.kysely, loadPlayers, this.#content);
    this.#deps.outages.noteAnswer();
    if (newer === null) return;
    const { state } = newer.content;
    const { gameId } = state.offers.rematch;
    const isRematchNew = gameId !== null && gameId !== before.offers.rematch.gameId;
    // Read before the fold: if the database fails between them, the next reading finds both again.
    const wallets = await this.#loadChangedWallets(before, state);
    const rematch = isRematchNew ? await this.#host.load(gameId) : null;
    this.#content = newer.content;
    const hasBegun = before.status === "waiting" && state.status === "active";
    if (hasBegun) this.#presence.setAwaySince(2, this.isPresent(2) ? null : state.changedAt);
    if (hasBegun) this.#host.playersSeated(state.players, this.gameId);
    // A position is known to its mover once it is read: its commit may have waited in an outage.
    if (state.clock.turnStartedAt !== before.clock.turnStartedAt) this.#clock.markTurnStarted();
    this.#clock.schedule();
    this.#presence.send((watcher) => toTableFrame(this, watcher, before.version, time.now()));
    for (const record of newer.records) broadcast.sendNotices(this, record);
    if (state.status !== before.status) broadcast.sendStatus(this);
    broadcast.sendWallets(wallets);
    if (rematch !== null) broadcast.sendStatus(rematch);
  }

  /** The players' wallets where these records may have moved coins. */
  async #loadChangedWallets(before: Table["state"], after: Table["state"]): Promise<readonly Wallet[]> {
    const isChanged = after.status !== before.status || after.offers.rematch.gameId !== before.offers.rematch.gameId;
    return isChanged ? await this.#deps.broadcast.loadWallets(after) : [];
  }

  #restart(): void {
    this.#clock.cancel();
    const delayMs = this.#restarts.nextDelayMs(this.#deps.time.monotonicMs());
    if (delayMs === 0) void this.#readAgain();
    else this.#restartLater(delayMs);
  }

  #restartLater(delayMs: number): void {
    if (this.#host.isClosing) this.#host.drop(this);
    else this.#restarts.set(delayMs, () => this.#readAgain());
  }

  async #readAgain(): Promise<void> {
    const { broadcast, database, loadPlayers, log, time } = this.#deps;
    const before = this.state;
    try {
      await awaitCommits(database.kysely, this.gameId);
      const content = await loadTableContent(database.kysely, loadPlayers, this.gameId);
      assert(content !== null, `game ${this.gameId} has no log`);
      this.#deps.outages.noteAnswer();
      const wallets = await this.#loadChangedWallets(before, content.state);
      this.#content = content;
      broadcast.sendWallets(wallets);
      if (content.state.status !== before.status) broadcast.sendStatus(this);
    } catch (err) {
      log.error({ err, gameId: this.gameId }, "a stopped table could not be read");
      if (err instanceof BrokenInvariant) this.#host.drop(this);
      else this.#restartLater(RestartTimer.RETRY_MS);
      return;
    }
    this.#presence.send((watcher) => toTableFrame(this, watcher, 0, time.now()));
    this.#commands.resume(() => this.start());
  }

  #broadcastPresence(seat: Seat, isPresent: boolean): void {
    this.#presence.setAwaySince(seat, isPresent ? null : this.#deps.time.now());
    const frame = toPresenceFrame(this, seat);
    this.#presence.send(() => frame);
  }

  #returnAwaited(seat: Seat): void {
    if (this.state.clock.awaited.includes(seat)) this.#enqueueOwn({ type: "return", seat });
  }

  #returnPresent(): void {
    for (const seat of this.state.clock.awaited) if (this.isPresent(seat)) this.#returnAwaited(seat);
  }

  #lapseRematch(reason: "left" | "other_game", seat: Seat): void {
    if (this.state.offers.rematch.pending === null) return;
    this.#enqueueOwn({ type: "lapse_rematch", reason, seat });
  }

  #lapseRematchUnlessBack(seat: Seat): void {
    if (this.state.offers.rematch.pending === null) return;
    const { wheel, time } = this.#deps;
    const awaySinceAt = this.awaySinceAt[seat - 1];
    wheel.schedule(time.monotonicMs() + LEFT_AFTER_MS, () => {
      // A player who returned and left again has another timer.
      if (!this.isPresent(seat) && this.awaySinceAt[seat - 1] === awaySinceAt) this.#lapseRematch("left", seat);
    });
  }
}
