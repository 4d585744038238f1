import type { Kobo } from "./money.ts";

const FLAT_FROM = 250_000n;
const FLAT = 10_000n;
const CHARGE_FEE_MAX = 200_000n;
const PER_MILLE = 15n;

function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}

/**
 * What the payer pays in total so that exactly `requested` is left after the provider's fee of a
 * local charge: 1.5 %, plus ₦100 from ₦2,500 on, at most ₦2,000.
 */
export function toGrossCharge(requested: Kobo): Kobo {
  const small = divideUp(requested * 1000n, 1000n - PER_MILLE);
  if (small < FLAT_FROM) return small as Kobo;
  const large = divideUp((requested + FLAT) * 1000n, 1000n - PER_MILLE);
  const capped = requested + CHARGE_FEE_MAX;
  return (large < capped ? large : capped) as Kobo;
}
