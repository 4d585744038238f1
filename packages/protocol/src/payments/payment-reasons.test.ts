import type { Kobo } from "@holo/kernel/money.ts";
import { expect, it } from "vitest";
import { formatPaymentReason, PAYMENT_REASON_CODES } from "./payment-reasons.ts";

const deposit = { kind: "deposit", isOver: false } as const;

it("has a complete text for every reason", () => {
  for (const code of PAYMENT_REASON_CODES) {
    expect(formatPaymentReason({ code, kobo: null }, deposit)).toMatch(/^[^{}]+\.$/);
  }
});

it("states the amount of a part", () => {
  const kobo = 250_050n as Kobo;
  expect(formatPaymentReason({ code: "part_taken", kobo }, deposit)).toBe(
    "₦2,500.50 of this payment was refunded, and its coins were removed.",
  );
  expect(formatPaymentReason({ code: "corrected", kobo }, deposit)).toBe(
    "We credited the amount we received: ₦2,500.50.",
  );
});

it("states whether a refund is over, and where returned coins are", () => {
  const above = { code: "above_limit", kobo: null } as const;
  expect(formatPaymentReason(above, deposit)).toBe("This is above your deposit limit. It's being refunded.");
  expect(formatPaymentReason(above, { ...deposit, isOver: true })).toBe(
    "This is above your deposit limit. It was refunded.",
  );
  expect(formatPaymentReason({ code: "transfer_failed", kobo: null }, { kind: "withdrawal", isOver: true })).toBe(
    "Failed to process withdrawal: the bank did not take the payment. Your coins are back in your wallet.",
  );
  expect(formatPaymentReason({ code: "transfer_reversed", kobo: null }, { kind: "revenue", isOver: true })).toBe(
    "The bank returned the payment. It's back in the Admin Wallet.",
  );
});
