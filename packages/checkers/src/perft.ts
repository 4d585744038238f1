import {
  countSquares,
  crownRow,
  DARK_SQUARES,
  DIRECTIONS,
  downLeft,
  downRight,
  indexOfLowest,
  isCrownedBy,
  NEIGHBOURS,
  type Squares,
  upLeft,
  upRight,
} from "./board.ts";
import { type CaptureVisitor, findCapturers, visitCaptures } from "./captures.ts";
import type { CheckersPosition } from "./position.ts";

export function perft(position: CheckersPosition, depth: number): number {
  if (depth === 0) return 1;
  const white = position.turn === 1;
  return count(
    white ? position.white : position.black,
    white ? position.black : position.white,
    position.kings,
    white,
    depth,
  );
}

function count(own: Squares, enemy: Squares, kings: Squares, white: boolean, depth: number): number {
  const capturers = findCapturers(own, enemy, kings);
  if (capturers !== 0) return countCaptures(capturers, own, enemy, kings, white, depth);
  const empty = ~(own | enemy);
  const men = own & ~kings;
  const right = (white ? upRight(men) : downRight(men)) & empty;
  const left = (white ? upLeft(men) : downLeft(men)) & empty;
  let total = 0;
  if (depth === 1) total = countSquares(right) + countSquares(left);
  else {
    const crown = crownRow(white ? 1 : 2);
    for (let landings = right; landings !== 0; landings &= landings - 1) {
      const to = landings & -landings;
      const from = white ? downLeft(to) : upLeft(to);
      total += count(enemy, own ^ (from | to), kings | (to & crown), !white, depth - 1);
    }
    for (let landings = left; landings !== 0; landings &= landings - 1) {
      const to = landings & -landings;
      const from = white ? downRight(to) : upRight(to);
      total += count(enemy, own ^ (from | to), kings | (to & crown), !white, depth - 1);
    }
  }
  for (let movers = own & kings; movers !== 0; movers &= movers - 1) {
    const at = indexOfLowest(movers);
    for (let direction = 0; direction < DIRECTIONS; direction += 1) {
      let to = NEIGHBOURS[direction * DARK_SQUARES + at]!;
      while (to >= 0 && (empty & (1 << to)) !== 0) {
        const change = (1 << at) | (1 << to);
        total += depth === 1 ? 1 : count(enemy, own ^ change, kings ^ change, !white, depth - 1);
        to = NEIGHBOURS[direction * DARK_SQUARES + to]!;
      }
    }
  }
  return total;
}

const found: number[] = [];
let top = 0;
let groupStart = 0;

const collector: CaptureVisitor = {
  onCapture(_from, to, captured) {
    for (let at = groupStart; at < top; at += 2) if (found[at] === to && found[at + 1] === captured) return;
    found[top] = to;
    found[top + 1] = captured;
    top += 2;
  },
};

function countCaptures(
  capturers: Squares,
  own: Squares,
  enemy: Squares,
  kings: Squares,
  white: boolean,
  depth: number,
): number {
  const crown = crownRow(white ? 1 : 2);
  let total = 0;
  for (let rest = capturers; rest !== 0; rest &= rest - 1) {
    const from = indexOfLowest(rest);
    const bit = 1 << from;
    const base = top;
    groupStart = base;
    visitCaptures(from, own, enemy, kings, crown, collector);
    const end = top;
    if (depth === 1) total += (end - base) / 2;
    else {
      for (let at = base; at < end; at += 2) {
        const to = 1 << found[at]!;
        const captured = found[at + 1]!;
        const left = kings & ~(captured | bit);
        const crowned = isCrownedBy(bit, to, captured, kings, white ? 1 : 2);
        total += count(enemy & ~captured, (own & ~bit) | to, crowned ? left | to : left, !white, depth - 1);
      }
    }
    top = base;
  }
  return total;
}
