import { assert } from "@holo/kernel/assert.ts";
import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { RefusalCode, RefusalFigures } from "@holo/protocol/refusals.ts";
import type { Seat } from "@holo/rules/rules.ts";
import type { Entry } from "@holo/table/entry.ts";
import { type Terms, toTerms } from "@holo/table/stakes.ts";
import type { TableState } from "@holo/table/state.ts";
import { checkExcluded, checkSeat, findBlockedWith } from "../accounts/accounts.ts";
import { type Posted, postStake } from "../ledger/ledger.ts";
import type { Tx } from "../platform/database.ts";
import type { Refusing } from "./answer.ts";
import { rulesOf } from "./games.ts";
import { toPauseRefusal } from "./pause-check.ts";
import { loadOpenGame, saveCommand, takeSeat } from "./store.ts";

/** A refusal found inside a transaction: everything written in it is rolled back. */
export class Withdrawn extends Error {
  override readonly name = "Withdrawn";
  readonly refusing: Refusing;
  constructor(code: RefusalCode, figures: RefusalFigures = {}, lapse?: Refusing["lapse"]) {
    super(code);
    this.refusing = { code, figures, ...(lapse === undefined ? {} : { lapse }) };
  }
}

/** Seats a player and takes their entry, or withdraws with the reason why not. The caller has written the game's row. */
export async function takePaidSeat(
  tx: Tx,
  state: TableState<unknown>,
  seat: 1 | 2,
  playerId: PlayerId,
  entry: Entry,
): Promise<Posted> {
  const isBlocked = seat === 2 && (await findBlockedWith(tx, playerId)).has(state.players[0]);
  if (isBlocked) throw new Withdrawn("blocked_pair");
  // Their waiting game is about to be cancelled; until it is, it must not begin (ruling 27).
  if (seat === 2 && (await checkExcluded(tx, state.players[0], entry.at))) throw new Withdrawn("match_gone");
  await seatPlayer(tx, state, seat, playerId, entry.at);
  const posted = await payEntry(tx, state, seat, playerId, entry.at);
  assert(entry.commandId !== undefined, "who sits down sent a command");
  const content = seat === 1 ? state.answered.find(entry.commandId)!.content : toJoinContent(state.gameId);
  await saveCommand(tx, playerId, entry.commandId, content, state.gameId, entry.at);
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
  if (permit !== null) throw new Withdrawn(permit.code, permit.figures);
  const pause = await toPauseRefusal(tx, playerId, at);
  if (pause !== null) throw new Withdrawn(pause.code, pause.figures);
  if (await takeSeat(tx, playerId, gameId, seat)) return;
  const open = await loadOpenGame(tx, playerId);
  throw new Withdrawn(open?.status === "waiting" ? "pending_game_exists" : "active_game_exists");
}

/** Moves a player's whole entry into the game's escrow, or withdraws where they have not enough. */
export async function payEntry(
  tx: Tx,
  state: TableState<unknown>,
  seat: Seat,
  playerId: PlayerId,
  at: Instant,
): Promise<Posted> {
  const { gameId } = state;
  const posted = await postStake(tx, { gameId, seat, playerId, amount: termsOf(state).entry, at });
  if (posted.ok) return posted.value;
  assert(posted.refusal.type === "insufficient_balance", `seat ${seat} of game ${gameId} was paid before`);
  const { need, have } = posted.refusal;
  throw new Withdrawn(seat === 1 ? "insufficient_to_create" : "insufficient_to_join", { need, have });
}

export function toJoinContent(gameId: string): string {
  return `join ${gameId}`;
}

export function termsOf(state: TableState<unknown>): Terms {
  return toTerms(state.stake, rulesOf(state.game).pieceCount, state.feeBps);
}
