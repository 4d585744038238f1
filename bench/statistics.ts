import { assert } from "@holo/kernel/assert.ts";

/** The value below which a share `q` of the values lies, by nearest rank; NaN where there are none. */
export function quantile(values: readonly number[], q: number): number {
  assert(q >= 0 && q <= 1, "a quantile is a share");
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
}

/** The middle of the values, the mean of the two in the middle where their number is even; NaN where there are none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (sorted[middle - 1]! + upper) / 2;
}
