import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { Seat, Square } from "@holo/rules/rules.ts";
import { formatSquare } from "@holo/rules/square.ts";
import { countSquares, crownRow, DARK_SQUARES, type Squares, toIndex, toSquare } from "./board.ts";
import { type Board, type CheckersPosition, toPosition } from "./position.ts";
import { parseDarkSquare } from "./square-name.ts";

const PIECES_MAX = 12;

/** The dark squares from a8 to h1. */
const NAMES = Array.from({ length: DARK_SQUARES }, (_, index) => toSquare(index))
  .sort((a, b) => a - b)
  .map((square) => ({ bit: 1 << toIndex(square), name: formatSquare(square) }));

/** `W:Wa1,Kc3:Bb6`: side to move, white pieces, black pieces; kings with K, lists from a8 to h1. */
export function formatFen(position: CheckersPosition): string {
  const { white, black, kings, turn } = position;
  return `${turn === 1 ? "W" : "B"}:W${formatPieces(white, kings)}:B${formatPieces(black, kings)}`;
}

function formatPieces(pieces: Squares, kings: Squares): string {
  let list = "";
  for (const { bit, name } of NAMES) {
    if ((pieces & bit) !== 0) list += `${list === "" ? "" : ","}${(kings & bit) !== 0 ? "K" : ""}${name}`;
  }
  return list;
}

/**
 * Reads FEN with its usual variations: numbers for names, ranges (`1-12`), either case, black
 * first, spaces, a final full stop. Refuses a position that breaks the rules of the board.
 */
export function parseFen(text: string): Result<CheckersPosition, "bad_position"> {
  const parts = text.replace(/\s+/g, "").replace(/\.$/, "").toUpperCase().split(":");
  const [turn, first, second] = parts;
  if (parts.length !== 3 || (turn !== "W" && turn !== "B") || first === undefined || second === undefined) {
    return refuse("bad_position");
  }
  const [whiteText, blackText] = first.startsWith("W") ? [first, second] : [second, first];
  if (!whiteText.startsWith("W") || !blackText.startsWith("B")) return refuse("bad_position");
  const white = parsePieces(whiteText.slice(1));
  const black = parsePieces(blackText.slice(1));
  if (white === null || black === null) return refuse("bad_position");
  if ((white.pieces & black.pieces) !== 0) return refuse("bad_position");
  return checkBoard(
    { white: white.pieces, black: black.pieces, kings: white.kings | black.kings },
    turn === "W" ? 1 : 2,
  );
}

/** Refuses a position that no game can reach. */
export function checkBoard(board: Board, turn: Seat): Result<CheckersPosition, "bad_position"> {
  const { white, black, kings } = board;
  if (countSquares(white) > PIECES_MAX || countSquares(black) > PIECES_MAX) return refuse("bad_position");
  if ((white | black) === 0) return refuse("bad_position");
  if ((white & ~kings & crownRow(1)) !== 0 || (black & ~kings & crownRow(2)) !== 0) return refuse("bad_position");
  return ok(toPosition(board, turn));
}

interface Pieces {
  readonly pieces: Squares;
  readonly kings: Squares;
}

function parsePieces(list: string): Pieces | null {
  let pieces = 0;
  let kings = 0;
  if (list === "") return { pieces, kings };
  for (const item of list.split(",")) {
    const isKing = item.startsWith("K");
    const squares = parseSquares(isKing ? item.slice(1) : item);
    if (squares === null) return null;
    for (const square of squares) {
      const bit = 1 << toIndex(square);
      if ((pieces & bit) !== 0) return null;
      pieces |= bit;
      if (isKing) kings |= bit;
    }
  }
  return { pieces, kings };
}

function parseSquares(item: string): Square[] | null {
  const range = /^(\d{1,2})-(\d{1,2})$/.exec(item);
  const first = range ? Number(range[1]) : 0;
  const last = range ? Number(range[2]) : 0;
  if (first > last) return null;
  const names = range ? Array.from({ length: last - first + 1 }, (_, at) => String(first + at)) : [item];
  const squares: Square[] = [];
  for (const name of names) {
    const square = parseDarkSquare(name);
    if (square === null) return null;
    squares.push(square);
  }
  return squares;
}
