import { assert } from "@holo/kernel/assert.ts";
import type { Result } from "@holo/kernel/result.ts";
import type { RefusalCode } from "@holo/protocol/refusals/refusals.ts";
import type { LogRecord, TableEvent } from "@holo/table/log-record.ts";
import type { TableState } from "@holo/table/state.ts";
import { type JournalConflict, type Posted, postDraw, postRefund, postWin, type Wallet } from "../../ledger/ledger.ts";
import type { Database, Tx } from "../../platform/database/database.ts";
import type { Refusal } from "../answer.ts";
import { freeSeats } from "../matchmaking/seat-store.ts";
import { takePaidSeat, termsOf } from "../matchmaking/seating.ts";
import { type StartedRematch, startRematch } from "../matchmaking/start-rematch.ts";
import { RefusedInTransaction, transactOrRefuse } from "../transact-or-refuse.ts";
import { appendRecord, lockGameVersion } from "./game-writer.ts";
import type { EncodedRecord } from "./log-record.ts";

/** Runs in the settlement transaction. Returns a refusal, or null after its own writes. */
export type SettlementHook = (tx: Tx, players: TableState<unknown>["players"]) => Promise<RefusalCode | null>;

/**
 * Whether the session that sent a command is still live, binding until the end of the transaction.
 * Runs last: accounts and limits are locked before sessions everywhere. Returns a refusal or null.
 */
export type SessionCheck = (tx: Tx) => Promise<RefusalCode | null>;

export interface SettlementChecks {
  readonly hook?: SettlementHook | undefined;
  /** Given with commands that take coins. */
  readonly checkSession?: SessionCheck | undefined;
}

export async function checkSessionOf(tx: Tx, { checkSession }: Pick<SettlementChecks, "checkSession">): Promise<void> {
  const refusal = await checkSession?.(tx);
  if (refusal != null) throw new RefusedInTransaction(refusal);
}

export type SettlementOutcome =
  | ({ readonly type: "committed" } & Settled)
  /** Another record has this version: resync and decide again. */
  | { readonly type: "stale" }
  | ({ readonly type: "refused" } & Refusal);

export interface Settled {
  /** The wallets that changed, with their new balances. */
  readonly wallets: readonly Wallet[];
  readonly rematch?: StartedRematch;
}

const SETTLING: ReadonlySet<TableEvent["type"]> = new Set(["joined", "ended", "cancelled", "rematch_started"]);

/** Whether a record moves money or changes seats, and is therefore committed with the ledger. */
export function isSettling(record: LogRecord): boolean {
  return record.events.some(({ type }) => SETTLING.has(type));
}

/**
 * Commits a settling record with seats and ledger. Locks the game's row, then seats, then accounts.
 */
export async function settle(
  database: Database,
  record: LogRecord,
  encoded: EncodedRecord,
  next: TableState<unknown>,
  { hook, checkSession }: SettlementChecks = {},
): Promise<SettlementOutcome> {
  const settled = await transactOrRefuse(database, async (tx): Promise<SettlementOutcome> => {
    const version = await lockGameVersion(tx, next.gameId);
    if (version !== record.version - 1) return { type: "stale" };
    const refusal = await hook?.(tx, next.players);
    if (refusal != null) throw new RefusedInTransaction(refusal);
    await appendRecord(tx, next, record, encoded);
    const settled = await settleMoney(tx, record, encoded, next);
    await checkSessionOf(tx, { checkSession });
    return { type: "committed", ...settled };
  });
  return settled.ok ? settled.value : { type: "refused", ...settled.refusal };
}

async function settleMoney(
  tx: Tx,
  record: LogRecord,
  encoded: EncodedRecord,
  next: TableState<unknown>,
): Promise<Settled> {
  const started = record.events.find((event) => event.type === "rematch_started");
  if (started !== undefined) {
    const rematch = await startRematch(tx, next, started, record);
    return { wallets: rematch.wallets, rematch };
  }
  const joined = record.events.find((event) => event.type === "joined");
  if (joined !== undefined) return await takePaidSeat(tx, next, 2, joined.player, record);
  const posted = await closeEscrow(tx, record, encoded, next);
  assert(posted.ok, `game ${next.gameId} was settled before`);
  return { wallets: posted.value.wallets };
}

/** Frees the seats and pays out what the players put in escrow. */
async function closeEscrow(
  tx: Tx,
  record: LogRecord,
  encoded: EncodedRecord,
  next: TableState<unknown>,
): Promise<Result<Posted, JournalConflict>> {
  const freed = await freeSeats(tx, next.gameId);
  assert(freed === (next.players[1] === null ? 1 : 2), `game ${next.gameId} had ${freed} seats`);
  const order = { gameId: next.gameId, at: record.at };
  if (next.status === "cancelled") return await postRefund(tx, order);
  const { drawReturn, winnings, platformFee } = termsOf(next);
  const { result } = next;
  assert(result !== null, "an ended game has a result");
  const finalHash = encoded.hash;
  if (result.winner === null) return await postDraw(tx, { ...order, drawReturn, platformFee, finalHash });
  const winnerId = next.players[result.winner - 1];
  assert(winnerId, "the winner sits at the table");
  return await postWin(tx, { ...order, winnerId, winnings, platformFee, finalHash });
}
