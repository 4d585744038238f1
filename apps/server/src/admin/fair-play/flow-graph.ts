import type { PlayerId } from "@holo/kernel/ids.ts";
import { addCoins, type Coins, ZERO_COINS } from "@holo/kernel/money.ts";
import type { FairPlayGraphView } from "@holo/protocol/admin/fair-play-cases.ts";
import type { FairPlayCase } from "../../fairplay/fairplay.ts";

const NODES_MAX = 12;
const OTHERS = "others";

type Edge = FairPlayCase["finding"]["edges"][number];
type Node = Omit<FairPlayGraphView["nodes"][number], "player"> & { readonly playerId: PlayerId | null };

export interface FlowGraph {
  readonly nodes: readonly Node[];
  readonly edges: readonly (Omit<Edge, "from" | "to"> & { readonly from: string; readonly to: string })[];
}

/** The players with the most coins, and the rest as one node: people read a dozen. */
export function toFlowGraph(playerId: PlayerId, edges: readonly Edge[]): FlowGraph {
  const through = new Map<PlayerId, Coins>();
  const gainers = new Set(edges.map(({ to }) => to));
  for (const { from, to, coins } of edges)
    for (const id of [from, to]) through.set(id, addCoins(through.get(id) ?? ZERO_COINS, coins));
  through.delete(playerId);
  const others = [...through].toSorted(([, one], [, other]) => Number(other - one)).map(([id]) => id);
  const isWhole = others.length < NODES_MAX;
  const shown = isWhole ? others : others.slice(0, NODES_MAX - 2);
  const ids = new Set<PlayerId>([playerId, ...shown]);
  const toId = (id: PlayerId) => (ids.has(id) ? id : OTHERS);
  const joined = new Map<string, FlowGraph["edges"][number]>();
  for (const edge of edges) {
    const [from, to] = [toId(edge.from), toId(edge.to)];
    if (from === to) continue;
    const known = joined.get(`${from} ${to}`);
    joined.set(`${from} ${to}`, {
      from,
      to,
      coins: addCoins(known?.coins ?? ZERO_COINS, edge.coins),
      games: (known?.games ?? 0) + edge.games,
      lastAt: known !== undefined && known.lastAt > edge.lastAt ? known.lastAt : edge.lastAt,
    });
  }
  return {
    nodes: [
      { id: playerId, playerId, role: "player", players: 1 },
      ...shown.map((id): Node => ({ id, playerId: id, role: gainers.has(id) ? "between" : "source", players: 1 })),
      ...(isWhole
        ? []
        : [{ id: OTHERS, playerId: null, role: "others", players: others.length - shown.length } as const]),
    ],
    edges: [...joined.values()],
  };
}
