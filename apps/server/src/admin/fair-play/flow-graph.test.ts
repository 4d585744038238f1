import type { PlayerId } from "@holo/kernel/ids.ts";
import { toInstant } from "@holo/kernel/instant.ts";
import { addCoins, wholeCoins, ZERO_COINS } from "@holo/kernel/money.ts";
import { expect, test } from "vitest";
import { toFlowGraph } from "./flow-graph.ts";

const PLAYER = "player-x" as PlayerId;
const at = toInstant(5);
const edge = (from: string, to: string, coins: number) => ({
  from: from as PlayerId,
  to: to as PlayerId,
  coins: wholeCoins(coins),
  games: 1,
  lastAt: at,
});

test("names whose deposits they were, who was between, and the player", () => {
  const { nodes, edges } = toFlowGraph(PLAYER, [edge("between", PLAYER, 5), edge("source", "between", 5)]);
  expect(nodes.map(({ id, role }) => [id, role])).toEqual([
    [PLAYER, "player"],
    ["between", "between"],
    ["source", "source"],
  ]);
  expect(edges).toHaveLength(2);
});

test("shows twelve nodes at most: those with the fewest coins are one, and no coin is lost", () => {
  const mules = Array.from({ length: 30 }, (_, index) => `mule-${index}`);
  const { nodes, edges } = toFlowGraph(
    PLAYER,
    mules.flatMap((mule, index) => [edge(mule, PLAYER, index + 1), edge("source", mule, index + 1)]),
  );
  expect(nodes).toHaveLength(12);
  expect(nodes.at(-1)).toMatchObject({ role: "others", playerId: null, players: 21 });
  expect(nodes.slice(0, 3).map(({ id }) => id)).toEqual([PLAYER, "source", "mule-29"]);
  const sumTo = (id: string) =>
    edges.filter(({ to }) => to === id).reduce((sum, { coins }) => addCoins(sum, coins), ZERO_COINS);
  expect(sumTo(PLAYER)).toBe(wholeCoins(465));
});

test("has the player alone where no coins are left to draw", () => {
  expect(toFlowGraph(PLAYER, [])).toEqual({
    nodes: [{ id: PLAYER, playerId: PLAYER, role: "player", players: 1 }],
    edges: [],
  });
});
