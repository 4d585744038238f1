import type { ChessBoard } from "./chess-board.ts";
import { evaluate } from "./evaluation.ts";

const SIZE = 1 << 15;

/** Positions judged before: each deeper search meets most of them again. */
export class Judgements {
  readonly #keys = new Int32Array(SIZE);
  readonly #proofs = new Int32Array(SIZE);
  readonly #scores = new Int16Array(SIZE);

  recall(board: ChessBoard): number {
    const { key, proof } = board;
    const slot = key & (SIZE - 1);
    if (this.#proofs[slot] === proof && this.#keys[slot] === key) return this.#scores[slot]!;
    const score = evaluate(board);
    this.#keys[slot] = key;
    this.#proofs[slot] = proof;
    this.#scores[slot] = score;
    return score;
  }
}
