import type { Move, Promotion, Seat, Square } from "@holo/rules/rules.ts";
import type { Rules } from "./games.ts";

/** A move that is chosen while it is the other player's turn. It stays on this page until its own turn comes. */
export interface Premove {
  readonly seat: Seat;
  /** From, and the first landing: what a capture goes on to take depends on the answer that is still to come. */
  readonly path: readonly [Square, Square];
  /** Absent where it is to be a queen, or none at all. */
  readonly promotion?: Promotion;
}

/**
 * The first step of every move that some answer of the side to move would make legal, each once, promotions apart. Nothing else can come to
 * be played, so nothing else is offered.
 */
export function findPremoves(rules: Rules, position: unknown): readonly Move[] {
  const found = new Map<string, Move>();
  for (const answer of rules.legalMoves(position)) {
    const played = rules.play(position, answer.path, answer.promotion);
    if (!played.ok) continue;
    for (const { path, promotion } of rules.legalMoves(played.value.position)) {
      const step = path.slice(0, 2);
      const name = `${step.join("-")}${promotion ?? ""}`;
      if (found.has(name)) continue;
      found.set(name, promotion === undefined ? { path: step, captured: [] } : { path: step, captured: [], promotion });
    }
  }
  return [...found.values()];
}

/** The one legal move that begins as the premove does; null where there is none, or where several do. */
export function resolvePremove(rules: Rules, position: unknown, premove: Premove): Move | null {
  const [from, to] = premove.path;
  const begun = rules.legalMoves(position).filter((move) => {
    const isAsked = move.promotion === undefined || move.promotion === (premove.promotion ?? "q");
    return move.path[0] === from && move.path[1] === to && isAsked;
  });
  return begun.length === 1 ? begun[0]! : null;
}
