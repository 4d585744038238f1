import { assert } from "@holo/kernel/assert.ts";
import type { PlayerId } from "@holo/kernel/ids.ts";
import { NO_DELIVERY } from "@holo/table/clock.ts";
import { toDeadline } from "@holo/table/deadline.ts";
import { decideCreate } from "@holo/table/decide.ts";
import { evolve, open } from "@holo/table/evolve.ts";
import type { LogRecord, RematchStarted } from "@holo/table/log-record.ts";
import { type TableState, toSeat } from "@holo/table/state.ts";
import { findBlockedWith } from "../../accounts/accounts.ts";
import type { Wallet } from "../../ledger/ledger.ts";
import type { Tx } from "../../platform/database/database.ts";
import type { Refusal } from "../answer.ts";
import { rulesOf } from "../game-rules.ts";
import { insertGame, saveRecord } from "../log/game-store.ts";
import { type EncodedRecord, encodeRecord, toFirstHash } from "../log/log-record.ts";
import { payBuyIn, RefusedInTransaction, seatPlayer, termsOf } from "./seating.ts";

/** A game that began as the rematch of another, with both players seated and both entries paid. */
export interface StartedRematch {
  readonly state: TableState<unknown>;
  readonly written: readonly EncodedRecord[];
  readonly wallets: readonly Wallet[];
}

/**
 * Opens the game to which both agreed: the same game, stake and time with the colours swapped (ruling 19). Both entries or neither: where
 * one of the two may not, or cannot pay, it withdraws, and all of the caller's transaction with it. Seats and then wallets are taken in
 * the order of the players' ids.
 */
export async function startRematch(
  tx: Tx,
  before: TableState<unknown>,
  { gameId, feeBps }: Pick<RematchStarted, "gameId" | "feeBps">,
  { at, by }: Pick<LogRecord, "at" | "by">,
): Promise<StartedRematch> {
  const [second, first] = before.players;
  assert(first !== null && by !== 0, "two players agreed to a rematch");
  const rules = rulesOf(before.game);
  const { game, stake, limitMs } = before;
  const created = decideCreate(game, stake, limitMs, feeBps, first, at, { rematchOf: before.gameId });
  const waiting = open(rules, gameId, created);
  const joined: LogRecord = { version: 2, at, by: 2, events: [{ type: "joined", player: second }] };
  const state = evolve(rules, waiting, joined);
  const createdText = encodeRecord(created, toFirstHash(gameId));
  const joinedText = encodeRecord(joined, createdText.hash);

  if ((await findBlockedWith(tx, first)).has(second)) {
    throw new RefusedInTransaction("blocked_pair", {}, { reason: "unavailable", seat: null });
  }
  await insertGame(tx, waiting, createdText, termsOf(waiting), toDeadline(rules, waiting, NO_DELIVERY)?.at ?? null);
  const order = [first, second].sort();
  const seatIn = (game: TableState<unknown>, playerId: PlayerId) => toSeat(game, playerId)!;
  for (const playerId of order) {
    const mayNot = (refusal: Refusal) => toRematchRefusal(refusal, seatIn(before, playerId), by);
    await seatPlayer(tx, state, seatIn(state, playerId), playerId, at).catch(mapRefusal(mayNot));
  }
  const wallets: Wallet[] = [];
  for (const playerId of order) {
    const mayNot = (refusal: Refusal) => toRematchRefusal(refusal, seatIn(before, playerId), by);
    const paid = await payBuyIn(tx, state, seatIn(state, playerId), playerId, at).catch(mapRefusal(mayNot));
    wallets.push(...paid.wallets);
  }
  await saveRecord(tx, state, joined, joinedText, state.captures, toDeadline(rules, state, NO_DELIVERY)?.at ?? null);
  return { state, written: [createdText, joinedText], wallets };
}

function mapRefusal(toWithdrawn: (refusal: Refusal) => RefusedInTransaction): (error: unknown) => never {
  return (error) => {
    throw error instanceof RefusedInTransaction ? toWithdrawn(error.refusal) : error;
  };
}

/** Who accepted is told in full what they lack themselves, and of the other only that they cannot. */
function toRematchRefusal({ code, figures }: Refusal, seat: 1 | 2, by: 1 | 2): RefusedInTransaction {
  // What holds for everybody is nobody's doing.
  if (code === "maintenance") return new RefusedInTransaction(code, figures, { reason: "unavailable", seat: null });
  const reason = toLapseReason(code);
  const lapse = { reason, seat } as const;
  if (seat === by)
    return new RefusedInTransaction(code === "insufficient_to_create" ? "insufficient_to_join" : code, figures, lapse);
  return new RefusedInTransaction(reason === "short_of_coins" ? "opponent_short" : "opponent_busy", {}, lapse);
}

function toLapseReason(code: Refusal["code"]): "short_of_coins" | "other_game" | "unavailable" {
  switch (code) {
    case "insufficient_to_create":
    case "insufficient_to_join":
      return "short_of_coins";
    case "pending_game_exists":
    case "active_game_exists":
      return "other_game";
    default:
      return "unavailable";
  }
}
