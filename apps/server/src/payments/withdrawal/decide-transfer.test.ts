import { addMs, type Instant } from "@holo/kernel/instant.ts";
import { expect, test } from "vitest";
import type { MoneyState, PaymentStatus } from "../payment.ts";
import { type ProviderTransfer, TRANSFER_STATUSES, type TransferStatus } from "../provider/provider-status.ts";
import { NOT_FOUND_MS, type Source } from "../settlement/effect.ts";
import { makeHeldWithdrawal, makeProviderTransfer, NOW, nameOf } from "../testing/test-reports.ts";
import { decideRefused, decideTransfer } from "./decide-transfer.ts";

const ENDED = ["failed", "abandoned", "blocked", "rejected"] as const;
const TRANSFERS: readonly (readonly [MoneyState, PaymentStatus, TransferStatus | "all ended", Source, string])[] = [
  ["held", "processing", "success", "answer", "pay"],
  ["held", "processing", "success", "webhook", "pay"],
  ["held", "pending", "success", "answer", "pay"],
  ["held", "review", "success", "answer", "pay"],
  ["held", "processing", "all ended", "answer", "give_back"],
  ["held", "processing", "all ended", "webhook", "ask"],
  ["held", "processing", "reversed", "answer", "give_back"],
  ["held", "processing", "reversed", "webhook", "ask"],
  ["held", "processing", "otp", "answer", "pending"],
  ["held", "processing", "pending", "answer", "processing"],
  ["held", "pending", "received", "answer", "processing"],
  ["paid", "completed", "success", "answer", "completed"],
  ["paid", "completed", "reversed", "answer", "compensate"],
  ["paid", "completed", "reversed", "webhook", "ask"],
  ["paid", "completed", "all ended", "answer", "compensate"],
  ["paid", "completed", "pending", "webhook", "completed"],
  ["returned", "failed", "success", "answer", "lose"],
  ["returned", "failed", "success", "webhook", "ask"],
  ["returned", "failed", "all ended", "webhook", "failed"],
  ["returned", "reversed", "reversed", "answer", "reversed"],
  ["lost", "review", "success", "webhook", "review"],
  ["lost", "review", "success", "answer", "review"],
  ["lost", "review", "reversed", "answer", "compensate"],
];
test.each(TRANSFERS)("money out that is %s (%s), told %s by %s: %s", (money, status, told, source, expected) => {
  for (const word of told === "all ended" ? ENDED : [told]) {
    const effect = decideTransfer(
      makeHeldWithdrawal({ money, status }),
      makeProviderTransfer({ status: word }),
      source,
      NOW,
    );
    expect(nameOf(effect), word).toBe(expected);
  }
});

test("no webhook and no doubtful word ever returns coins", () => {
  for (const status of TRANSFER_STATUSES) {
    for (const money of ["held", "paid", "returned", "lost"] satisfies MoneyState[]) {
      const effect = decideTransfer(makeHeldWithdrawal({ money }), makeProviderTransfer({ status }), "webhook", NOW);
      expect(["give_back", "compensate", "lose"]).not.toContain(effect.type);
    }
    const others: Partial<ProviderTransfer>[] = [{ amount: 499_999n }, { currency: "USD" }, { reference: "wdr-other" }];
    for (const other of others) {
      const effect = decideTransfer(makeHeldWithdrawal(), makeProviderTransfer({ status, ...other }), "answer", NOW);
      expect(effect).toMatchObject({ type: "tell", status: "review", alert: "transfer_differs" });
    }
  }
});

test("not found is believed after ten minutes of hearing it, and then the same payment is sent again", () => {
  const asked = (notFoundSince: Instant | null) =>
    nameOf(decideTransfer(makeHeldWithdrawal({ notFoundSince }), null, "answer", NOW));
  expect(asked(null)).toBe("processing");
  expect(asked(addMs(NOW, 1 - NOT_FOUND_MS))).toBe("processing");
  expect(asked(addMs(NOW, -NOT_FOUND_MS))).toBe("send_again");
  const paid = makeHeldWithdrawal({ money: "paid", status: "completed", notFoundSince: addMs(NOW, -NOT_FOUND_MS) });
  expect(nameOf(decideTransfer(paid, null, "answer", NOW))).toBe("completed");
});

test("what the provider has refused to send is returned, unless it is not held any more", () => {
  expect(nameOf(decideRefused(makeHeldWithdrawal()))).toBe("give_back");
  expect(nameOf(decideRefused(makeHeldWithdrawal({ money: "paid", status: "completed" })))).toBe("completed");
});

test("what comes back says where to", () => {
  const failed = makeProviderTransfer({ status: "failed" });
  const revenue = makeHeldWithdrawal({ kind: "revenue" });
  const explain = (effect: object) => ("reason" in effect ? effect.reason : null);
  expect(explain(decideTransfer(makeHeldWithdrawal(), failed, "answer", NOW))).toMatch(
    /Your coins are back in your wallet\.$/,
  );
  expect(explain(decideTransfer(revenue, failed, "answer", NOW))).toMatch(/It is back in the Admin Wallet\.$/);
});
