import { paymentIdOf } from "@holo/kernel/testing/test-ids.ts";
import { describe, expect, it } from "vitest";
import { NOW, pay } from "../../shared/money/testing/pay.ts";
import { sumOpenKobo, upsertPayment } from "./payments.ts";

describe("the list of payments", () => {
  it("updates a known payment in place and puts a new one first", () => {
    const known = [pay({ id: paymentIdOf("2") }), pay({ id: paymentIdOf("1") })];
    expect(
      upsertPayment(known, pay({ id: paymentIdOf("1"), status: "completed" })).map(({ id, status }) => [id, status]),
    ).toEqual([
      ["2", "processing"],
      ["1", "completed"],
    ]);
    expect(upsertPayment(known, pay({ id: paymentIdOf("3") })).map(({ id }) => id)).toEqual(["3", "2", "1"]);
  });

  it("sums open deposits and open withdrawals separately", () => {
    const payments = [
      pay({ kobo: 1 }),
      pay({ kobo: 2, status: "pending" }),
      pay({ kobo: 4, status: "completed" }),
      pay({ kobo: 8, kind: "deposit", status: "pending" }),
      pay({ kobo: 16, kind: "deposit", status: "review" }),
      pay({ kobo: 32, kind: "deposit", status: "abandoned" }),
      // credited, then disputed
      pay({ kobo: 64, kind: "deposit", status: "review", completedAt: NOW }),
    ];
    expect(sumOpenKobo(payments, "withdrawal")).toBe(3n);
    expect(sumOpenKobo(payments, "deposit")).toBe(24n);
  });
});
