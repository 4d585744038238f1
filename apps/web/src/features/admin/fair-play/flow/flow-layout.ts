export interface FlowNode {
  readonly id: string;
  readonly role: "source" | "between" | "player" | "others";
}

export interface FlowEdge {
  readonly from: string;
  readonly to: string;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface PlacedNode<Node> {
  readonly node: Node;
  /** Of its top left corner. */
  readonly at: Point;
}

export interface PlacedEdge<Edge> {
  readonly edge: Edge;
  readonly points: readonly Point[];
  /** The middle of its label. */
  readonly label: Point;
  /** Coins that went back towards their source, or between players of one row. */
  readonly isBack: boolean;
}

export interface FlowLayout<Node, Edge> {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly PlacedNode<Node>[];
  readonly edges: readonly PlacedEdge<Edge>[];
}

/** The narrowest phone shows these units as pixels, less a tenth. */
export const FLOW = { width: 330, nodeWidth: 92, nodeHeight: 60, labelWidth: 64, labelHeight: 18 } as const;
const COLUMNS = 3;
const MARGIN = 12;
const GUTTER = (FLOW.width - 2 * MARGIN - COLUMNS * FLOW.nodeWidth) / (COLUMNS - 1);
const STEP = FLOW.nodeWidth + GUTTER;
const ROW_GAP = 62;
const ROW_STEP = FLOW.nodeHeight + ROW_GAP;
/** The middles of the free strips beside the columns. */
const STRIPS = Array.from({ length: COLUMNS + 1 }, (_, strip) => {
  if (strip === 0) return MARGIN / 2;
  return strip === COLUMNS ? FLOW.width - MARGIN / 2 : MARGIN + strip * STEP - GUTTER / 2;
});
/** Alone in the middle, two at the sides: every column leaves the strips free. */
const PLACES: readonly (readonly number[])[] = [[], [1], [0, 2], [0, 1, 2]];

interface Cell {
  readonly row: number;
  readonly column: number;
}

/**
 * Depositors at the top, the player at the bottom, everyone else by their distance from the
 * depositors, at most three in a row. Long arrows run beside the columns and cross no player.
 */
export function layOutFlow<Node extends FlowNode, Edge extends FlowEdge>(
  nodes: readonly Node[],
  edges: readonly Edge[],
): FlowLayout<Node, Edge> {
  const rows = toRows(nodes, edges);
  const cells = new Map(
    rows.flatMap((ids, row) =>
      ids.map((id, place) => [id, { row, column: PLACES[ids.length]?.[place] ?? 0 }] as const),
    ),
  );
  const placed = nodes.flatMap((node) => {
    const cell = cells.get(node.id);
    return cell === undefined ? [] : [{ node, at: toCorner(cell) }];
  });
  const taken = placed.map(({ at }) => toBox(at, FLOW.nodeWidth, FLOW.nodeHeight));
  const drawn = edges.flatMap((edge) => {
    const [from, to] = [cells.get(edge.from), cells.get(edge.to)];
    if (from === undefined || to === undefined) return [];
    const isBack = to.row <= from.row;
    const points = isBack ? toBackWay(from, to) : toWay(from, to);
    const arrives = edges.filter(({ to: other }) => other === edge.to).length;
    const leaves = edges.filter(({ from: other }) => other === edge.from).length;
    const label = placeLabel({ points, isNearEnd: arrives <= leaves }, taken);
    taken.push(toLabelBox(label));
    return [{ edge, points, label, isBack }];
  });
  return { width: FLOW.width, height: rows.length * ROW_STEP - ROW_GAP + 2, nodes: placed, edges: drawn };
}

/** Ids row by row. */
function toRows(nodes: readonly FlowNode[], edges: readonly FlowEdge[]): readonly (readonly string[])[] {
  const layers = new Map<number, string[]>();
  const distances = findDistances(nodes, edges);
  for (const { id } of nodes) {
    const distance = distances.get(id) ?? 0;
    layers.set(distance, [...(layers.get(distance) ?? []), id]);
  }
  const places = new Map<string, number>();
  return [...layers.keys()]
    .toSorted((a, b) => a - b)
    .flatMap((distance) => {
      const sorted = sortByGivers(layers.get(distance) ?? [], edges, places);
      for (const [place, id] of sorted.entries()) places.set(id, place / Math.max(1, sorted.length - 1));
      return splitEvenly(sorted);
    });
}

/** Shortest ways from the depositors; the player comes after everyone. */
function findDistances(nodes: readonly FlowNode[], edges: readonly FlowEdge[]): ReadonlyMap<string, number> {
  const distances = new Map(nodes.filter(({ role }) => role === "source").map(({ id }) => [id, 0]));
  for (const [id, distance] of distances) {
    for (const { from, to } of edges) if (from === id && !distances.has(to)) distances.set(to, distance + 1);
  }
  for (const { id, role } of nodes) if (!distances.has(id)) distances.set(id, role === "others" ? 0 : 1);
  for (const { id, role } of nodes) {
    const others = [...distances].filter(([other]) => other !== id).map(([, distance]) => distance);
    if (role === "player") distances.set(id, Math.max(0, ...others.map((distance) => distance + 1)));
  }
  return distances;
}

/** So that arrows seldom cross. */
function sortByGivers(ids: readonly string[], edges: readonly FlowEdge[], places: ReadonlyMap<string, number>) {
  const toWeight = (id: string) => {
    const given = edges.flatMap(({ from, to }) => (to === id ? [places.get(from) ?? 0.5] : []));
    return given.length === 0 ? 0.5 : given.reduce((sum, place) => sum + place, 0) / given.length;
  };
  return ids.toSorted((a, b) => toWeight(a) - toWeight(b));
}

function splitEvenly(ids: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(ids.length / COLUMNS);
  const size = Math.ceil(ids.length / count);
  return Array.from({ length: count }, (_, row) => ids.slice(row * size, (row + 1) * size));
}

function toCorner({ row, column }: Cell): Point {
  return { x: MARGIN + column * STEP, y: 1 + row * ROW_STEP };
}

function toMiddle({ column }: Cell): number {
  return MARGIN + column * STEP + FLOW.nodeWidth / 2;
}

/** Down, beside the players of the rows between. */
function toWay(from: Cell, to: Cell): readonly Point[] {
  const [start, end] = [
    { x: toMiddle(from), y: toCorner(from).y + FLOW.nodeHeight },
    { x: toMiddle(to), y: toCorner(to).y },
  ];
  if (to.row === from.row + 1) return [start, end];
  const x = STRIPS.toSorted((a, b) => toDetour(a, start, end) - toDetour(b, start, end))[0] ?? 0;
  return [start, { x, y: start.y + ROW_GAP }, { x, y: end.y - ROW_GAP }, end];
}

function toDetour(x: number, start: Point, end: Point): number {
  return Math.abs(x - start.x) + Math.abs(x - end.x);
}

/** From side to side, through the strips and the gap above the lower of the two. */
function toBackWay(from: Cell, to: Cell): readonly Point[] {
  const [leaves, arrives] = [toStrip(from, to), toStrip(to, from)];
  const [startY, endY] = [from, to].map((cell) => toCorner(cell).y + FLOW.nodeHeight / 2) as [number, number];
  const gapY = toCorner(to).y + FLOW.nodeHeight + ROW_GAP / 2;
  const between =
    leaves === arrives
      ? []
      : [gapY].flatMap((y) => [
          { x: STRIPS[leaves] ?? 0, y },
          { x: STRIPS[arrives] ?? 0, y },
        ]);
  return [
    { x: toSide(from, leaves), y: startY },
    { x: STRIPS[leaves] ?? 0, y: startY },
    ...between,
    { x: STRIPS[arrives] ?? 0, y: endY },
    { x: toSide(to, arrives), y: endY },
  ];
}

/** The strip beside a cell that is nearer to another one; of one column, the outer. */
function toStrip({ column }: Cell, other: Cell): number {
  if (other.column !== column) return other.column > column ? column + 1 : column;
  return column === 0 ? 0 : column + 1;
}

function toSide(cell: Cell, strip: number): number {
  return toCorner(cell).x + (strip > cell.column ? FLOW.nodeWidth : 0);
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

function toBox({ x, y }: Point, width: number, height: number): Box {
  return { left: x, right: x + width, top: y, bottom: y + height };
}

function toLabelBox({ x, y }: Point): Box {
  const { labelWidth, labelHeight } = FLOW;
  return toBox({ x: x - labelWidth / 2, y: y - labelHeight / 2 }, labelWidth, labelHeight);
}

function overlaps(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

/** From an end of the arrow: beside it, and further along if that place is taken. */
const LABEL_DISTANCES = [20, 31, 42, 60, 80, 110, 140, 170, 200];

interface LabelledWay {
  readonly points: readonly Point[];
  /** Fewer arrows meet at this end. */
  readonly isNearEnd: boolean;
}

/** Where it covers no player and no label; on the arrow's middle if there is no such place. */
function placeLabel({ points, isNearEnd }: LabelledWay, taken: readonly Box[]): Point {
  const length = toLength(points);
  const toPlace = (distance: number, fromEnd: boolean) =>
    keepInside(findPoint(points, fromEnd ? length - distance : distance));
  const distances = LABEL_DISTANCES.filter((distance) => distance < length);
  const places = [isNearEnd, !isNearEnd].flatMap((fromEnd) => distances.map((distance) => toPlace(distance, fromEnd)));
  return places.find((place) => !taken.some((box) => overlaps(toLabelBox(place), box))) ?? toPlace(length / 2, true);
}

function keepInside({ x, y }: Point): Point {
  const half = FLOW.labelWidth / 2;
  return { x: Math.min(Math.max(x, half), FLOW.width - half), y };
}

function toLength(points: readonly Point[]): number {
  return points.slice(1).reduce((sum, to, leg) => sum + toDistance(points[leg]!, to), 0);
}

function toDistance(from: Point, to: Point): number {
  return Math.hypot(to.x - from.x, to.y - from.y);
}

/** The point of the way at this distance from its start. */
function findPoint(points: readonly Point[], distance: number): Point {
  let left = distance;
  for (const [leg, to] of points.slice(1).entries()) {
    const from = points[leg]!;
    const length = toDistance(from, to);
    if (left <= length && length > 0) {
      const share = left / length;
      return { x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y) };
    }
    left -= length;
  }
  return points.at(-1)!;
}
