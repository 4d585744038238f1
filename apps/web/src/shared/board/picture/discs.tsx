import type { Seat } from "@holo/rules/rules.ts";

interface DiscsProps {
  readonly seat: Seat;
  /** Indices of squares, 0 at the top left of 8 by 8. */
  readonly squares: readonly number[];
}

/** A disc of the sprite is drawn on 100 by 100 units and is .92 squares wide. */
const SCALE = 0.0092;
const MARGIN = 0.04;

/**
 * The discs of one player as the sprite's `#disc-1` and `#disc-2` draw them, with one path for each
 * layer. A `use` for each disc would cost a slow phone ten elements.
 */
export function Discs({ seat, squares }: DiscsProps) {
  const places = squares.map((square) => [(square & 7) / SCALE + 50, (square >> 3) / SCALE] as const);
  const draw = (toPath: (x: number, y: number) => string) => places.map(([x, y]) => toPath(x, y)).join("");
  const circle = (cy: number, rx: number, ry = rx) =>
    draw((x, y) => `M${round(x + rx)} ${round(y + cy)}a${rx} ${ry} 0 0 1-${2 * rx} 0 ${rx} ${ry} 0 0 1 ${2 * rx} 0z`);
  const color = (part: string) => `var(--${seat === 1 ? "wd" : "bd"}-${part})`;
  return (
    <g className="discs" transform={`translate(${MARGIN} ${MARGIN}) scale(${SCALE})`} fill="none">
      <path d={circle(57, 43, 41)} fill="#000" fillOpacity=".34" />
      <path d={circle(53, 43)} fill={color("edge")} />
      {seat === 1 ? (
        <path d={circle(49, 43)} fill={color("rim")} />
      ) : (
        <path d={circle(49, 42.2)} fill={color("rim")} stroke={color("halo")} strokeWidth="1.6" />
      )}
      <path
        d={circle(49, 38.5)}
        stroke={color("groove")}
        strokeOpacity=".75"
        strokeWidth="5"
        strokeDasharray="1.5 4.548"
      />
      <path d={circle(49, 33.5)} fill={color("face")} stroke={color("groove")} strokeWidth="1.6" />
      <path
        d={draw((x, y) => `M${round(x - 30.2)} ${round(y + 34.5)}a33.5 33.5 0 0 1 60.4 0`)}
        stroke="#000"
        strokeOpacity=".16"
        strokeWidth="2"
      />
      <path
        d={draw((x, y) => `M${round(x - 29)} ${round(y + 65.5)}a33.5 33.5 0 0 0 58 0`)}
        stroke="#fff"
        strokeOpacity={seat === 1 ? ".7" : ".16"}
        strokeWidth="2"
      />
    </g>
  );
}

function round(coordinate: number): number {
  return Math.round(coordinate * 100) / 100;
}
