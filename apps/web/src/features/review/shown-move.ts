import type { Move } from "@holo/rules/rules.ts";
import type { Rules } from "../../shared/board/game-rules.ts";
import { type Evaluation, toOwnChance } from "../../shared/evaluation/evaluation.ts";
import type { ReviewedMove } from "../../shared/evaluation/reviewed-game.ts";
import { isSameMove, isWrong, type Judgement, judgeMove } from "./judgement.ts";
import type { Review } from "./load-review.ts";

/** The move that led to the position on the board, and what the computer says of it. */
export interface ShownMove {
  readonly ply: number;
  readonly played: ReviewedMove;
  /** By the viewer. */
  readonly isOwn: boolean;
  /** Undefined until the computer has looked at it; null for the only legal move. */
  readonly judgement: Judgement | null | undefined;
  /** The best move, if another one was played. */
  readonly better: { readonly move: Move; readonly text: string } | null;
  /** The viewer's chance to win before and after it, in percent. */
  readonly ownChances: readonly [before: number, after: number] | null;
}

/**
 * `before` and `after` are of the positions around the move; undefined until the computer has
 * looked at them. Null at the start of the game.
 */
export function toShownMove(
  { rules, reviewed, seat }: Review,
  ply: number,
  before: Evaluation | undefined,
  after: Evaluation | undefined,
): ShownMove | null {
  const played = reviewed.moves[ply - 1];
  if (played === undefined) return null;
  const isKnown = before !== undefined && after !== undefined;
  return {
    ply,
    played,
    isOwn: played.seat === seat,
    judgement: isKnown ? judgeMove(played, before, after) : undefined,
    better: before === undefined ? null : findBetter(rules, reviewed.positions[ply - 1], before, played),
    ownChances: isKnown ? [toOwnChance(before, seat), toOwnChance(after, seat)] : null,
  };
}

function findBetter(
  rules: Rules,
  position: unknown,
  { best }: Evaluation,
  { move }: ReviewedMove,
): ShownMove["better"] {
  if (best === null || isSameMove(best, move)) return null;
  const played = rules.play(position, best.path, best.promotion);
  if (!played.ok) return null;
  return { move: played.value.move, text: rules.formatMove(position, played.value.move) };
}

/** The viewer's own wrong move, which "Try it" lets them make again. */
export function isOwnMistake(shown: ShownMove | null): boolean {
  return shown?.judgement != null && shown.isOwn && isWrong(shown.judgement.quality);
}

/** The level of the computer that a position is played on against. */
const TRY_LEVEL = 3;

/**
 * The address of practice from the shown position, or from before an own wrong move. Null where the
 * rules have ended the game.
 */
export function toTryAddress({ rules, reviewed, seat }: Review, ply: number, shown: ShownMove | null): string | null {
  const position = reviewed.positions[isOwnMistake(shown) ? ply - 1 : ply];
  if (rules.outcome(position) !== null) return null;
  const query = new URLSearchParams({
    game: reviewed.game,
    fen: rules.formatPosition(position),
    as: seat === 1 ? "white" : "black",
    level: String(TRY_LEVEL),
  });
  return `/practice?${query}`;
}
