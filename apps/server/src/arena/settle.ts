import { assert } from "@holo/kernel/assert.ts";
import type { PlayerId } from "@holo/kernel/ids.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { RefusalCode, RefusalFigures } from "@holo/protocol/refusals.ts";
import { NO_DELIVERY } from "@holo/table/clock.ts";
import { toDeadline } from "@holo/table/deadline.ts";
import type { Entry } from "@holo/table/entry.ts";
import { type Terms, toTerms } from "@holo/table/stakes.ts";
import type { TableState } from "@holo/table/state.ts";
import {
  type EntryConflict,
  type Posted,
  postDraw,
  postRefund,
  postStake,
  postWin,
  type Wallet,
} from "../ledger/ledger.ts";
import type { Database, Tx } from "../platform/database.ts";
import { type Effect, transact } from "../platform/transaction.ts";
import type { Refusing } from "./answer.ts";
import { rulesOf } from "./games.ts";
import type { WrittenEntry } from "./log-entry.ts";
import { toPauseRefusal } from "./pause-check.ts";
import { freeSeats, loadOpenGame, lockGameVersion, saveCommand, saveEntry, takeSeat } from "./store.ts";

/** A refusal found inside a transaction: everything written in it is rolled back. */
export class Withdrawn extends Error {
  override readonly name = "Withdrawn";
  readonly code: RefusalCode;
  readonly figures: RefusalFigures;
  constructor(code: RefusalCode, figures: RefusalFigures = {}) {
    super(code);
    this.code = code;
    this.figures = figures;
  }
}

/** Runs a transaction that may withdraw: then nothing is written and the refusal is the answer. */
export async function transactOrRefuse<Value>(
  database: Database,
  work: (tx: Tx, afterCommit: (effect: Effect) => void) => Promise<Value>,
): Promise<Result<Value, Refusing>> {
  try {
    return ok(await transact(database, work));
  } catch (error) {
    if (error instanceof Withdrawn) return refuse({ code: error.code, figures: error.figures });
    throw error;
  }
}

export type SettleOutcome =
  | { readonly type: "committed"; readonly wallets: readonly Wallet[] }
  /** Another entry has this version: reload and decide again. */
  | { readonly type: "stale" }
  | { readonly type: "refused"; readonly code: RefusalCode; readonly figures: RefusalFigures };

/** Whether an entry moves money, or frees or takes a seat: then it is committed together with the ledger. */
export function isSettling(entry: Entry): boolean {
  return entry.events.some(({ type }) => type === "joined" || type === "ended" || type === "cancelled");
}

/**
 * Lane two: the entry that starts, ends or cancels a game, in one transaction with the seats and the ledger. Locks in one order: the
 * game's row, seats, accounts.
 */
export async function settle(
  database: Database,
  entry: Entry,
  written: WrittenEntry,
  next: TableState<unknown>,
): Promise<SettleOutcome> {
  const done = await transactOrRefuse(database, async (tx): Promise<SettleOutcome> => {
    const version = await lockGameVersion(tx, next.gameId);
    if (version !== entry.version - 1) return { type: "stale" };
    return { type: "committed", wallets: await settleEntry(tx, entry, written, next) };
  });
  return done.ok ? done.value : { type: "refused", ...done.refusal };
}

/** Writes such an entry with all that belongs to it. The caller holds the game's row and has seen that this is its next version. */
export async function settleEntry(
  tx: Tx,
  entry: Entry,
  written: WrittenEntry,
  next: TableState<unknown>,
): Promise<readonly Wallet[]> {
  const deadlineAt = toDeadline(rulesOf(next.game), next, NO_DELIVERY)?.at ?? null;
  await saveEntry(tx, next, entry, written, next.captures, deadlineAt);
  const posted = await moveMoney(tx, entry, written, next);
  assert(posted.ok, `game ${next.gameId} was settled before`);
  return posted.value.wallets;
}

async function moveMoney(
  tx: Tx,
  entry: Entry,
  written: WrittenEntry,
  next: TableState<unknown>,
): Promise<Result<Posted, EntryConflict>> {
  const joined = entry.events.find((event) => event.type === "joined");
  if (joined !== undefined) return ok(await takePaidSeat(tx, next, 2, joined.player, entry));
  const freed = await freeSeats(tx, next.gameId);
  assert(freed === (next.players[1] === null ? 1 : 2), `game ${next.gameId} had ${freed} seats`);
  const order = { gameId: next.gameId, at: entry.at };
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

/** Seats a player and takes their entry, or withdraws with the reason why not. The caller has written the game's row. */
export async function takePaidSeat(
  tx: Tx,
  state: TableState<unknown>,
  seat: 1 | 2,
  playerId: PlayerId,
  entry: Entry,
): Promise<Posted> {
  const pause = await toPauseRefusal(tx, playerId, entry.at);
  if (pause !== null) throw new Withdrawn(pause.code, pause.figures);
  if (!(await takeSeat(tx, playerId, state.gameId, seat))) {
    const open = await loadOpenGame(tx, playerId);
    throw new Withdrawn(open?.status === "waiting" ? "pending_game_exists" : "active_game_exists");
  }
  const posted = await postStake(tx, {
    gameId: state.gameId,
    seat,
    playerId,
    amount: termsOf(state).entry,
    at: entry.at,
  });
  if (!posted.ok) {
    assert(posted.refusal.type === "insufficient_balance", `seat ${seat} of game ${state.gameId} was paid before`);
    const { need, have } = posted.refusal;
    throw new Withdrawn(seat === 1 ? "insufficient_to_create" : "insufficient_to_join", { need, have });
  }
  assert(entry.commandId !== undefined, "who sits down sent a command");
  const content = seat === 1 ? state.answered.find(entry.commandId)!.content : toJoinContent(state.gameId);
  await saveCommand(tx, playerId, entry.commandId, content, state.gameId, entry.at);
  return posted.value;
}

export function toJoinContent(gameId: string): string {
  return `join ${gameId}`;
}

export function termsOf(state: TableState<unknown>): Terms {
  return toTerms(state.stake, rulesOf(state.game).pieceCount, state.feeBps);
}
