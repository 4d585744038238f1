import type { ReviewedMove } from "../../../shared/evaluation/reviewed-game.ts";
import { formatThinkTime, summarizeThinkTimes, toThinkTimes } from "./think-times.ts";

interface ThinkTimeBarsProps {
  readonly moves: readonly ReviewedMove[];
  readonly white: string;
  readonly black: string;
}

/** White's bars grow upwards, Black's downwards. */
export function ThinkTimeBars({ moves, white, black }: ThinkTimeBarsProps) {
  const count = Math.max(1, moves.length);
  return (
    <>
      <svg
        className="think-times"
        viewBox={`0 -1 ${count} 2`}
        preserveAspectRatio="none"
        aria-hidden="true"
        focusable="false"
      >
        {toThinkTimes(moves).map(({ ply, seat, height }) => (
          <path key={ply} className={`seat-${seat}`} d={`M${ply - 0.5} 0v${seat === 1 ? -height : height}`} />
        ))}
        <path className="middle" d={`M0 0H${count}`} />
      </svg>
      <dl className="think-time-figures small">
        {([1, 2] as const).map((seat) => {
          const { moves: choices, medianMs, longestMs } = summarizeThinkTimes(moves, seat);
          return (
            <div key={seat}>
              <dt>
                {seat === 1 ? "White" : "Black"}, <span translate="no">{seat === 1 ? white : black}</span>
              </dt>
              <dd>
                {medianMs === null || longestMs === null
                  ? "No move of choice"
                  : `${choices} moves of choice, half within ${formatThinkTime(medianMs)}, longest ${formatThinkTime(longestMs)}`}
              </dd>
            </div>
          );
        })}
      </dl>
    </>
  );
}
