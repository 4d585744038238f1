import { assertNever } from "@holo/kernel/assert.ts";
import type { RefusalCode } from "@holo/protocol/refusals/refusals.ts";
import { NO_DELIVERY } from "@holo/table/clock.ts";
import type { TableCommand, TableRefusal } from "@holo/table/command.ts";
import { toDeadline } from "@holo/table/deadline.ts";
import { type Decision, decide } from "@holo/table/decide.ts";
import type { LogRecord } from "@holo/table/log-record.ts";
import { isOpen, type TableState, toSeat } from "@holo/table/state.ts";
import type { Database } from "../../platform/database/database.ts";
import type { Log } from "../../platform/log.ts";
import { type Answer, refused } from "../answer.ts";
import type { GroupCommit, RowOutcome } from "../log/group-commit.ts";
import { type EncodedRecord, encodeRecord } from "../log/log-record.ts";
import { isSettling, type Settled, type SettlementOutcome, settle } from "../log/settlement.ts";
import type { QueuedCommand, Table } from "./table.ts";

/** What the mailbox needs of the arena around it. */
export interface TableActorDeps {
  readonly database: Database;
  readonly groupCommit: GroupCommit;
  readonly log: Log;
  /** Brings the table up to the database and shows what is new there. */
  readonly resync: (table: Table) => Promise<void>;
  /** Shows a committed entry to whoever watches. */
  readonly broadcast: (table: Table, record: LogRecord, written: EncodedRecord, settled: Settled) => void;
  /** The table is broken: it is to be read anew, and to be resumed after that. Until then its letters wait. */
  readonly restart: (table: Table) => void;
}

export interface TableActors {
  /** Hands a command to a table; it is answered once, after its commit or its refusal. */
  enqueue(table: Table, queued: QueuedCommand): void;
  /** Takes in what was written past this table's mailbox, when its turn comes, and shows it. */
  resync(table: Table): Promise<void>;
  /** Goes on with a table that stopped; what ran out there meanwhile is asked anew. */
  resume(table: Table): void;
  /** Gives up a table that stopped: nothing that waits there will be done, and nothing new will be read. */
  abandon(table: Table): void;
}

/** A commit whose outcome is unknown is looked up and decided again so many times before the player is told. */
const ATTEMPTS_MAX = 5;
const RETRY_MS = 200;

/** Refusals that a table which is behind its log could give by mistake. */
const REFUSED_WHEN_BEHIND: ReadonlySet<TableRefusal> = new Set([
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

const NOTHING_SETTLED: Settled = { wallets: [] };

type Decided = Extract<Decision<unknown>, { readonly type: "decided" }>;

/** One command of a table at a time: decided on its newest state, committed, shown; then the next. */
export function openTableActors(deps: TableActorDeps): TableActors {
  function runQueue(table: Table): void {
    while (!table.isBusy) {
      if (table.waiters.length > 0) {
        resyncTable(table, table.waiters.splice(0), 1);
        return;
      }
      const queued = takeNext(table);
      if (queued === undefined) return;
      decideCommand(table, queued, 1);
    }
  }

  /** Who acts at a table that waits for them after an outage is back, whether or not they look at it: their clock runs (ruling 16). */
  function takeNext(table: Table): QueuedCommand | undefined {
    const { clock } = table.state;
    const queued = table.queue[0];
    if (clock.awaited.length > 0 && queued !== undefined && "player" in queued.command) {
      const seat = toSeat(table.state, queued.command.player);
      if (seat !== null && clock.awaited.includes(seat)) {
        return { command: { type: "return", seat }, at: queued.at, answer: () => undefined };
      }
    }
    return table.queue.shift();
  }

  function resyncTable(table: Table, waiters: readonly (() => void)[], attempt: number): void {
    table.isBusy = true;
    deps.resync(table).then(
      () => {
        table.isBusy = false;
        for (const seen of waiters) seen();
        runQueue(table);
      },
      (err) => {
        deps.log.warn({ err, gameId: table.gameId }, "what is new at a table could not be read");
        if (attempt < ATTEMPTS_MAX)
          return void setTimeout(() => resyncTable(table, waiters, attempt + 1), RETRY_MS * attempt);
        for (const seen of waiters) seen();
        deps.restart(table);
      },
    );
  }

  function decideCommand(table: Table, queued: QueuedCommand, attempt: number): void {
    try {
      const decided = decide(table.rules, table.state, queued.command, queued.at);
      if (!decided.ok) refuseOrResync(table, queued, decided.refusal, attempt);
      else if (decided.value.type === "repeated") queued.answer(toDone(table.state, decided.value.version, true));
      else commit(table, queued, decided.value, attempt);
    } catch (error) {
      stopTable(table, queued, error);
    }
  }

  /** What may only look refused because another node moved the table on is decided again on what stands in the database. */
  function refuseOrResync(table: Table, queued: QueuedCommand, refusal: TableRefusal, attempt: number): void {
    // Players never change once both sit: who is none may not make us ask, as often as they please.
    const isFinal = refusal === "not_a_player" && table.state.players[1] !== null;
    if (attempt > 1 || isFinal || !REFUSED_WHEN_BEHIND.has(refusal)) return queued.answer(refused(toCode(refusal)));
    table.isBusy = true;
    void resyncAndRetry(table, queued, null, attempt);
  }

  function commit(table: Table, queued: QueuedCommand, decided: Decided, attempt: number): void {
    const written = encodeRecord(decided.record, table.hash);
    table.isBusy = true;
    if (isSettling(decided.record)) {
      settle(deps.database, decided.record, written, decided.next, queued.hook).then(
        (outcome) => conclude(table, queued, decided, written, outcome, attempt),
        (error) => resyncAndRetry(table, queued, error, attempt, written),
      );
      return;
    }
    const { next } = decided;
    deps.groupCommit.add(
      {
        gameId: table.gameId,
        version: written.version,
        entry: written.text,
        at: written.at,
        hash: written.hash,
        board: table.rules.formatPosition(next.position),
        moveCount: next.moves.length,
        captures: next.captures,
        remainingMs: next.clock.remainingMs,
        deadlineAt: toDeadline(table.rules, next, NO_DELIVERY)?.at ?? null,
      },
      (outcome) => conclude(table, queued, decided, written, outcome, attempt),
    );
  }

  function conclude(
    table: Table,
    queued: QueuedCommand,
    decided: Decided,
    written: EncodedRecord,
    outcome: SettlementOutcome | RowOutcome,
    attempt: number,
  ): void {
    switch (outcome.type) {
      case "committed":
        table.state = decided.next;
        table.hash = written.hash;
        table.isBusy = false;
        if (queued.joiner !== undefined) table.players = [table.players[0], queued.joiner];
        logFaults(table, () => {
          deps.broadcast(table, decided.record, written, "wallets" in outcome ? outcome : NOTHING_SETTLED);
          queued.answer(toDone(decided.next, written.version, false));
        });
        runQueue(table);
        break;
      case "stale":
        void resyncAndRetry(table, queued, null, attempt);
        break;
      case "refused":
        table.isBusy = false;
        if (outcome.lapse !== undefined) {
          const command: TableCommand = { type: "lapse_rematch", ...outcome.lapse };
          table.queue.unshift({ command, at: queued.at, answer: () => undefined });
        }
        logFaults(table, () => queued.answer(refused(outcome.code, outcome.figures)));
        runQueue(table);
        break;
      case "fault":
        stopTable(table, queued, outcome.error);
        break;
      default:
        assertNever(outcome);
    }
  }

  /**
   * Another wrote first, or nobody knows whether we did: read what stands, and decide the same command on that.
   *
   * @param written what may be there already
   */
  async function resyncAndRetry(
    table: Table,
    queued: QueuedCommand,
    error: unknown,
    attempt: number,
    written?: EncodedRecord,
  ): Promise<void> {
    if (error !== null) deps.log.warn({ err: error, gameId: table.gameId }, "a settlement is looked up again");
    try {
      if (attempt >= ATTEMPTS_MAX) throw error ?? new Error("the table's newest version stays out of reach");
      if (error !== null) await new Promise((resolve) => setTimeout(resolve, RETRY_MS * attempt));
      await deps.resync(table);
      table.isBusy = false;
      // The database was away: before a flag falls it has to be known for how long, and to be credited.
      if (error !== null && queued.command.type === "expire") queued.answer(refused("unavailable"));
      // The house's commands have no id by which a repeat is known; what they wrote is, by its hash.
      else if (queued.hook !== undefined && written !== undefined && table.hash === written.hash)
        queued.answer(toDone(table.state, written.version, false));
      else decideCommand(table, queued, attempt + 1);
      runQueue(table);
    } catch (again) {
      if (attempt < ATTEMPTS_MAX) return await resyncAndRetry(table, queued, again, attempt + 1, written);
      stopTable(table, queued, again);
    }
  }

  /** The table stops here, until it has been read anew from the database. */
  function stopTable(table: Table, queued: QueuedCommand, error: unknown): void {
    deps.log.error({ err: error, gameId: table.gameId, command: queued.command.type }, "a table stopped");
    table.isBusy = true;
    table.queue.unshift(queued);
    refuseQueue(table);
    deps.restart(table);
  }

  function refuseQueue(table: Table): void {
    for (const left of table.queue.splice(0)) logFaults(table, () => left.answer(refused("something_went_wrong")));
  }

  /** What is committed stays so, whatever showing it to someone comes to. */
  function logFaults(table: Table, show: () => void): void {
    try {
      show();
    } catch (err) {
      deps.log.error({ err, gameId: table.gameId }, "an entry could not be shown");
    }
  }

  return {
    enqueue(table, queued) {
      table.queue.push(queued);
      runQueue(table);
    },
    resync(table) {
      return new Promise((seen) => {
        table.waiters.push(seen);
        runQueue(table);
      });
    },
    resume(table) {
      // A flag that fell while nothing could be done is called again, if it still falls.
      for (const [index, { command }] of [...table.queue.entries()].reverse()) {
        if (command.type === "expire") table.queue.splice(index, 1);
      }
      table.isBusy = false;
      runQueue(table);
    },
    abandon(table) {
      refuseQueue(table);
      for (const seen of table.waiters.splice(0)) seen();
    },
  };
}

export function toDone(state: TableState<unknown>, version: number, isRepeat: boolean): Answer {
  const status = isOpen(state.status) ? (state.status as "waiting" | "active") : "ended";
  return { type: "done", gameId: state.gameId, version, status, isRepeat };
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
