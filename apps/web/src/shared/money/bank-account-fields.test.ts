import { describe, expect, it } from "vitest";
import { formatSavedAccount, isComplete, readDigits, toChoice } from "./bank-account-fields.tsx";

describe("a bank account", () => {
  it("is parsed from a number with any grouping", () => {
    expect(readDigits("0123 456-789")).toBe("0123456789");
    expect(readDigits("01234567891")).toBe("0123456789");
    expect(readDigits("NGN")).toBe("");
  });

  it("is complete with a bank and ten digits [WALL-04]", () => {
    expect(isComplete({ bankCode: "057", accountNumber: "0123456789" })).toBe(true);
    expect(isComplete({ bankCode: "", accountNumber: "0123456789" })).toBe(false);
    expect(isComplete({ bankCode: "057", accountNumber: "012345678" })).toBe(false);
  });

  it("stays chosen when another one comes before it in the list", () => {
    const [first, second] = ["0123456789", "9876543210"].map((accountNumber) => ({ bankCode: "057", accountNumber }));
    expect(toChoice([first!], first!)).toBe("0");
    expect(toChoice([second!, first!], first!)).toBe("1");
    expect(toChoice([second!], first!)).toBe("other");
  });

  it("is described by bank, last digits and holder once saved [CALL-13]", () => {
    expect(
      formatSavedAccount({
        bankCode: "057",
        bankName: "Zenith Bank",
        accountNumber: "0123456789",
        accountName: "ADA OBI",
      }),
    ).toBe("Zenith Bank ••6789, ADA OBI");
  });
});
