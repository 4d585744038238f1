import type { Kobo } from "./money.ts";

const FLAT_FROM = 250_000n;
const FLAT = 10_000n;
const CHARGE_FEE_MAX = 200_000n;
const PER_MILLE = 15n;

function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}

/**
 * What the payer pays in total so that `requested` remains after the provider's fee of a local
 * charge: 1.5 %, plus ₦100 from ₦2,500 on, at most ₦2,000.
 */
export function toGrossCharge(requested: Kobo): Kobo {
  const small = divideUp(requested * 1000n, 1000n - PER_MILLE);
  if (small < FLAT_FROM) return small as Kobo;
  const large = divideUp((requested + FLAT) * 1000n, 1000n - PER_MILLE);
  const capped = requested + CHARGE_FEE_MAX;
  return (large < capped ? large : capped) as Kobo;
}

const SMALL_TRANSFER_MAX = 500_000n;
const MEDIUM_TRANSFER_MAX = 5_000_000n;

/** The provider's fee of a transfer to a bank: ₦10 up to ₦5,000, ₦25 up to ₦50,000, then ₦50. */
export function toTransferFee(kobo: Kobo): Kobo {
  if (kobo <= SMALL_TRANSFER_MAX) return 1_000n as Kobo;
  return (kobo <= MEDIUM_TRANSFER_MAX ? 2_500n : 5_000n) as Kobo;
}
