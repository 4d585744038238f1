import { addCoins, type Coins, type Kobo, subtractCoins, ZERO_COINS } from "@holo/kernel/money.ts";
import type { Queries } from "../platform/database.ts";
import { decideRevenueLeft } from "./decide-withdrawal.ts";
import { loadOnTheWay, loadRevenueFlows } from "./figures-store.ts";
import { loadTotals } from "./store.ts";

/** What the platform earned, and where it is. All of it reads every posting of the platform's own accounts. */
export interface RevenueFigures {
  /** Fees of games that ended by win or draw. */
  readonly earned: Coins;
  /** Sent, by the provider's word. */
  readonly withdrawn: Coins;
  readonly onTheWay: Coins;
  /** What may be withdrawn now (ruling 10). */
  readonly left: Coins;
}

/** What is the players', whether or not they can reach it at the moment. */
export interface OwedFigures {
  /** Wallets, escrow and what is on its way to them. */
  readonly coins: Coins;
  /** Wallets and escrow: what a rate makes naira of. */
  readonly held: Coins;
  /** Withdrawals on their way, at the naira that each is of. */
  readonly onTheWayKobo: Kobo;
}

export async function revenueFigures(queries: Queries): Promise<RevenueFigures> {
  const [{ earned, withdrawn }, { revenue }, totals] = [
    await loadRevenueFlows(queries),
    await loadOnTheWay(queries),
    await loadTotals(queries),
  ];
  return {
    earned,
    withdrawn: subtractCoins(withdrawn, revenue.coins),
    onTheWay: revenue.coins,
    left: decideRevenueLeft(totals),
  };
}

export async function owedFigures(queries: Queries): Promise<OwedFigures> {
  const [totals, { players }] = [await loadTotals(queries), await loadOnTheWay(queries)];
  const held = addCoins(totals.get("wallet") ?? ZERO_COINS, totals.get("escrow") ?? ZERO_COINS);
  return { coins: addCoins(held, players.coins), held, onTheWayKobo: players.kobo };
}
