import { assert } from "@holo/kernel/assert.ts";
import { type ChessPosition, chess } from "../chess.ts";

export function positionOf(fen: string): ChessPosition {
  const position = chess.parsePosition(fen);
  assert(position.ok, `no position: ${fen}`);
  return position.value;
}

export function playAll(start: ChessPosition, line: string): ChessPosition {
  let position = start;
  for (const text of line.split(" ")) {
    const move = chess.parseMove(position, text);
    assert(move.ok, `no move: ${text}`);
    const played = chess.play(position, move.value.path, move.value.promotion);
    assert(played.ok, `not played: ${text}`);
    position = played.value.position;
  }
  return position;
}

export function sansOf(position: ChessPosition): string[] {
  return chess
    .legalMoves(position)
    .map((move) => chess.formatMove(position, move))
    .sort();
}
