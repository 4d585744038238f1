import type { PlayerId } from "@holo/kernel/ids.ts";
import { HOUR_MS } from "@holo/kernel/instant.ts";
import type { CoinShare, WonCoins } from "../../ledger/ledger.ts";
import { CAPTIVE_FROM } from "./captivity.ts";
import type { MoneyFacts } from "./facts.ts";
import type { Grouping } from "./grouping.ts";
import type { HeldPiece } from "./load-holding.ts";
import { type Source, toWon } from "./sources.ts";

const QUICK_MS = 72 * HOUR_MS;

interface Loaded {
  readonly playerId: PlayerId;
  readonly groups: Grouping;
  /** What the player's cluster and the largest other holders won. */
  readonly won: readonly WonCoins[];
  /** Who has coins of the deposits. */
  readonly spread: readonly CoinShare[];
  readonly rateKobo: number;
}

export function toMoneyFacts(source: Source, { playerId, groups, won, spread, rateKobo }: Loaded): MoneyFacts {
  const own = groups.keyOf(playerId);
  const depositIds = new Set(source.pieces.map(({ depositId }) => depositId));
  const shares = spread.filter(({ depositId }) => depositIds.has(depositId));
  const wonByKey = Map.groupBy(won, (share) => groups.keyOf(share.playerId));
  const toHolder = (key: PlayerId, of: readonly CoinShare[]) => {
    const { whole, part } = toWon(wonByKey.get(key) ?? [], source.keys, groups);
    const sourceKey = groups.keyOf(of[0]?.depositorId ?? key);
    return {
      key,
      sourceKey,
      isOwn: key === own,
      coins: total(of),
      recent: totalLately(of),
      won: whole,
      wonFromSource: part,
    };
  };
  const others = shares.filter(
    (share) =>
      share.playerId !== share.depositorId &&
      (groups.keyOf(share.playerId) === own || !source.keys.has(groups.keyOf(share.playerId))),
  );
  const toPair = (share: CoinShare) => `${groups.keyOf(share.depositorId)} ${groups.keyOf(share.playerId)}`;
  const holders = [...Map.groupBy(others, toPair).values()].map((of) => toHolder(groups.keyOf(of[0]!.playerId), of));
  const mine = toHolder(own, []);
  const captive = holders.filter((one) => one.won > 0 && one.wonFromSource >= CAPTIVE_FROM * one.won);
  const deposited = new Map(shares.map((share) => [share.depositId, Number(share.deposited)]));
  return {
    won: mine.won,
    wonFromSource: mine.wonFromSource,
    holders,
    deposited: [...deposited.values()].reduce((sum, coins) => sum + coins, 0),
    kept: total(shares.filter((share) => share.playerId === share.depositorId)),
    captiveKeys: new Set(captive.map(({ key }) => key)),
    quick: toQuick(source.pieces),
    sources: source.keys.size,
    rateKobo,
    ownCoins: Math.max(
      source.pieces.reduce((sum, { coins }) => sum + coins, 0),
      holders.filter(({ isOwn }) => isOwn).reduce((sum, { recent }) => sum + recent, 0),
    ),
    recentCoins: captive.reduce((sum, { recent }) => sum + recent, 0),
  };
}

function total(shares: readonly CoinShare[]): number {
  return shares.reduce((sum, { held, paid }) => sum + Number(held + paid), 0);
}

/** Still there to be paid, or paid in the last days. */
function totalLately(shares: readonly CoinShare[]): number {
  return shares.reduce((sum, { held, paidLately }) => sum + Number(held + paidLately), 0);
}

function toQuick(pieces: readonly HeldPiece[]): number {
  const quick = pieces.filter(({ path }) => {
    const [lost, deposited] = [path.findLast(({ kind }) => kind === "win"), path.at(-1)];
    return lost !== undefined && deposited !== undefined && lost.at - deposited.at <= QUICK_MS;
  });
  const sum = (of: readonly HeldPiece[]) => of.reduce((coins, piece) => coins + piece.coins, 0);
  return sum(quick) / Math.max(1, sum(pieces));
}
