import {
  DARK_SQUARES,
  DIRECTIONS,
  downLeft,
  downRight,
  type Index,
  indexOfLowest,
  NEIGHBOURS,
  type Squares,
  upLeft,
  upRight,
} from "./board.ts";

/**
 * Finds the piece that the piece on `at` can capture in a direction (`row` is direction * 32),
 * or -1. Captured pieces stay in `blocked` until the move ends, but leave `targets`.
 */
export function findTarget(at: Index, row: number, crowned: boolean, targets: Squares, blocked: Squares): Index {
  let over = NEIGHBOURS[row + at]!;
  if (crowned) while (over >= 0 && (blocked & (1 << over)) === 0) over = NEIGHBOURS[row + over]!;
  if (over < 0 || (targets & (1 << over)) === 0) return -1;
  const landing = NEIGHBOURS[row + over]!;
  return landing >= 0 && (blocked & (1 << landing)) === 0 ? over : -1;
}

export function canTakeFrom(at: Index, crowned: boolean, targets: Squares, blocked: Squares): boolean {
  for (let row = 0; row < DIRECTIONS * DARK_SQUARES; row += DARK_SQUARES) {
    if (findTarget(at, row, crowned, targets, blocked) >= 0) return true;
  }
  return false;
}

/** Men capture in all four directions (ruling 13); only their quiet moves have one direction. */
export function findCapturers(own: Squares, enemy: Squares, kings: Squares): Squares {
  const empty = ~(own | enemy);
  const beside =
    downLeft(downLeft(empty) & enemy) |
    downRight(downRight(empty) & enemy) |
    upLeft(upLeft(empty) & enemy) |
    upRight(upRight(empty) & enemy);
  let capturers = beside & own;
  let distant = own & kings & ~capturers;
  while (distant !== 0) {
    const at = indexOfLowest(distant);
    distant &= distant - 1;
    if (canTakeFrom(at, true, enemy, own | enemy)) capturers |= 1 << at;
  }
  return capturers;
}

/** A capture in progress. `path` and `taken` are overwritten as soon as `onCapture` returns. */
export interface CaptureVisitor {
  /** `captured` is a set, `taken` lists it in order; `path` has one square more than `taken`. */
  onCapture(to: Index, captured: Squares, path: readonly Index[], taken: readonly Index[]): void;
}

/**
 * Visits every complete capture of the piece on `from`, each path once, in no fixed order. Any of
 * them is legal: Russian draughts does not require the capture of the most pieces (ruling 13).
 */
export function visitCaptures(
  from: Index,
  own: Squares,
  enemy: Squares,
  kings: Squares,
  crownRow: Squares,
  visitor: CaptureVisitor,
): void {
  const bit = 1 << from;
  new CaptureSearch(from, enemy, (own | enemy) & ~bit, crownRow, visitor).extend(from, (kings & bit) !== 0, 0);
}

class CaptureSearch {
  readonly #enemy: Squares;
  readonly #blocked: Squares;
  readonly #crownRow: Squares;
  readonly #visitor: CaptureVisitor;
  readonly #path: Index[];
  readonly #taken: Index[] = [];

  constructor(from: Index, enemy: Squares, blocked: Squares, crownRow: Squares, visitor: CaptureVisitor) {
    this.#path = [from];
    this.#enemy = enemy;
    this.#blocked = blocked;
    this.#crownRow = crownRow;
    this.#visitor = visitor;
  }

  /** Whether the capture continues from `at`; visits every continuation. */
  extend(at: Index, crowned: boolean, captured: Squares): boolean {
    let extended = false;
    for (let row = 0; row < DIRECTIONS * DARK_SQUARES; row += DARK_SQUARES) {
      const over = findTarget(at, row, crowned, this.#enemy & ~captured, this.#blocked);
      if (over < 0) continue;
      extended = true;
      this.#taken.push(over);
      // The piece may stop only where no landing continues the capture, and then on any landing.
      if (!this.#land(over, row, crowned, captured | (1 << over), false)) {
        this.#land(over, row, crowned, captured | (1 << over), true);
      }
      this.#taken.pop();
    }
    return extended;
  }

  /** Tries each landing behind `over`. Returns whether the capture continued from any of them. */
  #land(over: Index, row: number, crowned: boolean, captured: Squares, stops: boolean): boolean {
    let goesOn = false;
    let to = NEIGHBOURS[row + over]!;
    do {
      this.#path.push(to);
      if (stops) this.#visitor.onCapture(to, captured, this.#path, this.#taken);
      else if (this.extend(to, crowned || (this.#crownRow & (1 << to)) !== 0, captured)) goesOn = true;
      this.#path.pop();
      to = NEIGHBOURS[row + to]!;
    } while (crowned && to >= 0 && (this.#blocked & (1 << to)) === 0);
    return goesOn;
  }
}
