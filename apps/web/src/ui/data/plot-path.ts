export interface PlotPoint {
  /** ms since 1970. */
  readonly at: number;
  readonly value: number;
}

interface PlotScale {
  readonly range: readonly [number, number];
  readonly until: number;
  readonly isStepped: boolean;
  readonly width: number;
  readonly height: number;
}

/** SVG path data from the first point to `until`, at the last value. `points` are oldest first. */
export function toPath(
  points: readonly PlotPoint[],
  { range: [low, high], until, isStepped, width, height }: PlotScale,
): string {
  const from = points[0]?.at ?? until;
  // This device's clock may be behind the server's.
  const spanMs = Math.max(1, until - from, (points.at(-1)?.at ?? until) - from);
  const toX = (at: number) => round(((at - from) / spanMs) * width);
  const toY = (value: number) => round(height - ((value - low) / Math.max(high - low, Number.EPSILON)) * height);
  const steps = points.map(({ at, value }, index) => {
    if (index === 0) return `M0 ${toY(value)}`;
    return isStepped ? `H${toX(at)}V${toY(value)}` : `L${toX(at)} ${toY(value)}`;
  });
  return `${steps.join("")}H${width}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** The smallest of 1, 1.5, 2, 3, 5, 10, 15, ... that is at least `value`. */
export function toScaleMax(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  return [1, 1.5, 2, 3, 5, 10].map((step) => step * power).find((top) => top >= value) ?? 10 * power;
}
