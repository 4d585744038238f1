import { BISHOP, BLACK, KING, KNIGHT, PAWN, QUEEN, ROOK, WHITE } from "@holo/chess/board.ts";

/** By kind, for exchanges and the order of captures. */
export const EXCHANGE_VALUES: readonly number[] = [0, 100, 325, 335, 500, 975, 10_000];

const MIDDLE_VALUES = [0, 90, 330, 340, 485, 980, 0];
const END_VALUES = [0, 112, 300, 320, 530, 960, 0];
/** By kind: how much of a middlegame a piece makes; 24 at the start. */
export const PHASES: readonly number[] = [0, 0, 1, 1, 2, 4, 0];
export const PHASE_START = 24;

/**
 * At piece * 64 + square: what a piece is worth there, in hundredths, negative for black: while
 * many pieces are left, and in an ending.
 */
export const MIDDLE = new Int16Array(16 * 64);
export const END = new Int16Array(16 * 64);

const PAWN_MIDDLE = [0, 0, 2, 8, 18, 30, 45, 0];
const PAWN_END = [0, 0, 4, 12, 26, 48, 80, 0];
const KING_HOME = [22, 30, 12, -8, 0, -4, 34, 24];

/** `rank` counts from the own side. */
function placeInMiddle(kind: number, rank: number, file: number): number {
  const centre = toCentre(rank, file);
  const isHome = rank === 0;
  switch (kind) {
    case PAWN: {
      const isCentral = file === 3 || file === 4;
      return PAWN_MIDDLE[rank]! + (isCentral ? [0, -14, 6, 20, 16, 8, 0, 0][rank]! : 0);
    }
    case KNIGHT:
      return 8 * centre - 30 + (rank === 4 || rank === 5 ? 6 : 0) - (isHome ? 6 : 0);
    case BISHOP:
      return 4 * centre - 12 - (isHome ? 8 : 0);
    case ROOK:
      return 2 * toCentre(3, file) - 10 + (rank === 6 ? 16 : 0);
    case QUEEN:
      return centre - 3;
    default:
      return isHome ? KING_HOME[file]! : -20 * Math.min(rank, 4) + (KING_HOME[file]! >> 1);
  }
}

function placeInEnd(kind: number, rank: number, file: number): number {
  const centre = toCentre(rank, file);
  switch (kind) {
    case PAWN:
      return PAWN_END[rank]!;
    case KNIGHT:
      return 7 * centre - 24;
    case BISHOP:
      return 3 * centre - 8;
    case ROOK:
      return rank === 6 ? 10 : 0;
    case QUEEN:
      return 4 * centre - 14;
    default:
      return 10 * centre - 34;
  }
}

/** 0 in a corner to 6 on the four squares in the middle. */
function toCentre(rank: number, file: number): number {
  return Math.min(rank, 7 - rank) + Math.min(file, 7 - file);
}

for (let kind = PAWN; kind <= KING; kind += 1) {
  for (let square = 0; square < 64; square += 1) {
    const file = square & 7;
    const rank = 7 - (square >> 3);
    const mirrored = square ^ 56;
    const middle = MIDDLE_VALUES[kind]! + placeInMiddle(kind, rank, file);
    const end = END_VALUES[kind]! + placeInEnd(kind, rank, file);
    MIDDLE[(kind | WHITE) * 64 + square] = middle;
    MIDDLE[(kind | BLACK) * 64 + mirrored] = -middle;
    END[(kind | WHITE) * 64 + square] = end;
    END[(kind | BLACK) * 64 + mirrored] = -end;
  }
}
