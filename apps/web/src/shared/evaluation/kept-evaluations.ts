import type { GameId } from "@holo/kernel/ids.ts";
import type { Evaluation } from "./evaluation.ts";

const KEY = "holo.reviews";
/** The games reviewed last on this device. */
const GAMES_MAX = 10;

interface KeptReview {
  readonly gameId: GameId;
  /** Another number of nodes gives other evaluations. */
  readonly nodes: number;
  readonly evaluations: readonly Evaluation[];
}

/** Of the first positions of a game; empty if it was not reviewed here. */
export function loadEvaluations(gameId: GameId, nodes: number): readonly Evaluation[] {
  const kept = loadReviews().find((review) => review.gameId === gameId && review.nodes === nodes);
  return kept?.evaluations ?? [];
}

export function saveEvaluations(gameId: GameId, nodes: number, evaluations: readonly Evaluation[]): void {
  const others = loadReviews().filter((review) => review.gameId !== gameId);
  const reviews = [{ gameId, nodes, evaluations }, ...others].slice(0, GAMES_MAX);
  try {
    localStorage.setItem(KEY, JSON.stringify(reviews));
  } catch {
    // Storage is blocked or full: the next visit computes again.
  }
}

function loadReviews(): readonly KeptReview[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isReview) : [];
  } catch {
    // Storage is blocked, or its text is not ours.
    return [];
  }
}

function isReview(kept: KeptReview | null): kept is KeptReview {
  return Array.isArray(kept?.evaluations) && kept.evaluations.every(({ whiteChance }) => Number.isFinite(whiteChance));
}
