import { assert } from "@holo/kernel/assert.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { Square } from "@holo/rules/rules.ts";
import { formatSquare, parseSquare } from "@holo/rules/square.ts";
import { applyMove, takenSquare } from "./apply-move.ts";
import { BISHOP, isLastRow, KING, KNIGHT, kindOf, NOWHERE, PAWN, QUEEN, ROOK } from "./board.ts";
import { fromOf, hasMove, MOVES_MAX, type PackedMove, packMove, promotionOf, toOf, writeMoves } from "./moves.ts";
import { type ChessPosition, kingOf } from "./position.ts";

const LETTER_OF: ReadonlyMap<number, string> = new Map([
  [PAWN, ""],
  [KNIGHT, "N"],
  [BISHOP, "B"],
  [ROOK, "R"],
  [QUEEN, "Q"],
  [KING, "K"],
]);
const KIND_OF: ReadonlyMap<string, number> = new Map([
  ...[...LETTER_OF].map(([kind, letter]) => [letter, kind] as const),
  ["P", PAWN],
]);

const CASTLING = /^[O0]-?[O0](-?[O0])?$/i;
const MOVE = /^([PNBRQK]?)([a-h]?)([1-8]?)([x:-]?)([a-h][1-8])(?:[=/]?\(?([NBRQnbrq])\)?)?$/;

/** Standard algebraic notation (FIDE appendix C, PGN 8.2.3) of a legal move. */
export function formatSan(position: ChessPosition, move: PackedMove): string {
  return formatPiece(position, move) + formatCheck(applyMove(position, move));
}

function formatPiece(position: ChessPosition, move: PackedMove): string {
  const from = fromOf(move);
  const to = toOf(move);
  const kind = kindOf(position.board[from]!);
  if (kind === KING && Math.abs(to - from) === 2) return to > from ? "O-O" : "O-O-O";
  const isCapture = takenSquare(position, move) !== NOWHERE;
  const target = (isCapture ? "x" : "") + formatSquare(to);
  if (kind !== PAWN) return LETTER_OF.get(kind)! + formatOrigin(position, move) + target;
  const promotion = promotionOf(move);
  return (isCapture ? formatSquare(from)[0] : "") + target + (promotion === 0 ? "" : `=${LETTER_OF.get(promotion)}`);
}

/** The file, else the rank, else both: the shortest text that identifies the moving piece. */
function formatOrigin(position: ChessPosition, move: PackedMove): string {
  const from = fromOf(move);
  const rivals = listMoves(position)
    .filter((other) => toOf(other) === toOf(move) && fromOf(other) !== from)
    .map(fromOf)
    .filter((other) => position.board[other] === position.board[from]);
  if (rivals.length === 0) return "";
  const [file, rank] = formatSquare(from);
  if (rivals.every((other) => (other & 7) !== (from & 7))) return file!;
  if (rivals.every((other) => other >> 3 !== from >> 3)) return rank!;
  return file! + rank!;
}

function formatCheck(after: ChessPosition): string {
  if (!after.isCheck) return "";
  return hasMove(after) ? "+" : "#";
}

/**
 * Reads SAN, long notation or squares: `Nbd2`, `Nb1-d2`, `e8/Q`, `0-0`. Marks may be missing or
 * wrong; `x` must capture; a missing promotion is a queen. Refuses unless one move matches.
 */
export function parseSan(position: ChessPosition, text: string): Result<PackedMove, "illegal_move"> {
  const bare = text.trim().replace(/(?:[+#!?]|\s*e\.p\.)+$/, "");
  const castling = CASTLING.exec(bare);
  if (castling !== null) return parseCastling(position, castling[1] === undefined ? 2 : -2);
  const match = MOVE.exec(bare);
  if (match === null) return refuse("illegal_move");
  const [, letter = "", file = "", rank = "", sign = "", target = "", promotion] = match;
  const to = parseSquare(target);
  assert(to.ok, "the pattern holds a square");
  const isBare = letter === "" && file !== "" && rank !== "";
  const meant = listMoves(position).filter((move) => {
    const from = fromOf(move);
    const kind = kindOf(position.board[from]!);
    return (
      toOf(move) === to.value &&
      formatSquare(from).startsWith(file) &&
      formatSquare(from).endsWith(rank) &&
      (isBare || kind === KIND_OF.get(letter)) &&
      promotionOf(move) === promotionMeant(kind, to.value, promotion) &&
      (!/[x:]/.test(sign) || takenSquare(position, move) !== NOWHERE)
    );
  });
  return meant.length === 1 ? ok(meant[0]!) : refuse("illegal_move");
}

function promotionMeant(kind: number, to: Square, letter: string | undefined): number {
  if (letter !== undefined) return KIND_OF.get(letter.toUpperCase())!;
  return kind === PAWN && isLastRow(to) ? QUEEN : 0;
}

function parseCastling(position: ChessPosition, distance: number): Result<PackedMove, "illegal_move"> {
  const king = kingOf(position, position.turn);
  const move = packMove(king, king + distance, 0);
  return listMoves(position).includes(move) ? ok(move) : refuse("illegal_move");
}

function listMoves(position: ChessPosition): PackedMove[] {
  const moves = new Uint16Array(MOVES_MAX);
  return Array.from(moves.subarray(0, writeMoves(position, moves)));
}
