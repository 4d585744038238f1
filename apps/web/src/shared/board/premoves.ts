import type { Move, Promotion, Seat, Square } from "@holo/rules/rules.ts";
import type { Rules } from "./game-rules.ts";

/** A move chosen on the opponent's turn. The page keeps it until its own turn. */
export interface Premove {
  readonly seat: Seat;
  /** From and the first landing. How a capture continues depends on the opponent's move. */
  readonly path: readonly [Square, Square];
  /** Absent for a queen or no promotion. */
  readonly promotion?: Promotion;
}

/** The first steps of all moves that some reply of the opponent makes legal, each once. */
export function findPremoves(rules: Rules, position: unknown): readonly Move[] {
  const found = new Map<string, Move>();
  for (const reply of rules.legalMoves(position)) {
    const played = rules.play(position, reply.path, reply.promotion);
    if (!played.ok) continue;
    for (const { path, promotion } of rules.legalMoves(played.value.position)) {
      const firstStep = path.slice(0, 2);
      const name = `${firstStep.join("-")}${promotion ?? ""}`;
      if (found.has(name)) continue;
      found.set(
        name,
        promotion === undefined ? { path: firstStep, captured: [] } : { path: firstStep, captured: [], promotion },
      );
    }
  }
  return [...found.values()];
}

/** The only legal move that starts like the premove; null for none or several. */
export function resolvePremove(rules: Rules, position: unknown, premove: Premove): Move | null {
  const [from, to] = premove.path;
  const matching = rules.legalMoves(position).filter((move) => {
    const isChosenPromotion = move.promotion === undefined || move.promotion === (premove.promotion ?? "q");
    return move.path[0] === from && move.path[1] === to && isChosenPromotion;
  });
  return matching.length === 1 ? matching[0]! : null;
}
