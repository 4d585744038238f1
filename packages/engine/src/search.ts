import type { GameTree } from "./game-tree.ts";
import { MoveOrder } from "./move-order.ts";
import { DRAW, isForced, PLIES_MAX, WIN } from "./score.ts";
import { AT_LEAST, AT_MOST, EXACT, Transpositions } from "./transpositions.ts";

export interface SearchLimits {
  readonly nodes: number;
  readonly depth: number;
  /** How far each position is misjudged at most, in hundredths. */
  readonly noise: number;
  readonly seed: number;
  /** A move of the first position that is left out. */
  readonly without: number | null;
}

export interface Found {
  readonly score: number;
  readonly line: readonly number[];
  readonly depth: number;
  readonly nodes: number;
}

/** Quiet moves after these are looked at less deeply first. */
const FULL_MOVES = 3;
const NONE = 0;

/** Iterative deepening over alpha-beta: deterministic, since it counts positions and no time. */
export class Search<Position> {
  readonly #tree: GameTree<Position>;
  readonly #order: MoveOrder;
  readonly #known = new Transpositions();
  /** The best line from each ply, at ply * PLIES_MAX. */
  readonly #lines = new Int32Array((PLIES_MAX + 1) * PLIES_MAX);
  readonly #lengths = new Int32Array(PLIES_MAX + 1);
  #limits: SearchLimits = { nodes: 0, depth: 0, noise: 0, seed: 0, without: null };
  #nodes = 0;
  /** The first iteration is always finished. */
  #mayStop = false;
  #isStopped = false;
  #score = 0;
  #line: readonly number[] = [];

  constructor(tree: GameTree<Position>) {
    this.#tree = tree;
    this.#order = new MoveOrder(tree);
  }

  run(position: Position, limits: SearchLimits): Found {
    this.#tree.setRoot(position);
    this.#known.clear();
    this.#order.clear();
    this.#limits = limits;
    this.#nodes = 0;
    this.#mayStop = false;
    this.#isStopped = false;
    this.#line = [];
    let depth = 0;
    while (depth < Math.min(limits.depth, PLIES_MAX) && !this.#isStopped) {
      this.#search(depth + 1, -WIN, WIN, 0, 0, false);
      if (!this.#isStopped) depth += 1;
      this.#mayStop = true;
      // A win within the depth is proved, and nothing is quicker.
      if (WIN - Math.abs(this.#score) <= depth) break;
    }
    return { score: this.#score, line: this.#line, depth, nodes: this.#nodes };
  }

  #mayVisit(): boolean {
    if (this.#mayStop && this.#nodes >= this.#limits.nodes) this.#isStopped = true;
    else this.#nodes += 1;
    return !this.#isStopped;
  }

  #search(depth: number, lowest: number, beta: number, ply: number, start: number, maySkip: boolean): number {
    const tree = this.#tree;
    this.#lengths[ply] = 0;
    if (ply > 0 && tree.isDraw(ply)) return DRAW;
    const isPressed = tree.isPressed();
    // Answers to a check and captures in draughts are free, so that what is forced is seen.
    const left = isPressed ? depth + 1 : depth;
    if (left <= 0 || ply >= PLIES_MAX - 1) return this.#settle(lowest, beta, ply, start);
    if (!this.#mayVisit()) return DRAW;

    const isOpen = beta - lowest > 1;
    const { key, proof } = tree;
    const slot = this.#known.find(key, proof);
    const hint = slot < 0 ? NONE : this.#known.moveAt(slot);
    if (slot >= 0 && !isOpen && this.#known.depthAt(slot) >= left) {
      const score = this.#known.scoreAt(slot, ply);
      const bound = this.#known.boundAt(slot);
      if (bound === EXACT || (bound === AT_LEAST ? score >= beta : score <= lowest)) return score;
    }
    if (!isOpen && !isPressed && !isForced(beta)) {
      const judged = this.#judge();
      if (left <= 2 && judged - 90 * left >= beta) return judged;
      if (maySkip && tree.maySkip && left >= 3 && judged >= beta) {
        tree.skip();
        const score = -this.#search(left - 3 - (left >> 2), -beta, 1 - beta, ply + 1, start, false);
        tree.unskip();
        if (this.#isStopped) return DRAW;
        if (score >= beta) return isForced(score) ? beta : score;
      }
    }

    const end = tree.generate(start);
    this.#order.rate(start, end, hint, ply);
    let alpha = lowest;
    let best = -WIN;
    let bestMove = NONE;
    let played = 0;
    for (let at = start; at < end; at += 1) {
      this.#order.bringBest(at, end);
      const move = tree.moves[at]!;
      if (ply === 0 && move === this.#limits.without) continue;
      const isQuiet = tree.urgency[at] === 0;
      if (!tree.make(at)) continue;
      played += 1;
      const mayReduce = isQuiet && !isPressed && ply > 0;
      const score = this.#try(left - 1, alpha, beta, ply, end, played, mayReduce);
      tree.unmake();
      if (this.#isStopped) return DRAW;
      if (score <= best) continue;
      best = score;
      if (score <= alpha) continue;
      bestMove = move;
      alpha = score;
      this.#keepLine(ply, move);
      if (ply === 0) this.#keepResult(score);
      if (score < beta) continue;
      if (isQuiet) this.#order.praise(start, at, ply, left);
      break;
    }
    if (played === 0) return tree.isLostWithoutMove() ? ply - WIN : DRAW;
    const bound = best >= beta ? AT_LEAST : best > lowest ? EXACT : AT_MOST;
    this.#known.save(key, proof, bestMove === NONE ? hint : bestMove, best, left, bound, ply);
    return best;
  }

  /** The first move gets the full window; the others must show that they are better. */
  #try(
    depth: number,
    alpha: number,
    beta: number,
    ply: number,
    start: number,
    played: number,
    mayReduce: boolean,
  ): number {
    if (played === 1) return -this.#search(depth, -beta, -alpha, ply + 1, start, true);
    const less = mayReduce && played > FULL_MOVES && depth >= 2 ? (played > 4 * FULL_MOVES ? 2 : 1) : 0;
    let score = -this.#search(depth - less, -alpha - 1, -alpha, ply + 1, start, true);
    if (less > 0 && score > alpha) score = -this.#search(depth, -alpha - 1, -alpha, ply + 1, start, true);
    if (score > alpha && score < beta) score = -this.#search(depth, -beta, -alpha, ply + 1, start, true);
    return score;
  }

  /** Plays captures to their end: a position is judged when it is quiet. */
  #settle(lowest: number, beta: number, ply: number, start: number): number {
    const tree = this.#tree;
    if (!this.#mayVisit()) return DRAW;
    if (ply >= PLIES_MAX - 1) return this.#judge();
    const isPressed = tree.isPressed();
    let best = isPressed ? -WIN : this.#judge();
    if (best >= beta) return best;
    let alpha = Math.max(lowest, best);
    const end = tree.generateUrgent(start);
    this.#order.rate(start, end, NONE, ply);
    let played = 0;
    for (let at = start; at < end; at += 1) {
      this.#order.bringBest(at, end);
      if (!tree.make(at)) continue;
      played += 1;
      const score = -this.#settle(-beta, -alpha, ply + 1, end);
      tree.unmake();
      if (this.#isStopped) return DRAW;
      if (score > best) best = score;
      if (score > alpha) alpha = score;
      if (score >= beta) break;
    }
    if (played === 0 && isPressed) return tree.isLostWithoutMove() ? ply - WIN : DRAW;
    return best;
  }

  #judge(): number {
    const { noise, seed } = this.#limits;
    const score = this.#tree.evaluate();
    if (noise === 0) return score;
    const mixed = Math.imul(this.#tree.proof ^ seed, 0x9e3779b1);
    return score + (((mixed >>> 8) % (2 * noise + 1)) - noise);
  }

  #keepLine(ply: number, move: number): void {
    const from = (ply + 1) * PLIES_MAX;
    const to = ply * PLIES_MAX;
    const length = this.#lengths[ply + 1]!;
    this.#lines[to] = move;
    for (let at = 0; at < length; at += 1) this.#lines[to + 1 + at] = this.#lines[from + at]!;
    this.#lengths[ply] = length + 1;
  }

  #keepResult(score: number): void {
    this.#score = score;
    this.#line = Array.from(this.#lines.subarray(0, this.#lengths[0]));
  }
}
