import { addCoins, type Coins, subtractCoins, ZERO_COINS } from "@holo/kernel/money.ts";
import type { RevenueView } from "@holo/protocol/admin/money.ts";
import { readCoins } from "../../../lib/api/coins.ts";
import { roundParts } from "../../../shared/money/round-parts.ts";

type Revenue = Pick<RevenueView, "earned" | "providerFees" | "providerLoss" | "withdrawn" | "onTheWay" | "left">;

type Parts = readonly [Coins, Coins, Coins, Coins, Coins, Coins];

interface RevenueRows {
  readonly rows: readonly { readonly term: string; readonly coins: Coins }[];
  readonly total: Coins;
}

/** Debts of players, rounding, and what the provider must hold for players (rulings 10 and 34). */
const KEPT_TERM = "Kept back for players";

/**
 * The receipt of the Admin Wallet, whose shown rows add up to its shown total. Withdrawn coins are
 * rounded up, as in the list of payments, unless more hundredths are missing than other rows take.
 */
export function toRevenueRows(view: Revenue): RevenueRows {
  const earned = readCoins(view.earned);
  const costs = [view.withdrawn, view.onTheWay, view.providerFees, view.providerLoss].map((coins) =>
    subtractCoins(ZERO_COINS, readCoins(coins)),
  );
  const rest = costs.reduce(addCoins, earned);
  const left = readCoins(view.left);
  // The server says 0 if the costs exceed the earnings.
  const total = left === ZERO_COINS && rest < left ? rest : left;
  const parts = roundParts([earned, ...costs, subtractCoins(total, rest)], total);
  const [shownEarned, withdrawn, onTheWay, fees, loss, kept] = parts as Parts;
  const rows = [
    { term: "Earned from completed games", coins: shownEarned },
    { term: "Provider's fees", coins: fees },
    { term: "Lost at the provider", coins: loss },
    { term: "Withdrawn", coins: withdrawn },
    { term: "On the way", coins: onTheWay },
  ];
  return { rows: kept === ZERO_COINS ? rows : [...rows, { term: KEPT_TERM, coins: kept }], total };
}
