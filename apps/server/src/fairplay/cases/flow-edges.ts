import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { addCoins, type Coins, ZERO_COINS } from "@holo/kernel/money.ts";
import type { CoinOrigin, CoinPath } from "../../ledger/ledger.ts";
import type { FairPlayCase, FlowEdge, Gift } from "./case.ts";

interface OpenEdge {
  readonly from: PlayerId;
  readonly to: PlayerId;
  readonly games: Set<string>;
  coins: Coins;
  lastAt: Instant;
}

/** How these coins came to their owner: what each player lost to the next, the most coins first. */
export function toEdges(
  origins: readonly Pick<CoinOrigin, "pieceId" | "coins">[],
  paths: readonly CoinPath[],
): readonly FlowEdge[] {
  const edges = new Map<string, OpenEdge>();
  for (const [index, { coins }] of origins.entries()) {
    const steps = paths[index]?.steps ?? [];
    for (const [place, { playerId: to, kind, source, at }] of steps.entries()) {
      const from = steps[place + 1]?.playerId;
      // Coins that came back from a withdrawal stay with their owner.
      if (from === undefined || from === to) continue;
      const key = `${from} ${to}`;
      const edge = edges.get(key) ?? { from, to, games: new Set<string>(), coins: ZERO_COINS, lastAt: at };
      edge.coins = addCoins(edge.coins, coins);
      if (kind === "win") edge.games.add(source);
      if (at > edge.lastAt) edge.lastAt = at;
      edges.set(key, edge);
    }
  }
  return [...edges.values()]
    .map((edge) => ({ ...edge, games: edge.games.size }))
    .toSorted((one, other) => Number(other.coins - one.coins));
}

/** Whom a forfeit of these coins would pay: the depositors, or the players who lost them. */
export function toGifts(origins: readonly CoinOrigin[], to: "origin" | "loser"): readonly Gift[] {
  const given = new Map<PlayerId, Coins>();
  for (const { coins, origin, wonFrom } of origins) {
    const playerId = to === "loser" && wonFrom !== null ? wonFrom.opponentId : origin.playerId;
    given.set(playerId, addCoins(given.get(playerId) ?? ZERO_COINS, coins));
  }
  return [...given]
    .map(([playerId, coins]) => ({ playerId, coins }))
    .toSorted((one, other) => Number(other.coins - one.coins));
}

/** Dumped coins go to their depositors, an engine's wins to the players who lost them. */
export function toGainer({ kind }: Pick<FairPlayCase, "kind">): "origin" | "loser" {
  return kind === "engine" ? "loser" : "origin";
}

export function sumCoins(gifts: readonly { readonly coins: Coins }[]): Coins {
  return gifts.reduce((sum, { coins }) => addCoins(sum, coins), ZERO_COINS);
}
