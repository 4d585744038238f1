import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Move, Seat } from "@holo/rules/rules.ts";
import { CLOCK_STARTS_AFTER_PLIES } from "@holo/table/clock.ts";
import { RESIGN_AFTER_PLIES } from "@holo/table/decide.ts";
import { type Terms, toTerms } from "@holo/table/platform-fee.ts";
import { toRemaining } from "@holo/table/remaining.ts";
import { toOpponent, toSeat } from "@holo/table/state.ts";
import type { ShownTable } from "./store/table-view.ts";

/** A table from the viewer's side. */
export interface TableViewModel {
  readonly shown: ShownTable;
  /** The viewer's seat; null for spectators. */
  readonly seat: Seat | null;
  /** The seat at the bottom of the board. */
  readonly bottom: Seat;
  /** Whose turn it is on the drawn board, with a move in flight; null if no game is active. */
  readonly turn: Seat | null;
  readonly position: unknown;
  readonly lastMove: Move | null;
  readonly terms: Terms;
}

export function toTableViewModel(shown: ShownTable, playerId: PlayerId | undefined): TableViewModel {
  const { rules, table } = shown;
  const seat = playerId === undefined ? null : toSeat(table, playerId);
  const terms = toTerms(table.stake, rules.pieceCount, table.feeBps);
  return { shown, seat, bottom: seat ?? 1, ...toDrawn(shown), terms };
}

function toDrawn({ rules, table, pending }: ShownTable): Pick<TableViewModel, "turn" | "position" | "lastMove"> {
  const position = pending?.position ?? table.position;
  return {
    turn: table.status === "active" ? rules.toMove(position) : null,
    position,
    lastMove: pending?.move ?? table.moves.at(-1)?.move ?? null,
  };
}

/** The table as the server has it if the move in flight has not arrived. */
export function withoutPending(viewModel: TableViewModel): TableViewModel {
  const shown = { ...viewModel.shown, pending: null };
  return { ...viewModel, shown, ...toDrawn(shown) };
}

export function toName({ shown }: Pick<TableViewModel, "shown">, seat: Seat): string {
  return shown.players[seat - 1]?.username ?? "Waiting for a player";
}

/** Whether it is the viewer's turn and no own move is in flight. */
export function mayMove({ shown, seat, turn }: TableViewModel): boolean {
  return seat !== null && turn === seat && shown.pending === null;
}

/** Whether the viewer may choose a premove. */
export function mayPremove({ seat, turn }: TableViewModel): boolean {
  return seat !== null && turn === toOpponent(seat);
}

export function mayCancel({ shown: { table }, seat }: TableViewModel): boolean {
  const isEarly = table.status === "active" && table.pliesEver < RESIGN_AFTER_PLIES;
  return seat !== null && (table.status === "waiting" || isEarly);
}

export function mayResign({ shown: { table }, seat }: TableViewModel): boolean {
  return seat !== null && table.status === "active" && table.pliesEver >= RESIGN_AFTER_PLIES;
}

/** Whether the clocks run yet on this table (ruling 17). */
export function isTimed({ shown: { table } }: TableViewModel): boolean {
  return table.status === "active" && table.pliesEver >= CLOCK_STARTS_AFTER_PLIES;
}

/**
 * A player's remaining ms. Both displayed clocks stop while a move is in flight.
 * @param now by the server's clock
 */
export function toRemainingMs({ shown }: TableViewModel, seat: Seat, now: number): number {
  const at = (shown.pending?.sentAt ?? now) as Parameters<typeof toRemaining>[2];
  return toRemaining(shown.rules, shown.table, at)[seat - 1]!;
}

/** Captures of a seat. Player 1 makes the odd moves. */
export function countCaptured({ shown: { table } }: Pick<TableViewModel, "shown">, seat: Seat): number {
  return table.moves
    .filter((_, index) => (index % 2 === 0 ? 1 : 2) === seat)
    .reduce((count, { move }) => count + move.captured.length, 0);
}

export { toOpponent };
