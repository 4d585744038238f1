import { assert } from "@holo/kernel/assert.ts";
import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { RefusalCode, RefusalFigures } from "@holo/protocol/refusals/refusals.ts";
import type { Seat } from "@holo/rules/rules.ts";
import type { LogRecord } from "@holo/table/log-record.ts";
import { type Terms, toTerms } from "@holo/table/stakes.ts";
import type { TableState } from "@holo/table/state.ts";
import { checkRestricted, checkSeat, findBlockedWith } from "../../accounts/accounts.ts";
import { type Posted, postStake } from "../../ledger/ledger.ts";
import type { Tx } from "../../platform/database/database.ts";
import type { Refusal } from "../answer.ts";
import { rulesOf } from "../game-rules.ts";
import { loadOpenGame, saveCommand, takeSeat } from "../log/game-store.ts";
import { checkCoolDown } from "./cool-down-check.ts";

/** A refusal found inside a transaction: everything written in it is rolled back. */
export class RefusedInTransaction extends Error {
  override readonly name = "Withdrawn";
  readonly refusal: Refusal;
  constructor(code: RefusalCode, figures: RefusalFigures = {}, lapse?: Refusal["lapse"]) {
    super(code);
    this.refusal = { code, figures, ...(lapse === undefined ? {} : { lapse }) };
  }
}

/** Seats a player and takes their entry, or withdraws with the reason why not. The caller has written the game's row. */
export async function takePaidSeat(
  tx: Tx,
  state: TableState<unknown>,
  seat: 1 | 2,
  playerId: PlayerId,
  record: LogRecord,
): Promise<Posted> {
  const isBlocked = seat === 2 && (await findBlockedWith(tx, playerId)).has(state.players[0]);
  if (isBlocked) throw new RefusedInTransaction("blocked_pair");
  // Their waiting game is about to be cancelled; until it is, it must not begin (ruling 27).
  if (seat === 2 && (await checkRestricted(tx, state.players[0], record.at)))
    throw new RefusedInTransaction("match_gone");
  await seatPlayer(tx, state, seat, playerId, record.at);
  const posted = await payBuyIn(tx, state, seat, playerId, record.at);
  assert(record.commandId !== undefined, "who sits down sent a command");
  const content = seat === 1 ? state.answered.find(record.commandId)!.content : toJoinContent(state.gameId);
  await saveCommand(tx, playerId, record.commandId, content, state.gameId, record.at);
  return posted;
}

/** Takes a seat at a game for a player who may have one, or withdraws. */
export async function seatPlayer(
  tx: Tx,
  { gameId, stake }: Pick<TableState<unknown>, "gameId" | "stake">,
  seat: Seat,
  playerId: PlayerId,
  at: Instant,
): Promise<void> {
  const permit = await checkSeat(tx, playerId, stake, at);
  if (permit !== null) throw new RefusedInTransaction(permit.code, permit.figures);
  const pause = await checkCoolDown(tx, playerId, at);
  if (pause !== null) throw new RefusedInTransaction(pause.code, pause.figures);
  if (await takeSeat(tx, playerId, gameId, seat)) return;
  const open = await loadOpenGame(tx, playerId);
  throw new RefusedInTransaction(open?.status === "waiting" ? "pending_game_exists" : "active_game_exists");
}

/** Moves a player's whole entry into the game's escrow, or withdraws where they have not enough. */
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

export function toJoinContent(gameId: string): string {
  return `join ${gameId}`;
}

export function termsOf(state: TableState<unknown>): Terms {
  return toTerms(state.stake, rulesOf(state.game).pieceCount, state.feeBps);
}
