import { type ReactNode, useId } from "react";
import { type PlotPoint, toPath } from "./plot-path.ts";
import "./plot.css";

interface PlotProps {
  readonly title: string;
  readonly note?: string;
  /** At least two, oldest first. */
  readonly points: readonly PlotPoint[];
  /** Values at the bottom and the top. */
  readonly range: readonly [number, number];
  /** Right end of the time axis, ms since 1970. */
  readonly until: number;
  /** Draws steps instead of straight lines. */
  readonly isStepped?: boolean;
  readonly formatValue: (value: number) => string;
  readonly formatTime: (at: number) => string;
  readonly summary: string;
  readonly children: ReactNode;
}

const WIDTH = 600;
const HEIGHT = 200;

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
