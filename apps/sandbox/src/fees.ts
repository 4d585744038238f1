import type { Kobo } from "@holo/kernel/money.ts";

/** Paystack's published fee for local charges. A stand-in shares no formula with the product. */
const TARIFF = { percent: 0.015, flat: 10_000, flatFrom: 250_000, cap: 200_000 };

/** What the provider keeps of a charge of `amount`, rounded up to the kobo. */
export function toChargeFee(amount: Kobo): Kobo {
  const paid = Number(amount);
  // Thousandths of a kobo are exact in a double, so that rounding up never adds a kobo by mistake.
  const percentage = Math.ceil(Math.round(paid * TARIFF.percent * 1_000) / 1_000);
  const fee = percentage + (paid >= TARIFF.flatFrom ? TARIFF.flat : 0);
  return BigInt(Math.min(fee, TARIFF.cap)) as Kobo;
}

/** The least amount that leaves the merchant `requested` after the fee. */
export function toCustomerAmount(requested: Kobo): Kobo {
  let amount = requested;
  for (let missing = toChargeFee(amount); missing > 0n; ) {
    amount = (amount + missing) as Kobo;
    missing = (requested + toChargeFee(amount) - amount) as Kobo;
  }
  return amount;
}

/** ₦10, ₦25 or ₦50 for a transfer of up to ₦5,000, up to ₦50,000 or above. */
export function toTransferFee(amount: Kobo): Kobo {
  if (amount <= 500_000n) return 1_000n as Kobo;
  return (amount <= 5_000_000n ? 2_500n : 5_000n) as Kobo;
}
