import type { Result } from "@holo/kernel/result.ts";

/** The id of a game in the registry, such as `chess`. */
export type GameType = string;

/** Player 1 is white, the creator, and moves first. */
export type Seat = 1 | 2;

/** 0-63 = row * 8 + column from rank 8 and file a: a8 = 0, h8 = 7, a1 = 56, h1 = 63. */
export type Square = number;

/** Names a piece for its drawing and its accessible name, such as `man` or `pawn`. */
export type PieceKind = string;

export interface Piece {
  readonly seat: Seat;
  readonly kind: PieceKind;
}

export const PROMOTIONS = ["q", "r", "b", "n"] as const;
/** Chess only. Absent on a promoting move means queen (ruling 20). */
export type Promotion = (typeof PROMOTIONS)[number];

export const PROMOTED: Readonly<Record<Promotion, PieceKind>> = { q: "queen", r: "rook", b: "bishop", n: "knight" };

export interface Move {
  /**
   * From, then every landing square in order; at least two squares. A checkers capture lists each
   * landing, since captures can share both ends (ruling 13). Castling lists the king's two squares.
   */
  readonly path: readonly Square[];
  readonly captured: readonly Square[];
  readonly promotion?: Promotion;
}

export const WIN_REASONS = ["checkmate", "no_pieces", "no_moves"] as const;
type WinReason = (typeof WIN_REASONS)[number];

export const DRAW_REASONS = [
  "stalemate",
  "threefold_repetition",
  "fifty_moves",
  "insufficient_material",
  /** Checkers: three or more kings against a lone king, 15 moves. */
  "three_kings",
  /** Checkers: 15 moves of kings only, no capture. */
  "kings_only",
  /** Checkers: both have kings, no capture or promotion for 30 (4-5 pieces) or 60 moves (6-7). */
  "balance_of_kings",
  /** Checkers: three pieces against a lone king on the main road, 5 moves. */
  "main_road",
  /** Checkers: a king, alone or with one more piece, against a lone king, 5 moves. */
  "few_pieces",
] as const;
export type DrawReason = (typeof DRAW_REASONS)[number];

/** An end by the rules alone. Flags, resignations and agreements belong to the table. */
export type Outcome =
  | { readonly type: "win"; readonly winner: Seat; readonly reason: WinReason }
  | { readonly type: "draw"; readonly reason: DrawReason };

export interface Played<Position> {
  readonly position: Position;
  readonly move: Move;
}

/** How files of finished games differ (see pgn-pdn.ts). */
export interface NotationDialect<Position> {
  /** Tags that every export of this game has. */
  readonly ownTags: ReadonlyMap<string, string>;
  firstNumber(start: Position): number;
  /** The smallest unit of a clock: PDN 3.0 has only `h:mm:ss`; PGN readers accept tenths. */
  readonly clockStep: "second" | "tenth";
}

/**
 * The rules of one game. A `Position` is an immutable value with everything they need, including
 * the history on which draws depend. Only the rules read its contents.
 */
export interface GameRules<Position> {
  readonly game: GameType;
  start(): Position;
  /** Reads FEN of the game. FEN has no history, so repetition counts start at one. */
  parsePosition(text: string): Result<Position, "bad_position">;
  formatPosition(position: Position): string;
  toMove(position: Position): Seat;
  pieceAt(position: Position, square: Square): Piece | null;
  /** Every legal move, each path once, in a stable order. Empty if the side to move has none. */
  legalMoves(position: Position): readonly Move[];
  /**
   * Plays the move that the path names. Refuses anything but exactly one legal move. An absent
   * promotion on a promoting move means queen.
   */
  play(position: Position, path: readonly Square[], promotion?: Promotion): Result<Played<Position>, "illegal_move">;
  outcome(position: Position): Outcome | null;
  /** Whether `seat` could still win by legal moves (ruling 14: else a flag is a draw). */
  canWin(position: Position, seat: Seat): boolean;
  checkedSquare(position: Position): Square | null;
  mustCapture(position: Position): boolean;
  /** A legal move in the game's notation: `Nf3`, `exd8=Q+`, `c3-d4`, `c3:e5`. */
  formatMove(position: Position, move: Move): string;
  parseMove(position: Position, text: string): Result<Move, "illegal_move">;
  readonly notation: NotationDialect<Position>;
  /** A move of this position for a screen reader: "d6 to f8 to h6, capturing 2, crowned". */
  describeMove(position: Position, move: Move): string;
}
