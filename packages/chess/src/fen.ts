import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { formatSquare, parseSquare } from "@holo/rules/square.ts";
import { isAttacked } from "./attack.ts";
import {
  BISHOP,
  BLACK,
  type Board,
  EMPTY,
  isLastRow,
  KING,
  KNIGHT,
  kindOf,
  NOWHERE,
  otherSide,
  PAWN,
  pawnStep,
  QUEEN,
  ROOK,
  type Side,
  WHITE,
} from "./board.ts";
import {
  BLACK_LONG,
  BLACK_SHORT,
  type ChessPosition,
  createPosition,
  kingOf,
  WHITE_LONG,
  WHITE_SHORT,
} from "./position.ts";

const LETTERS: ReadonlyMap<string, number> = new Map([
  ["P", PAWN],
  ["N", KNIGHT],
  ["B", BISHOP],
  ["R", ROOK],
  ["Q", QUEEN],
  ["K", KING],
  ["p", PAWN | BLACK],
  ["n", KNIGHT | BLACK],
  ["b", BISHOP | BLACK],
  ["r", ROOK | BLACK],
  ["q", QUEEN | BLACK],
  ["k", KING | BLACK],
]);
/** By piece; undefined for an empty square. */
const LETTER_OF: readonly (string | undefined)[] = toLetters();

function toLetters(): string[] {
  const letters: string[] = [];
  for (const [letter, piece] of LETTERS) letters[piece] = letter;
  return letters;
}

const RIGHTS = [
  { letter: "K", right: WHITE_SHORT, king: 60, rook: 63, side: WHITE },
  { letter: "Q", right: WHITE_LONG, king: 60, rook: 56, side: WHITE },
  { letter: "k", right: BLACK_SHORT, king: 4, rook: 7, side: BLACK },
  { letter: "q", right: BLACK_LONG, king: 4, rook: 0, side: BLACK },
] as const;

const PIECES_MAX = 16;
const PAWNS_MAX = 8;

/**
 * Reads FEN with six fields, or with four (counters 0 and 1). Drops castling rights and en passant
 * squares that the pieces rule out. Refuses malformed text and impossible positions.
 */
export function parseFen(text: string): Result<ChessPosition, "bad_position"> {
  const tokens = text.trim().split(/ +/);
  if (tokens.length !== 6 && tokens.length !== 4) return refuse("bad_position");
  const [placement, turnField, rightsField, passedField, halfMoves = "0", fullMoves = "1"] = tokens;
  const board = parsePlacement(placement!);
  if (board === null || !/^[wb]$/.test(turnField!) || !/^(?:-|(?!.*(.).*\1)[KQkq]+)$/.test(rightsField!)) {
    return refuse("bad_position");
  }
  if (!/^\d{1,4}$/.test(halfMoves) || !/^[1-9]\d{0,3}$/.test(fullMoves)) return refuse("bad_position");
  const turn = turnField === "w" ? WHITE : BLACK;
  const passedSquare = parsePassedSquare(board, turn, passedField!);
  if (passedSquare === null) return refuse("bad_position");
  const fields = {
    board,
    turn,
    castling: parseRights(board, rightsField!),
    passedSquare,
    halfMoves: Number(halfMoves),
    fullMoves: Number(fullMoves),
    whiteKing: board.indexOf(KING),
    blackKing: board.indexOf(KING | BLACK),
  } as const;
  const position = createPosition(fields, null, NOWHERE);
  if (isAttacked(board, kingOf(position, otherSide(turn)), turn)) return refuse("bad_position");
  return ok(position);
}

function parsePlacement(text: string): Uint8Array | null {
  const rows = text.split("/");
  if (rows.length !== 8) return null;
  const board = new Uint8Array(64);
  for (const [row, letters] of rows.entries()) {
    if (/[1-8]{2}/.test(letters)) return null;
    let column = 0;
    for (const letter of letters) {
      if (/[1-8]/.test(letter)) column += Number(letter);
      else {
        const piece = LETTERS.get(letter);
        if (piece === undefined) return null;
        board[row * 8 + column++] = piece;
      }
    }
    if (column !== 8) return null;
  }
  return isPossible(board) ? board : null;
}

function isPossible(board: Uint8Array): boolean {
  for (const side of [WHITE, BLACK]) {
    const pieces = board.filter((piece) => piece !== EMPTY && (piece & BLACK) === side);
    if (pieces.length > PIECES_MAX) return false;
    if (pieces.filter((piece) => kindOf(piece) === KING).length !== 1) return false;
    if (pieces.filter((piece) => kindOf(piece) === PAWN).length > PAWNS_MAX) return false;
  }
  return board.every((piece, square) => kindOf(piece) !== PAWN || !isLastRow(square));
}

function parseRights(board: Board, text: string): number {
  let rights = 0;
  for (const { letter, right, king, rook, side } of RIGHTS) {
    if (text.includes(letter) && board[king] === (KING | side) && board[rook] === (ROOK | side)) rights |= right;
  }
  return rights;
}

function parsePassedSquare(board: Board, turn: Side, text: string): number | null {
  if (text === "-") return NOWHERE;
  const square = parseSquare(text);
  if (!square.ok || square.value >> 3 !== (turn === WHITE ? 2 : 5)) return null;
  const step = pawnStep(otherSide(turn));
  const passedSquare = square.value;
  const isJustPassed =
    board[passedSquare] === EMPTY &&
    board[passedSquare - step] === EMPTY &&
    board[passedSquare + step] === (PAWN | otherSide(turn));
  return isJustPassed ? passedSquare : null;
}

/**
 * FEN with six fields. The en passant square is written only if taking there is legal, so that
 * repeated positions have equal text up to the counters.
 */
export function formatFen(position: ChessPosition): string {
  const { board, turn, castling, enPassant, halfMoves, fullMoves } = position;
  const passed = enPassant === NOWHERE ? "-" : formatSquare(enPassant);
  return `${formatPlacement(board)} ${turn === WHITE ? "w" : "b"} ${formatRights(castling)} ${passed} ${halfMoves} ${fullMoves}`;
}

function formatRights(castling: number): string {
  let letters = "";
  for (const { letter, right } of RIGHTS) if ((castling & right) !== 0) letters += letter;
  return letters === "" ? "-" : letters;
}

/** Runs for every stored move: a version with a regular expression took ten times as long. */
function formatPlacement(board: Board): string {
  let text = "";
  for (let row = 0; row < 8; row++) {
    let letters = "";
    let gap = 0;
    for (let square = row * 8; square < row * 8 + 8; square++) {
      const letter = LETTER_OF[board[square]!];
      if (letter === undefined) gap += 1;
      else {
        letters += gap > 0 ? gap + letter : letter;
        gap = 0;
      }
    }
    if (gap > 0) letters += gap;
    text += row === 0 ? letters : `/${letters}`;
  }
  return text;
}
