import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { Move, Square } from "@holo/rules/rules.ts";
import { formatSquare } from "@holo/rules/square.ts";
import { compareSquares, legalMoves, mustCapture } from "./moves.ts";
import type { CheckersPosition } from "./position.ts";
import { parseDarkSquare } from "./square-name.ts";

/** `c3-d4`; `c3:e5`. If another capture has the same ends, every landing is named: `c3:e5:g3`. */
export function formatMove(position: CheckersPosition, move: Move): string {
  const { path } = move;
  if (move.captured.length === 0) return path.map(formatSquare).join("-");
  const isAmbiguous =
    path.length > 2 && legalMoves(position).filter((other) => sharesEnds(other.path, path)).length > 1;
  return (isAmbiguous ? path : [path[0]!, path.at(-1)!]).map(formatSquare).join(":");
}

const JOINED = /^(?:[a-h][1-8]){2,}$/i;

/**
 * Reads a legal move by names or numbers, with `-`, `:`, `x` or without separator. Landings may be
 * omitted if all matching paths lead to one position; the first path is then returned.
 */
export function parseMove(position: CheckersPosition, text: string): Result<Move, "illegal_move"> {
  const trimmed = text.trim();
  const isJoined = JOINED.test(trimmed);
  const isCapture = isJoined ? mustCapture(position) : /[:xX]/.test(trimmed);
  const named = trimmed.split(isJoined ? /(?<=\d)/ : isCapture ? /[:xX]/ : "-").map(parseDarkSquare);
  const squares = named.filter((square) => square !== null);
  if (squares.length < 2 || squares.length !== named.length) return refuse("illegal_move");
  const moves = legalMoves(position).filter(
    (move) => move.captured.length > 0 === isCapture && isNamed(move.path, squares),
  );
  const exact = moves.find((move) => compareSquares(move.path, squares) === 0);
  if (exact !== undefined) return ok(exact);
  const [first, ...others] = moves;
  if (first === undefined || others.some((other) => !takesSame(first, other))) return refuse("illegal_move");
  return ok(first);
}

function sharesEnds(a: readonly Square[], b: readonly Square[]): boolean {
  return a[0] === b[0] && a.at(-1) === b.at(-1);
}

function isNamed(path: readonly Square[], squares: readonly Square[]): boolean {
  if (!sharesEnds(path, squares)) return false;
  let at = 0;
  for (const square of path) if (square === squares[at]) at += 1;
  return at === squares.length;
}

function takesSame(a: Move, b: Move): boolean {
  const taken = new Set(a.captured);
  return a.captured.length === b.captured.length && b.captured.every((square) => taken.has(square));
}
