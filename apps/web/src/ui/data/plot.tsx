import { type ReactNode, useId } from "react";
import { type PlotPoint, toPath } from "./plot-path.ts";
import "./plot.css";

interface PlotProps {
  readonly title: string;
  /** Beside the title: what the line comes to. */
  readonly note?: string;
  /** At least two, oldest first. */
  readonly points: readonly PlotPoint[];
  /** The values at the bottom and at the top. */
  readonly range: readonly [number, number];
  /** Where the last value still stands, ms since 1970. */
  readonly until: number;
  /** A value holds until the next, instead of going there in a straight line. */
  readonly isStepped?: boolean;
  readonly formatValue: (value: number) => string;
  readonly formatTime: (at: number) => string;
  /** What the line shows, in words: read in its place. */
  readonly summary: string;
  /** The same as a table. */
  readonly children: ReactNode;
}

const WIDTH = 600;
const HEIGHT = 200;

/** How one figure went over time. The line is for the eye; the same stands in words and in a table. */
export function Plot({
  title,
  note,
  points,
  range,
  until,
  isStepped = false,
  formatValue,
  formatTime,
  summary,
  children,
}: PlotProps) {
  const headId = useId();
  const path = toPath(points, { range, until, isStepped, width: WIDTH, height: HEIGHT });
  return (
    <figure className="plot" aria-labelledby={headId}>
      <figcaption>
        <span id={headId}>{title}</span>
        {note !== undefined && <small>{note}</small>}
      </figcaption>
      <div className="plot-field">
        <span className="plot-high">{formatValue(range[1])}</span>
        <span className="plot-low">{formatValue(range[0])}</span>
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={summary}>
          <path className="plot-area" d={`${path}V${HEIGHT}H0Z`} />
          <path className="plot-line" d={path} />
        </svg>
      </div>
      <p className="plot-times" aria-hidden="true">
        <span>{formatTime(points[0]?.at ?? until)}</span>
        <span>{formatTime(until)}</span>
      </p>
      <details>
        <summary>As a table</summary>
        {children}
      </details>
    </figure>
  );
}
