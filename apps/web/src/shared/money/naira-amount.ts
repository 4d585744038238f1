import { KOBO_MAX, type Kobo } from "@holo/kernel/money.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { formatNaira } from "./naira.ts";

/**
 * `not_naira`: no amount. `negative`: below zero. `part_of_kobo`: more than two decimals.
 * `too_large`: above the maximum of one payment.
 */
export type AmountFault = "not_naira" | "negative" | "part_of_kobo" | "too_large";

/** For what is no amount. A number that is too small has the specification's text. */
export const NOT_NAIRA = "Please write the amount in digits, such as 5,000 or 5000.50.";

/** Groups of three digits with one kind of separator: `5,00` may mean five and is refused. */
const NAIRA = /^₦?\s*(?<whole>\d+|\d{1,3}(?<separator>[,\s'’])\d{3}(?:\k<separator>\d{3})*)(?:\.(?<part>\d*))?$/;
const DIGITS_MAX = 18;

/**
 * Parses a typed amount of naira: digits with or without separators, at most two decimals, from 0
 * to the maximum of one payment. The caller checks the minimum.
 */
export function parseNaira(text: string): Result<Kobo, AmountFault> {
  const amount = text.trim();
  const groups = NAIRA.exec(amount)?.groups;
  if (groups === undefined) {
    const isNegative = /^₦?\s*[-−]/.test(amount) && NAIRA.test(amount.replace(/[-−]\s*/, ""));
    return refuse(isNegative ? "negative" : "not_naira");
  }
  const digits = groups.whole!.replace(/\D/g, "").replace(/^0+(?=\d)/, "");
  const part = (groups.part ?? "").replace(/0+$/, "");
  if (part.length > 2) return refuse("part_of_kobo");
  if (digits.length > DIGITS_MAX) return refuse("too_large");
  const kobo = BigInt(digits + part.padEnd(2, "0"));
  return kobo > KOBO_MAX ? refuse("too_large") : ok(kobo as Kobo);
}

/** `20,000` for the field, with kobo only where needed. */
export function formatAmount(kobo: Kobo): string {
  return formatNaira(kobo).slice("₦".length);
}
