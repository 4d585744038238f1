import type { DrawReason } from "@holo/rules/rules.ts";
import { countSquares, type Squares } from "./board.ts";
import type { CheckersPosition } from "./position.ts";

/**
 * The automatic draws (ruling 14; official rules of draughts-64), in plies. A rule about material
 * counts from the position in which it arose; a capture or a crowning resets it.
 */
const THREE_KINGS_PLIES = 30;
const KINGS_ONLY_PLIES = 30;
const BALANCE_SMALL_PLIES = 60;
const BALANCE_LARGE_PLIES = 120;
const MAIN_ROAD_PLIES = 10;
const FEW_PIECES_PLIES = 10;
const REPETITIONS = 3;
/**
 * A position recurs after four plies at the earliest, so its third occurrence is at the eighth ply.
 */
const REPETITION_PLIES = 8;

/** If two draws have occurred, the first in this function is returned. */
export function findDraw(position: CheckersPosition): DrawReason | null {
  const { white, black, kings, materialPlies, kingPlies, roadPlies } = position;
  if (kingPlies >= REPETITION_PLIES && isRepeated(position)) return "threefold_repetition";
  if (materialPlies < FEW_PIECES_PLIES) return null;
  if (isFewAgainstKing(white, black, kings) || isFewAgainstKing(black, white, kings)) return "few_pieces";
  if (roadPlies >= MAIN_ROAD_PLIES) return "main_road";
  if (materialPlies >= THREE_KINGS_PLIES) {
    if (isKingsAgainstKing(white, black, kings) || isKingsAgainstKing(black, white, kings)) return "three_kings";
  }
  if (kingPlies >= KINGS_ONLY_PLIES) return "kings_only";
  return materialPlies >= balancePlies(white, black, kings) ? "balance_of_kings" : null;
}

function isLoneKing(pieces: Squares, kings: Squares): boolean {
  return (pieces & kings) !== 0 && countSquares(pieces) === 1;
}

/** Without a king the stronger side cannot catch the lone king, which may win itself. */
function isFewAgainstKing(strong: Squares, lone: Squares, kings: Squares): boolean {
  return isLoneKing(lone, kings) && (strong & kings) !== 0 && countSquares(strong) <= 2;
}

/** A man on the stronger side means that it can still crown, so the rule does not apply yet. */
function isKingsAgainstKing(strong: Squares, lone: Squares, kings: Squares): boolean {
  return isLoneKing(lone, kings) && (strong & ~kings) === 0 && countSquares(strong) >= 3;
}

/** Plies without capture or crowning until the draw; undefined below 4 and above 7 pieces. */
function balancePlies(white: Squares, black: Squares, kings: Squares): number {
  if ((white & kings) === 0 || (black & kings) === 0) return Number.POSITIVE_INFINITY;
  const pieces = countSquares(white | black);
  if (pieces < 4 || pieces > 7) return Number.POSITIVE_INFINITY;
  return pieces <= 5 ? BALANCE_SMALL_PLIES : BALANCE_LARGE_PLIES;
}

function isRepeated(position: CheckersPosition): boolean {
  let times = 1;
  let earlier = position.previous?.previous ?? null;
  while (earlier !== null) {
    if (earlier.white === position.white && earlier.black === position.black && earlier.kings === position.kings) {
      times += 1;
      if (times === REPETITIONS) return true;
    }
    earlier = earlier.previous?.previous ?? null;
  }
  return false;
}
