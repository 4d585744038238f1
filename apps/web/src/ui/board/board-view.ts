import type { GameRules, GameType, Move, Piece, Square } from "@holo/rules/rules.ts";
import { BOARD_SQUARES } from "@holo/rules/square.ts";
import { findPremoves } from "../../lib/premoves.ts";

/** All that a board knows of a game. */
export interface BoardView {
  readonly game: GameType;
  /** 64 squares, a8 first. */
  readonly pieces: readonly (Piece | null)[];
  /** What may be played here and now, one move to a path; empty where nothing may. */
  readonly moves: readonly Move[];
  /** The moves are premoves: it is the other player's turn. */
  readonly isAhead: boolean;
  readonly lastMove: Move | null;
  /** The last move is on its way and does not stand yet. */
  readonly isPending: boolean;
  readonly checkedSquare: Square | null;
  /** Only captures may be played (checkers). */
  readonly mustCapture: boolean;
}

interface Shown {
  readonly lastMove: Move | null;
  readonly isPending: boolean;
  /** Whether who is at the page may move now. */
  readonly mayMove: boolean;
  /** Whether they may choose now what to play once it is their turn. */
  readonly mayPremove?: boolean;
}

/** Promotions other than to a queen are left out (ruling 20). */
export function toBoardView<Position>(rules: GameRules<Position>, position: Position, shown: Shown): BoardView {
  const isAhead = !shown.mayMove && shown.mayPremove === true;
  const moves = shown.mayMove ? rules.legalMoves(position) : isAhead ? findPremoves(rules, position) : [];
  return {
    game: rules.game,
    pieces: Array.from({ length: BOARD_SQUARES }, (_, square) => rules.pieceAt(position, square)),
    moves: moves.filter((move) => move.promotion === undefined || move.promotion === "q"),
    isAhead,
    lastMove: shown.lastMove,
    isPending: shown.isPending,
    checkedSquare: rules.checkedSquare(position),
    mustCapture: shown.mayMove && rules.mustCapture(position),
  };
}
