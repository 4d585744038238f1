import { assertNever } from "@holo/kernel/assert.ts";
import type { RefusalCode } from "@holo/protocol/refusals.ts";
import { NO_DELIVERY } from "@holo/table/clock.ts";
import type { TableCommand, TableRefusal } from "@holo/table/command.ts";
import { toDeadline } from "@holo/table/deadline.ts";
import { type Decision, decide } from "@holo/table/decide.ts";
import type { Entry } from "@holo/table/entry.ts";
import { isOpen, type TableState, toSeat } from "@holo/table/state.ts";
import type { Database } from "../platform/database.ts";
import type { Log } from "../platform/log.ts";
import { type Answer, refused } from "./answer.ts";
import type { GroupCommit, RowOutcome } from "./commit.ts";
import { type WrittenEntry, writeEntry } from "./log-entry.ts";
import { isSettling, type Settled, type SettleOutcome, settle } from "./settle.ts";
import type { Letter, Table } from "./table.ts";

/** What the mailbox needs of the arena around it. */
export interface MailboxDeps {
  readonly database: Database;
  readonly groupCommit: GroupCommit;
  readonly log: Log;
  /** Brings the table up to the database and shows what is new there. */
  readonly catchUp: (table: Table) => Promise<void>;
  /** Shows a committed entry to whoever watches. */
  readonly publish: (table: Table, entry: Entry, written: WrittenEntry, settled: Settled) => void;
  /** The table is broken: it is to be read anew, and to be resumed after that. Until then its letters wait. */
  readonly restart: (table: Table) => void;
}

export interface Mailbox {
  /** Hands a command to a table; it is answered once, after its commit or its refusal. */
  deliver(table: Table, letter: Letter): void;
  /** Takes in what was written past this table's mailbox, when its turn comes, and shows it. */
  look(table: Table): Promise<void>;
  /** Goes on with a table that stopped; what ran out there meanwhile is asked anew. */
  resume(table: Table): void;
  /** Gives up a table that stopped: nothing that waits there will be done, and nothing new will be read. */
  giveUp(table: Table): void;
}

/** A commit whose outcome is unknown is looked up and decided again so many times before the player is told. */
const ATTEMPTS_MAX = 5;
const RETRY_MS = 200;

/** Refusals that a table which is behind its log could give by mistake. */
const MAY_BE_BEHIND: ReadonlySet<TableRefusal> = new Set([
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
export function openMailbox(deps: MailboxDeps): Mailbox {
  function workOff(table: Table): void {
    while (!table.isBusy) {
      if (table.lookers.length > 0) {
        takeIn(table, table.lookers.splice(0), 1);
        return;
      }
      const letter = takeNext(table);
      if (letter === undefined) return;
      handle(table, letter, 1);
    }
  }

  /** Who acts at a table that waits for them after an outage is back, whether or not they look at it: their clock runs (ruling 16). */
  function takeNext(table: Table): Letter | undefined {
    const { clock } = table.state;
    const letter = table.letters[0];
    if (clock.awaited.length > 0 && letter !== undefined && "player" in letter.command) {
      const seat = toSeat(table.state, letter.command.player);
      if (seat !== null && clock.awaited.includes(seat)) {
        return { command: { type: "return", seat }, at: letter.at, answer: () => undefined };
      }
    }
    return table.letters.shift();
  }

  function takeIn(table: Table, lookers: readonly (() => void)[], attempt: number): void {
    table.isBusy = true;
    deps.catchUp(table).then(
      () => {
        table.isBusy = false;
        for (const seen of lookers) seen();
        workOff(table);
      },
      (err) => {
        deps.log.warn({ err, gameId: table.gameId }, "what is new at a table could not be read");
        if (attempt < ATTEMPTS_MAX)
          return void setTimeout(() => takeIn(table, lookers, attempt + 1), RETRY_MS * attempt);
        for (const seen of lookers) seen();
        deps.restart(table);
      },
    );
  }

  function handle(table: Table, letter: Letter, attempt: number): void {
    try {
      const decided = decide(table.rules, table.state, letter.command, letter.at);
      if (!decided.ok) refuseSurely(table, letter, decided.refusal, attempt);
      else if (decided.value.type === "repeated") letter.answer(toDone(table.state, decided.value.version, true));
      else commit(table, letter, decided.value, attempt);
    } catch (error) {
      fail(table, letter, error);
    }
  }

  /** What may only look refused because another node moved the table on is decided again on what stands in the database. */
  function refuseSurely(table: Table, letter: Letter, refusal: TableRefusal, attempt: number): void {
    // Players never change once both sit: who is none may not make us ask, as often as they please.
    const isFinal = refusal === "not_a_player" && table.state.players[1] !== null;
    if (attempt > 1 || isFinal || !MAY_BE_BEHIND.has(refusal)) return letter.answer(refused(toCode(refusal)));
    table.isBusy = true;
    void lookAgain(table, letter, null, attempt);
  }

  function commit(table: Table, letter: Letter, decided: Decided, attempt: number): void {
    const written = writeEntry(decided.entry, table.hash);
    table.isBusy = true;
    if (isSettling(decided.entry)) {
      settle(deps.database, decided.entry, written, decided.next, letter.permit).then(
        (outcome) => conclude(table, letter, decided, written, outcome, attempt),
        (error) => lookAgain(table, letter, error, attempt, written),
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
      (outcome) => conclude(table, letter, decided, written, outcome, attempt),
    );
  }

  function conclude(
    table: Table,
    letter: Letter,
    decided: Decided,
    written: WrittenEntry,
    outcome: SettleOutcome | RowOutcome,
    attempt: number,
  ): void {
    switch (outcome.type) {
      case "committed":
        table.state = decided.next;
        table.hash = written.hash;
        table.isBusy = false;
        if (letter.joiner !== undefined) table.players = [table.players[0], letter.joiner];
        guard(table, () => {
          deps.publish(table, decided.entry, written, "wallets" in outcome ? outcome : NOTHING_SETTLED);
          letter.answer(toDone(decided.next, written.version, false));
        });
        workOff(table);
        break;
      case "stale":
        void lookAgain(table, letter, null, attempt);
        break;
      case "refused":
        table.isBusy = false;
        if (outcome.lapse !== undefined) {
          const command: TableCommand = { type: "lapse_rematch", ...outcome.lapse };
          table.letters.unshift({ command, at: letter.at, answer: () => undefined });
        }
        guard(table, () => letter.answer(refused(outcome.code, outcome.figures)));
        workOff(table);
        break;
      case "fault":
        fail(table, letter, outcome.error);
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
  async function lookAgain(
    table: Table,
    letter: Letter,
    error: unknown,
    attempt: number,
    written?: WrittenEntry,
  ): Promise<void> {
    if (error !== null) deps.log.warn({ err: error, gameId: table.gameId }, "a settlement is looked up again");
    try {
      if (attempt >= ATTEMPTS_MAX) throw error ?? new Error("the table's newest version stays out of reach");
      if (error !== null) await new Promise((resolve) => setTimeout(resolve, RETRY_MS * attempt));
      await deps.catchUp(table);
      table.isBusy = false;
      // The database was away: before a flag falls it has to be known for how long, and to be credited.
      if (error !== null && letter.command.type === "expire") letter.answer(refused("unavailable"));
      // The house's commands have no id by which a repeat is known; what they wrote is, by its hash.
      else if (letter.permit !== undefined && written !== undefined && table.hash === written.hash)
        letter.answer(toDone(table.state, written.version, false));
      else handle(table, letter, attempt + 1);
      workOff(table);
    } catch (again) {
      if (attempt < ATTEMPTS_MAX) return await lookAgain(table, letter, again, attempt + 1, written);
      fail(table, letter, again);
    }
  }

  /** The table stops here, until it has been read anew from the database. */
  function fail(table: Table, letter: Letter, error: unknown): void {
    deps.log.error({ err: error, gameId: table.gameId, command: letter.command.type }, "a table stopped");
    table.isBusy = true;
    table.letters.unshift(letter);
    refuseLetters(table);
    deps.restart(table);
  }

  function refuseLetters(table: Table): void {
    for (const left of table.letters.splice(0)) guard(table, () => left.answer(refused("something_went_wrong")));
  }

  /** What is committed stays so, whatever showing it to someone comes to. */
  function guard(table: Table, show: () => void): void {
    try {
      show();
    } catch (err) {
      deps.log.error({ err, gameId: table.gameId }, "an entry could not be shown");
    }
  }

  return {
    deliver(table, letter) {
      table.letters.push(letter);
      workOff(table);
    },
    look(table) {
      return new Promise((seen) => {
        table.lookers.push(seen);
        workOff(table);
      });
    },
    resume(table) {
      // A flag that fell while nothing could be done is called again, if it still falls.
      for (const [index, { command }] of [...table.letters.entries()].reverse()) {
        if (command.type === "expire") table.letters.splice(index, 1);
      }
      table.isBusy = false;
      workOff(table);
    },
    giveUp(table) {
      refuseLetters(table);
      for (const seen of table.lookers.splice(0)) seen();
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
