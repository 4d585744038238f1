import { describe, expect, it } from "vitest";
import { FLOW, type FlowNode, layOutFlow, type Point } from "./flow-layout.ts";

/** `a>b b>c`: the first is the depositor and the last the player, unless roles say otherwise. */
function layOut(text: string, roles: Readonly<Record<string, FlowNode["role"]>> = {}) {
  const edges = text.split(" ").map((edge) => {
    const [from = "", to = ""] = edge.split(">");
    return { from, to };
  });
  const ids = [...new Set(edges.flatMap(({ from, to }) => [from, to]))];
  const nodes = ids.map((id) => {
    const usual = id === ids[0] ? "source" : id === ids.at(-1) ? "player" : "between";
    return { id, role: roles[id] ?? (usual as FlowNode["role"]) };
  });
  return layOutFlow(nodes, edges);
}

type Layout = ReturnType<typeof layOut>;

const topOf = ({ nodes }: Layout, id: string) => nodes.find(({ node }) => node.id === id)!.at.y;

function isInside({ x, y }: Point, corner: Point): boolean {
  return x > corner.x && x < corner.x + FLOW.nodeWidth && y > corner.y && y < corner.y + FLOW.nodeHeight;
}

/** Points along all arrows. */
function listSteps({ edges }: Layout): readonly Point[] {
  return edges.flatMap(({ points }) =>
    points.slice(1).flatMap((to, leg) => {
      const from = points[leg]!;
      return Array.from({ length: 50 }, (_, step) => ({
        x: from.x + (step / 50) * (to.x - from.x),
        y: from.y + (step / 50) * (to.y - from.y),
      }));
    }),
  );
}

function countCovered(one: readonly Point[]): number {
  const isClose = (a: Point, b: Point) =>
    Math.abs(a.x - b.x) < FLOW.labelWidth && Math.abs(a.y - b.y) < FLOW.labelHeight;
  return one.filter((a, index) => one.slice(index + 1).some((b) => isClose(a, b))).length;
}

describe("the graph of a flow", () => {
  it("leads a chain from the depositor down to the player", () => {
    const layout = layOut("a>b b>c c>d");
    const tops = ["a", "b", "c", "d"].map((id) => topOf(layout, id));
    expect(tops).toEqual(tops.toSorted((one, other) => one - other));
    expect(layout.edges.every(({ isBack }) => !isBack)).toBe(true);
    expect(layout.height).toBeGreaterThan(tops[3]! + FLOW.nodeHeight);
  });

  const star = Array.from({ length: 10 }, (_, mule) => `a>m${mule} m${mule}>z`).join(" ");
  const sources = Array.from({ length: 11 }, (_, source) => `s${source}>z`).join(" ");
  const bySource = Object.fromEntries(Array.from({ length: 11 }, (_, source) => [`s${source}`, "source"] as const));

  it.each([
    ["a star of ten accounts", star, {}],
    ["eleven depositors", sources, bySource],
    ["a ring with coins that went back", "a>b b>c c>d d>b b>a a>d", {}],
    ["a detour over two accounts", "a>b b>c c>d a>d", {}],
  ])("draws %s without an arrow or a label over a player", (_, text, roles) => {
    const layout = layOut(text, roles);
    expect(layout.nodes.length).toBeLessThanOrEqual(12);
    const corners = layout.nodes.map(({ at }) => at);
    for (const { x } of corners) expect([x >= 0, x + FLOW.nodeWidth <= FLOW.width]).toEqual([true, true]);
    expect(new Set(corners.map(({ x, y }) => `${x} ${y}`)).size).toBe(corners.length);
    expect(listSteps(layout).filter((step) => corners.some((corner) => isInside(step, corner)))).toEqual([]);
    expect(layout.edges.filter(({ label }) => corners.some((corner) => isInside(label, corner)))).toEqual([]);
    expect(countCovered(layout.edges.map(({ label }) => label))).toBe(0);
  });

  it("puts the player last, even if a depositor lost to them at once", () => {
    const layout = layOut("a>b a>z b>z");
    expect(topOf(layout, "z")).toBeGreaterThan(topOf(layout, "b"));
  });

  it("shows coins that went back as such, and leaves out what has no end", () => {
    const layout = layOut("a>b b>a");
    expect(layout.edges.map(({ isBack }) => isBack)).toEqual([false, true]);
    expect(layOutFlow([{ id: "a", role: "source" }], [{ from: "a", to: "b" }]).edges).toEqual([]);
    expect(layOutFlow([], []).nodes).toEqual([]);
  });
});
