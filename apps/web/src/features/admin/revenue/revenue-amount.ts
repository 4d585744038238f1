import { type Coins, type Kobo, toCoinsOut, ZERO_COINS } from "@holo/kernel/money.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { type RefusalView, toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import { parseNaira } from "../../../shared/money/naira-amount.ts";

/**
 * Parses an amount of revenue with the server's rules. Refusals in order: bad_revenue_amount (not a
 * positive amount in naira, or less than any coin), above_revenue.
 * @param left what may be withdrawn
 */
export function parseRevenueAmount(text: string, left: Coins, rateKobo: number): Result<Kobo, RefusalView> {
  const kobo = parseNaira(text);
  if (!kobo.ok) return refuse(toRefusalView("bad_revenue_amount"));
  const coins = toCoinsOut(kobo.value, rateKobo);
  if (coins === ZERO_COINS) return refuse(toRefusalView("bad_revenue_amount"));
  return coins > left ? refuse(toRefusalView("above_revenue")) : ok(kobo.value);
}
