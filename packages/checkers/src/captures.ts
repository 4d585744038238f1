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
 * Whether the piece on `at` can take one of `targets`. `blocked` holds every piece on the board but the moving one: pieces already
 * taken stay there until the move ends (and are no longer targets), the square on which the move began is free.
 */
export function canTakeFrom(at: Index, crowned: boolean, targets: Squares, blocked: Squares): boolean {
  for (let direction = 0; direction < DIRECTIONS; direction += 1) {
    const row = direction * DARK_SQUARES;
    let over = NEIGHBOURS[row + at]!;
    if (crowned) while (over >= 0 && (blocked & (1 << over)) === 0) over = NEIGHBOURS[row + over]!;
    if (over < 0 || (targets & (1 << over)) === 0) continue;
    const landing = NEIGHBOURS[row + over]!;
    if (landing >= 0 && (blocked & (1 << landing)) === 0) return true;
  }
  return false;
}

/** Those of the `own` pieces that can take something. */
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

/** A capture as it is being made; `path` and `taken` are overwritten as soon as `onCapture` returns. */
export interface CaptureVisitor {
  /** `captured` is the set of what was taken, `taken` the same in order; `path` has one square more than `taken`. */
  onCapture(from: Index, to: Index, captured: Squares, path: readonly Index[], taken: readonly Index[]): void;
}

/** Visits every complete capture of the piece on `from`, each path once, in no particular order. */
export function visitCaptures(
  from: Index,
  own: Squares,
  enemy: Squares,
  kings: Squares,
  crownRow: Squares,
  visitor: CaptureVisitor,
): void {
  const bit = 1 << from;
  extend(from, (kings & bit) !== 0, enemy, (own | enemy) & ~bit, 0, crownRow, [from], [], visitor);
}

/** Whether the capture goes on from `at`; it visits every way in which it does. */
function extend(
  at: Index,
  crowned: boolean,
  targets: Squares,
  blocked: Squares,
  captured: Squares,
  crownRow: Squares,
  path: Index[],
  taken: Index[],
  visitor: CaptureVisitor,
): boolean {
  let extended = false;
  for (let direction = 0; direction < DIRECTIONS; direction += 1) {
    const row = direction * DARK_SQUARES;
    let over = NEIGHBOURS[row + at]!;
    if (crowned) while (over >= 0 && (blocked & (1 << over)) === 0) over = NEIGHBOURS[row + over]!;
    if (over < 0) continue;
    const overBit = 1 << over;
    if ((targets & overBit) === 0) continue;
    const first = NEIGHBOURS[row + over]!;
    if (first < 0 || (blocked & (1 << first)) !== 0) continue;

    extended = true;
    taken.push(over);
    const reach = crowned ? DARK_SQUARES : 1;
    let goesOn = false;
    let landing = first;
    for (let step = 0; step < reach && landing >= 0 && (blocked & (1 << landing)) === 0; step += 1) {
      path.push(landing);
      const crownedThere = crowned || (crownRow & (1 << landing)) !== 0;
      if (
        extend(landing, crownedThere, targets ^ overBit, blocked, captured | overBit, crownRow, path, taken, visitor)
      ) {
        goesOn = true;
      }
      path.pop();
      landing = NEIGHBOURS[row + landing]!;
    }
    // Only where no landing lets the capture go on may the piece stop, and then on any of them.
    landing = first;
    for (let step = 0; !goesOn && step < reach && landing >= 0 && (blocked & (1 << landing)) === 0; step += 1) {
      path.push(landing);
      visitor.onCapture(path[0]!, landing, captured | overBit, path, taken);
      path.pop();
      landing = NEIGHBOURS[row + landing]!;
    }
    taken.pop();
  }
  return extended;
}
