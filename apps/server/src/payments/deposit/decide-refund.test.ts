import { addMs } from "@holo/kernel/instant.ts";
import { expect, test } from "vitest";
import { NOT_FOUND_MS } from "../effect/effect.ts";
import { makeContext, makeProviderCharge, makeTestDeposit, NOW, nameOf } from "../testing/test-reports.ts";
import { decideRefund, decideRefundRefused } from "./decide-refund.ts";

test("finishes a refund by the provider's report only, and orders an unknown one again", () => {
  const asked = { sentAt: NOW, notFoundSince: NOW, status: "reversed" } as const;
  const going = makeTestDeposit(asked);
  const charge = makeProviderCharge({ status: "success" });
  const [now, later] = [makeContext(), makeContext({ now: addMs(NOW, NOT_FOUND_MS) })];
  const whole = { status: "processed", amount: 500_000n } as const;
  const failed = { status: "failed", amount: 500_000n } as const;
  const open = { status: "open", amount: 500_000n } as const;
  expect(nameOf(decideRefund(going, charge, [failed, whole], now))).toBe("finish_refund");
  expect(nameOf(decideRefund(going, makeProviderCharge({ status: "reversed" }), [], now))).toBe("finish_refund");
  expect(nameOf(decideRefund(going, charge, [{ ...whole, amount: 1n }], now))).toBe("reversed");
  expect(nameOf(decideRefund(going, charge, [open, failed], later))).toBe("reversed");
  expect(nameOf(decideRefund(going, charge, [], now))).toBe("reversed");
  expect(nameOf(decideRefund(going, charge, [], later))).toBe("retry_refund");
  expect(nameOf(decideRefund(makeTestDeposit({ ...asked, notFoundSince: null }), charge, [], later))).toBe("reversed");
  expect(nameOf(decideRefund(going, charge, [failed], now))).toBe("reversed");
  expect(nameOf(decideRefund(going, charge, [failed], later))).toBe("review");
  for (const other of [
    makeTestDeposit({ ...asked, status: "review" }),
    makeTestDeposit({ ...asked, completedAt: NOW }),
  ]) {
    expect(nameOf(decideRefund(other, charge, [], later))).toBe(other.status);
    expect(nameOf(decideRefundRefused(other, now))).toBe(other.status);
  }
  expect(nameOf(decideRefundRefused(going, now))).toBe("review");
});
