import { BISHOP, EMPTY, isOwn, KNIGHT, kindOf, NOWHERE, otherSide, type Side } from "@holo/chess/board.ts";
import { ADJACENT, ATTACKS, DIRECTIONS, KNIGHT_TARGETS, REACH, STEPS } from "@holo/chess/geometry.ts";
import type { Square } from "@holo/rules/rules.ts";
import { EXCHANGE_VALUES } from "./piece-values.ts";

/** What the mover gains if both sides go on capturing on the square, cheapest pieces first. */
export function exchange(squares: Uint8Array, from: Square, to: Square, mover: Side): number {
  const piece = squares[from]!;
  const taken = squares[to]!;
  squares[from] = EMPTY;
  squares[to] = piece;
  const lost = recapture(squares, to, otherSide(mover));
  squares[from] = piece;
  squares[to] = taken;
  return EXCHANGE_VALUES[kindOf(taken)]! - lost;
}

function recapture(squares: Uint8Array, target: Square, side: Side): number {
  const from = findCheapest(squares, target, side);
  return from === NOWHERE ? 0 : Math.max(0, exchange(squares, from, target, side));
}

/** The square of the cheapest piece of the side that attacks the target. */
function findCheapest(squares: Uint8Array, target: Square, side: Side): Square {
  let cheapest = NOWHERE;
  let kind = 7;
  for (let direction = 0; direction < DIRECTIONS; direction += 1) {
    const reach = REACH[target * DIRECTIONS + direction]!;
    let square = target;
    for (let distance = 1; distance <= reach; distance += 1) {
      square += STEPS[direction]!;
      const piece = squares[square]!;
      if (piece === EMPTY) continue;
      const isAttacker = isOwn(piece, side) && ATTACKS[direction * 32 + (distance === 1 ? ADJACENT : 0) + piece] === 1;
      if (isAttacker && kindOf(piece) < kind) {
        kind = kindOf(piece);
        cheapest = square;
      }
      break;
    }
  }
  if (kind < BISHOP) return cheapest;
  for (const square of KNIGHT_TARGETS[target]!) if (squares[square] === (KNIGHT | side)) return square;
  return cheapest;
}
