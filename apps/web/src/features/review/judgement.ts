import type { Seat } from "@holo/rules/rules.ts";
import { type Evaluation, toOwnChance } from "../../shared/evaluation/evaluation.ts";
import type { ReviewedGame, ReviewedMove } from "../../shared/evaluation/reviewed-game.ts";

export const QUALITIES = ["best", "good", "inaccuracy", "mistake", "blunder"] as const;
export type Quality = (typeof QUALITIES)[number];

export interface Judgement {
  readonly quality: Quality;
  /** Percent of the mover's chance to win that the move gave away. */
  readonly loss: number;
}

/** From this loss on, in percent of the chance to win: the steps that chess.com publishes. */
const LEAST_LOSS: readonly (readonly [Quality, number])[] = [
  ["blunder", 20],
  ["mistake", 10],
  ["inaccuracy", 5],
  ["good", 0.5],
];

/** One per move whose two positions are evaluated. */
export function judgeMoves(
  { moves }: Pick<ReviewedGame, "moves">,
  evaluations: readonly Evaluation[],
): readonly (Judgement | null)[] {
  return moves.slice(0, Math.max(0, evaluations.length - 1)).map((played, ply) => {
    const [before, after] = [evaluations[ply], evaluations[ply + 1]];
    return before === undefined || after === undefined ? null : judgeMove(played, before, after);
  });
}

/** Null for the only legal move. */
export function judgeMove(
  { move, seat, isForced }: ReviewedMove,
  before: Evaluation,
  after: Evaluation,
): Judgement | null {
  if (isForced) return null;
  // The next position is searched a ply deeper and may look worse after the best move too.
  if (before.best !== null && isSameMove(before.best, move)) return { quality: "best", loss: 0 };
  const loss = Math.max(0, toOwnChance(before, seat) - toOwnChance(after, seat));
  return { quality: LEAST_LOSS.find(([, least]) => loss >= least)?.[0] ?? "best", loss };
}

type PathAndPromotion = NonNullable<Evaluation["best"]>;

export function isSameMove(a: PathAndPromotion, b: PathAndPromotion): boolean {
  return a.path.join() === b.path.join() && a.promotion === b.promotion;
}

export function isWrong(quality: Quality): boolean {
  return quality === "inaccuracy" || quality === "mistake" || quality === "blunder";
}

export interface SeatSummary {
  readonly counts: Readonly<Record<Quality, number>>;
  /** Percent; null before a move is judged. */
  readonly accuracy: number | null;
}

/** How fast a move's accuracy falls with its loss: about 64 % for a loss of 10. */
const ACCURACY_FALL = 0.045;

export function summarize(
  { moves }: Pick<ReviewedGame, "moves">,
  judgements: readonly (Judgement | null)[],
  seat: Seat,
): SeatSummary {
  const own = judgements.filter((judgement, ply) => judgement !== null && moves[ply]?.seat === seat);
  const counts = Object.fromEntries(
    QUALITIES.map((quality) => [quality, own.filter((judgement) => judgement?.quality === quality).length]),
  ) as Record<Quality, number>;
  const sum = own.reduce((total, judgement) => total + 100 * Math.exp(-ACCURACY_FALL * (judgement?.loss ?? 0)), 0);
  return { counts, accuracy: own.length === 0 ? null : sum / own.length };
}
