import { formatSquare, parseSquare } from "@holo/rules/square.ts";
import { type CheckersPosition, checkers } from "../checkers.ts";

export function at(fen: string): CheckersPosition {
  const position = checkers.parsePosition(fen);
  if (!position.ok) throw new Error(`not a position: ${fen}`);
  return position.value;
}

/** `c3 e5` as squares. */
export function toPath(text: string): number[] {
  return text.split(" ").map((name) => {
    const square = parseSquare(name);
    if (!square.ok) throw new Error(`not a square: ${name}`);
    return square.value;
  });
}

export function listMoves(position: CheckersPosition): string[] {
  return checkers.legalMoves(position).map(({ path, captured }) => {
    const landings = path.map(formatSquare).join(" ");
    return captured.length === 0 ? landings : `${landings} x ${captured.map(formatSquare).join(" ")}`;
  });
}

export function after(position: CheckersPosition, ...paths: readonly string[]): CheckersPosition {
  return paths.reduce((reached, path) => {
    const played = checkers.play(reached, toPath(path));
    if (!played.ok) throw new Error(`${path} is not legal in ${checkers.formatPosition(reached)}`);
    return played.value.position;
  }, position);
}
