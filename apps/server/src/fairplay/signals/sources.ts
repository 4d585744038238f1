import type { PlayerId } from "@holo/kernel/ids.ts";
import type { CoinShare } from "../../ledger/ledger.ts";
import type { Grouping } from "./grouping.ts";
import type { HeldPiece } from "./load-holding.ts";

/** Depositors who are judged together, and what the player has of them. */
export interface Source {
  readonly pieces: readonly HeldPiece[];
  readonly depositorIds: readonly PlayerId[];
  /** Clusters that the depositors belong to. */
  readonly keys: ReadonlySet<PlayerId>;
}

const SINGLE_MAX = 4;
const TOGETHER_MAX = 3;
/** A depositor who gave less than this part of what the player won is not judged with others. */
const TOGETHER_FROM = 0.1;

/**
 * The depositors' clusters that the player has most of, each alone, and the largest of them
 * together: mules that several accounts feed have little of each.
 */
export function toSources(
  holding: readonly HeldPiece[],
  won: readonly CoinShare[],
  groups: Grouping,
  leastCoins: number,
): readonly Source[] {
  const byKey = Map.groupBy(holding, ({ depositorId }) => groups.keyOf(depositorId));
  const single = [...byKey.values()]
    .filter((pieces) => sum(pieces) >= leastCoins)
    .toSorted((one, other) => sum(other) - sum(one))
    .slice(0, SINGLE_MAX)
    .map((pieces) => toSource(pieces, groups));
  const large = single.slice(0, TOGETHER_MAX).filter(({ keys }) => {
    const { whole, part } = toWon(won, keys, groups);
    return part >= TOGETHER_FROM * whole;
  });
  const together = large.slice(1).map((_, index) =>
    toSource(
      large.slice(0, index + 2).flatMap(({ pieces }) => pieces),
      groups,
    ),
  );
  return [...together, ...single];
}

function toSource(pieces: readonly HeldPiece[], groups: Grouping): Source {
  const depositorIds = [...new Set(pieces.map(({ depositorId }) => depositorId))];
  return { pieces, depositorIds, keys: new Set(depositorIds.map((id) => groups.keyOf(id))) };
}

function sum(pieces: readonly HeldPiece[]): number {
  return pieces.reduce((total, { coins }) => total + coins, 0);
}

/** What a cluster won in all and of these sources; its own coins that came back are no gain. */
export function toWon(
  shares: readonly CoinShare[],
  keys: ReadonlySet<PlayerId>,
  groups: Grouping,
): { readonly whole: number; readonly part: number } {
  const won = shares.filter(({ playerId, depositorId }) => playerId !== depositorId);
  const add = (of: readonly CoinShare[]) => of.reduce((total, { held, paid }) => total + Number(held + paid), 0);
  return { whole: add(won), part: add(won.filter(({ depositorId }) => keys.has(groups.keyOf(depositorId)))) };
}
