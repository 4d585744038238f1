import { Fragment } from "react";
import { STEP_BUTTONS } from "../../../shared/board/history/step-buttons.ts";
import { IconButton } from "../../../ui/button/button.tsx";
import { formatPly, type GameHistory } from "./history.ts";

interface HistoryStepsProps {
  readonly history: GameHistory;
  readonly texts: readonly string[];
}

export function HistorySteps({ history, texts }: HistoryStepsProps) {
  const { ply, count, isPast, step } = history;
  const shown = isPast ? formatPly(ply, count) : formatLast(texts);
  return (
    <div className="history-steps">
      {STEP_BUTTONS.map(({ step: to, label }) => {
        const isEnd = to === "first" || to === "previous" ? ply === 0 : ply === count;
        return (
          <Fragment key={to}>
            {/* A new element for a new text, which begins elsewhere. */}
            {to === "next" && (
              <span key={shown} className="ply">
                {shown}
              </span>
            )}
            <IconButton icon={to} label={label} aria-disabled={isEnd} onClick={() => !isEnd && step(to)} />
          </Fragment>
        );
      })}
    </div>
  );
}

/** "12. Nf3", "12… Nf6". */
function formatLast(texts: readonly string[]): string {
  const last = texts.at(-1);
  return last === undefined ? "" : `${Math.ceil(texts.length / 2)}${texts.length % 2 === 0 ? "…" : "."} ${last}`;
}
