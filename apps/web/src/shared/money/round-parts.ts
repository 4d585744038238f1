import { type Coins, toCoins } from "@holo/kernel/money.ts";

/** 0.01 HC, the last of two decimals. */
const SHOWN = 10_000n;

/**
 * The parts in hundredths, which add up to `total`, rounded down, if the exact parts do. The last
 * parts that lost some get the missing hundredths, one each; the first part is rounded down.
 */
export function roundParts(parts: readonly Coins[], total: Coins): readonly Coins[] {
  const lost = (coins: Coins): bigint => ((coins % SHOWN) + SHOWN) % SHOWN;
  let missing = parts.reduce((rest, part) => rest - part + lost(part), total - lost(total));
  const rounded = [...parts];
  for (const [index, part] of [...parts.entries()].reverse()) {
    const raised = lost(part) > 0n && missing > 0n ? SHOWN : 0n;
    rounded[index] = toCoins(part - lost(part) + raised);
    missing -= raised;
  }
  return rounded;
}
