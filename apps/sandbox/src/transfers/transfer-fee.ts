import type { Kobo } from "@holo/kernel/money.ts";

/** ₦10, ₦25 or ₦50 for a transfer of up to ₦5,000, up to ₦50,000 or above. */
export function toTransferFee(amount: Kobo): Kobo {
  if (amount <= 500_000n) return 1_000n as Kobo;
  return (amount <= 5_000_000n ? 2_500n : 5_000n) as Kobo;
}
