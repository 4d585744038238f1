import { ok, type Result, refuse } from "@holo/kernel/result.ts";

/** `7.4`, `7.40 %`: up to two decimals, the precision of a basis point. */
const PERCENT = /^(?<whole>\d{1,3})(?:\.(?<part>\d{0,2}))?\s*%?$/;

/** Basis points of a typed percentage: 740 for `7.4`. The caller checks the range. */
export function parsePercent(text: string): Result<number, "not_percent"> {
  const groups = PERCENT.exec(text.trim())?.groups;
  if (groups === undefined) return refuse("not_percent");
  return ok(Number(groups.whole) * 100 + Number((groups.part ?? "").padEnd(2, "0")));
}
