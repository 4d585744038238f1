import { isForced } from "./score.ts";

export const EXACT = 1;
export const AT_LEAST = 2;
export const AT_MOST = 3;

const SIZE = 1 << 18;

/** What earlier visits of a position found. Half-sized keys share a slot; the last one stays. */
export class Transpositions {
  readonly #proofs = new Int32Array(SIZE);
  readonly #moves = new Int32Array(SIZE);
  readonly #scores = new Int32Array(SIZE);
  /** Depth * 4 + bound; 0 for an empty slot. */
  readonly #info = new Int16Array(SIZE);

  clear(): void {
    this.#info.fill(0);
  }

  /** The slot of a known position, else -1. */
  find(key: number, proof: number): number {
    const slot = key & (SIZE - 1);
    return this.#info[slot] !== 0 && this.#proofs[slot] === proof ? slot : -1;
  }

  moveAt(slot: number): number {
    return this.#moves[slot]!;
  }

  depthAt(slot: number): number {
    return this.#info[slot]! >> 2;
  }

  boundAt(slot: number): number {
    return this.#info[slot]! & 3;
  }

  /** Wins are kept as plies from the position, and read as plies from the root. */
  scoreAt(slot: number, ply: number): number {
    const score = this.#scores[slot]!;
    return isForced(score) ? score - Math.sign(score) * ply : score;
  }

  save(key: number, proof: number, move: number, score: number, depth: number, bound: number, ply: number): void {
    const slot = key & (SIZE - 1);
    this.#proofs[slot] = proof;
    this.#moves[slot] = move;
    this.#scores[slot] = isForced(score) ? score + Math.sign(score) * ply : score;
    this.#info[slot] = depth * 4 + bound;
  }
}
