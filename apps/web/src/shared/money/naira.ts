import { type Coins, formatNaira, type Kobo, MICRO_PER_HC } from "@holo/kernel/money.ts";

export { formatNaira };

/** What coins come to in naira, rounded up to the kobo. @param rateKobo kobo for one holocoin */
export function toKobo(coins: Coins, rateKobo: number): Kobo {
  return ((coins * BigInt(rateKobo) + MICRO_PER_HC - 1n) / MICRO_PER_HC) as Kobo;
}

/** "1 Holocoin = ₦306". */
export function formatRate(rateKobo: number): string {
  return `1 Holocoin = ${formatNaira(BigInt(rateKobo) as Kobo)}`;
}
