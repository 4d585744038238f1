import { describe, expect, it } from "vitest";
import { NOW, pay } from "../../ui/money/testing/pay.ts";
import { putPayment, sumOpen } from "./payments-list.ts";

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
