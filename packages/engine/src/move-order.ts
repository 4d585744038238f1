import { type GameTree, MOVES_MAX } from "./game-tree.ts";
import { PLIES_MAX } from "./score.ts";

const HINT = 1 << 30;
const URGENT = 1 << 26;
const KILLER = 1 << 25;
const HISTORY_MAX = 1 << 24;

/** Sorts moves by how likely they refute: the known best, captures, killers, then by history. */
export class MoveOrder {
  readonly #tree: GameTree<never>;
  readonly #values = new Int32Array(MOVES_MAX);
  /** Two quiet moves of each ply that refuted a sibling. */
  readonly #killers = new Int32Array(2 * PLIES_MAX);
  readonly #history: Int32Array;
  readonly #side: number;

  constructor(tree: GameTree<never>) {
    this.#tree = tree;
    this.#side = tree.historyMask + 1;
    this.#history = new Int32Array(2 * this.#side);
  }

  clear(): void {
    this.#killers.fill(0);
    this.#history.fill(0);
  }

  rate(start: number, end: number, hint: number, ply: number): void {
    const { moves, urgency, historyMask, turn } = this.#tree;
    const first = this.#killers[2 * ply];
    const second = this.#killers[2 * ply + 1];
    const base = turn * this.#side;
    for (let at = start; at < end; at += 1) {
      const move = moves[at]!;
      if (move === hint) this.#values[at] = HINT;
      else if (urgency[at] !== 0) this.#values[at] = URGENT + urgency[at]!;
      else if (move === first) this.#values[at] = KILLER + 1;
      else if (move === second) this.#values[at] = KILLER;
      else this.#values[at] = this.#history[base + (move & historyMask)]!;
    }
  }

  /** Swaps the best of the moves from `at` on to `at`. */
  bringBest(at: number, end: number): void {
    let best = at;
    for (let other = at + 1; other < end; other += 1) {
      if (this.#values[other]! > this.#values[best]!) best = other;
    }
    if (best === at) return;
    const value = this.#values[at]!;
    this.#values[at] = this.#values[best]!;
    this.#values[best] = value;
    this.#tree.swap(at, best);
  }

  /** The quiet move at `at` refuted; the quiet ones tried before did not. */
  praise(start: number, at: number, ply: number, depth: number): void {
    const { moves, urgency, historyMask, turn } = this.#tree;
    const move = moves[at]!;
    if (this.#killers[2 * ply] !== move) {
      this.#killers[2 * ply + 1] = this.#killers[2 * ply]!;
      this.#killers[2 * ply] = move;
    }
    const base = turn * this.#side;
    const index = base + (move & historyMask);
    this.#history[index] = Math.min(HISTORY_MAX, this.#history[index]! + depth * depth);
    for (let other = start; other < at; other += 1) {
      if (urgency[other] === 0) this.#history[base + (moves[other]! & historyMask)]! -= depth;
    }
  }
}
