import "./arrow.css";

type Point = readonly [x: number, y: number];

const CORNER: Point = [0, 0];

/** The length of the arrow's head and half its width, in squares. */
const HEAD = 0.4;
const HEAD_SIDE = 0.24;

/**
 * For an svg of the class `drawings` on a board, whose view box is 0 0 8 8. `path` are indices on
 * the screen: from the first over the others to the last. A ring if the last two are the same.
 */
export function Arrow({ path }: { readonly path: readonly number[] }) {
  const points = path.map(toCentre);
  const [x1, y1] = points.at(-2) ?? CORNER;
  const [x2, y2] = points.at(-1) ?? CORNER;
  const length = Math.hypot(x2 - x1, y2 - y1);
  if (length === 0) return <circle cx={x2} cy={y2} r=".44" />;
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const [x, y] = [x2 - HEAD * dx, y2 - HEAD * dy];
  const [sx, sy] = [HEAD_SIDE * -dy, HEAD_SIDE * dx];
  const line = [...points.slice(0, -1), [x, y]].map(([px, py]) => `${px} ${py}`).join("L");
  return (
    <>
      <path d={`M${line}`} />
      <path className="head" d={`M${x2} ${y2}L${x + sx} ${y + sy}L${x - sx} ${y - sy}z`} />
    </>
  );
}

function toCentre(index: number): Point {
  return [(index & 7) + 0.5, (index >> 3) + 0.5];
}
