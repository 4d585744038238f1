import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { ofSeat } from "@holo/rules/by-seat.ts";
import type { Move, PieceKind, Seat } from "@holo/rules/rules.ts";
import { BOARD_SQUARES } from "@holo/rules/square.ts";
import { CLOCK_STARTS_AFTER_PLIES } from "@holo/table/clock.ts";
import { RESIGN_AFTER_PLIES } from "@holo/table/decide.ts";
import type { Terms } from "@holo/table/platform-fee.ts";
import { toRemaining } from "@holo/table/remaining.ts";
import { isFree } from "@holo/table/stakes.ts";
import { findSeat, toOpponent } from "@holo/table/state.ts";
import { toGameTerms } from "../../shared/match/match.ts";
import type { ShownTable } from "./store/table-view.ts";

export interface TableViewModel {
  readonly shown: ShownTable;
  readonly seat: Seat | null;
  readonly bottom: Seat;
  /** Whose turn it is on the drawn board, with a move in flight; null if no game is active. */
  readonly turn: Seat | null;
  readonly position: unknown;
  readonly lastMove: Move | null;
  readonly terms: Terms;
  /** No coins move: nothing of money is shown. */
  readonly isFree: boolean;
}

export function toTableViewModel(shown: ShownTable, playerId: PlayerId | undefined): TableViewModel {
  const { table } = shown;
  const seat = playerId === undefined ? null : findSeat(table, playerId);
  const terms = toGameTerms(table.game, table.stake, table.feeBps);
  return { shown, seat, bottom: seat ?? 1, ...toDrawnBoard(shown), terms, isFree: isFree(table.stake) };
}

export function flipBoard(viewModel: TableViewModel): TableViewModel {
  return viewModel.seat === null ? { ...viewModel, bottom: toOpponent(viewModel.bottom) } : viewModel;
}

function toDrawnBoard({ rules, table, pending }: ShownTable): Pick<TableViewModel, "turn" | "position" | "lastMove"> {
  const position = pending?.position ?? table.position;
  return {
    turn: table.status === "active" ? rules.toMove(position) : null,
    position,
    lastMove: pending?.move ?? table.moves.at(-1)?.move ?? null,
  };
}

export function withoutPending(viewModel: TableViewModel): TableViewModel {
  const shown = { ...viewModel.shown, pending: null };
  return { ...viewModel, shown, ...toDrawnBoard(shown) };
}

export function toName({ shown }: Pick<TableViewModel, "shown">, seat: Seat): string {
  return ofSeat(shown.players, seat)?.username ?? "Waiting for a player";
}

export function mayMove({ shown, seat, turn }: TableViewModel): boolean {
  return seat !== null && turn === seat && shown.pending === null;
}

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
 * A player's remaining ms at `now` by the server's clock. Both displayed clocks stop while a move
 * is in flight.
 */
export function toRemainingMs({ shown }: TableViewModel, seat: Seat, now: number): number {
  const at = (shown.pending?.sentAt ?? now) as Instant;
  return ofSeat(toRemaining(shown.rules, shown.table, at), seat);
}

export function countCaptured({ shown: { table } }: Pick<TableViewModel, "shown">, seat: Seat): number {
  return table.moves
    .slice()
    .filter((_, index) => (index % 2 === 0 ? 1 : 2) === seat)
    .reduce((count, { move }) => count + move.captured.length, 0);
}

/** In ascending order; a lead in material is a difference of their sums. */
const PIECE_VALUES: Readonly<Partial<Record<PieceKind, number>>> = { pawn: 1, knight: 3, bishop: 3, rook: 5, queen: 9 };

interface Material {
  readonly captured: readonly PieceKind[];
  /** How much more its pieces on the board are worth than the opponent's; 0 if not more. */
  readonly lead: number;
}

export function toMaterial({ shown, position }: Pick<TableViewModel, "shown" | "position">, seat: Seat): Material {
  const { rules, table, positions } = shown;
  const captured = table.moves
    .slice()
    .flatMap(({ move }, ply) =>
      move.captured.map((square) => rules.pieceAt(positions[ply], square)).filter((piece) => piece?.seat !== seat),
    );
  const lead = Array.from({ length: BOARD_SQUARES }, (_, square) => rules.pieceAt(position, square)).reduce(
    (sum, piece) => sum + (piece === null ? 0 : toValue(piece.kind) * (piece.seat === seat ? 1 : -1)),
    0,
  );
  const kinds = captured.flatMap((piece) => (piece === null ? [] : [piece.kind]));
  return {
    captured: kinds.toSorted((a, b) => PIECE_ORDER.indexOf(a) - PIECE_ORDER.indexOf(b)),
    lead: Math.max(0, lead),
  };
}

const PIECE_ORDER = Object.keys(PIECE_VALUES) as readonly PieceKind[];

function toValue(kind: PieceKind): number {
  return PIECE_VALUES[kind] ?? 0;
}

export { toOpponent };
