import { useId } from "react";
import { Progress } from "../../ui/feedback/progress.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { type Evaluation, toOwnChance } from "./evaluation.ts";
import { describeChances, toGraphArea, toGraphLine } from "./graph.ts";
import type { Review } from "./load-review.ts";
import { formatChance, formatMoveNumber } from "./shown-move.ts";

interface ReviewGraphProps {
  readonly review: Review;
  readonly evaluations: readonly Evaluation[];
  readonly ply: number;
  readonly onShow: (ply: number) => void;
  /** Begins again after the computer could not go on; null if it works. */
  readonly failed: (() => void) | null;
}

/** The viewer's chance to win over the game. It is a slider: a press or an arrow key jumps. */
export function ReviewGraph({ review: { reviewed, seat }, evaluations, ply, onShow, failed }: ReviewGraphProps) {
  const summaryId = useId();
  const count = reviewed.moves.length;
  const chances = evaluations.map((evaluation) => toOwnChance(evaluation, seat));
  const chance = chances[ply];
  const isDone = chances.length > count;
  return (
    <Panel className="review-graph" label="Your chance to win">
      <div className="head">
        <h2>Your chance to win</h2>
        <b>{chance === undefined ? "" : formatChance(chance)}</b>
      </div>
      <div className="field">
        <svg viewBox={`0 0 ${count} 100`} preserveAspectRatio="none" aria-hidden="true" focusable="false">
          <path className="area" d={toGraphArea(chances)} />
          <path className="middle" d={`M0 50H${count}`} />
          <path className="line" d={toGraphLine(chances)} />
          <path className="here" d={`M${ply} 0V100`} />
          {chance !== undefined && <path className="point" d={`M${ply} ${100 - chance}h0`} />}
        </svg>
        <input
          type="range"
          min={0}
          max={count}
          value={ply}
          aria-label="Move"
          aria-valuetext={formatPlace(reviewed.moves[ply - 1]?.text, ply, chance)}
          aria-describedby={summaryId}
          onChange={({ target }) => onShow(Number(target.value))}
        />
      </div>
      <p id={summaryId} className="visually-hidden">
        {describeChances(chances, count)}
      </p>
      <p className="review-progress small muted" role="status">
        {failed !== null ? (
          <>
            The computer stopped.{" "}
            <button type="button" className="link alone" onClick={failed}>
              Try again
            </button>
          </>
        ) : isDone ? (
          "Every move is judged."
        ) : (
          "The computer looks at every move..."
        )}
      </p>
      {!isDone && <Progress label="Moves looked at" percent={Math.round((100 * chances.length) / (count + 1))} />}
    </Panel>
  );
}

function formatPlace(text: string | undefined, ply: number, chance: number | undefined): string {
  const place = text === undefined ? "The start" : `${formatMoveNumber(ply)} ${text}`;
  return chance === undefined ? place : `${place}, your chance ${formatChance(chance)}`;
}
