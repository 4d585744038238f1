import { type Coins, type Kobo, toCoinsOut, ZERO_COINS } from "@holo/kernel/money.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { type RefusalView, toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import { NOT_NAIRA, parseNaira } from "../../../shared/money/naira-amount.ts";

/** Refuses in order: bad_revenue_amount (not positive, or less than any coin), above_revenue. */
export function parseRevenueAmount(text: string, left: Coins, rateKobo: number): Result<Kobo, RefusalView> {
  const kobo = parseNaira(text);
  if (!kobo.ok) {
    const refusal = toRefusalView("bad_revenue_amount");
    return refuse(kobo.refusal === "not_naira" && text.trim() !== "" ? { ...refusal, text: NOT_NAIRA } : refusal);
  }
  const coins = toCoinsOut(kobo.value, rateKobo);
  if (coins === ZERO_COINS) return refuse(toRefusalView("bad_revenue_amount"));
  return coins > left ? refuse(toRefusalView("above_revenue")) : ok(kobo.value);
}
