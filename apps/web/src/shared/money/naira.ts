import { formatNaira, type Kobo } from "@holo/kernel/money.ts";

export { formatNaira };

/** "1 Holocoin = ₦306". */
export function formatRate(rateKobo: number): string {
  return `1 Holocoin = ${formatNaira(BigInt(rateKobo) as Kobo)}`;
}
