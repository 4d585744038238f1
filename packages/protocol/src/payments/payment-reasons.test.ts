import type { Kobo } from "@holo/kernel/money.ts";
import { expect, it } from "vitest";
import { formatPaymentReason, PAYMENT_REASON_CODES } from "./payment-reasons.ts";

it("has a complete text for every reason", () => {
  for (const code of PAYMENT_REASON_CODES) {
    expect(formatPaymentReason({ code, kobo: null }, "deposit")).toMatch(/^[^{}]+\.$/);
  }
});

it("states the amount of a part", () => {
  const kobo = 250_050n as Kobo;
  expect(formatPaymentReason({ code: "coins_taken_back", kobo }, "deposit")).toBe(
    "₦2,500.50 of this payment was refunded, and its coins were removed.",
  );
  expect(formatPaymentReason({ code: "credited_actual_amount", kobo }, "deposit")).toBe(
    "We credited the amount we received: ₦2,500.50.",
  );
});

it("states where returned coins are", () => {
  expect(formatPaymentReason({ code: "transfer_failed", kobo: null }, "withdrawal")).toBe(
    "Failed to process withdrawal: the bank did not take the payment. Your coins are back in your wallet.",
  );
  expect(formatPaymentReason({ code: "transfer_reversed", kobo: null }, "revenue")).toBe(
    "The bank returned the payment. It's back in the Admin Wallet.",
  );
});

it("speaks to staff about the player, not to the player", () => {
  for (const code of PAYMENT_REASON_CODES) {
    for (const kind of ["deposit", "withdrawal"] as const) {
      expect(formatPaymentReason({ code, kobo: null }, kind, "staff")).toMatch(/^[^{}]+\.$/);
      expect(formatPaymentReason({ code, kobo: null }, kind, "staff")).not.toMatch(/\byour?\b/i);
    }
  }
});

it("asks staff to act when the provider did not take an order [ADMIN-08]", () => {
  const reason = { code: "awaiting_bank", kobo: null } as const;
  expect(formatPaymentReason(reason, "withdrawal", "staff")).toMatch(/check its balance/);
  expect(formatPaymentReason(reason, "withdrawal")).toMatch(/Waiting for our bank/);
});
