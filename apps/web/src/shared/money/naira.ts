import { formatNaira, type Kobo } from "@holo/kernel/money.ts";

export { formatNaira };

/** "1 Holocoin = ₦306". */
export function formatRate(rateKobo: number): string {
  return `1 Holocoin = ${formatNaira(BigInt(rateKobo) as Kobo)}`;
}

/** `7.4%` for 740 basis points, without trailing zeros. */
export function formatPercent(basisPoints: number): string {
  return `${Number((basisPoints / 100).toFixed(2))}%`;
}
