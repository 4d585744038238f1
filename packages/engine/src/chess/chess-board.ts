import { ENDED_RIGHTS } from "@holo/chess/apply-move.ts";
import { isAttacked } from "@holo/chess/attack.ts";
import {
  BLACK,
  EMPTY,
  isOwn,
  KING,
  kindOf,
  NOWHERE,
  otherSide,
  PAWN,
  pawnStep,
  type Side,
  WHITE,
} from "@holo/chess/board.ts";
import type { ChessPosition } from "@holo/chess/chess.ts";
import { LINES } from "@holo/chess/geometry.ts";
import { fromOf, type PackedMove, promotionOf, toOf } from "@holo/chess/moves.ts";
import type { Square } from "@holo/rules/rules.ts";
import { BLACK_TO_MOVE, castlingAt, enPassantAt, hash, KEYS, PROOFS } from "./hashes.ts";
import { END, MIDDLE } from "./piece-values.ts";

/** Numbers kept of each position to take a move back. */
const KEPT = 8;

/** One position that moves change and take back: copying 64 squares a move would be slow. */
export class ChessBoard {
  readonly squares = new Uint8Array(64);
  /** By piece. */
  readonly counts = new Uint8Array(16);
  turn: Side = WHITE;
  castling = 0;
  /** The square a pawn has just passed, if a pawn attacks it. */
  enPassant: Square = NOWHERE;
  halfMoves = 0;
  key = 0;
  proof = 0;
  /** Sums of `MIDDLE` and `END` over all pieces. */
  middle = 0;
  end = 0;
  whiteKing: Square = NOWHERE;
  blackKing: Square = NOWHERE;
  /** Hashes of the positions before this one, since the last that cannot recur. */
  readonly #keys: number[] = [];
  readonly #proofs: number[] = [];
  readonly #kept: number[] = [];

  set(position: ChessPosition): void {
    this.squares.fill(EMPTY);
    this.counts.fill(0);
    this.middle = 0;
    this.end = 0;
    for (let square = 0; square < 64; square += 1) {
      const piece = position.board[square]!;
      if (piece !== EMPTY) this.#put(piece, square);
    }
    this.turn = position.turn;
    this.castling = position.castling;
    this.enPassant = position.enPassant;
    this.halfMoves = position.halfMoves;
    this.key = hash(position, KEYS);
    this.proof = hash(position, PROOFS);
    this.#kept.length = 0;
    this.#keys.length = 0;
    this.#proofs.length = 0;
    for (let { previous } = position; previous !== null; previous = previous.previous) {
      this.#keys.unshift(hash(previous, KEYS));
      this.#proofs.unshift(hash(previous, PROOFS));
    }
  }

  kingOf(side: Side): Square {
    return side === WHITE ? this.whiteKing : this.blackKing;
  }

  isCheck(): boolean {
    return isAttacked(this.squares, this.kingOf(this.turn), otherSide(this.turn));
  }

  /** Once since the root, `ply` plies ago, is a repetition: a side that can repeat can again. */
  isRepeated(ply: number): boolean {
    let earlier = 0;
    const last = this.#keys.length;
    for (let back = 4; back <= this.halfMoves && back <= last; back += 2) {
      if (this.#keys[last - back] !== this.key || this.#proofs[last - back] !== this.proof) continue;
      earlier += 1;
      if (back <= ply || earlier === 2) return true;
    }
    return false;
  }

  /** False, and nothing done, if the own king could then be taken. */
  make(move: PackedMove, isCheck: boolean): boolean {
    const { squares, turn } = this;
    const from = fromOf(move);
    const to = toOf(move);
    const piece = squares[from]!;
    const kind = kindOf(piece);
    const isEnPassant = kind === PAWN && to === this.enPassant;
    const takenAt = isEnPassant ? to - pawnStep(turn) : to;
    const taken = squares[takenAt]!;
    this.#keep(taken);
    if (taken !== EMPTY) this.#lift(taken, takenAt);
    this.#lift(piece, from);
    const promotion = promotionOf(move);
    this.#put(promotion === 0 ? piece : promotion | turn, to);
    if (kind === KING && Math.abs(to - from) === 2) this.#moveRook(to > from ? to + 1 : to - 2, (from + to) >> 1);
    this.halfMoves = kind === PAWN || taken !== EMPTY ? 0 : this.halfMoves + 1;
    this.#setRights(this.castling & ~(ENDED_RIGHTS[from]! | ENDED_RIGHTS[to]!));
    this.#setEnPassant(kind === PAWN && Math.abs(to - from) === 16 ? (from + to) >> 1 : NOWHERE);
    this.#passTurn();
    const king = this.kingOf(turn);
    const mayExpose = isCheck || isEnPassant || kind === KING || LINES[king * 64 + from] !== NOWHERE;
    if (!mayExpose || !isAttacked(squares, king, this.turn)) return true;
    this.unmake(move);
    return false;
  }

  unmake(move: PackedMove): void {
    const { squares, counts } = this;
    const from = fromOf(move);
    const to = toOf(move);
    const turn = otherSide(this.turn);
    this.turn = turn;
    const moved = squares[to]!;
    const piece = promotionOf(move) === 0 ? moved : PAWN | turn;
    const taken = this.#restore();
    squares[to] = EMPTY;
    squares[from] = piece;
    counts[moved]! -= 1;
    counts[piece]! += 1;
    if (kindOf(piece) === KING) {
      this.#setKing(turn, from);
      if (Math.abs(to - from) === 2) {
        squares[to > from ? to + 1 : to - 2] = squares[(from + to) >> 1]!;
        squares[(from + to) >> 1] = EMPTY;
      }
    }
    if (taken === EMPTY) return;
    squares[kindOf(piece) === PAWN && to === this.enPassant ? to - pawnStep(turn) : to] = taken;
    counts[taken]! += 1;
  }

  skip(): void {
    this.#keep(EMPTY);
    this.#setEnPassant(NOWHERE);
    this.halfMoves = 0;
    this.#passTurn();
  }

  unskip(): void {
    this.turn = otherSide(this.turn);
    this.#restore();
  }

  #keep(taken: number): void {
    this.#keys.push(this.key);
    this.#proofs.push(this.proof);
    const { castling, enPassant, halfMoves, key, proof, middle, end } = this;
    this.#kept.push(taken, castling, enPassant, halfMoves, key, proof, middle, end);
  }

  /** Returns the piece that was taken. */
  #restore(): number {
    this.#keys.pop();
    this.#proofs.pop();
    const at = this.#kept.length - KEPT;
    const kept = this.#kept;
    this.castling = kept[at + 1]!;
    this.enPassant = kept[at + 2]!;
    this.halfMoves = kept[at + 3]!;
    this.key = kept[at + 4]!;
    this.proof = kept[at + 5]!;
    this.middle = kept[at + 6]!;
    this.end = kept[at + 7]!;
    const taken = kept[at]!;
    kept.length = at;
    return taken;
  }

  #put(piece: number, square: Square): void {
    const at = piece * 64 + square;
    this.squares[square] = piece;
    this.counts[piece]! += 1;
    this.#flip(at);
    this.middle += MIDDLE[at]!;
    this.end += END[at]!;
    if (kindOf(piece) === KING) this.#setKing((piece & BLACK) as Side, square);
  }

  #lift(piece: number, square: Square): void {
    const at = piece * 64 + square;
    this.squares[square] = EMPTY;
    this.counts[piece]! -= 1;
    this.#flip(at);
    this.middle -= MIDDLE[at]!;
    this.end -= END[at]!;
  }

  #moveRook(from: Square, to: Square): void {
    const rook = this.squares[from]!;
    this.#lift(rook, from);
    this.#put(rook, to);
  }

  #setKing(side: Side, square: Square): void {
    if (side === WHITE) this.whiteKing = square;
    else this.blackKing = square;
  }

  #setRights(rights: number): void {
    if (rights === this.castling) return;
    this.#flip(castlingAt(this.castling));
    this.#flip(castlingAt(rights));
    this.castling = rights;
  }

  #setEnPassant(passed: Square): void {
    const square = passed !== NOWHERE && this.#isAttackedByPawn(passed) ? passed : NOWHERE;
    if (square === this.enPassant) return;
    this.#flip(enPassantAt(this.enPassant));
    this.#flip(enPassantAt(square));
    this.enPassant = square;
  }

  /** Whether a pawn of the side that does not move is beside the pawn that passed. */
  #isAttackedByPawn(passed: Square): boolean {
    const beside = passed + pawnStep(this.turn);
    const pawn = PAWN | otherSide(this.turn);
    const file = passed & 7;
    return (file > 0 && this.squares[beside - 1] === pawn) || (file < 7 && this.squares[beside + 1] === pawn);
  }

  #passTurn(): void {
    this.turn = otherSide(this.turn);
    this.#flip(BLACK_TO_MOVE);
  }

  #flip(at: number): void {
    this.key ^= KEYS[at]!;
    this.proof ^= PROOFS[at]!;
  }

  /** Whether the side has more than pawns: else passing could hide a lost duty to move. */
  hasPieces(side: Side): boolean {
    const { counts } = this;
    for (let kind = PAWN + 1; kind < KING; kind += 1) if (counts[kind | side]! > 0) return true;
    return false;
  }

  isOwn(square: Square): boolean {
    return isOwn(this.squares[square]!, this.turn);
  }
}
