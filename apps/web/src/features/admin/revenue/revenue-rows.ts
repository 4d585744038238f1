import { addCoins, type Coins, subtractCoins, ZERO_COINS } from "@holo/kernel/money.ts";
import type { RevenueView } from "@holo/protocol/admin/money.ts";
import { readCoins } from "../../../lib/api/coins.ts";
import { roundParts } from "../../../shared/money/round-parts.ts";

type Revenue = Pick<RevenueView, "earned" | "providerFees" | "providerLoss" | "withdrawn" | "onTheWay" | "left">;

interface RevenueRows {
  readonly rows: readonly { readonly term: string; readonly coins: Coins }[];
  readonly total: Coins;
}

const TERMS = ["Earned from completed games", "Provider's fees", "Lost at the provider", "Withdrawn", "On the way"];
/** Debts of players, rounding, and what the provider must hold for players (rulings 10 and 34). */
const KEPT_TERM = "Kept back for players";

/** The receipt of the Admin Wallet, whose shown rows add up to its shown total. */
export function toRevenueRows(view: Revenue): RevenueRows {
  const { earned, providerFees, providerLoss, withdrawn, onTheWay } = view;
  const costs = [providerFees, providerLoss, withdrawn, onTheWay].map((coins) =>
    subtractCoins(ZERO_COINS, readCoins(coins)),
  );
  const rest = costs.reduce(addCoins, readCoins(earned));
  const left = readCoins(view.left);
  // The server says 0 if the costs exceed the earnings.
  const total = rest < left ? rest : left;
  const parts = roundParts([readCoins(earned), ...costs, subtractCoins(total, rest)], total);
  const kept = parts.at(-1)!;
  const rows = TERMS.map((term, index) => ({ term, coins: parts[index]! }));
  return { rows: kept === ZERO_COINS ? rows : [...rows, { term: KEPT_TERM, coins: kept }], total };
}
