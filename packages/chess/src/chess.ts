import { assert } from "@holo/kernel/assert.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { GameRules, Move, Piece, Played, Promotion, Seat, Square } from "@holo/rules/rules.ts";
import { isSquare } from "@holo/rules/square.ts";
import { applyMove, takenSquare } from "./apply-move.ts";
import { BISHOP, BLACK, EMPTY, isLastRow, KNIGHT, kindOf, NOWHERE, PAWN, QUEEN, ROOK, WHITE } from "./board.ts";
import { formatFen, parseFen } from "./fen.ts";
import { formatMoveWords } from "./move-words.ts";
import { fromOf, isLegal, MOVES_MAX, type PackedMove, packMove, promotionOf, toOf, writeMoves } from "./moves.ts";
import { outcomeOf } from "./outcome.ts";
import { type ChessPosition, kingOf } from "./position.ts";
import { formatSan, parseSan } from "./san.ts";
import { canReachMate } from "./winnable.ts";

export type { ChessPosition } from "./position.ts";

const KINDS = ["pawn", "knight", "bishop", "rook", "queen", "king"] as const;
const PROMOTION_KINDS: ReadonlyMap<Promotion, number> = new Map([
  ["q", QUEEN],
  ["r", ROOK],
  ["b", BISHOP],
  ["n", KNIGHT],
]);
const PROMOTIONS: readonly (Promotion | undefined)[] = [undefined, undefined, "n", "b", "r", "q"];
/** Shared, because tables keep their moves. */
const NOTHING: readonly Square[] = [];
const START = parseStart();

/** Chess (FIDE Laws of 2023) with the automatic draws of ruling 14. */
export const chess: GameRules<ChessPosition> = {
  game: "chess",
  start: () => START,
  parsePosition: parseFen,
  formatPosition: formatFen,
  toMove: (position) => (position.turn === WHITE ? 1 : 2),
  pieceAt,
  legalMoves,
  play,
  outcome: outcomeOf,
  canWin: (position, seat) => canReachMate(position, seat === 1 ? WHITE : BLACK),
  checkedSquare: (position) => (position.isCheck ? kingOf(position, position.turn) : null),
  mustCapture: () => false,
  formatMove: (position, move) => formatSan(position, packLegal(position, move)),
  parseMove,
  notation: { ownTags: new Map(), firstNumber: (start) => start.fullMoves, clockStep: "tenth" },
  describeMove: (position, move) => formatMoveWords((square) => pieceAt(position, square), move),
};

function parseStart(): ChessPosition {
  const start = parseFen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
  assert(start.ok, "the start position is valid");
  return start.value;
}

function pieceAt(position: ChessPosition, square: Square): Piece | null {
  const piece = position.board[square] ?? EMPTY;
  if (piece === EMPTY) return null;
  const seat: Seat = (piece & BLACK) === WHITE ? 1 : 2;
  return { seat, kind: KINDS[kindOf(piece) - 1]! };
}

function legalMoves(position: ChessPosition): readonly Move[] {
  const packed = new Uint16Array(MOVES_MAX);
  const count = writeMoves(position, packed);
  return Array.from(packed.subarray(0, count), (move) => toMove(position, move));
}

function toMove(position: ChessPosition, packed: PackedMove): Move {
  const taken = takenSquare(position, packed);
  const path = [fromOf(packed), toOf(packed)];
  const captured = taken === NOWHERE ? NOTHING : [taken];
  const promotion = PROMOTIONS[promotionOf(packed)];
  return promotion === undefined ? { path, captured } : { path, captured, promotion };
}

function play(
  position: ChessPosition,
  path: readonly Square[],
  promotion?: Promotion,
): Result<Played<ChessPosition>, "illegal_move"> {
  const packed = packPath(position, path, promotion);
  if (packed === null || !isLegal(position, packed)) return refuse("illegal_move");
  return ok({ position: applyMove(position, packed), move: toMove(position, packed) });
}

function parseMove(position: ChessPosition, text: string): Result<Move, "illegal_move"> {
  const packed = parseSan(position, text);
  return packed.ok ? ok(toMove(position, packed.value)) : packed;
}

function packLegal(position: ChessPosition, move: Move): PackedMove {
  const packed = packPath(position, move.path, move.promotion);
  assert(packed !== null && isLegal(position, packed), "only a legal move is formatted");
  return packed;
}

function packPath(
  position: ChessPosition,
  path: readonly Square[],
  promotion: Promotion | undefined,
): PackedMove | null {
  const [from, to] = path;
  if (path.length !== 2 || !isSquare(from) || !isSquare(to)) return null;
  if (promotion === undefined) {
    const isPromoting = kindOf(position.board[from]!) === PAWN && isLastRow(to);
    return packMove(from, to, isPromoting ? QUEEN : 0);
  }
  const kind = PROMOTION_KINDS.get(promotion);
  return kind === undefined ? null : packMove(from, to, kind);
}
