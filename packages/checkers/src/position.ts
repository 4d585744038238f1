import type { Piece, Seat, Square } from "@holo/rules/rules.ts";
import {
  BLACK_HOME,
  countSquares,
  type Index,
  isCrownedBy,
  MAIN_ROAD,
  type Squares,
  toIndex,
  WHITE_HOME,
} from "./board.ts";

export interface Board {
  readonly white: Squares;
  readonly black: Squares;
  readonly kings: Squares;
}

/** Immutable. A ply is one move of one side. Counts continue past a draw, for analysis. */
export interface CheckersPosition extends Board {
  readonly turn: Seat;
  /** Plies since the last capture or crowning. */
  readonly materialPlies: number;
  /** Plies since the last man move or capture. */
  readonly kingPlies: number;
  /** Plies with unchanged material of three pieces against a lone king on the main road. */
  readonly roadPlies: number;
  /** The previous position, while it can recur: null after a capture or a man move. */
  readonly previous: CheckersPosition | null;
}

export function toPosition(board: Board, turn: Seat): CheckersPosition {
  return {
    white: board.white,
    black: board.black,
    kings: board.kings,
    turn,
    materialPlies: 0,
    kingPlies: 0,
    roadPlies: 0,
    previous: null,
  };
}

export const START: CheckersPosition = toPosition({ white: WHITE_HOME, black: BLACK_HOME, kings: 0 }, 1);

export function ownPieces(position: CheckersPosition): Squares {
  return position.turn === 1 ? position.white : position.black;
}

export function enemyPieces(position: CheckersPosition): Squares {
  return position.turn === 1 ? position.black : position.white;
}

export function pieceAt(position: CheckersPosition, square: Square): Piece | null {
  const index = toIndex(square);
  if (index < 0) return null;
  const bit = 1 << index;
  if (((position.white | position.black) & bit) === 0) return null;
  return { seat: (position.white & bit) !== 0 ? 1 : 2, kind: (position.kings & bit) !== 0 ? "crowned" : "man" };
}

export function applyMove(position: CheckersPosition, from: Index, to: Index, captured: Squares): CheckersPosition {
  const { turn, kings } = position;
  const fromBit = 1 << from;
  const toBit = 1 << to;
  const wasKing = (kings & fromBit) !== 0;
  const isKing = isCrownedBy(fromBit, toBit, captured, kings, turn);
  const own = (ownPieces(position) & ~fromBit) | toBit;
  const enemy = enemyPieces(position) & ~captured;
  const kingsLeft = kings & ~(captured | fromBit);

  const white = turn === 1 ? own : enemy;
  const black = turn === 1 ? enemy : own;
  const kingsNow = isKing ? kingsLeft | toBit : kingsLeft;
  const reversible = wasKing && captured === 0;
  const sameMaterial = captured === 0 && wasKing === isKing;
  return {
    white,
    black,
    kings: kingsNow,
    turn: turn === 1 ? 2 : 1,
    materialPlies: sameMaterial ? position.materialPlies + 1 : 0,
    kingPlies: reversible ? position.kingPlies + 1 : 0,
    roadPlies:
      sameMaterial && isRoadHeld(position.white, position.black, kings) && isRoadHeld(white, black, kingsNow)
        ? position.roadPlies + 1
        : 0,
    previous: reversible ? position : null,
  };
}

/** Whether three pieces, at least one of them a king, face a lone king on the main road. */
function isRoadHeld(white: Squares, black: Squares, kings: Squares): boolean {
  return isHeldAgainst(white, black, kings) || isHeldAgainst(black, white, kings);
}

function isHeldAgainst(strong: Squares, lone: Squares, kings: Squares): boolean {
  if ((lone & kings & MAIN_ROAD) === 0 || countSquares(lone) !== 1) return false;
  return (strong & kings) !== 0 && countSquares(strong) === 3;
}
