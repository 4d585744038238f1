import { type Coins, type Kobo, MICRO_PER_HC } from "@holo/kernel/money.ts";

/** `₦20,000`; kobo only where there are any: `₦19,718.64`. */
export function formatNaira(kobo: Kobo): string {
  const whole = (kobo / 100n).toString().replace(/\B(?=(\d{3})+$)/g, ",");
  const rest = kobo % 100n;
  return rest === 0n ? `₦${whole}` : `₦${whole}.${rest.toString().padStart(2, "0")}`;
}

/** What coins come to in naira, rounded up to the kobo. @param rateKobo kobo for one holocoin */
export function toKobo(coins: Coins, rateKobo: number): Kobo {
  return ((coins * BigInt(rateKobo) + MICRO_PER_HC - 1n) / MICRO_PER_HC) as Kobo;
}

/** "1 Holocoin = ₦306". */
export function formatRate(rateKobo: number): string {
  return `1 Holocoin = ${formatNaira(BigInt(rateKobo) as Kobo)}`;
}
