import { applyMove, takenSquare } from "@holo/chess/apply-move.ts";
import { kindOf, NOWHERE, otherSide, WHITE } from "@holo/chess/board.ts";
import { type ChessPosition, chess } from "@holo/chess/chess.ts";
import { isInsufficientMaterial } from "@holo/chess/material.ts";
import { fromOf, hasMove, promotionOf, MOVES_MAX as ROOM, writeMoves } from "@holo/chess/moves.ts";
import { createPosition } from "@holo/chess/position.ts";
import { type GameTree, MOVES_MAX } from "../game-tree.ts";
import { evaluate } from "./evaluation.ts";

const FIFTY_MOVES = 100;

/** Walks the positions of the rules package. */
export class ChessTree implements GameTree<ChessPosition> {
  readonly moves = new Int32Array(MOVES_MAX);
  readonly urgency = new Int32Array(MOVES_MAX);
  readonly historyMask = 0xfff;
  readonly #written = new Uint16Array(ROOM);
  readonly #path: ChessPosition[] = [];
  #position: ChessPosition = chess.start();

  setRoot(position: ChessPosition): void {
    this.#position = position;
    this.#path.length = 0;
  }

  get maySkip(): boolean {
    return this.#position.board.length > 0;
  }

  get turn(): 0 | 1 {
    return this.#position.turn === WHITE ? 0 : 1;
  }

  get key(): number {
    return this.#hash(0x9e3779b1);
  }

  get proof(): number {
    return this.#hash(0x2c1b3c6d);
  }

  #hash(factor: number): number {
    const { board, turn, castling, enPassant } = this.#position;
    let hash = turn | (castling << 4) | ((enPassant + 1) << 8);
    for (let square = 0; square < 64; square += 1) {
      hash = Math.imul(hash ^ board[square]!, factor);
      hash ^= hash >>> 15;
    }
    return hash;
  }

  generate(start: number): number {
    const count = writeMoves(this.#position, this.#written);
    for (let at = 0; at < count; at += 1) {
      const move = this.#written[at]!;
      const taken = takenSquare(this.#position, move);
      const { board } = this.#position;
      const gain = taken === NOWHERE ? 0 : 16 * kindOf(board[taken]!) - kindOf(board[fromOf(move)]!) + 8;
      this.moves[start + at] = move;
      this.urgency[start + at] = gain + 16 * promotionOf(move);
    }
    return start + count;
  }

  generateUrgent(start: number): number {
    const end = this.generate(start);
    if (this.#position.isCheck) return end;
    let kept = start;
    for (let at = start; at < end; at += 1) if (this.urgency[at] !== 0) this.swap(at, kept++);
    return kept;
  }

  swap(a: number, b: number): void {
    for (const list of [this.moves, this.urgency]) {
      const kept = list[a]!;
      list[a] = list[b]!;
      list[b] = kept;
    }
  }

  make(at: number): boolean {
    this.#path.push(this.#position);
    this.#position = applyMove(this.#position, this.moves[at]!);
    return true;
  }

  unmake(): void {
    this.#position = this.#path.pop()!;
  }

  skip(): void {
    this.#path.push(this.#position);
    const fields = { ...this.#position, turn: otherSide(this.#position.turn), passedSquare: NOWHERE };
    this.#position = createPosition(fields, null, NOWHERE);
  }

  unskip(): void {
    this.unmake();
  }

  isPressed(): boolean {
    return this.#position.isCheck;
  }

  isLostWithoutMove(): boolean {
    return this.#position.isCheck;
  }

  isDraw(ply: number): boolean {
    const { board, halfMoves, occurrences } = this.#position;
    if (occurrences > 1 && (occurrences > 2 || ply > 3)) return true;
    return (halfMoves >= FIFTY_MOVES && hasMove(this.#position)) || isInsufficientMaterial(board);
  }

  evaluate(): number {
    return evaluate(this.#position);
  }
}
