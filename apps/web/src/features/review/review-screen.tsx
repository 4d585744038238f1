import type { MatchView } from "@holo/protocol/game/games.ts";
import type { Seat } from "@holo/rules/rules.ts";
import { memo, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { Link } from "wouter";
import { useIdle } from "../../lib/chunks/idle.ts";
import { playSound } from "../../lib/sound/sound.ts";
import { useSettingsSheet } from "../../shared/board/settings/use-settings-sheet.tsx";
import { HISTORY_KEYS, stepPly } from "../../shared/board/steps.ts";
import { ChanceGraph } from "../../shared/evaluation/chance-graph.tsx";
import { toOwnChance } from "../../shared/evaluation/evaluation.ts";
import { useEvaluations } from "../../shared/evaluation/use-evaluations.ts";
import { formatGame } from "../../shared/match/match.ts";
import { Icon } from "../../ui/icon/icon.tsx";
import { judgeMoves } from "./judgement.ts";
import type { Review } from "./load-review.ts";
import { ReviewBoard } from "./review-board.tsx";
import { ReviewMoves } from "./review-moves.tsx";
import { ReviewSteps } from "./review-steps.tsx";
import { ReviewSummary } from "./review-summary.tsx";
import { toShownMove } from "./shown-move.ts";
import { TurningPoints } from "./turning-points.tsx";
import { Verdict } from "./verdict.tsx";

/** Not rendered again with each position that the computer has looked at. */
const ShownBoard = memo(ReviewBoard);
const ShownVerdict = memo(Verdict);

export function ReviewScreen({ review }: { readonly review: Review }) {
  const { reviewed } = review;
  const count = reviewed.moves.length;
  const [ply, setPly] = useState(0);
  const { evaluations, hasFailed, retry } = useEvaluations(review.match.id, review);
  const judgements = useMemo(() => judgeMoves(reviewed, evaluations), [reviewed, evaluations]);
  const [before, after] = [evaluations[ply - 1], evaluations[ply]];
  // It stays the same while the computer looks at other moves.
  const shown = useMemo(() => toShownMove(review, ply, before, after), [review, ply, before, after]);
  const show = useCallback(
    (to: number) => {
      const captured = reviewed.moves[to - 1]?.move.captured.length ?? 0;
      if (to === ply + 1) playSound(captured > 0 ? "capture" : "move", captured);
      setPly(to);
    },
    [reviewed, ply],
  );
  const place = useRef<HTMLDivElement>(null);
  const jump = useCallback(
    (to: number) => {
      show(to);
      // Below the board of a small phone it would change unseen. Not measured during the press.
      requestAnimationFrame(() => place.current?.scrollIntoView({ block: "nearest" }));
    },
    [show],
  );
  useStepKeys(ply, count, show);
  const settings = useSettingsSheet(reviewed.game);
  // What is below renders later, so that the board is drawn sooner.
  const isIdle = useIdle();

  return (
    <div className="review">
      <ReviewHead review={review} settings={settings.button} />
      <div className="review-place" ref={place}>
        <ShownBoard review={review} ply={ply} shown={shown} />
      </div>
      <div className="review-side">
        <ReviewSteps ply={ply} count={count} onShow={show} />
        <ShownVerdict review={review} ply={ply} shown={shown} />
        <ChanceGraph
          whose="Your"
          moves={reviewed.moves}
          chances={evaluations.map((evaluation) => toOwnChance(evaluation, review.seat))}
          ply={ply}
          onShow={show}
          failed={hasFailed ? retry : null}
        />
        <TurningPoints review={review} evaluations={evaluations} judgements={judgements} onShow={jump} />
      </div>
      {isIdle && (
        <div className="review-more">
          <ReviewSummary review={review} judgements={judgements} />
          <ReviewMoves moves={reviewed.moves} judgements={judgements} ply={ply} onShow={show} onPress={jump} />
        </div>
      )}
      {settings.sheet}
    </div>
  );
}

interface ReviewHeadProps {
  readonly review: Review;
  readonly settings: ReactNode;
}

function ReviewHead({ review: { match, seat }, settings }: ReviewHeadProps) {
  const opponent = seat === 1 ? match.black : match.white;
  return (
    <header className="review-head">
      <Link href={`/game/${match.id}`} className="link alone">
        <Icon name="previous" />
        Game
      </Link>
      <h1>Review</h1>
      <p className="muted">
        {formatResult(match, seat)} against <span translate="no">{opponent?.username}</span> · {formatGame(match.game)}
      </p>
      {settings}
    </header>
  );
}

function formatResult({ status, winner }: MatchView, seat: Seat): string {
  if (status === "cancelled") return "Cancelled";
  return winner === null ? "Draw" : winner === seat ? "You won" : "You lost";
}

/** The arrow keys step through the moves wherever they have no other meaning. */
function useStepKeys(ply: number, count: number, show: (ply: number) => void): void {
  useEffect(() => {
    function handleKey(event: KeyboardEvent): void {
      const step = event.key.startsWith("Arrow") ? HISTORY_KEYS[event.key] : undefined;
      const isTaken =
        event.target instanceof Element && event.target.closest("[role=grid], input, ol, dialog") !== null;
      if (step === undefined || isTaken || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      show(stepPly(ply, count, step));
    }
    addEventListener("keydown", handleKey);
    return () => removeEventListener("keydown", handleKey);
  }, [ply, count, show]);
}
