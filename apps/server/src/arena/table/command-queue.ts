import { assert, assertNever, BrokenInvariant } from "@holo/kernel/assert.ts";
import type { CommandId } from "@holo/kernel/ids.ts";
import type { RefusalCode } from "@holo/protocol/refusals/refusals.ts";
import type { Delivery } from "@holo/table/clock.ts";
import type { TableCommand, TableRefusal } from "@holo/table/command.ts";
import { type Decision, decide } from "@holo/table/decide.ts";
import { findSeat } from "@holo/table/state.ts";
import type { Log } from "../../platform/log.ts";
import { currentLogScope, runInLogScope } from "../../platform/log-scope.ts";
import { setTimeout, sleep } from "../../platform/runtime.ts";
import type { OutageMeter } from "../../platform/time/outage-meter.ts";
import { currentTrace } from "../../platform/tracing/tracing.ts";
import { type Answer, done, type Refused, refused, toFailure, UNKNOWN } from "../answer.ts";
import { toGameProjection } from "../log/game-projection.ts";
import type { CommitOutcome, GroupCommit } from "../log/group-commit.ts";
import { type EncodedRecord, encodeRecord } from "../log/log-record.ts";
import { isSettling, type Settled, type SettlementDeps, type SettlementOutcome, settle } from "../log/settlement.ts";
import type { Refusals } from "./refusals.ts";
import type { Arrival, QueuedCommand, RemoteRecord, Table } from "./table.ts";

export interface CommandQueueDeps extends SettlementDeps {
  readonly groupCommit: Pick<GroupCommit, "add">;
  readonly outages: OutageMeter;
  readonly log: Log;
}

export interface Commit extends Pick<Extract<Decision<unknown>, { readonly type: "decided" }>, "record" | "next"> {
  readonly queued: QueuedCommand;
  readonly encoded: EncodedRecord;
  readonly hashBefore: string;
  readonly attempt: number;
}

interface CommandQueueOwner {
  readonly table: Table;
  readonly refusals: Refusals;
  hash(): string;
  measureDelivery(arrival: Arrival & Pick<QueuedCommand, "at">): Delivery;
  apply(commit: Commit): void;
  broadcast(commit: Commit, settled: Settled): void;
  /**
   * Rejects without any change if the database does not answer. `afterUnknown` waits for a
   * transaction that may still commit.
   */
  readNewer(afterUnknown: boolean): Promise<void>;
  /** Applies a record that another server has committed. False: it does not follow. */
  applyRemote(record: RemoteRecord): boolean;
  restart(): void;
  /** Whether what the command is charged depends on a server that may be lost. */
  isInDoubt(command: TableCommand): boolean;
}

/** Attempts to resolve a commit with an unknown outcome before the player is asked to resend. */
const ATTEMPTS_MAX = 5;
const RETRY_MS = 200;
/** A server is in doubt for a second at most. */
const DOUBT_RECHECK_MS = 50;

/** Refusals that a table can give by mistake while it is behind its log. */
const REFUSED_WHEN_BEHIND: ReadonlySet<TableRefusal> = new Set([
  "unknown_game",
  "not_a_player",
  "not_started",
  "stale_version",
  "not_your_turn",
  "time_up",
  "too_early_to_resign",
  "too_early_to_draw",
  "too_early_to_take_back",
  "not_over",
  "offer_stands",
  "asked_too_soon",
  "no_offer",
  // The opponent's offer that this one crosses may be unknown, or a pending one may have lapsed.
  "offers_refused",
  "takebacks_spent",
  "rematch_declined",
  "rematch_spent",
  "fee_changed",
]);

/** Of one player. A page has a few in flight and resends each every 2.5 s. */
const WAITING_MAX = 100;

/** Both players have fewer waiting commands, so none of their refusals is forgotten too early. */
const REFUSED_MAX = 1_000;

/** Records kept while the table is busy. If more wait, the log is read instead. */
const REMOTE_MAX = 32;

const NOTHING_SETTLED: Settled = { wallets: [] };

export class CommandQueue {
  readonly #deps: CommandQueueDeps;
  readonly #owner: CommandQueueOwner;
  readonly #table: Table;
  readonly #queue: QueuedCommand[] = [];
  /** What commands were refused with since the queue was last empty, by player and id. */
  readonly #refused = new Map<string, Refused>();
  #remote: RemoteRecord[] = [];
  /** Called once newer records have been read, before the next command. */
  readonly #waiters: (() => void)[] = [];
  #running: QueuedCommand | null = null;
  #isBusy = false;
  #isClosed = false;

  constructor(deps: CommandQueueDeps, owner: CommandQueueOwner) {
    this.#deps = deps;
    this.#owner = owner;
    this.#table = owner.table;
  }

  get isBusy(): boolean {
    return this.#isBusy;
  }

  get isEmpty(): boolean {
    return this.#queue.length === 0 && this.#waiters.length === 0 && this.#remote.length === 0;
  }

  /** A queue that was closed while it was stopped never runs again. */
  get #isOver(): boolean {
    return this.#isClosed && this.#isBusy;
  }

  add(queued: QueuedCommand): void {
    if (this.#isOver) return queued.answer(UNKNOWN);
    if (this.#isStranger(queued.command)) return this.#refuseStranger(queued);
    if (this.#isCrowded(queued.command)) return queued.answer(UNKNOWN);
    const answer = (given: Answer): void => {
      if (given.type === "refused") this.#logFaults(() => this.#keepRefusal(queued.command, given));
      queued.answer(given);
    };
    // The table's own commands follow from another one, whose trace they do not belong to.
    const trace = "player" in queued.command ? currentTrace() : null;
    trace?.enter("queue");
    this.#queue.push({ ...queued, answer, trace, logScope: currentLogScope() });
    this.#run();
  }

  /** Players never change once both sit, so this stays true. */
  #isStranger(command: TableCommand): boolean {
    const { state } = this.#table;
    return "player" in command && state.players[1] !== null && findSeat(state, command.player) === null;
  }

  /** Needs no turn in the queue. The refusal is not kept: a copy is refused in the same way. */
  #refuseStranger(queued: QueuedCommand): void {
    const kept = this.#findRefusal(queued);
    if (kept !== undefined) return queued.answer(kept);
    const decided = decide(this.#table.rules, this.#table.state, queued.command, queued.at);
    assert(!decided.ok, "a table with two players refuses others");
    queued.answer(refused(toCode(decided.refusal)));
  }

  #isCrowded(command: TableCommand): boolean {
    if (this.#queue.length < WAITING_MAX || !("player" in command)) return false;
    let waiting = 0;
    for (const { command: other } of this.#queue)
      if ("player" in other && other.player === command.player) waiting += 1;
    return waiting >= WAITING_MAX;
  }

  /** Refuses waiting copies of the command too: the list of recent refusals is short. */
  #keepRefusal(command: TableCommand, refusal: Refused): void {
    if (!("id" in command)) return;
    if (this.#queue.length > 0) this.#refused.set(toKey(command), refusal);
    const [oldest] = this.#refused.keys();
    if (this.#refused.size > REFUSED_MAX && oldest !== undefined) this.#refused.delete(oldest);
    this.#owner.refusals.keep(this.#table.gameId, command, refusal);
  }

  addRemote(record: RemoteRecord): void {
    if (this.#remote.length < REMOTE_MAX) this.#remote.push(record);
    this.#run();
  }

  resync(): Promise<void> {
    if (this.#isOver) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiters.push(resolve);
      this.#run();
    });
  }

  /** Runs again after a restart. `start` adds commands that precede the waiting ones. */
  resume(start: () => void): void {
    // The clock raises an expired flag again.
    const waiting = this.#queue.splice(0).filter(({ command }) => command.type !== "expire");
    start();
    this.#queue.push(...waiting);
    this.#isBusy = false;
    this.#run();
  }

  interrupt(): void {
    if (this.#isBusy) return;
    this.#isBusy = true;
    this.#answerAll();
    this.#owner.restart();
  }

  has(id: CommandId): boolean {
    return [this.#running, ...this.#queue].some((queued) => queued !== null && idOf(queued) === id);
  }

  /** Answers every waiting command as unknown, so that it is sent again; releases the waiters. */
  close(): void {
    this.#isClosed = true;
    this.#answerAll();
    for (const resolve of this.#waiters.splice(0)) resolve();
  }

  #run(): void {
    while (!this.#isBusy) {
      this.#takeRemote();
      // Its records may have caused a command, which runs already.
      if (this.#isBusy) return;
      if (this.#waiters.length > 0)
        return void runInLogScope(null, () => this.#serveWaiters(this.#waiters.splice(0), 1));
      const [next] = this.#queue;
      if (next !== undefined && this.#owner.isInDoubt(next.command)) return this.#waitInDoubt();
      const queued = this.#takeNext();
      if (queued === undefined) {
        if (this.#refused.size > 0) this.#refused.clear();
        return;
      }
      // Each in its own, whichever command has made the table ready for it.
      runInLogScope(queued.logScope ?? null, () => this.#decide(queued, 1));
    }
  }

  #waitInDoubt(): void {
    this.#isBusy = true;
    setTimeout(() => {
      this.#isBusy = false;
      this.#run();
    }, DOUBT_RECHECK_MS);
  }

  #takeRemote(): void {
    const remote = this.#remote;
    if (remote.length === 0) return;
    this.#remote = [];
    const isComplete = remote.length < REMOTE_MAX && remote.every((record) => this.#tryRemote(record));
    if (!isComplete) this.#waiters.push(() => undefined);
  }

  #tryRemote(record: RemoteRecord): boolean {
    try {
      return this.#owner.applyRemote(record);
    } catch (err) {
      // The database has the correct one.
      this.#deps.log.error(
        { err, gameId: this.#table.gameId },
        "a record from another server does not continue the table's log",
      );
      return false;
    }
  }

  /**
   * A player's command counts as their return after an outage, even without watching (ruling 16).
   */
  #takeNext(): QueuedCommand | undefined {
    const { awaited } = this.#table.state.clock;
    const queued = this.#queue[0];
    if (awaited.length > 0 && queued !== undefined && "player" in queued.command) {
      const seat = findSeat(this.#table.state, queued.command.player);
      if (seat !== null && awaited.includes(seat)) {
        return toUnanswered({ type: "return", seat }, queued);
      }
    }
    return this.#queue.shift();
  }

  async #serveWaiters(waiters: readonly (() => void)[], attempt: number): Promise<void> {
    this.#isBusy = true;
    try {
      await this.#owner.readNewer(false);
    } catch (err) {
      this.#deps.log.warn({ err, gameId: this.#table.gameId }, "newer records of a table could not be read");
      if (attempt < ATTEMPTS_MAX) {
        setTimeout(() => this.#serveWaiters(waiters, attempt + 1), RETRY_MS * attempt);
        return;
      }
      for (const resolve of waiters) resolve();
      return this.#owner.restart();
    }
    for (const resolve of waiters) resolve();
    // A waiting `watch` goes on first: it says since when the player of a waiting move is here.
    await null;
    this.#isBusy = false;
    this.#run();
  }

  #decide(queued: QueuedCommand, attempt: number): void {
    const refusal = this.#findRefusal(queued);
    if (refusal !== undefined) return this.#logFaults(() => queued.answer(refusal));
    if (queued.isLate === true && !this.#isStored(queued.command)) return this.#refuseLate(queued, attempt);
    this.#running = queued;
    try {
      const decided = decide(this.#table.rules, this.#table.state, this.#measure(queued), queued.at);
      if (!decided.ok) this.#refuse(queued, decided.refusal, attempt);
      else if (decided.value.type === "repeated") queued.answer(done(this.#table.state, decided.value.version, true));
      else this.#commit(queued, decided.value, attempt);
      if (!this.#isBusy) this.#running = null;
    } catch (error) {
      // Deciding writes nothing, and it would fail again.
      this.#stop(queued, error, refused("something_went_wrong"));
    }
  }

  /** Of two concurrent copies the other may have been stored: then the command was not refused. */
  #findRefusal({ command }: QueuedCommand): Answer | undefined {
    if (!("id" in command) || this.#isStored(command)) return undefined;
    const refusal = this.#refused.size > 0 ? this.#refused.get(toKey(command)) : undefined;
    return refusal ?? this.#owner.refusals.find(this.#table.gameId, command);
  }

  /** Measured only now: a record before it in the queue may have begun another turn. */
  #measure(queued: QueuedCommand): TableCommand {
    const { command } = queued;
    if ("delivery" in command) return { ...command, delivery: this.#owner.measureDelivery(queued) };
    if (command.type !== "credit") return command;
    return { ...command, sentAt: this.#owner.measureDelivery(queued).sentAt };
  }

  /** A refusal that may be due to a table behind its log is decided again after a resync. */
  #refuse(queued: QueuedCommand, refusal: TableRefusal, attempt: number): void {
    // Players never change once both sit: strangers must not cause queries.
    const isFinal = refusal === "not_a_player" && this.#table.state.players[1] !== null;
    if (attempt > 1 || isFinal || !REFUSED_WHEN_BEHIND.has(refusal)) return queued.answer(refused(toCode(refusal)));
    this.#isBusy = true;
    void this.#resyncAndRetry(queued, null, attempt);
  }

  #isStored(command: TableCommand): boolean {
    return "id" in command && this.#table.state.answered.find(command.id) !== null;
  }

  /** Another server may have carried it out, so the log is read first. */
  #refuseLate(queued: QueuedCommand, attempt: number): void {
    if (attempt > 1) return queued.answer(refused("too_late"));
    this.#isBusy = true;
    void this.#resyncAndRetry(queued, null, attempt);
  }

  #commit(queued: QueuedCommand, { record, next }: Pick<Commit, "record" | "next">, attempt: number): void {
    const hashBefore = this.#owner.hash();
    const encoded = encodeRecord(record, hashBefore);
    const commit: Commit = { queued, record, next, encoded, hashBefore, attempt };
    queued.trace?.enter("commit");
    this.#isBusy = true;
    if (isSettling(record)) {
      settle(this.#deps, record, encoded, hashBefore, next, queued).then(
        (outcome) => this.#conclude(commit, outcome),
        (error) => this.#resyncAndRetry(queued, error, attempt, encoded),
      );
      return;
    }
    const game = toGameProjection(next, record);
    this.#deps.groupCommit.add({ gameId: this.#table.gameId, encoded, hashBefore, game }, (outcome) =>
      runInLogScope(queued.logScope ?? null, () => this.#conclude(commit, outcome)),
    );
  }

  #conclude(commit: Commit, outcome: SettlementOutcome | CommitOutcome): void {
    const { queued, next, encoded, attempt } = commit;
    switch (outcome.type) {
      case "committed":
        this.#deps.outages.noteAnswer();
        this.#owner.apply(commit);
        this.#finish();
        queued.trace?.enter("broadcast");
        this.#logFaults(() => this.#owner.broadcast(commit, "wallets" in outcome ? outcome : NOTHING_SETTLED));
        this.#logFaults(() => queued.answer(done(next, encoded.version, false)));
        this.#run();
        break;
      case "stale":
        void this.#resyncAndRetry(queued, null, attempt);
        break;
      case "refused":
        this.#finish();
        if (outcome.lapse !== undefined) {
          const command: TableCommand = { type: "lapse_rematch", ...outcome.lapse };
          this.#queue.unshift(toUnanswered(command, queued));
        }
        this.#logFaults(() => queued.answer(refused(outcome.code, outcome.figures)));
        this.#run();
        break;
      case "fault":
        this.#stop(queued, outcome.error, toFailure(outcome.error));
        break;
      default:
        assertNever(outcome);
    }
  }

  /**
   * The record's version is taken, or its outcome is unknown: reads the log and decides again.
   * `encoded` may have been committed. While the log cannot be read the outcome is unknown.
   */
  async #resyncAndRetry(
    queued: QueuedCommand,
    error: unknown,
    attempt: number,
    encoded?: EncodedRecord,
  ): Promise<void> {
    if (error !== null)
      this.#deps.log.warn(
        { err: error, gameId: this.#table.gameId },
        "a commit failed or had an unknown outcome; the table resyncs",
      );
    if (attempt >= ATTEMPTS_MAX) {
      if (error !== null) return this.#stop(queued, error, toFailure(error));
      return this.#stop(queued, new Error("the table's newest version stays out of reach"), UNKNOWN);
    }
    try {
      if (error !== null) await sleep(RETRY_MS * attempt);
      await this.#owner.readNewer(error !== null);
    } catch (again) {
      const isLast = again instanceof BrokenInvariant || attempt + 1 >= ATTEMPTS_MAX;
      if (isLast) return this.#stop(queued, again, UNKNOWN);
      return await this.#resyncAndRetry(queued, again, attempt + 1, encoded);
    }
    // A staff command has no id that marks a repeat; its committed record is known by the hash.
    const isCommitted = queued.hook !== undefined && encoded !== undefined && this.#owner.hash() === encoded.hash;
    // One that arrived meanwhile may be the command's own, which must not be refused any more.
    this.#takeRemote();
    this.#finish();
    // After a database outage its credit must come before a flag.
    if (error !== null && queued.command.type === "expire")
      this.#logFaults(() => queued.answer(refused("unavailable")));
    else if (isCommitted) this.#logFaults(() => queued.answer(done(this.#table.state, encoded.version, false)));
    else this.#decide(queued, attempt + 1);
    this.#run();
  }

  #finish(): void {
    this.#isBusy = false;
    this.#running = null;
  }

  #stop(queued: QueuedCommand, error: unknown, answer: Answer): void {
    const { gameId } = this.#table;
    this.#deps.log.error({ err: error, gameId, command: queued.command.type }, "a table stopped");
    this.#isBusy = true;
    this.#running = null;
    this.#logFaults(() => queued.answer(answer));
    this.#answerAll();
    this.#owner.restart();
  }

  /** An earlier copy of a waiting command may have been committed, so none is refused. */
  #answerAll(): void {
    for (const queued of this.#queue.splice(0)) this.#logFaults(() => queued.answer(UNKNOWN));
  }

  /** A committed record stays committed even if broadcasting it fails. */
  #logFaults(work: () => void): void {
    try {
      work();
    } catch (err) {
      this.#deps.log.error({ err, gameId: this.#table.gameId }, "a record or an answer could not be sent");
    }
  }
}

function idOf({ command }: QueuedCommand): CommandId | null {
  return "id" in command ? command.id : null;
}

function toKey({ player, id }: Extract<TableCommand, { readonly id: CommandId }>): string {
  return `${player} ${id}`;
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
