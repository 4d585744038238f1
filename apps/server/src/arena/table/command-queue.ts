import { assertNever } from "@holo/kernel/assert.ts";
import type { CommandId } from "@holo/kernel/ids.ts";
import type { RefusalCode } from "@holo/protocol/refusals/refusals.ts";
import type { Delivery } from "@holo/table/clock.ts";
import type { TableCommand, TableRefusal } from "@holo/table/command.ts";
import { type Decision, decide } from "@holo/table/decide.ts";
import { toSeat } from "@holo/table/state.ts";
import type { Log } from "../../platform/log.ts";
import type { OutageMeter } from "../../platform/time/outage-meter.ts";
import { type Answer, done, refused, toFailure, UNKNOWN } from "../answer.ts";
import { toGameProjection } from "../log/game-projection.ts";
import type { CommitOutcome, GroupCommit } from "../log/group-commit.ts";
import { type EncodedRecord, encodeRecord } from "../log/log-record.ts";
import { isSettling, type Settled, type SettlementDeps, type SettlementOutcome, settle } from "../log/settlement.ts";
import type { Arrival, QueuedCommand, Table } from "./table.ts";

export interface CommandQueueDeps extends SettlementDeps {
  readonly groupCommit: Pick<GroupCommit, "add">;
  readonly outages: OutageMeter;
  readonly log: Log;
}

/** A decided command on its way to the database. */
export interface Commit extends Pick<Extract<Decision<unknown>, { readonly type: "decided" }>, "record" | "next"> {
  readonly queued: QueuedCommand;
  readonly encoded: EncodedRecord;
  readonly attempt: number;
}

/** How the queue acts on its table. */
interface CommandQueueOwner {
  readonly table: Table;
  /** The hash of the newest record. */
  hash(): string;
  measureDelivery(arrival: Arrival): Delivery;
  /** Takes over a committed record. */
  apply(commit: Commit): void;
  broadcast(commit: Commit, settled: Settled): void;
  /**
   * Rejects without any change if the database does not answer.
   * @param afterUnknown waits for a transaction that may still commit
   */
  readNewer(afterUnknown: boolean): Promise<void>;
  /** The table has stopped; the queue waits for `resume`. */
  restart(): void;
}

/** Attempts to resolve a commit with an unknown outcome before the player is asked to resend. */
const ATTEMPTS_MAX = 5;
const RETRY_MS = 200;

/** Refusals that a table can give by mistake while it is behind its log. */
const REFUSED_WHEN_BEHIND: ReadonlySet<TableRefusal> = new Set([
  "unknown_game",
  "not_a_player",
  "not_started",
  "stale_version",
  "not_your_turn",
  "too_early_to_resign",
  "too_early_to_draw",
  "too_early_to_take_back",
  "not_over",
  "offer_stands",
  "asked_too_soon",
  "no_offer",
]);

/** Refusals of one table that are remembered. Copies of a command come within seconds. */
const REFUSALS_KEPT = 64;

const NOTHING_SETTLED: Settled = { wallets: [] };

/** Decides and commits the commands of one table, one at a time. */
export class CommandQueue {
  readonly #deps: CommandQueueDeps;
  readonly #owner: CommandQueueOwner;
  readonly #table: Table;
  readonly #queue: QueuedCommand[] = [];
  /** The newest refusals by the command's key: a later copy must not be carried out. */
  readonly #refusals = new Map<string, Answer>();
  /** Called once newer records have been read, before the next command. */
  readonly #waiters: (() => void)[] = [];
  /** The command that was decided and is not answered yet. */
  #running: QueuedCommand | null = null;
  /** A command is on its way to the database, or the table has stopped. */
  #isBusy = false;

  constructor(deps: CommandQueueDeps, owner: CommandQueueOwner) {
    this.#deps = deps;
    this.#owner = owner;
    this.#table = owner.table;
  }

  get isBusy(): boolean {
    return this.#isBusy;
  }

  get isEmpty(): boolean {
    return this.#queue.length === 0 && this.#waiters.length === 0;
  }

  add(queued: QueuedCommand): void {
    const key = toKey(queued);
    const answer = (given: Answer): void => {
      if (key !== null && given.type === "refused") this.#keepRefusal(key, given);
      queued.answer(given);
    };
    this.#queue.push({ ...queued, answer });
    this.#run();
  }

  resync(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiters.push(resolve);
      this.#run();
    });
  }

  /** Runs again after a restart. @param start adds commands that precede the waiting ones */
  resume(start: () => void): void {
    // The clock calls an expired flag again.
    const waiting = this.#queue.splice(0).filter(({ command }) => command.type !== "expire");
    start();
    this.#queue.push(...waiting);
    this.#isBusy = false;
    this.#run();
  }

  has(id: CommandId): boolean {
    return [this.#running, ...this.#queue].some((queued) => queued !== null && idOf(queued) === id);
  }

  /** Answers all waiting commands, which are to be sent again, and releases the waiters. */
  close(): void {
    this.#answerAll();
    for (const resolve of this.#waiters.splice(0)) resolve();
  }

  #run(): void {
    while (!this.#isBusy) {
      if (this.#waiters.length > 0) return void this.#serveWaiters(this.#waiters.splice(0), 1);
      const queued = this.#takeNext();
      if (queued === undefined) return;
      this.#decide(queued, 1);
    }
  }

  /**
   * A player's command counts as their return after an outage, even without watching (ruling 16).
   */
  #takeNext(): QueuedCommand | undefined {
    const { awaited } = this.#table.state.clock;
    const queued = this.#queue[0];
    if (awaited.length > 0 && queued !== undefined && "player" in queued.command) {
      const seat = toSeat(this.#table.state, queued.command.player);
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
    this.#isBusy = false;
    for (const resolve of waiters) resolve();
    this.#run();
  }

  #decide(queued: QueuedCommand, attempt: number): void {
    const key = toKey(queued);
    const refusal = key === null ? undefined : this.#refusals.get(key);
    if (refusal !== undefined) return queued.answer(refusal);
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

  /** Measured only now: a record before it in the queue may have begun another turn. */
  #measure(queued: QueuedCommand): TableCommand {
    const { command } = queued;
    return "delivery" in command ? { ...command, delivery: this.#owner.measureDelivery(queued) } : command;
  }

  /** A refusal that may be due to a table behind its log is decided again after a resync. */
  #refuse(queued: QueuedCommand, refusal: TableRefusal, attempt: number): void {
    // Players never change once both sit: strangers must not cause queries.
    const isFinal = refusal === "not_a_player" && this.#table.state.players[1] !== null;
    if (attempt > 1 || isFinal || !REFUSED_WHEN_BEHIND.has(refusal)) return queued.answer(refused(toCode(refusal)));
    this.#isBusy = true;
    void this.#resyncAndRetry(queued, null, attempt);
  }

  #commit(queued: QueuedCommand, { record, next }: Pick<Commit, "record" | "next">, attempt: number): void {
    const encoded = encodeRecord(record, this.#owner.hash());
    const commit: Commit = { queued, record, next, encoded, attempt };
    this.#isBusy = true;
    if (isSettling(record)) {
      settle(this.#deps, record, encoded, next, queued).then(
        (outcome) => this.#conclude(commit, outcome),
        (error) => this.#resyncAndRetry(queued, error, attempt, encoded),
      );
      return;
    }
    const game = toGameProjection(next, record);
    this.#deps.groupCommit.add({ gameId: this.#table.gameId, encoded, game }, (outcome) =>
      this.#conclude(commit, outcome),
    );
  }

  #conclude(commit: Commit, outcome: SettlementOutcome | CommitOutcome): void {
    const { queued, next, encoded, attempt } = commit;
    switch (outcome.type) {
      case "committed":
        this.#deps.outages.noteAnswer();
        this.#owner.apply(commit);
        this.#finish();
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
   * The record's version is taken, or its outcome is unknown: reads the log and decides the command
   * again. @param encoded what may have been committed
   */
  async #resyncAndRetry(
    queued: QueuedCommand,
    error: unknown,
    attempt: number,
    encoded?: EncodedRecord,
  ): Promise<void> {
    if (error !== null)
      this.#deps.log.warn({ err: error, gameId: this.#table.gameId }, "a commit is resolved by a resync");
    try {
      if (attempt >= ATTEMPTS_MAX) throw error ?? new Error("the table's newest version stays out of reach");
      if (error !== null) await new Promise((resolve) => setTimeout(resolve, RETRY_MS * attempt));
      await this.#owner.readNewer(error !== null);
      this.#finish();
      // After a database outage its credit must come before a flag.
      if (error !== null && queued.command.type === "expire") queued.answer(refused("unavailable"));
      // A staff command has no id that marks a repeat; its committed record is known by the hash.
      else if (queued.hook !== undefined && encoded !== undefined && this.#owner.hash() === encoded.hash)
        queued.answer(done(this.#table.state, encoded.version, false));
      else this.#decide(queued, attempt + 1);
      this.#run();
    } catch (again) {
      if (attempt < ATTEMPTS_MAX) return await this.#resyncAndRetry(queued, again, attempt + 1, encoded);
      this.#stop(queued, again, toFailure(again));
    }
  }

  #keepRefusal(key: string, refusal: Answer): void {
    this.#refusals.set(key, refusal);
    const [oldest] = this.#refusals.keys();
    if (this.#refusals.size > REFUSALS_KEPT && oldest !== undefined) this.#refusals.delete(oldest);
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

  /** An earlier copy of a waiting command may have been committed, so none of them is refused. */
  #answerAll(): void {
    for (const queued of this.#queue.splice(0)) this.#logFaults(() => queued.answer(UNKNOWN));
  }

  /** A committed record stays committed even if broadcasting it fails. */
  #logFaults(work: () => void): void {
    try {
      work();
    } catch (err) {
      this.#deps.log.error({ err, gameId: this.#table.gameId }, "a record could not be broadcast");
    }
  }
}

/** Null for the platform's own commands. */
function toKey({ command }: QueuedCommand): string | null {
  return "id" in command ? `${command.player} ${command.id}` : null;
}

function idOf({ command }: QueuedCommand): CommandId | null {
  return "id" in command ? command.id : null;
}

/** What a player's command caused, measured like it. */
function toUnanswered(command: TableCommand, { at, lostMs, lagMs }: QueuedCommand): QueuedCommand {
  return { command, at, lostMs, lagMs, answer: () => undefined };
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
