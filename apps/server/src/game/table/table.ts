import { assert, assertNever, BrokenInvariant } from "@holo/kernel/assert.ts";
import type { CommandId, GameId, PlayerId } from "@holo/kernel/ids.ts";
import { SECOND_MS } from "@holo/kernel/instant.ts";
import type { PlayerView } from "@holo/protocol/game/games.ts";
import type { RefusalCode } from "@holo/protocol/refusals/refusals.ts";
import { ofSeat } from "@holo/rules/by-seat.ts";
import { rulesOf } from "@holo/rules/loaded-games.ts";
import type { GameRules, Seat } from "@holo/rules/rules.ts";
import { NO_DELIVERY, type Outage } from "@holo/table/clock.ts";
import type { TableCommand, TableRefusal } from "@holo/table/command.ts";
import { type Decision, decide } from "@holo/table/decide.ts";
import type { LogRecord, TableEvent } from "@holo/table/log-record.ts";
import { findSeat, isOpen, type TableState } from "@holo/table/state.ts";
import type { Wallet } from "../../ledger/ledger.ts";
import { isRolledBack } from "../../platform/database/rolled-back.ts";
import type { Log } from "../../platform/log.ts";
import { currentLogScope, runInLogScope } from "../../platform/log-scope.ts";
import { Fenced } from "../../platform/servers/fence.ts";
import type { OwnServer } from "../../platform/servers/own-server.ts";
import type { Time } from "../../platform/time/time.ts";
import type { TimerWheel } from "../../platform/time/timer-wheel.ts";
import { currentTrace } from "../../platform/tracing/tracing.ts";
import { type Answer, done, type Refusal, refused, UNKNOWN } from "../answer.ts";
import type { ClaimedUnserved, Unserved } from "../log/claim-store.ts";
import { toLogProjection } from "../log/game-projection.ts";
import { awaitCommits } from "../log/game-store.ts";
import type { CommitOutcome, GroupCommit } from "../log/group-commit.ts";
import { type EncodedRecord, encodeRecord, parseRecord, toSendable } from "../log/log-record.ts";
import { isSettling, type Settled, type SettlementDeps, type SettlementOutcome, settle } from "../log/settlement.ts";
import type { Broadcast } from "./broadcast.ts";
import type { QueuedCommand } from "./queued-command.ts";
import type { Refusals } from "./refusals.ts";
import { RestartTimer } from "./restart-timer.ts";
import { type ClockDeps, TableClock } from "./table-clock.ts";
import { type LoadPlayers, loadTableContent, type TableContent } from "./table-content.ts";
import { TableCredits } from "./table-credits.ts";
import type { TableView } from "./table-view.ts";
import { TableWatchers, type WatchersDeps } from "./table-watchers.ts";
import { seatOf, type Watcher } from "./watcher.ts";

export interface TableDeps extends ClockDeps, WatchersDeps, SettlementDeps {
  readonly time: Time;
  readonly wheel: TimerWheel;
  readonly own: OwnServer;
  readonly groupCommit: Pick<GroupCommit, "add">;
  readonly broadcast: Broadcast;
  readonly loadPlayers: LoadPlayers;
  readonly log: Log;
}

/** What a table asks of the server's tables. */
export interface TableHost {
  readonly isClosing: boolean;
  readonly outages: readonly Outage[];
  readonly refusals: Refusals;
  open(content: TableContent, wallets: readonly Wallet[]): TableView;
  /** Broadcasts games that were committed without an acknowledgement, in this order. */
  announceLater(...gameIds: readonly GameId[]): void;
  /** The player who joined has left their waiting game. */
  noteLeft(left: TableState<unknown>, player: PlayerView): void;
  /** A player joined: this server owns the game, and their rematch offers elsewhere lapse. */
  noteJoined(table: Table): void;
  noteRematchOffer(table: Table, isPending: boolean): void;
  /** The log has the credit of the claim. */
  noteCredited(gameId: GameId): void;
  /** Whether nothing is on its way that comes before a deadline of the table. */
  mayExpire(table: Table, moverId: PlayerId | null): Promise<boolean>;
  /** The table leaves memory; its watchers look for the game again. */
  reroute(table: Table): void;
  drop(table: Table): void;
  dropIfIdle(table: Table): void;
}

/** What a table begins with in memory. */
export interface TableBeginning {
  readonly content: TableContent;
  /** False for a game that waits: any server changes it, under the lock of its row. */
  readonly isOwned: boolean;
  /** Of both players, if the server before has ended or released the table. */
  readonly unserved: ClaimedUnserved | null;
}

interface Commit extends Pick<Extract<Decision<unknown>, { readonly type: "decided" }>, "record" | "next"> {
  readonly queued: QueuedCommand;
  readonly encoded: EncodedRecord;
}

const STARTS_TURN: ReadonlySet<TableEvent["type"]> = new Set([
  "joined",
  "moved",
  "taken_back",
  "returned",
  "wait_ended",
]);

/** Of one player. A page has a few in flight and resends each every 2.5 s. */
const WAITING_MAX = 100;

/** What a copy of a waiting game refuses after this time is judged by a newer one. */
const WAITING_FRESH_MS = SECOND_MS;

/** Ruling 19: a player who returns within this time has not left the table. */
export const LEFT_AFTER_MS = 15 * SECOND_MS;

const NOTHING_SETTLED: Settled = { wallets: [] };

/**
 * Owns one game in memory: its state, queue of commands, clock and watchers. One command at a time
 * is decided and committed; if its outcome is in doubt, the table is read again from its log.
 */
export class Table implements TableView {
  readonly gameId: GameId;
  readonly rules: GameRules<unknown>;
  readonly #deps: TableDeps;
  readonly #tables: TableHost;
  readonly #watchers: TableWatchers;
  readonly #clock: TableClock;
  readonly #credits: TableCredits;
  readonly #restarts = new RestartTimer();
  readonly #queue: QueuedCommand[] = [];
  #content: TableContent;
  #isOwned: boolean;
  #running: QueuedCommand | null = null;
  #isBusy = false;
  #isHeld = false;
  #isClosed = false;
  readonly #readMs: number;

  constructor(deps: TableDeps, tables: TableHost, { content, isOwned }: TableBeginning) {
    const { gameId, game, changedAt } = content.state;
    this.gameId = gameId;
    this.rules = rulesOf(game);
    this.#deps = deps;
    this.#tables = tables;
    this.#content = content;
    this.#isOwned = isOwned;
    this.#readMs = deps.time.monotonicMs();
    this.#watchers = new TableWatchers(this, deps, changedAt);
    this.#clock = new TableClock(deps, this, {
      lagMs: () => this.#watchers.lagMs(this.#moverId),
      mayExpire: () => this.#mayExpire(),
      onDue: () => this.#enqueueOwn({ type: "expire", delivery: NO_DELIVERY }, () => this.#clock.scheduleIfIdle()),
      onShort: () => this.#tellAbsentMover(),
    });
    this.#credits = new TableCredits(deps, this, this.#clock, {
      isPresent: (seat) => this.isPresent(seat),
      enqueue: (command, answer) => this.#enqueueOwn(command, answer),
      isCrediting: () => [this.#running, ...this.#queue].some((queued) => queued?.command.type === "credit"),
      onCredited: () => tables.noteCredited(gameId),
    });
  }

  get state(): TableState<unknown> {
    return this.#content.state;
  }

  get records(): TableContent["records"] {
    return this.#content.records;
  }

  get players(): TableContent["players"] {
    return this.#content.players;
  }

  get watchers(): ReadonlySet<Watcher> {
    return this.#watchers.all;
  }

  get awaySinceAt(): TableWatchers["awaySinceAt"] {
    return this.#watchers.awaySinceAt;
  }

  get isOwned(): boolean {
    return this.#isOwned;
  }

  get isBusy(): boolean {
    return this.#isBusy || this.#queue.length > 0;
  }

  /** A record may be on its way to the log. */
  get isCommitting(): boolean {
    return this.#isBusy;
  }

  /** Its log could not be read; it tries again later. */
  get isStopped(): boolean {
    return this.#restarts.isPending;
  }

  isPresent(seat: Seat): boolean {
    return this.#watchers.isPresent(seat);
  }

  isIdle(): boolean {
    const { status, offers } = this.state;
    const isOver = !isOpen(status) && offers.rematch.pending === null;
    return isOver && this.watchers.size === 0 && !this.isBusy;
  }

  /** Starts the clock of a table that was read or created; credits outages to an open game. */
  start(unserved: ClaimedUnserved | null = null): void {
    this.#tables.noteRematchOffer(this, this.state.offers.rematch.pending !== null);
    if (isOpen(this.state.status)) {
      this.#clock.markLoaded();
      if (unserved !== null) this.#credits.addClaimed(unserved);
      for (const outage of this.#tables.outages) this.#credits.addUnmeasured(outage);
    }
    this.#clock.schedule();
  }

  /** It is about to leave memory: commands wait, so no record follows a change of its owner. */
  hold(): void {
    this.#isHeld = true;
  }

  /** It stays after all. */
  goOn(): void {
    this.#isHeld = false;
    this.#run();
  }

  /** Leaves memory. Commands that wait are routed again. */
  close(): void {
    this.#isClosed = true;
    this.#clock.close();
    this.#credits.close();
    this.#restarts.cancel();
    for (const queued of this.#queue.splice(0)) this.#answer(queued, null);
  }

  // Commands

  /** Queues a command. It is answered once, after its commit or its refusal. */
  enqueue(queued: QueuedCommand): void {
    if (this.#isClosed) return queued.answer(null);
    // Needs no turn: the database may be slow, and there may be many of them.
    if (this.#isStranger(queued.command)) return this.#decide(queued);
    if (this.#isCrowded(queued.command)) return queued.answer(UNKNOWN);
    // The table's own commands follow from another one, whose trace they do not belong to.
    const trace = "player" in queued.command ? currentTrace() : null;
    trace?.enter("queue");
    this.#queue.push({ ...queued, trace, logScope: currentLogScope() });
    this.#run();
  }

  isQueued(id: CommandId): boolean {
    return [this.#running, ...this.#queue].some((queued) => queued !== null && idOf(queued) === id);
  }

  /** Players never change once both sit, so this stays true. */
  #isStranger(command: TableCommand): boolean {
    return "player" in command && this.state.players[1] !== null && findSeat(this.state, command.player) === null;
  }

  #isCrowded(command: TableCommand): boolean {
    if (this.#queue.length < WAITING_MAX || !("player" in command)) return false;
    const own = this.#queue.filter((other) => "player" in other.command && other.command.player === command.player);
    return own.length >= WAITING_MAX;
  }

  #enqueueOwn(command: TableCommand, answer: QueuedCommand["answer"] = () => undefined): void {
    this.enqueue({ command, ...this.#clock.arriveNow(), answer });
  }

  #run(): void {
    while (!this.#isBusy && !this.#isHeld && !this.#isClosed) {
      const queued = this.#takeNext();
      if (queued === undefined) return;
      // Each in its own, whichever command has made the table ready for it.
      runInLogScope(queued.logScope ?? null, () => this.#decide(queued));
    }
  }

  /** A player's command counts as a return after an outage, also without watching (ruling 16). */
  #takeNext(): QueuedCommand | undefined {
    const queued = this.#queue[0];
    const seat =
      queued !== undefined && "player" in queued.command ? findSeat(this.state, queued.command.player) : null;
    if (queued === undefined || seat === null) return this.#queue.shift();
    if (this.state.clock.awaited.includes(seat)) return toUnanswered({ type: "return", seat }, queued);
    // Only a move ends the turn when it first arrived: with others the player waited until now.
    const endsTurn = queued.command.type === "move" && queued.command.atVersion === this.state.boardVersion;
    const arrival = endsTurn ? queued : { ...queued, ...this.#clock.arriveNow() };
    const credit = this.#credits.take(seat, arrival.at);
    return credit === null ? this.#queue.shift() : { ...toUnanswered(credit.command, arrival), answer: credit.answer };
  }

  #decide(queued: QueuedCommand): void {
    const { command } = queued;
    const isStored = "id" in command && this.state.answered.find(command.id) !== null;
    const known = isStored ? undefined : this.#tables.refusals.find(this.gameId, command);
    if (known !== undefined) return this.#answer(queued, known);
    if (queued.isLate === true && !isStored) return this.#refuse(queued, { code: "too_late", figures: {} });
    try {
      const decided = decide(this.rules, this.state, this.#clock.measure(queued), queued.at);
      if (!decided.ok) this.#refuse(queued, { code: toCode(decided.refusal), figures: {} });
      else if (decided.value.type === "repeated") this.#answer(queued, done(this.state, decided.value.version, true));
      else this.#commit(queued, decided.value);
    } catch (error) {
      // Deciding writes nothing, and it would fail again.
      this.#stop(queued, error, refused("something_went_wrong"));
    }
  }

  #refuse(queued: QueuedCommand, refusal: Refusal): void {
    // A server that may have ended knows too little to refuse: the command is sent again.
    if (!this.#deps.own.isLive()) return this.#answer(queued, UNKNOWN);
    // So does a copy of a waiting game that another server may have changed.
    if (!this.#isOwned && this.#isOld()) return this.#leave(queued);
    const answer = refused(refusal.code, refusal.figures);
    this.#tables.refusals.keep(this.gameId, queued.command, answer);
    this.#answer(queued, answer);
  }

  #isOld(): boolean {
    return this.#deps.own.isShared && this.#deps.time.monotonicMs() - this.#readMs > WAITING_FRESH_MS;
  }

  #commit(queued: QueuedCommand, { record, next }: Pick<Commit, "record" | "next">): void {
    const hashBefore = this.#content.hash;
    const encoded = encodeRecord(record, hashBefore);
    const commit: Commit = { queued, record, next, encoded };
    queued.trace?.enter("commit");
    this.#isBusy = true;
    this.#running = queued;
    if (isSettling(record)) {
      settle(this.#deps, record, encoded, hashBefore, next, queued).then(
        (outcome) => this.#conclude(commit, outcome),
        (error) => this.#fail(commit, error),
      );
      return;
    }
    const row = toLogProjection(next);
    this.#deps.groupCommit.add({ gameId: this.gameId, encoded, row }, (outcome) =>
      runInLogScope(queued.logScope ?? null, () => this.#conclude(commit, outcome)),
    );
  }

  #conclude(commit: Commit, outcome: SettlementOutcome | CommitOutcome): void {
    const { queued, next, encoded } = commit;
    switch (outcome.type) {
      case "committed":
        this.#deps.outages.noteAnswer();
        this.#apply(commit);
        this.#finish();
        queued.trace?.enter("broadcast");
        this.#logFaults(() => this.#broadcast(commit, "wallets" in outcome ? outcome : NOTHING_SETTLED));
        this.#answer(queued, done(next, encoded.version, false));
        return this.#run();
      case "refused":
        this.#finish();
        if (outcome.lapse !== undefined)
          this.#queue.unshift(toUnanswered({ type: "lapse_rematch", ...outcome.lapse }, queued));
        this.#refuse(queued, outcome);
        return this.#run();
      case "stale":
      case "conflict":
        // Another server has changed the waiting game, and may own it.
        if (!this.#isOwned) return this.#leave(queued);
        return this.#stop(queued, new Error("another record has the version of an owned game"), null);
      case "fenced":
        return this.#leave(queued);
      case "fault":
        return this.#fail(commit, outcome.error);
      default:
        assertNever(outcome);
    }
  }

  #fail(commit: Commit, error: unknown): void {
    if (error instanceof Fenced) return this.#leave(commit.queued);
    if (isRolledBack(error)) return this.#stop(commit.queued, error, refused("something_went_wrong"));
    this.#deps.log.warn(
      { err: error, gameId: this.gameId },
      "a commit had an unknown outcome; the table is read again",
    );
    if (this.#isOwned) return this.#readAgain(commit);
    this.#leave(commit.queued);
    const { leaves } = commit.queued;
    // A player's newest open game is announced last.
    this.#tables.announceLater(...(leaves === undefined ? [] : [leaves]), this.gameId);
  }

  /** Another server may have the game now: command and watchers are routed again. */
  #leave(queued: QueuedCommand): void {
    this.#finish();
    if (this.#isClosed) return this.#answer(queued, null);
    // It is answered with those that wait, once the table has left memory.
    this.#queue.unshift(queued);
    this.#tables.reroute(this);
  }

  #stop(queued: QueuedCommand, error: unknown, answer: Answer | null): void {
    this.#deps.log.error({ err: error, gameId: this.gameId, command: queued.command.type }, "a table stopped");
    this.#isBusy = true;
    // A copy must not be carried out later.
    if (answer?.type === "refused") this.#tables.refusals.keep(this.gameId, queued.command, answer);
    this.#answer(queued, answer);
    this.#readAgain(null);
  }

  #finish(): void {
    this.#isBusy = false;
    this.#running = null;
  }

  #answer(queued: QueuedCommand, answer: Answer | null): void {
    this.#logFaults(() => queued.answer(answer));
  }

  /** A committed record stays committed even if broadcasting it fails. */
  #logFaults(work: () => void): void {
    try {
      work();
    } catch (err) {
      this.#deps.log.error({ err, gameId: this.gameId }, "a record or an answer could not be sent");
    }
  }

  // Reading the log again

  /** `commit` may be stored: it is answered by what the log says. */
  #readAgain(commit: Commit | null): void {
    this.#isBusy = true;
    this.#clock.cancel();
    const delayMs = this.#restarts.nextDelayMs(this.#deps.time.monotonicMs());
    if (delayMs === 0) void this.#read(commit);
    else this.#readLater(commit, delayMs);
  }

  #readLater(commit: Commit | null, delayMs: number): void {
    if (commit !== null) this.#answer(commit.queued, UNKNOWN);
    this.#running = null;
    if (this.#tables.isClosing) return this.#tables.drop(this);
    this.#restarts.set(delayMs, () => void this.#read(null));
  }

  async #read(commit: Commit | null): Promise<void> {
    const { broadcast, database, loadPlayers, log, outages } = this.#deps;
    const before = this.state;
    try {
      await awaitCommits(database.kysely, this.gameId);
      const content = await loadTableContent(database.kysely, loadPlayers, this.gameId);
      assert(content !== null, `game ${this.gameId} has no log`);
      outages.noteAnswer();
      const isChanged = content.state.version !== before.version;
      const wallets = isChanged ? await broadcast.loadWallets(content.state) : [];
      if (this.#isClosed) return this.#answerRead(commit, null);
      this.#setContent(content);
      broadcast.sendWallets(wallets);
      for (const { publicText } of content.records.slice(before.version))
        broadcast.sendNotices(this, parseRecord(publicText));
      if (content.state.status !== before.status) broadcast.sendStatus(this);
      const { gameId: rematchId } = content.state.offers.rematch;
      if (rematchId !== null && rematchId !== before.offers.rematch.gameId) this.#tables.announceLater(rematchId);
    } catch (err) {
      if (!(err instanceof BrokenInvariant)) {
        log.warn({ err, gameId: this.gameId }, "a table could not be read from its log yet");
        return this.#readLater(commit, RestartTimer.RETRY_MS);
      }
      log.error({ err, gameId: this.gameId, alert: "broken_log" }, "the log of a game is broken: its table stops");
      this.#answerRead(commit, UNKNOWN);
      return this.#tables.drop(this);
    }
    const isStored = commit !== null && this.#content.hash === commit.encoded.hash;
    this.#answerRead(commit, isStored ? done(this.state, commit.encoded.version, false) : null);
    this.#watchers.sendTable(0);
    this.start();
    this.#returnPresent();
    this.#finish();
    this.#run();
  }

  #answerRead(commit: Commit | null, answer: Answer | null): void {
    if (commit !== null) this.#answer(commit.queued, answer);
  }

  // Records

  #apply({ queued, next, encoded }: Commit): void {
    const { records, players } = this.#content;
    records.push(toSendable(encoded));
    this.#setContent({
      state: next,
      records,
      hash: encoded.hash,
      players: queued.joiner === undefined ? players : [players[0], queued.joiner],
    });
  }

  #setContent(content: TableContent): void {
    this.#content = content;
    this.#tables.noteRematchOffer(this, content.state.offers.rematch.pending !== null);
  }

  #broadcast({ queued, record, encoded }: Commit, { wallets, rematch, left }: Settled): void {
    const type = record.events[0]?.type;
    const isJoined = type === "joined";
    const startsTurn = this.#isTurnStart(record);
    if (isJoined) this.#watchers.sendJoined(encoded, record.at, startsTurn);
    else this.#watchers.sendRecord(encoded, startsTurn);
    if (type === "clock_credited") this.#clock.markCredited(queued.lostMs);
    else if (startsTurn) this.#clock.markTurnStarted();
    this.#clock.schedule();
    const joiner = this.players[1];
    if (left !== undefined && joiner !== null) this.#tables.noteLeft(left, joiner);
    this.#deps.broadcast.sendRecord(this, record, wallets);
    if (rematch !== undefined) this.#openRematch(rematch);
    if (type === "clock_credited") this.#returnPresent();
    if (isJoined) {
      this.#isOwned = true;
      this.#tables.noteJoined(this);
    }
    this.#tables.dropIfIdle(this);
  }

  #tellAbsentMover(): void {
    const mover = this.rules.toMove(this.state.position);
    if (!this.isPresent(mover)) this.#deps.broadcast.sendWaiting(this, mover, "time");
  }

  /** Other records in the middle of a turn, such as the opponent's return, do not restart it. */
  #isTurnStart(record: LogRecord): boolean {
    return this.state.clock.turnStartedAt === record.at && record.events.some(({ type }) => STARTS_TURN.has(type));
  }

  #openRematch({ state, encoded }: NonNullable<Settled["rematch"]>): void {
    const [second, first] = this.players;
    const newest = encoded.at(-1);
    assert(first !== null && newest !== undefined, "two players agreed to a rematch");
    // The wallets were sent with the record of the acceptance.
    this.#tables.open({ state, records: encoded.map(toSendable), hash: newest.hash, players: [first, second] }, []);
  }

  // Watchers

  /** Sends the records after that version and returns their number, then sends every new one. */
  watch(watcher: Watcher, since: number): number {
    const recordsSent = this.#watchers.add(watcher, since);
    const seat = seatOf(this, watcher.player);
    if (seat !== null) {
      if (this.state.clock.awaited.includes(seat)) this.#enqueueOwn({ type: "return", seat });
      this.#credits.creditIfDue(seat);
    }
    return recordsSent;
  }

  /**
   * `isLost`: the connection was lost and may return, as opposed to leaving the table.
   * `unserved`: it was lost with its server.
   */
  unwatch(watcher: Watcher, isLost: boolean, unserved: Unserved | null = null): void {
    if (!this.#watchers.remove(watcher)) return;
    const seat = seatOf(this, watcher.player);
    if (seat !== null && !this.isPresent(seat)) {
      if (unserved !== null && this.state.status === "active") this.#credits.add(seat, unserved);
      if (isLost) this.#lapseRematchUnlessBack(seat);
      else this.#lapseRematch("left", seat);
    }
    this.#tables.dropIfIdle(this);
  }

  #returnPresent(): void {
    for (const seat of this.state.clock.awaited) if (this.isPresent(seat)) this.#enqueueOwn({ type: "return", seat });
  }

  lapseRematchOf(playerIds: readonly (PlayerId | null)[]): void {
    if (this.state.offers.rematch.pending === null) return;
    const index = this.state.players.findIndex((player) => player !== null && playerIds.includes(player));
    if (index !== -1) this.#lapseRematch("other_game", index === 0 ? 1 : 2);
  }

  #lapseRematch(reason: "left" | "other_game", seat: Seat): void {
    if (this.state.offers.rematch.pending === null) return;
    this.#enqueueOwn({ type: "lapse_rematch", reason, seat });
  }

  #lapseRematchUnlessBack(seat: Seat): void {
    if (this.state.offers.rematch.pending === null) return;
    const { wheel, time } = this.#deps;
    const awaySinceAt = ofSeat(this.awaySinceAt, seat);
    wheel.schedule(time.monotonicMs() + LEFT_AFTER_MS, () => {
      // A player who returned and left again has another timer.
      if (!this.isPresent(seat) && ofSeat(this.awaySinceAt, seat) === awaySinceAt) this.#lapseRematch("left", seat);
    });
  }

  // Clocks

  get #moverId(): PlayerId | null {
    return ofSeat(this.state.players, this.rules.toMove(this.state.position));
  }

  creditOutage(outage: Outage): void {
    this.#credits.addOutage(outage);
  }

  /** Whether nothing is on its way that must come before a deadline that has passed. */
  async #mayExpire(): Promise<boolean> {
    const mover = this.rules.toMove(this.state.position);
    if (this.state.status === "active" && this.#credits.isUnserved(mover)) return false;
    return await this.#tables.mayExpire(this, this.state.status === "active" ? this.#moverId : null);
  }
}

function idOf({ command }: QueuedCommand): CommandId | null {
  return "id" in command ? command.id : null;
}

/** A command caused by another one, with its measurements; its answer goes nowhere. */
function toUnanswered(command: TableCommand, { at, lostMs, lagMs, logScope }: QueuedCommand): QueuedCommand {
  return { command, at, lostMs, lagMs, logScope, answer: () => undefined };
}

function toCode(refusal: TableRefusal): RefusalCode {
  switch (refusal) {
    case "seat_taken":
      return "match_gone";
    case "not_due":
      return "bad_request";
    default:
      return refusal;
  }
}
