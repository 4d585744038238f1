import { assert } from "@holo/kernel/assert.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { NO_DELIVERY } from "@holo/table/clock.ts";
import { toDeadline } from "@holo/table/deadline.ts";
import type { LogRecord, TableEvent } from "@holo/table/log-record.ts";
import type { TableState } from "@holo/table/state.ts";
import { type JournalConflict, type Posted, postDraw, postRefund, postWin, type Wallet } from "../../ledger/ledger.ts";
import type { Database, Tx } from "../../platform/database/database.ts";
import { type Effect, transact } from "../../platform/database/transaction.ts";
import type { Refusal } from "../answer.ts";
import { rulesOf } from "../game-rules.ts";
import { type StartedRematch, startRematch } from "../matchmaking/rematch.ts";
import { RefusedInTransaction, takePaidSeat, termsOf } from "../matchmaking/seating.ts";
import type { SettlementHook } from "../table/table.ts";
import { freeSeats, lockGameVersion, saveRecord } from "./game-store.ts";
import type { EncodedRecord } from "./log-record.ts";

/** Runs a transaction that may withdraw: then nothing is written and the refusal is the answer. */
export async function transactOrRefuse<Value>(
  database: Database,
  work: (tx: Tx, afterCommit: (effect: Effect) => void) => Promise<Value>,
): Promise<Result<Value, Refusal>> {
  try {
    return ok(await transact(database, work));
  } catch (error) {
    if (error instanceof RefusedInTransaction) return refuse(error.refusal);
    throw error;
  }
}

export type SettlementOutcome =
  | ({ readonly type: "committed" } & Settled)
  /** Another entry has this version: reload and decide again. */
  | { readonly type: "stale" }
  | ({ readonly type: "refused" } & Refusal);

export interface Settled {
  /** The wallets that were touched, as they are now. */
  readonly wallets: readonly Wallet[];
  /** The rematch that began with it. */
  readonly rematch?: StartedRematch;
}

const SETTLING: ReadonlySet<TableEvent["type"]> = new Set(["joined", "ended", "cancelled", "rematch_started"]);

/** Whether an entry moves money, or frees or takes a seat: then it is committed together with the ledger. */
export function isSettling(record: LogRecord): boolean {
  return record.events.some(({ type }) => SETTLING.has(type));
}

/**
 * Lane two: the entry that starts, ends or cancels a game, in one transaction with the seats and the ledger. Locks in one order: the
 * game's row, seats, accounts.
 */
export async function settle(
  database: Database,
  record: LogRecord,
  written: EncodedRecord,
  next: TableState<unknown>,
  permit?: SettlementHook,
): Promise<SettlementOutcome> {
  const done = await transactOrRefuse(database, async (tx): Promise<SettlementOutcome> => {
    const version = await lockGameVersion(tx, next.gameId);
    if (version !== record.version - 1) return { type: "stale" };
    const refusal = await permit?.(tx, next.players);
    if (refusal != null) throw new RefusedInTransaction(refusal);
    return { type: "committed", ...(await settleRecord(tx, record, written, next)) };
  });
  return done.ok ? done.value : { type: "refused", ...done.refusal };
}

/** Writes such an entry with all that belongs to it. The caller holds the game's row and has seen that this is its next version. */
export async function settleRecord(
  tx: Tx,
  record: LogRecord,
  written: EncodedRecord,
  next: TableState<unknown>,
): Promise<Settled> {
  const deadlineAt = toDeadline(rulesOf(next.game), next, NO_DELIVERY)?.at ?? null;
  await saveRecord(tx, next, record, written, next.captures, deadlineAt);
  const started = record.events.find((event) => event.type === "rematch_started");
  if (started !== undefined) {
    const rematch = await startRematch(tx, next, started, record);
    return { wallets: rematch.wallets, rematch };
  }
  const posted = await moveMoney(tx, record, written, next);
  assert(posted.ok, `game ${next.gameId} was settled before`);
  return { wallets: posted.value.wallets };
}

async function moveMoney(
  tx: Tx,
  record: LogRecord,
  written: EncodedRecord,
  next: TableState<unknown>,
): Promise<Result<Posted, JournalConflict>> {
  const joined = record.events.find((event) => event.type === "joined");
  if (joined !== undefined) return ok(await takePaidSeat(tx, next, 2, joined.player, record));
  const freed = await freeSeats(tx, next.gameId);
  assert(freed === (next.players[1] === null ? 1 : 2), `game ${next.gameId} had ${freed} seats`);
  const order = { gameId: next.gameId, at: record.at };
  if (next.status === "cancelled") return await postRefund(tx, order);
  const terms = termsOf(next);
  const { result } = next;
  assert(result !== null, "an ended game has a result");
  if (result.winner === null) {
    return await postDraw(tx, {
      ...order,
      drawReturn: terms.drawReturn,
      platformFee: terms.platformFee,
      finalHash: written.hash,
    });
  }
  const winnerId = next.players[result.winner - 1];
  assert(winnerId, "the winner sits at the table");
  return await postWin(tx, {
    ...order,
    winnerId,
    winnings: terms.winnings,
    platformFee: terms.platformFee,
    finalHash: written.hash,
  });
}
