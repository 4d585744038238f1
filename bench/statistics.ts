import { assert } from "@holo/kernel/assert.ts";
import { makeRandom } from "@holo/kernel/random.ts";

const RESAMPLES = 400;
const CERTAINTY = 0.95;

export function quantile(values: readonly number[], q: number): number {
  assert(q >= 0 && q <= 1, "a quantile is from 0 to 1");
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
}

/** The mean of the two middle values if their number is even; NaN without values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (sorted[middle - 1]! + upper) / 2;
}

/**
 * By how much the quantile of `values` exceeds that of `others` with 95 % certainty (bootstrap); 0
 * if the difference may be chance. NaN without values.
 */
export function certainExcess(values: readonly number[], others: readonly number[], q: number): number {
  if (values.length === 0 || others.length === 0) return Number.NaN;
  const random = makeRandom(1);
  const resample = (from: readonly number[]): number[] => from.map(() => from[random(from.length)]!);
  const differences = Array.from(
    { length: RESAMPLES },
    () => quantile(resample(values), q) - quantile(resample(others), q),
  );
  return Math.max(0, quantile(differences, 1 - CERTAINTY));
}
