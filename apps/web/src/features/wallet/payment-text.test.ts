import type { PaymentView } from "@holo/protocol/views.ts";
import { describe, expect, it } from "vitest";
import { describePayment } from "./payment-text.ts";
import { putPayment, sumOpen } from "./payments-list.ts";

const NOW = new Date(2026, 10, 21, 12, 30).getTime();
const SOON = new Date(2026, 10, 21, 14, 0).getTime();

function pay(change: Partial<PaymentView>): PaymentView {
  return {
    id: "1",
    kind: "withdrawal",
    status: "processing",
    kobo: 500_000,
    coins: "16339869",
    reference: "holo-1",
    createdAt: NOW,
    completedAt: null,
    reason: null,
    account: null,
    expectedAt: null,
    ...change,
  };
}

describe("what is told of a payment", () => {
  it("names the time by which it is expected while it is under way", () => {
    expect(describePayment(pay({ expectedAt: SOON }), NOW)).toBe("On its way to your bank. Expected today at 14:00.");
    expect(describePayment(pay({ expectedAt: SOON }), SOON + 1)).toBe(
      "On its way to your bank. It takes longer than expected.",
    );
    expect(describePayment(pay({ status: "completed", expectedAt: SOON }), NOW)).toBe("");
  });

  it("names the reason of a failure, and where the coins of a withdrawal are", () => {
    expect(describePayment(pay({ status: "failed", reason: "The account is closed." }), NOW)).toBe(
      "The account is closed.",
    );
    expect(describePayment(pay({ status: "reversed" }), NOW)).toBe(
      "Your bank sent it back. Your coins are back in your wallet.",
    );
    expect(describePayment(pay({ kind: "deposit", status: "failed", reason: "Declined." }), NOW)).toBe("Declined.");
  });
});

describe("the list of payments", () => {
  it("keeps each in its place when more is heard of it, and puts a new one first", () => {
    const known = [pay({ id: "2" }), pay({ id: "1" })];
    expect(putPayment(known, pay({ id: "1", status: "completed" })).map(({ id, status }) => [id, status])).toEqual([
      ["2", "processing"],
      ["1", "completed"],
    ]);
    expect(putPayment(known, pay({ id: "3" })).map(({ id }) => id)).toEqual(["3", "2", "1"]);
  });

  it("sums up what is on its way, each way by itself", () => {
    const payments = [
      pay({ kobo: 1 }),
      pay({ kobo: 2, status: "pending" }),
      pay({ kobo: 4, status: "completed" }),
      pay({ kobo: 8, kind: "deposit", status: "pending" }),
      pay({ kobo: 16, kind: "deposit", status: "review" }),
      pay({ kobo: 32, kind: "deposit", status: "abandoned" }),
      // credited, and disputed since
      pay({ kobo: 64, kind: "deposit", status: "review", completedAt: NOW }),
    ];
    expect(sumOpen(payments, "withdrawal")).toBe(3n);
    expect(sumOpen(payments, "deposit")).toBe(24n);
  });
});
