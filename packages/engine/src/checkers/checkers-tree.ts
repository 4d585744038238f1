import {
  countSquares,
  crownRow,
  DARK_SQUARES,
  DIRECTIONS,
  type Index,
  indexOfLowest,
  NEIGHBOURS,
  type Squares,
} from "@holo/checkers/board.ts";
import { type CaptureVisitor, findCapturers, visitCaptures } from "@holo/checkers/captures.ts";
import { type CheckersPosition, checkers } from "@holo/checkers/checkers.ts";
import { findDraw } from "@holo/checkers/draws.ts";
import { hasMove } from "@holo/checkers/moves.ts";
import { applyMove, enemyPieces, ownPieces, toPosition } from "@holo/checkers/position.ts";
import { type GameTree, MOVES_MAX } from "../game-tree.ts";
import { evaluate } from "./evaluation.ts";

const INDEX_BITS = 5;
const INDEX_MASK = DARK_SQUARES - 1;
const MOVE_BITS = 2 * INDEX_BITS;

/** By index, the bit of a captured piece in a move: only where it has neighbours all round. */
const CAPTURED_BIT = new Int32Array(DARK_SQUARES);
Array.from({ length: DARK_SQUARES }, (_, index) => index)
  .filter((index) => [0, 1, 2, 3].every((direction) => NEIGHBOURS[direction * DARK_SQUARES + index]! >= 0))
  .forEach((index, order) => {
    CAPTURED_BIT[index] = 1 << (MOVE_BITS + order);
  });

/** From, to and the captured pieces, which are what two moves of a position differ in. Never 0. */
export function numberMove(from: Index, to: Index, captured: Squares): number {
  let number = from | (to << INDEX_BITS);
  for (let rest = captured; rest !== 0; rest &= rest - 1) number |= CAPTURED_BIT[indexOfLowest(rest)]!;
  return number;
}

/** Walks the positions of the rules package, so that rules and draws are the same. */
export class CheckersTree implements GameTree<CheckersPosition>, CaptureVisitor {
  readonly moves = new Int32Array(MOVES_MAX);
  readonly urgency = new Int32Array(MOVES_MAX);
  readonly historyMask = (1 << MOVE_BITS) - 1;
  readonly maySkip = false;
  readonly #captured = new Int32Array(MOVES_MAX);
  readonly #path: CheckersPosition[] = [];
  #position: CheckersPosition = checkers.start();
  #from = 0;
  #first = 0;
  #end = 0;

  setRoot(position: CheckersPosition): void {
    this.#position = position;
    this.#path.length = 0;
  }

  get turn(): 0 | 1 {
    return this.#position.turn === 1 ? 0 : 1;
  }

  get key(): number {
    const { white, black, kings, turn } = this.#position;
    return mix(mix(mix(turn, white), black), kings);
  }

  get proof(): number {
    const { white, black, kings, turn } = this.#position;
    return mix(mix(mix(turn + 7, kings), black), white);
  }

  generate(start: number): number {
    const own = ownPieces(this.#position);
    const enemy = enemyPieces(this.#position);
    const { kings, turn } = this.#position;
    const capturers = findCapturers(own, enemy, kings);
    this.#end = start;
    for (let rest = capturers; rest !== 0; rest &= rest - 1) {
      this.#from = indexOfLowest(rest);
      this.#first = this.#end;
      visitCaptures(this.#from, own, enemy, kings, crownRow(turn), this);
    }
    if (capturers === 0) this.#addQuietMoves(own, own | enemy);
    return this.#end;
  }

  generateUrgent(start: number): number {
    return this.isPressed() ? this.generate(start) : start;
  }

  onCapture(to: Index, captured: Squares): void {
    for (let at = this.#first; at < this.#end; at += 1) {
      if (this.#captured[at] === captured && ((this.moves[at]! >> INDEX_BITS) & INDEX_MASK) === to) return;
    }
    this.#add(this.#from, to, captured, 1 + 2 * countSquares(captured) + countSquares(captured & this.#position.kings));
  }

  #addQuietMoves(own: Squares, occupied: Squares): void {
    const { kings, turn } = this.#position;
    for (let rest = own; rest !== 0; rest &= rest - 1) {
      const from = indexOfLowest(rest);
      const isKing = (kings & (1 << from)) !== 0;
      const first = isKing || turn === 1 ? 0 : 2;
      const last = isKing || turn === 2 ? DIRECTIONS : 2;
      for (let row = first * DARK_SQUARES; row < last * DARK_SQUARES; row += DARK_SQUARES) {
        let to = NEIGHBOURS[row + from]!;
        while (to >= 0 && (occupied & (1 << to)) === 0) {
          const isCrowned = !isKing && (crownRow(turn) & (1 << to)) !== 0;
          this.#add(from, to, 0, isCrowned ? 1 : 0);
          to = isKing ? NEIGHBOURS[row + to]! : -1;
        }
      }
    }
  }

  #add(from: Index, to: Index, captured: Squares, urgency: number): void {
    this.moves[this.#end] = numberMove(from, to, captured);
    this.#captured[this.#end] = captured;
    this.urgency[this.#end] = urgency;
    this.#end += 1;
  }

  swap(a: number, b: number): void {
    for (const list of [this.moves, this.urgency, this.#captured]) {
      const kept = list[a]!;
      list[a] = list[b]!;
      list[b] = kept;
    }
  }

  make(at: number): boolean {
    const move = this.moves[at]!;
    this.#path.push(this.#position);
    this.#position = applyMove(
      this.#position,
      move & INDEX_MASK,
      (move >> INDEX_BITS) & INDEX_MASK,
      this.#captured[at]!,
    );
    return true;
  }

  unmake(): void {
    this.#position = this.#path.pop()!;
  }

  skip(): void {
    this.#path.push(this.#position);
    this.#position = toPosition(this.#position, this.#position.turn === 1 ? 2 : 1);
  }

  unskip(): void {
    this.unmake();
  }

  isPressed(): boolean {
    return findCapturers(ownPieces(this.#position), enemyPieces(this.#position), this.#position.kings) !== 0;
  }

  isLostWithoutMove(): boolean {
    return true;
  }

  isDraw(ply: number): boolean {
    return (this.#isRepeated(ply) || findDraw(this.#position) !== null) && hasMove(this.#position);
  }

  #isRepeated(ply: number): boolean {
    const { white, black, kings } = this.#position;
    let earlier = this.#position.previous?.previous ?? null;
    for (let back = 2; back <= ply && earlier !== null; back += 2) {
      if (earlier.white === white && earlier.black === black && earlier.kings === kings) return true;
      earlier = earlier.previous?.previous ?? null;
    }
    return false;
  }

  evaluate(): number {
    return evaluate(this.#position);
  }
}

function mix(hash: number, value: number): number {
  const mixed = Math.imul(hash ^ value, 0x9e3779b1);
  return Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b) ^ (mixed >>> 13);
}
