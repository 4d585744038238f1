import { type ReactNode, useId } from "react";
import { Progress } from "../../ui/feedback/progress.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { describeChances, formatChance, formatMoveNumber, toGraphArea, toGraphLine } from "./graph.ts";
import type { ReviewedMove } from "./reviewed-game.ts";
import "./chance-graph.css";

interface ChanceGraphProps {
  readonly whose: "Your" | "White's";
  readonly moves: readonly Pick<ReviewedMove, "text">[];
  /** Percent, of the first positions; they grow while the computer works. */
  readonly chances: readonly number[];
  readonly ply: number;
  readonly onShow: (ply: number) => void;
  /** Begins again after the computer could not go on; null if it works. */
  readonly failed: (() => void) | null;
  readonly children?: ReactNode;
}

/** One side's chance to win over a game. It is a slider: a press or an arrow key jumps. */
export function ChanceGraph({ whose, moves, chances, ply, onShow, failed, children }: ChanceGraphProps) {
  const summaryId = useId();
  const count = moves.length;
  const chance = chances[ply];
  const isDone = chances.length > count;
  const title = `${whose} chance to win`;
  return (
    <Panel className="chance-graph" label={title}>
      <div className="head">
        <h2>{title}</h2>
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
          aria-valuetext={formatPlace(moves[ply - 1]?.text, ply, whose, chance)}
          aria-describedby={summaryId}
          onChange={({ target }) => onShow(Number(target.value))}
        />
      </div>
      {children}
      <p id={summaryId} className="visually-hidden">
        {describeChances(whose, chances, count)}
      </p>
      <p className="chance-progress small muted" role="status">
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

function formatPlace(
  text: string | undefined,
  ply: number,
  whose: ChanceGraphProps["whose"],
  chance: number | undefined,
): string {
  const place = text === undefined ? "The start" : `${formatMoveNumber(ply)} ${text}`;
  if (chance === undefined) return place;
  return `${place}, ${whose === "Your" ? "your" : whose} chance ${formatChance(chance)}`;
}
