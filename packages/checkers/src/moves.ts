import type { Move, Square } from "@holo/rules/rules.ts";
import {
  crownRow,
  DARK_SQUARES,
  DIRECTIONS,
  downLeft,
  downRight,
  indexOfLowest,
  NEIGHBOURS,
  type Squares,
  toSquare,
  upLeft,
  upRight,
} from "./board.ts";
import { type CaptureVisitor, findCapturers, visitCaptures } from "./captures.ts";
import { type CheckersPosition, enemyPieces, ownPieces } from "./position.ts";

/** A capture is mandatory; which one is the player's choice (ruling 13). */
export function mustCapture(position: CheckersPosition): boolean {
  return findCapturers(ownPieces(position), enemyPieces(position), position.kings) !== 0;
}

export function hasMove(position: CheckersPosition): boolean {
  const own = ownPieces(position);
  const empty = ~(position.white | position.black);
  const kings = own & position.kings;
  const up = position.turn === 1 ? own : kings;
  const down = position.turn === 1 ? kings : own;
  const reached = upRight(up) | upLeft(up) | downRight(down) | downLeft(down);
  return (reached & empty) !== 0 || mustCapture(position);
}

/** Each path once, ordered by its squares. */
export function legalMoves(position: CheckersPosition): Move[] {
  const own = ownPieces(position);
  const enemy = enemyPieces(position);
  const capturers = findCapturers(own, enemy, position.kings);
  const moves: Move[] = [];
  if (capturers === 0) {
    for (let rest = own; rest !== 0; rest &= rest - 1) pushQuietMoves(position, indexOfLowest(rest), moves);
    return moves.sort(comparePaths);
  }
  const visitor: CaptureVisitor = {
    onCapture(_to, _captured, path, taken) {
      moves.push({ path: path.map(toSquare), captured: taken.map(toSquare) });
    },
  };
  for (let rest = capturers; rest !== 0; rest &= rest - 1) {
    visitCaptures(indexOfLowest(rest), own, enemy, position.kings, crownRow(position.turn), visitor);
  }
  return moves.sort(comparePaths);
}

function pushQuietMoves(position: CheckersPosition, from: number, moves: Move[]): void {
  const occupied: Squares = position.white | position.black;
  const isKing = (position.kings & (1 << from)) !== 0;
  for (let direction = 0; direction < DIRECTIONS; direction += 1) {
    const isForward = direction < 2 === (position.turn === 1);
    if (!isKing && !isForward) continue;
    let to = NEIGHBOURS[direction * DARK_SQUARES + from]!;
    while (to >= 0 && (occupied & (1 << to)) === 0) {
      moves.push({ path: [toSquare(from), toSquare(to)], captured: [] });
      to = isKing ? NEIGHBOURS[direction * DARK_SQUARES + to]! : -1;
    }
  }
}

function comparePaths(a: Move, b: Move): number {
  return compareSquares(a.path, b.path);
}

/** Orders two lists of squares by the first difference; a prefix comes first. */
export function compareSquares(a: readonly Square[], b: readonly Square[]): number {
  for (let at = 0; at < a.length && at < b.length; at += 1) {
    if (a[at] !== b[at]) return a[at]! - b[at]!;
  }
  return a.length - b.length;
}
