import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { GameRules, Move, Outcome, Played, Promotion, Seat, Square } from "@holo/rules/rules.ts";
import { findLastRowStep, formatSquare } from "@holo/rules/square.ts";
import { toSquare } from "./board.ts";
import { findDraw } from "./draws.ts";
import { formatFen, parseFen } from "./fen.ts";
import { formatMove, parseMove } from "./move-text.ts";
import { hasMove, legalMoves, mustCapture } from "./moves.ts";
import { applyMove, type CheckersPosition, enemyPieces, ownPieces, pieceAt, START } from "./position.ts";
import { walk } from "./walk.ts";

export type { CheckersPosition } from "./position.ts";

/**
 * Russian draughts (ruling 13): 8x8, flying kings, men capture backward too, capture is mandatory
 * and its choice free. Player 1 is white, starts on rows 5-7 and moves up.
 */
export const checkers: GameRules<CheckersPosition> = {
  game: "checkers",
  start: () => START,
  parsePosition: parseFen,
  formatPosition: formatFen,
  toMove: (position) => position.turn,
  pieceAt,
  legalMoves,
  play,
  outcome,
  canWin,
  checkedSquare: () => null,
  mustCapture,
  formatMove,
  parseMove,
  // Russian draughts: white first, 8x8, squares by letters and digits from the bottom left.
  notation: { ownTags: new Map([["GameType", "25,W,8,8,A0,0"]]), firstNumber: () => 1, clockStep: "second" },
  describeMove,
};

/** Refuses any promotion: crowning is automatic. A drawn position can be played on. */
function play(
  position: CheckersPosition,
  path: readonly Square[],
  promotion?: Promotion,
): Result<Played<CheckersPosition>, "illegal_move"> {
  if (promotion !== undefined) return refuse("illegal_move");
  const walked = walk(position, path);
  if (walked === null) return refuse("illegal_move");
  const captured: Square[] = [];
  let capturedSet = 0;
  for (const index of walked.taken) {
    captured.push(toSquare(index));
    capturedSet |= 1 << index;
  }
  return ok({
    position: applyMove(position, walked.from, walked.to, capturedSet),
    move: { path: path.slice(), captured },
  });
}

/** A side without pieces or without a legal move has lost. This precedes any draw. */
function outcome(position: CheckersPosition): Outcome | null {
  const { turn } = position;
  const other: Seat = turn === 1 ? 2 : 1;
  if (ownPieces(position) === 0) return { type: "win", winner: other, reason: "no_pieces" };
  if (enemyPieces(position) === 0) return { type: "win", winner: turn, reason: "no_pieces" };
  if (!hasMove(position)) return { type: "win", winner: other, reason: "no_moves" };
  const reason = findDraw(position);
  return reason === null ? null : { type: "draw", reason };
}

function describeMove(before: CheckersPosition, { path, captured }: Move): string {
  const piece = pieceAt(before, path[0]!);
  const isCrowned = piece?.kind === "man" && findLastRowStep(path, piece.seat) > 0;
  const taken = captured.length === 0 ? "" : `, capturing ${captured.length === 1 ? "one" : captured.length}`;
  return `${path.map(formatSquare).join(" to ")}${taken}${isCrowned ? ", crowned" : ""}`;
}

/**
 * True while `seat` has a piece, so it never denies a possible win. Checkers has no draw by flag
 * (ruling 14), so the table does not call it.
 */
function canWin(position: CheckersPosition, seat: Seat): boolean {
  return (seat === 1 ? position.white : position.black) !== 0;
}
