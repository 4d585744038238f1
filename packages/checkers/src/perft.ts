import { type Result, refuse } from "@holo/kernel/result.ts";
import type { Seat, Square } from "@holo/rules/rules.ts";
import { BOARD_SQUARES } from "@holo/rules/square.ts";
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
  toIndex,
  upLeft,
  upRight,
} from "./board.ts";
import { type CaptureVisitor, findCapturers, visitCaptures } from "./captures.ts";
import { checkBoard } from "./fen.ts";
import { compareSquares, legalMoves } from "./moves.ts";
import { type CheckersPosition, enemyPieces, ownPieces } from "./position.ts";

/**
 * Counts sequences of `depth` distinct moves (from, to, set of captured squares); 1 for depth 0.
 * Draws do not end a sequence. The last ply is counted without being played.
 */
export function perft(position: CheckersPosition, depth: number): number {
  if (depth === 0) return 1;
  return count(ownPieces(position), enemyPieces(position), position.kings, position.turn, depth);
}

/** A move without its order of captures and landings: from, to, captured ascending. */
type DistinctMove = readonly [from: Square, to: Square, captured: readonly Square[]];

/** As perft counts them, ascending by from, to and captured squares. */
export function listDistinctMoves(position: CheckersPosition): DistinctMove[] {
  const distinct = new Map<string, DistinctMove>();
  for (const { path, captured } of legalMoves(position)) {
    const move: DistinctMove = [path[0]!, path.at(-1)!, captured.toSorted((a, b) => a - b)];
    distinct.set(move.join(), move);
  }
  return [...distinct.values()].sort((a, b) => a[0] - b[0] || a[1] - b[1] || compareSquares(a[2], b[2]));
}

/** Reads 64 characters from a8 to h1: `.` empty, `a`/`A` player 1, `b`/`B` player 2. */
export function parseBoard(text: string, turn: Seat): Result<CheckersPosition, "bad_position"> {
  if (text.length !== BOARD_SQUARES) return refuse("bad_position");
  let white = 0;
  let black = 0;
  let kings = 0;
  for (let square = 0; square < BOARD_SQUARES; square += 1) {
    const sign = text[square]!;
    if (sign === ".") continue;
    const index = toIndex(square);
    if (index < 0 || !"aAbB".includes(sign)) return refuse("bad_position");
    const bit = 1 << index;
    if (sign === "a" || sign === "A") white |= bit;
    else black |= bit;
    if (sign === "A" || sign === "B") kings |= bit;
  }
  return checkBoard({ white, black, kings }, turn);
}

function count(own: Squares, enemy: Squares, kings: Squares, turn: Seat, depth: number): number {
  const capturers = findCapturers(own, enemy, kings);
  if (capturers !== 0) return countCaptures(capturers, own, enemy, kings, turn, depth);
  const men = own & ~kings;
  const empty = ~(own | enemy);
  const right = (turn === 1 ? upRight(men) : downRight(men)) & empty;
  const left = (turn === 1 ? upLeft(men) : downLeft(men)) & empty;
  const movers = own & kings;
  const kingMoves = movers === 0 ? 0 : countKingMoves(movers, own, enemy, kings, turn, depth);
  if (depth === 1) return kingMoves + countSquares(right) + countSquares(left);

  const crown = crownRow(turn);
  const next = turn === 1 ? 2 : 1;
  let total = kingMoves;
  for (let rest = right; rest !== 0; rest &= rest - 1) {
    const to = rest & -rest;
    const from = turn === 1 ? downLeft(to) : upLeft(to);
    total += count(enemy, own ^ (from | to), kings | (to & crown), next, depth - 1);
  }
  for (let rest = left; rest !== 0; rest &= rest - 1) {
    const to = rest & -rest;
    const from = turn === 1 ? downRight(to) : upRight(to);
    total += count(enemy, own ^ (from | to), kings | (to & crown), next, depth - 1);
  }
  return total;
}

function countKingMoves(
  movers: Squares,
  own: Squares,
  enemy: Squares,
  kings: Squares,
  turn: Seat,
  depth: number,
): number {
  const occupied = own | enemy;
  let total = 0;
  for (let rest = movers; rest !== 0; rest &= rest - 1) {
    const from = indexOfLowest(rest);
    for (let row = 0; row < DIRECTIONS * DARK_SQUARES; row += DARK_SQUARES) {
      let to = NEIGHBOURS[row + from]!;
      while (to >= 0 && (occupied & (1 << to)) === 0) {
        const change = (1 << from) | (1 << to);
        total += depth === 1 ? 1 : count(enemy, own ^ change, kings ^ change, turn === 1 ? 2 : 1, depth - 1);
        to = NEIGHBOURS[row + to]!;
      }
    }
  }
  return total;
}

/** The distinct captures of one piece: each as end square and set of captured squares. */
class DistinctCaptures implements CaptureVisitor {
  readonly ends: number[] = [];

  onCapture(to: number, captured: Squares): void {
    const { ends } = this;
    for (let at = 0; at < ends.length; at += 2) if (ends[at] === to && ends[at + 1] === captured) return;
    ends.push(to, captured);
  }
}

function countCaptures(
  capturers: Squares,
  own: Squares,
  enemy: Squares,
  kings: Squares,
  turn: Seat,
  depth: number,
): number {
  let total = 0;
  for (let rest = capturers; rest !== 0; rest &= rest - 1) {
    const from = indexOfLowest(rest);
    const found = new DistinctCaptures();
    visitCaptures(from, own, enemy, kings, crownRow(turn), found);
    const { ends } = found;
    if (depth === 1) {
      total += ends.length / 2;
      continue;
    }
    const fromBit = 1 << from;
    for (let at = 0; at < ends.length; at += 2) {
      const to = 1 << ends[at]!;
      const captured = ends[at + 1]!;
      const kept = kings & ~(captured | fromBit);
      const kingsNow = isCrownedBy(fromBit, to, captured, kings, turn) ? kept | to : kept;
      total += count(enemy & ~captured, (own & ~fromBit) | to, kingsNow, turn === 1 ? 2 : 1, depth - 1);
    }
  }
  return total;
}
