import type { PlayerId } from "@holo/kernel/ids.ts";
import type { WonCoins } from "../../ledger/ledger.ts";
import { AIMED_SHARE_FROM } from "./captivity.ts";
import type { Grouping } from "./grouping.ts";
import type { HeldPiece } from "./load-holding.ts";

/** Depositors who are judged together, and what the player has of them. */
export interface Source {
  readonly pieces: readonly HeldPiece[];
  readonly depositorIds: readonly PlayerId[];
  /** The part of all that the player won, held and paid. */
  readonly share: number;
  /** Clusters that the depositors belong to. */
  readonly keys: ReadonlySet<PlayerId>;
}

const SINGLE_MAX = 4;
const TOGETHER_MAX = 3;

/**
 * The depositors' clusters that the player has most of, each alone, and together: mules that
 * several feed have little of each. What is a small part of all and no large sum is left out.
 */
export function toSources(
  holding: readonly HeldPiece[],
  won: readonly WonCoins[],
  groups: Grouping,
  largeCoins: number,
): readonly Source[] {
  const byKey = Map.groupBy(holding, ({ depositorId }) => groups.keyOf(depositorId));
  const single = [...byKey.values()]
    .toSorted((one, other) => sum(other) - sum(one))
    .slice(0, SINGLE_MAX)
    .map((pieces) => toSource(pieces, won, groups))
    .filter(({ pieces, share }) => sum(pieces) >= largeCoins || share >= AIMED_SHARE_FROM);
  const large = single.slice(0, TOGETHER_MAX);
  const together = large.slice(1).map((_, index) =>
    toSource(
      large.slice(0, index + 2).flatMap(({ pieces }) => pieces),
      won,
      groups,
    ),
  );
  return [...together, ...single];
}

function toSource(pieces: readonly HeldPiece[], won: readonly WonCoins[], groups: Grouping): Source {
  const depositorIds = [...new Set(pieces.map(({ depositorId }) => depositorId))];
  const keys = new Set(depositorIds.map((id) => groups.keyOf(id)));
  const { whole, part } = toWon(won, keys, groups);
  return { pieces, depositorIds, share: part / Math.max(1, whole), keys };
}

function sum(pieces: readonly HeldPiece[]): number {
  return pieces.reduce((total, { coins }) => total + coins, 0);
}

/** What a cluster won in all and of these sources. */
export function toWon(
  won: readonly WonCoins[],
  keys: ReadonlySet<PlayerId>,
  groups: Grouping,
): { readonly whole: number; readonly part: number } {
  const add = (of: readonly WonCoins[]) => of.reduce((total, { coins }) => total + Number(coins), 0);
  return { whole: add(won), part: add(won.filter(({ depositorId }) => keys.has(groups.keyOf(depositorId)))) };
}
