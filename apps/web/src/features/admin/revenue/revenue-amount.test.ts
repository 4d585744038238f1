import { wholeCoins } from "@holo/kernel/money.ts";
import { describe, expect, it } from "vitest";
import { parseRevenueAmount } from "./revenue-amount.ts";

const RATE = 30_600;
const check = (text: string) => parseRevenueAmount(text, wholeCoins(10), RATE);

describe("an amount of revenue to withdraw", () => {
  it("is anything up to the remaining revenue, to the kobo", () => {
    expect(check("3,060")).toEqual({ ok: true, value: 306_000n });
    expect(check("0.01")).toEqual({ ok: true, value: 1n });
    expect(check("3060.01")).toMatchObject({ refusal: { text: "Withdrawal amount exceeds completed games revenue" } });
  });

  it.each(["", "0", "-5", "5.001"])("refuses %j", (text) => {
    expect(check(text)).toMatchObject({ refusal: { text: "Invalid withdrawal amount" } });
  });

  it.each(["1e3", "N5000", "5k"])("says of %j that it is no amount", (text) => {
    expect(check(text)).toMatchObject({ refusal: { text: expect.stringContaining("in digits") } });
  });
});
