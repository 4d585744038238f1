import type { Evaluation } from "../../shared/evaluation/evaluation.ts";
import { formatChance, formatMoveNumber } from "../../shared/evaluation/graph.ts";
import { Panel } from "../../ui/layout/panel.tsx";
import { findTurningPoints } from "./find-turning-points.ts";
import type { Judgement } from "./judgement.ts";
import type { Review } from "./load-review.ts";
import { QUALITY_NAMES, QualityMark } from "./quality-mark.tsx";
import { type ShownMove, toShownMove } from "./shown-move.ts";

interface TurningPointsProps {
  readonly review: Review;
  readonly evaluations: readonly Evaluation[];
  readonly judgements: readonly (Judgement | null)[];
  readonly onShow: (ply: number) => void;
}

export function TurningPoints({ review, evaluations, judgements, onShow }: TurningPointsProps) {
  const isDone = evaluations.length > review.reviewed.moves.length;
  const points = findTurningPoints(judgements, evaluations).flatMap(
    (ply) => toShownMove(review, ply, evaluations[ply - 1], evaluations[ply]) ?? [],
  );
  return (
    <Panel className="turning-points" label="The game turned here">
      <h2>The game turned here</h2>
      {points.length === 0 && (
        <p className="muted small">{isDone ? "No single move turned this game." : "Not found yet."}</p>
      )}
      <ol>
        {points.map((shown) => (
          <li key={shown.ply}>
            <TurningPoint shown={shown} onShow={onShow} />
          </li>
        ))}
      </ol>
    </Panel>
  );
}

interface TurningPointProps {
  readonly shown: ShownMove;
  readonly onShow: (ply: number) => void;
}

function TurningPoint({ shown: { ply, played, isOwn, judgement, ownChances }, onShow }: TurningPointProps) {
  if (judgement == null || ownChances === null) return null;
  const [before, after] = ownChances;
  return (
    <button type="button" onClick={() => onShow(ply)}>
      <QualityMark quality={judgement.quality} />
      <span>
        <b>
          {formatMoveNumber(ply)} {played.text}
        </b>{" "}
        {isOwn ? "your" : "the opponent's"} {QUALITY_NAMES[judgement.quality].toLowerCase()}
      </span>
      <span className="meta">
        <span className="visually-hidden">, your chance </span>
        {formatChance(before)} <span aria-hidden="true">→</span>
        <span className="visually-hidden">to</span> {formatChance(after)}
      </span>
    </button>
  );
}
