import type { GameRules, GameType, Move, Piece, Square } from "@holo/rules/rules.ts";
import { BOARD_SQUARES } from "@holo/rules/square.ts";
import { findPremoves } from "./premoves.ts";

export interface BoardView {
  readonly game: GameType;
  /** 64 squares, a8 first. */
  readonly pieces: readonly (Piece | null)[];
  /** The legal moves or premoves of the viewer, one per path. */
  readonly moves: readonly Move[];
  /** Whether `moves` are premoves. */
  readonly arePremoves: boolean;
  readonly lastMove: Move | null;
  readonly isPending: boolean;
  readonly checkedSquare: Square | null;
  /** Only captures are legal (checkers). */
  readonly mustCapture: boolean;
}

interface BoardViewOptions {
  readonly lastMove: Move | null;
  readonly isPending: boolean;
  readonly mayMove: boolean;
  readonly mayPremove?: boolean;
}

/** Omits promotions other than to a queen (ruling 20). */
export function toBoardView<Position>(
  rules: GameRules<Position>,
  position: Position,
  shown: BoardViewOptions,
): BoardView {
  const arePremoves = !shown.mayMove && shown.mayPremove === true;
  const moves = shown.mayMove ? rules.legalMoves(position) : arePremoves ? findPremoves(rules, position) : [];
  return {
    game: rules.game,
    pieces: Array.from({ length: BOARD_SQUARES }, (_, square) => rules.pieceAt(position, square)),
    moves: moves.filter((move) => move.promotion === undefined || move.promotion === "q"),
    arePremoves,
    lastMove: shown.lastMove,
    isPending: shown.isPending,
    checkedSquare: rules.checkedSquare(position),
    mustCapture: shown.mayMove && rules.mustCapture(position),
  };
}
