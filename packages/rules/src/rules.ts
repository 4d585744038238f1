import type { Result } from "@holo/kernel/result.ts";

/** The games of the arena; the list gives the type, the runtime value and the order in which they are offered. */
export const GAME_TYPES = ["checkers", "chess"] as const;
export type GameType = (typeof GAME_TYPES)[number];

/** Player 1 is white, the creator, and moves first. */
export type Seat = 1 | 2;

/** 0-63 = row * 8 + column; row 0 is rank 8, column 0 is file a. So a8 = 0, h8 = 7, a1 = 56, h1 = 63. */
export type Square = number;

const PIECE_KINDS = ["man", "crowned", "pawn", "knight", "bishop", "rook", "queen", "king"] as const;
/** `man` and `crowned` stand on a checkers board, the others on a chess board. */
export type PieceKind = (typeof PIECE_KINDS)[number];

export interface Piece {
  readonly seat: Seat;
  readonly kind: PieceKind;
}

export const PROMOTIONS = ["q", "r", "b", "n"] as const;
/** Chess only. Absent on a promoting move means queen (ruling 20). */
export type Promotion = (typeof PROMOTIONS)[number];

export interface Move {
  /**
   * From, then every square the piece lands on, in order; at least two squares. A checkers capture lists each landing, since two
   * captures can share both ends (ruling 13). Castling in chess is the king's two squares.
   */
  readonly path: readonly Square[];
  /** Squares whose pieces leave the board, in the order in which they are taken. */
  readonly captured: readonly Square[];
  readonly promotion?: Promotion;
}

const WIN_REASONS = ["checkmate", "no_pieces", "no_moves"] as const;
export type WinReason = (typeof WIN_REASONS)[number];

const DRAW_REASONS = [
  "stalemate",
  "threefold_repetition",
  "fifty_moves",
  "insufficient_material",
  /** Checkers: three or more kings against a lone king, 15 moves. */
  "three_kings",
  /** Checkers: 15 moves of kings only, no capture. */
  "kings_only",
  /** Checkers: both have kings, no capture or promotion for 30 moves (4-5 pieces) or 60 moves (6-7 pieces). */
  "balance_of_kings",
  /** Checkers: three pieces against a lone king that holds the main road, 5 moves. */
  "main_road",
  /** Checkers: at most two pieces against a lone king, 5 moves. */
  "few_pieces",
] as const;
export type DrawReason = (typeof DRAW_REASONS)[number];

/** How the rules alone end a game. Flags, resignations and agreements belong to the table. */
export type Outcome =
  | { readonly type: "win"; readonly winner: Seat; readonly reason: WinReason }
  | { readonly type: "draw"; readonly reason: DrawReason };

export interface Played<Position> {
  readonly position: Position;
  /** The move as the rules know it: with its captured squares, and its promotion where there is one. */
  readonly move: Move;
}

/**
 * The rules of one game. A `Position` is an immutable value that holds everything the rules need to go on from it: the board, whose turn
 * it is, castling and en passant rights, and the counters and earlier positions on which draws hang. Positions are only ever made
 * here; nobody else looks inside one.
 */
export interface GameRules<Position> {
  readonly game: GameType;
  /** Pieces per player at the start: the stake is paid for each (checkers 12, chess 16). */
  readonly pieceCount: number;
  start(): Position;
  /** Reads FEN of the game. Earlier positions are unknown to it, so repetition counts begin anew. */
  parsePosition(text: string): Result<Position, "bad_position">;
  formatPosition(position: Position): string;
  toMove(position: Position): Seat;
  pieceAt(position: Position, square: Square): Piece | null;
  /** Every legal move, each path once, in a stable order. Empty when the side to move has lost or is stalemated. */
  legalMoves(position: Position): readonly Move[];
  /**
   * Plays the move that the path names. Refuses anything that is not exactly a legal move: a path of squares outside 0-63, too
   * short, unfinished, or with a promotion where there is none. An absent promotion on a promoting move means queen.
   */
  play(position: Position, path: readonly Square[], promotion?: Promotion): Result<Played<Position>, "illegal_move">;
  /** How the rules end the game in this position, or null while it goes on. */
  outcome(position: Position): Outcome | null;
  /** Whether `seat` could still win by any series of legal moves (ruling 14: a flag that falls against who cannot is a draw). */
  canWin(position: Position, seat: Seat): boolean;
  /** The square of a king in check; always null in checkers. */
  checkedSquare(position: Position): Square | null;
  /** Whether the side to move has to capture (checkers only). */
  mustCapture(position: Position): boolean;
  /** `Nf3`, `exd8=Q+`, `c3-d4`, `c3:e5`: a legal move of this position in the game's own notation. */
  formatMove(position: Position, move: Move): string;
  parseMove(position: Position, text: string): Result<Move, "illegal_move">;
}
