import { formatCoins } from "@holo/kernel/money.ts";
import type { FairPlayGraphView } from "@holo/protocol/admin/fair-play-cases.ts";
import { readCoins } from "../../../../lib/api/coins.ts";
import { Table } from "../../../../ui/data/table.tsx";
import { classes } from "../../../../ui/text/classes.ts";
import { PlayerLink } from "../../players/player-link.tsx";
import { FLOW, layOutFlow, type PlacedEdge, type PlacedNode } from "./flow-layout.ts";
import "./flow-graph.css";

type GraphNode = FairPlayGraphView["nodes"][number];
type GraphEdge = FairPlayGraphView["edges"][number];

const ROLE_NAMES: Readonly<Record<GraphNode["role"], string>> = {
  source: "deposited",
  between: "passed on",
  player: "this player",
  others: "",
};
/** What fits into a line of a node. */
const LINE_CHARACTERS = 11;
const LINE_WIDTH = FLOW.nodeWidth - 6;

/** How the coins came to the player: a drawing, and the same as a table. */
export function FlowGraph({ graph }: { readonly graph: FairPlayGraphView }) {
  const { nodes, edges } = graph;
  const layout = layOutFlow(nodes, edges);
  return (
    <figure className="flow-graph">
      <svg
        viewBox={`0 0 ${layout.width} ${layout.height}`}
        fontSize="13"
        role="img"
        aria-label={describe(nodes, edges)}
      >
        {layout.edges.map((placed) => (
          <Arrow key={`${placed.edge.from} ${placed.edge.to}`} placed={placed} />
        ))}
        {layout.nodes.map((placed) => (
          <Box key={placed.node.id} placed={placed} />
        ))}
        {layout.edges.map(({ edge, label }) => (
          <Label key={`${edge.from} ${edge.to}`} coins={edge.coins} at={label} />
        ))}
      </svg>
      <figcaption className="small muted">
        Arrows show coins that were lost in games, in HC. Dashed ones went back.
      </figcaption>
      <details>
        <summary>As a table</summary>
        <Table
          caption="Coins that were lost in games"
          columns={[{ text: "Lost by, to" }, { text: "HC", figures: true }, { text: "Games", figures: true }]}
        >
          {edges.map(({ from, to, coins, games }) => (
            <tr key={`${from} ${to}`}>
              <td>
                {[from, to].map((id) => (
                  <div key={id}>
                    <Who node={nodes.find((node) => node.id === id)} />
                  </div>
                ))}
              </td>
              <td className="figures">{formatCoins(readCoins(coins))}</td>
              <td className="figures">{games}</td>
            </tr>
          ))}
        </Table>
      </details>
    </figure>
  );
}

function Who({ node }: { readonly node: GraphNode | undefined }) {
  if (node === undefined) return null;
  return node.player === null ? toName(node) : <PlayerLink player={node.player} />;
}

function toName({ player, players }: GraphNode): string {
  if (player !== null) return player.username;
  return players === 1 ? "1 other player" : `${players} other players`;
}

function describe(nodes: readonly GraphNode[], edges: readonly GraphEdge[]): string {
  const source = nodes.filter(({ role }) => role === "source").map(toName);
  const games = edges.reduce((sum, edge) => sum + edge.games, 0);
  const from = source.length === 0 ? "" : ` from ${source.join(", ")}`;
  return `The coins' way${from}: ${nodes.length} players, ${games} games. The table below says the same.`;
}

/** Depth and half width of an arrow's head. */
const [HEAD, WING] = [9, 5];

function Arrow({ placed: { points, isBack } }: { readonly placed: PlacedEdge<GraphEdge> }) {
  const [end, before] = [points.at(-1)!, points.at(-2)!];
  const length = Math.hypot(end.x - before.x, end.y - before.y) || 1;
  const [dx, dy] = [(end.x - before.x) / length, (end.y - before.y) / length];
  const neck = { x: end.x - HEAD * dx, y: end.y - HEAD * dy };
  const line = [...points.slice(0, -1), neck].map(({ x, y }) => `${round(x)} ${round(y)}`).join("L");
  const wings = [1, -1].map((side) => `${round(neck.x - side * WING * dy)} ${round(neck.y + side * WING * dx)}`);
  return (
    <g className={classes("arrow", isBack && "back")}>
      <path className="line" d={`M${line}`} />
      <path className="head" d={`M${round(end.x)} ${round(end.y)}L${wings.join("L")}Z`} />
    </g>
  );
}

function Box({ placed: { node, at } }: { readonly placed: PlacedNode<GraphNode> }) {
  const name = toName(node);
  const lines = name.length <= LINE_CHARACTERS ? [name] : breakName(name);
  const middle = at.x + FLOW.nodeWidth / 2;
  const role = ROLE_NAMES[node.role];
  const rows = role === "" ? lines : [...lines, role];
  const top = at.y + FLOW.nodeHeight / 2 - (rows.length - 1) * 8;
  return (
    <g className={classes("node", node.role)}>
      <title>{name}</title>
      <rect x={at.x} y={at.y} width={FLOW.nodeWidth} height={FLOW.nodeHeight} rx="8" />
      {rows.map((row, index) => (
        <text
          key={row}
          className={index < lines.length ? "name" : "role"}
          fontSize={index < lines.length ? undefined : "12"}
          x={middle}
          y={top + index * 16}
          dy=".35em"
          {...(isWide(row) && { textLength: LINE_WIDTH, lengthAdjust: "spacingAndGlyphs" })}
        >
          {row}
        </text>
      ))}
    </g>
  );
}

/** M and W take the place of two letters. */
function isWide(line: string): boolean {
  return line.length + (line.match(/[mw]/gi)?.length ?? 0) * 0.7 > LINE_CHARACTERS + 1;
}

/** In two lines, at a space, hyphen or underscore if one is near the middle. */
function breakName(name: string): readonly string[] {
  const breaks = [...name.matchAll(/[ _-]/g)].map(({ index }) => index + 1);
  const fitting = breaks.filter((at) => at <= LINE_CHARACTERS && name.length - at <= LINE_CHARACTERS);
  const at = fitting.at(-1) ?? LINE_CHARACTERS;
  return [name.slice(0, at).trim(), name.slice(at)];
}

function Label({ coins, at }: { readonly coins: string; readonly at: { readonly x: number; readonly y: number } }) {
  return (
    <g className="label">
      <rect
        x={at.x - FLOW.labelWidth / 2}
        y={at.y - FLOW.labelHeight / 2}
        width={FLOW.labelWidth}
        height={FLOW.labelHeight}
        rx="4"
      />
      <text x={at.x} y={at.y} dy=".35em">
        {formatCoins(readCoins(coins))}
      </text>
    </g>
  );
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
