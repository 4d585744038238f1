import { assert } from "@holo/kernel/assert.ts";
import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Seat } from "@holo/rules/rules.ts";
import { decideCreate } from "@holo/table/decide.ts";
import { evolve, open } from "@holo/table/evolve.ts";
import type { LogRecord, RematchStarted } from "@holo/table/log-record.ts";
import { type TableState, toSeat } from "@holo/table/state.ts";
import type { Wallet } from "../../ledger/ledger.ts";
import type { Tx } from "../../platform/database/database.ts";
import type { Refusal } from "../answer.ts";
import { rulesOf } from "../game-rules.ts";
import { appendRecord, insertGame } from "../log/game-writer.ts";
import { type EncodedRecord, encodeRecord, toFirstHash } from "../log/log-record.ts";
import { RefusedInTransaction } from "../transact-or-refuse.ts";
import { checkPair, payBuyIn, seatPlayer } from "./seating.ts";

/** A started rematch, with both players seated and both buy-ins paid. */
export interface StartedRematch {
  readonly state: TableState<unknown>;
  readonly encoded: readonly EncodedRecord[];
  readonly wallets: readonly Wallet[];
}

/**
 * Starts the rematch that both agreed to: same game, stake and time, colours swapped (ruling 19).
 * Throws `RefusedInTransaction` if either player may not sit or cannot pay; the caller's
 * transaction rolls back. Seats, then wallets, are locked in the order of the players' ids.
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
  const encodedCreated = encodeRecord(created, toFirstHash(gameId));
  const encodedJoined = encodeRecord(joined, encodedCreated.hash);

  await insertGame(tx, waiting, created, encodedCreated);
  const wallets = await takePaidSeats(tx, before, state, { at, by });
  await appendRecord(tx, state, joined, encodedJoined);
  return { state, encoded: [encodedCreated, encodedJoined], wallets };
}

async function takePaidSeats(
  tx: Tx,
  before: TableState<unknown>,
  state: TableState<unknown>,
  { at, by }: { readonly at: LogRecord["at"]; readonly by: Seat },
): Promise<readonly Wallet[]> {
  const playerIds = before.players.filter((playerId) => playerId !== null).sort();
  const seatIn = (game: TableState<unknown>, playerId: PlayerId) => toSeat(game, playerId)!;
  for (const playerId of playerIds) {
    const toRefusal = (refusal: Refusal) => toRematchRefusal(refusal, seatIn(before, playerId), by);
    await seatPlayer(tx, state, seatIn(state, playerId), playerId, at).catch(mapRefusal(toRefusal));
  }
  const [one, other] = playerIds;
  assert(one !== undefined && other !== undefined, "a rematch has two players");
  await checkPair(tx, one, other, { reason: "unavailable", seat: null });
  const wallets: Wallet[] = [];
  for (const playerId of playerIds) {
    const toRefusal = (refusal: Refusal) => toRematchRefusal(refusal, seatIn(before, playerId), by);
    const paid = await payBuyIn(tx, state, seatIn(state, playerId), playerId, at).catch(mapRefusal(toRefusal));
    wallets.push(...paid.wallets);
  }
  return wallets;
}

function mapRefusal(toRefusal: (refusal: Refusal) => RefusedInTransaction): (error: unknown) => never {
  return (error) => {
    throw error instanceof RefusedInTransaction ? toRefusal(error.refusal) : error;
  };
}

/**
 * The accepting player learns their own reason in full, and of the opponent only that they cannot.
 */
function toRematchRefusal({ code, figures }: Refusal, seat: Seat, by: Seat): RefusedInTransaction {
  // Maintenance concerns both and is neither player's doing.
  if (code === "maintenance") return new RefusedInTransaction(code, figures, { reason: "unavailable", seat: null });
  const reason = toLapseReason(code);
  const lapse = { reason, seat } as const;
  if (seat === by) {
    return new RefusedInTransaction(code === "insufficient_to_create" ? "insufficient_to_join" : code, figures, lapse);
  }
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
