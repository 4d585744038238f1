import { KOBO_MAX, type Kobo } from "@holo/kernel/money.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { formatNaira } from "./naira.ts";

/** `not_naira` is no amount at all, `part_of_kobo` has more than two decimals, `too_large` is more than one payment may carry. */
export type AmountFault = "not_naira" | "part_of_kobo" | "too_large";

/** Groups are of three digits behind one kind of separator: `5,00` may mean five, and is not read as five hundred. */
const NAIRA = /^₦?\s*(?<whole>\d+|\d{1,3}(?<separator>[,\s'])\d{3}(?:\k<separator>\d{3})*)(?:\.(?<part>\d*))?$/;
const DIGITS_MAX = 18;

/**
 * What a player wrote as an amount of naira: digits, with separators or without, and at most two decimals. May be any amount from nothing to the
 * most of one payment; the least is the caller's to say.
 */
export function parseNaira(text: string): Result<Kobo, AmountFault> {
  const groups = NAIRA.exec(text.trim())?.groups;
  if (groups === undefined) return refuse("not_naira");
  const digits = groups.whole!.replace(/\D/g, "").replace(/^0+(?=\d)/, "");
  const part = (groups.part ?? "").replace(/0+$/, "");
  if (part.length > 2) return refuse("part_of_kobo");
  if (digits.length > DIGITS_MAX) return refuse("too_large");
  const kobo = BigInt(digits + part.padEnd(2, "0"));
  return kobo > KOBO_MAX ? refuse("too_large") : ok(kobo as Kobo);
}

/** `20,000` as it stands in the field, kobo only where there are any. */
export function formatAmount(kobo: Kobo): string {
  return formatNaira(kobo).slice("₦".length);
}
