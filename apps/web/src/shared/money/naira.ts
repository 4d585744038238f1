import { type Coins, formatNaira, type Kobo, toCoins, toKoboWorth } from "@holo/kernel/money.ts";

export { formatNaira };

export function formatRate(rateKobo: number): string {
  return `1 Holocoin = ${formatNaira(BigInt(rateKobo) as Kobo)}`;
}

/** "₦34,000" for 111.12 HC: the value of coins, or of a loss, to three digits. */
export function formatApproximateNaira(coins: Coins, rateKobo: number): string {
  const kobo = toKoboWorth(coins < 0n ? toCoins(-coins) : coins, rateKobo);
  const unit = 10n ** BigInt(Math.max(2, kobo.toString().length - 3));
  return formatNaira((((kobo + unit / 2n) / unit) * unit) as Kobo);
}

/** `7.4%` for 740 basis points, without trailing zeros. */
export function formatPercent(basisPoints: number): string {
  return `${Number((basisPoints / 100).toFixed(2))}%`;
}
