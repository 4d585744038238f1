import type { Kobo } from "./money.ts";

const FLAT_FROM = 250_000n;
const FLAT = 10_000n;
const CHARGE_FEE_MAX = 200_000n;
const PER_MILLE = 15n;

function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}

/**
 * What the payment provider keeps of a local charge: 1.5 %, and ₦100 from ₦2,500 on, ₦2,000 at most.
 * @param paid what the payer pays in all, in kobo
 */
export function toChargeFee(paid: Kobo): Kobo {
  const fee = divideUp(paid * PER_MILLE, 1000n) + (paid < FLAT_FROM ? 0n : FLAT);
  return (fee < CHARGE_FEE_MAX ? fee : CHARGE_FEE_MAX) as Kobo;
}

/** What a payer who bears the fee pays in all, so that exactly `requested` is left of it. */
export function toGrossCharge(requested: Kobo): Kobo {
  const small = divideUp(requested * 1000n, 1000n - PER_MILLE);
  if (small < FLAT_FROM) return small as Kobo;
  const large = divideUp((requested + FLAT) * 1000n, 1000n - PER_MILLE);
  const capped = requested + CHARGE_FEE_MAX;
  return (large < capped ? large : capped) as Kobo;
}
