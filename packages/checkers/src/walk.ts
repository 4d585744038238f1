import type { Square } from "@holo/rules/rules.ts";
import { crownRow, DARK_SQUARES, HEADINGS, type Index, NEIGHBOURS, type Squares, toIndex } from "./board.ts";
import { canTakeFrom, findCapturers, findTarget } from "./captures.ts";
import { type CheckersPosition, enemyPieces, ownPieces } from "./position.ts";

interface Walked {
  readonly from: Index;
  readonly to: Index;
  readonly taken: readonly Index[];
}

/** Follows one path without listing other moves. Null unless it is exactly one legal move. */
export function walk(position: CheckersPosition, path: readonly Square[]): Walked | null {
  const own = ownPieces(position);
  const enemy = enemyPieces(position);
  const from = toIndex(path[0]!);
  if (path.length < 2 || from < 0 || (own & (1 << from)) === 0) return null;
  const capturers = findCapturers(own, enemy, position.kings);
  if (capturers === 0) return walkQuietly(position, from, path);
  if ((capturers & (1 << from)) === 0) return null;
  return walkTaking(position, from, path, enemy, (own | enemy) & ~(1 << from));
}

function walkQuietly(position: CheckersPosition, from: Index, path: readonly Square[]): Walked | null {
  const to = toIndex(path[1]!);
  if (path.length !== 2 || to < 0) return null;
  const heading = HEADINGS[from * DARK_SQUARES + to]!;
  if (heading < 0) return null;
  const occupied = position.white | position.black;
  const row = heading * DARK_SQUARES;
  if ((position.kings & (1 << from)) === 0) {
    const isForward = heading < 2 === (position.turn === 1);
    if (!isForward || NEIGHBOURS[row + from] !== to) return null;
    return (occupied & (1 << to)) === 0 ? { from, to, taken: [] } : null;
  }
  return isClear(NEIGHBOURS[row + from]!, to, row, occupied) ? { from, to, taken: [] } : null;
}

function walkTaking(
  position: CheckersPosition,
  from: Index,
  path: readonly Square[],
  enemy: Squares,
  blocked: Squares,
): Walked | null {
  const crown = crownRow(position.turn);
  const taken: Index[] = [];
  let targets = enemy;
  let crowned = (position.kings & (1 << from)) !== 0;
  let at = from;
  let first = from;
  let row = 0;
  for (let leg = 1; leg < path.length; leg += 1) {
    const to = toIndex(path[leg]!);
    if (to < 0) return null;
    const heading = HEADINGS[at * DARK_SQUARES + to]!;
    if (heading < 0) return null;
    row = heading * DARK_SQUARES;
    const over = findTarget(at, row, crowned, targets, blocked);
    if (over < 0) return null;
    first = NEIGHBOURS[row + over]!;
    if (crowned ? !isClear(first, to, row, blocked) : first !== to) return null;
    targets ^= 1 << over;
    taken.push(over);
    at = to;
    if (leg < path.length - 1) crowned ||= (crown & (1 << to)) !== 0;
  }
  return isFinished(at, first, row, crowned, crown, targets, blocked) ? { from, to: at, taken } : null;
}

/** Whether every square from `first` to `to` along a direction is free, both included. */
function isClear(first: Index, to: Index, row: number, blocked: Squares): boolean {
  let at = first;
  while (at >= 0 && (blocked & (1 << at)) === 0) {
    if (at === to) return true;
    at = NEIGHBOURS[row + at]!;
  }
  return false;
}

/** Whether a capture may end on `at`: no landing behind the last taken piece may continue it. */
function isFinished(
  at: Index,
  first: Index,
  row: number,
  crowned: boolean,
  crown: Squares,
  targets: Squares,
  blocked: Squares,
): boolean {
  if (!crowned) return !canTakeFrom(at, (crown & (1 << at)) !== 0, targets, blocked);
  for (let landing = first; landing >= 0 && (blocked & (1 << landing)) === 0; landing = NEIGHBOURS[row + landing]!) {
    if (canTakeFrom(landing, true, targets, blocked)) return false;
  }
  return true;
}
