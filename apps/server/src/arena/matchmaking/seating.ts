import { assert } from "@holo/kernel/assert.ts";
import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { Seat } from "@holo/rules/rules.ts";
import type { LogRecord } from "@holo/table/log-record.ts";
import { type Terms, toTerms } from "@holo/table/platform-fee.ts";
import type { TableState } from "@holo/table/state.ts";
import { checkSeat, findNeverPaired, lockLimitsShared } from "../../accounts/accounts.ts";
import { type Posted, postStake } from "../../ledger/ledger.ts";
import type { Tx } from "../../platform/database/database.ts";
import type { Refusal } from "../answer.ts";
import { rulesOf } from "../game-rules.ts";
import { RefusedInTransaction } from "../transact-or-refuse.ts";
import { findBarred, findDebtRefusal } from "./barred-players.ts";
import { checkCoolDown } from "./cool-down.ts";
import { loadOpenGame, saveCommand, takeSeat } from "./seat-store.ts";

/** Seats a player and takes their buy-in. Throws `RefusedInTransaction`. The game's row exists. */
export async function takePaidSeat(
  tx: Tx,
  state: TableState<unknown>,
  seat: Seat,
  playerId: PlayerId,
  record: LogRecord,
): Promise<Posted> {
  if (seat === 2) await checkCreator(tx, state.players[0], record.at);
  await seatPlayer(tx, state, seat, playerId, record.at);
  if (seat === 2) await checkPair(tx, state.players[0], playerId);
  const posted = await payBuyIn(tx, state, seat, playerId, record.at);
  assert(record.commandId !== undefined, "a player who sits down sent a command");
  const content = seat === 1 ? state.answered.find(record.commandId)!.content : toJoinContent(state.gameId);
  await saveCommand(tx, playerId, record.commandId, content, state.gameId, record.at);
  return posted;
}

/**
 * The waiting game of a barred creator is about to be cancelled and must not start (rulings 27 and
 * 33).
 */
async function checkCreator(tx: Tx, creatorId: PlayerId, at: Instant): Promise<void> {
  await lockLimitsShared(tx, creatorId);
  if ((await findBarred(tx, [creatorId], at)).has(creatorId)) throw new RefusedInTransaction("match_gone");
}

/**
 * Whether two players may play each other. Both have been seated, so a first withdrawal to the
 * other's bank account has ended or waits. Throws `RefusedInTransaction`, for any cause alike.
 */
export async function checkPair(
  tx: Tx,
  playerId: PlayerId,
  otherId: PlayerId,
  lapse?: Refusal["lapse"],
): Promise<void> {
  if ((await findNeverPaired(tx, playerId)).has(otherId)) throw new RefusedInTransaction("blocked_pair", {}, lapse);
}

/** Gives a player a seat if they may have one. Throws `RefusedInTransaction`. */
export async function seatPlayer(
  tx: Tx,
  { gameId, stake }: Pick<TableState<unknown>, "gameId" | "stake">,
  seat: Seat,
  playerId: PlayerId,
  at: Instant,
): Promise<void> {
  const refusal =
    (await checkSeat(tx, playerId, stake, at)) ??
    (await findDebtRefusal(tx, playerId)) ??
    (await checkCoolDown(tx, playerId, at));
  if (refusal !== null) throw new RefusedInTransaction(refusal.code, refusal.figures);
  if (await takeSeat(tx, playerId, gameId, seat)) return;
  const open = await loadOpenGame(tx, playerId);
  throw new RefusedInTransaction(open?.status === "waiting" ? "pending_game_exists" : "active_game_exists");
}

/** Moves a player's buy-in into the game's escrow. Throws `RefusedInTransaction`. */
export async function payBuyIn(
  tx: Tx,
  state: TableState<unknown>,
  seat: Seat,
  playerId: PlayerId,
  at: Instant,
): Promise<Posted> {
  const { gameId } = state;
  const posted = await postStake(tx, { gameId, seat, playerId, amount: termsOf(state).buyIn, at });
  if (posted.ok) return posted.value;
  assert(posted.refusal.type === "insufficient_balance", `seat ${seat} of game ${gameId} was paid before`);
  const { need, have } = posted.refusal;
  throw new RefusedInTransaction(seat === 1 ? "insufficient_to_create" : "insufficient_to_join", { need, have });
}

/** The content of a join as stored with its command. */
export function toJoinContent(gameId: GameId): string {
  return `join ${gameId}`;
}

export function termsOf(state: TableState<unknown>): Terms {
  return toTerms(state.stake, rulesOf(state.game).pieceCount, state.feeBps);
}
