import { KOBO_MAX, type Kobo } from "@holo/kernel/money.ts";
import { ok, refuse } from "@holo/kernel/result.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AmountFault, formatAmount, parseNaira } from "./naira-amount.ts";

if (!process.env.DEEP) fc.configureGlobal({ seed: 20_261_123 });

describe("an amount of naira", () => {
  it.each([
    ["5000", 500_000n],
    ["5,000", 500_000n],
    [" ₦5,000 ", 500_000n],
    ["₦ 5 000.50", 500_050n],
    ["₦5’000", 500_000n],
    ["5\u00a0000", 500_000n],
    ["4999.99", 499_999n],
    ["1,234,567.8", 123_456_780n],
    ["5000.", 500_000n],
    ["5000.500", 500_050n],
    ["0", 0n],
    ["007", 700n],
    ["1000000000", 100_000_000_000n],
  ])("is read from %j", (text, kobo) => {
    expect(parseNaira(text)).toEqual(ok(kobo));
  });

  it.each<[string, AmountFault]>([
    ["", "not_naira"],
    ["₦", "not_naira"],
    [".5", "not_naira"],
    ["-1", "negative"],
    ["−5000", "negative"],
    ["₦-5,000", "negative"],
    ["--5000", "not_naira"],
    ["N5000", "not_naira"],
    ["5k", "not_naira"],
    ["+5000", "not_naira"],
    ["NaN", "not_naira"],
    ["Infinity", "not_naira"],
    ["1e309", "not_naira"],
    ["0x1388", "not_naira"],
    ["5000 naira", "not_naira"],
    ["5000;drop", "not_naira"],
    ["٥٠٠٠", "not_naira"],
    ["5.000,50", "not_naira"],
    ["5000,50", "not_naira"],
    ["5,00", "not_naira"],
    ["50,00", "not_naira"],
    ["1,2345", "not_naira"],
    ["1,234 567", "not_naira"],
    ["1,,000", "not_naira"],
    [",000", "not_naira"],
    ["5000.005", "part_of_kobo"],
    ["5000.0000001", "part_of_kobo"],
    ["1000000000.01", "too_large"],
    ["9007199254740993", "too_large"],
    ["9".repeat(400), "too_large"],
  ])("is not read from %j", (text, fault) => {
    expect(parseNaira(text)).toEqual(refuse(fault));
  });

  it("is refused above 2^53 kobo without rounding", () => {
    expect(parseNaira("90071992547409.93")).toEqual(refuse("too_large"));
  });

  it("survives a round trip up to the maximum of one payment", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: KOBO_MAX }), (kobo) => {
        expect(parseNaira(formatAmount(kobo as Kobo))).toEqual(ok(kobo));
      }),
    );
  });

  it("is whole kobo or refused, for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."0123456789.,- ₦e+") }), (text) => {
        const parsed = parseNaira(text);
        if (!parsed.ok) return;
        const plain = Number(text.replace(/[₦,\s'’]/g, ""));
        expect(Number(parsed.value)).toBe(Math.round(plain * 100));
      }),
      { numRuns: 2_000 },
    );
  });
});
