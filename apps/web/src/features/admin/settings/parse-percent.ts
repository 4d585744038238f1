import { ok, type Result, refuse } from "@holo/kernel/result.ts";

/** `7.4`, `7.40 %`: up to two decimals, which is what a basis point can say. */
const PERCENT = /^(?<whole>\d{1,3})(?:\.(?<part>\d{0,2}))?\s*%?$/;

/** Basis points of what somebody wrote as a percentage: 740 for `7.4`. How many there may be is the caller's to say. */
export function parsePercent(text: string): Result<number, "not_percent"> {
  const groups = PERCENT.exec(text.trim())?.groups;
  if (groups === undefined) return refuse("not_percent");
  return ok(Number(groups.whole) * 100 + Number((groups.part ?? "").padEnd(2, "0")));
}
