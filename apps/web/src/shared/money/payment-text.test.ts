import { describe, expect, it } from "vitest";
import { describePayment } from "./payment-text.ts";
import { NOW, pay } from "./testing/pay.ts";

const SOON = new Date(2026, 10, 21, 14, 0).getTime();

describe("the text of a payment", () => {
  it("names the expected time of a pending payment", () => {
    expect(describePayment(pay({ expectedAt: SOON }), NOW)).toBe("On its way to your bank. Expected today at 14:00.");
    expect(describePayment(pay({ expectedAt: SOON }), SOON + 1)).toBe(
      "On its way to your bank. This is taking longer than expected.",
    );
    expect(describePayment(pay({ status: "completed", expectedAt: SOON }), NOW)).toBe("");
  });

  it("says until when coins are checked, and that playing goes on", () => {
    const reason = "₦70,000 waits while coins from recent games are checked, as happens to honest players too.";
    expect(describePayment(pay({ status: "pending", reason, checkedUntil: SOON, expectedAt: SOON }), NOW)).toBe(
      `${reason} It's sent today at 14:00 at the latest, unless two of us decide otherwise. You can play and deposit.`,
    );
  });

  it("names the rate of an unpaid deposit and until when it holds [WALL-07]", () => {
    const open = pay({ kind: "deposit", status: "pending", rateKobo: 30_600, rateUntil: SOON, isPayable: true });
    expect(describePayment(open, NOW)).toBe("Waiting for your payment. 1 HC costs ₦306 until today at 14:00.");
    expect(describePayment(open, SOON)).toBe("Waiting for your payment. The rate at the moment you pay counts now.");
  });

  it("names the reason of a failure, and where a withdrawal's coins are", () => {
    expect(describePayment(pay({ status: "failed", reason: "The account is closed." }), NOW)).toBe(
      "The account is closed.",
    );
    expect(describePayment(pay({ status: "reversed" }), NOW)).toBe(
      "Your bank returned it. Your coins are back in your wallet.",
    );
    expect(describePayment(pay({ kind: "deposit", status: "failed", reason: "Declined." }), NOW)).toBe("Declined.");
    expect(describePayment(pay({ kind: "revenue", status: "failed" }), NOW)).toBe(
      "It couldn't be paid out. It's back in the Admin Wallet.",
    );
  });
});
