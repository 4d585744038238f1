import type { Coins } from "@holo/kernel/money.ts";

/** 0.01 HC, the last of two decimals. */
const SHOWN = 10_000n;

/**
 * The parts of a sum in whole hundredths that add up to `total` as shown, rounded down. Missing
 * hundredths go to the parts that lost most by rounding down.
 */
export function roundParts(parts: readonly Coins[], total: Coins): readonly Coins[] {
  const lost = (coins: Coins): bigint => ((coins % SHOWN) + SHOWN) % SHOWN;
  const missing = parts.reduce((rest, part) => rest - part + lost(part), total - lost(total)) / SHOWN;
  const byLoss = parts.map((_, index) => index).sort((a, b) => Number(lost(parts[b]!) - lost(parts[a]!)));
  const raised = new Set(byLoss.slice(0, Number(missing)));
  return parts.map((part, index) => (part - lost(part) + (raised.has(index) ? SHOWN : 0n)) as Coins);
}
