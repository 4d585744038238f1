import { addCoins, type Coins, type Kobo, subtractCoins, ZERO_COINS } from "@holo/kernel/money.ts";
import type { Queries } from "../../platform/database/database.ts";
import { loadTotals } from "../journal/journal-store.ts";
import { decideRevenueLeft } from "../payments/decide-withdrawal-entry.ts";
import { loadOnTheWay, loadRevenueFlows } from "./figures-store.ts";

/** What the platform earned and where it is. Reads every posting of the platform's accounts. */
export interface RevenueFigures {
  /** Platform fees of games that ended by win or draw. */
  readonly earned: Coins;
  /** Sent, as confirmed by the provider. */
  readonly withdrawn: Coins;
  readonly onTheWay: Coins;
  /** What may be withdrawn now (ruling 10). */
  readonly withdrawable: Coins;
}

/** What belongs to players, whether or not they can reach it now. */
export interface OwedFigures {
  /** Wallets, escrow and withdrawals on their way. */
  readonly coins: Coins;
  /** Wallets and escrow, to be converted at the current exchange rate. */
  readonly held: Coins;
  /** Withdrawals on their way, each at its own kobo amount. */
  readonly onTheWayKobo: Kobo;
}

export async function loadRevenueFigures(queries: Queries): Promise<RevenueFigures> {
  const [{ earned, withdrawn }, { revenue }, totals] = [
    await loadRevenueFlows(queries),
    await loadOnTheWay(queries),
    await loadTotals(queries),
  ];
  return {
    earned,
    withdrawn: subtractCoins(withdrawn, revenue.coins),
    onTheWay: revenue.coins,
    withdrawable: decideRevenueLeft(totals),
  };
}

export async function loadOwedFigures(queries: Queries): Promise<OwedFigures> {
  const [totals, { players }] = [await loadTotals(queries), await loadOnTheWay(queries)];
  const held = addCoins(totals.get("wallet") ?? ZERO_COINS, totals.get("escrow") ?? ZERO_COINS);
  return { coins: addCoins(held, players.coins), held, onTheWayKobo: players.kobo };
}
