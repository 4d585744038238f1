import { describe, expect, it } from "vitest";
import { findChoice, formatSavedAccount, parseAccountNumber } from "./bank-account-fields.tsx";

describe("a bank account", () => {
  // [WALL-04 §2 r50] A withdrawal asks for the bank, a ten-digit account number, 'Verify Account' and then
  // 'Withdraw'. Nothing typed or pasted is cut: other than ten digits is refused in words, and a phone number is
  // offered in its ten-digit form.
  it.each([
    ["0123 456-789", { type: "number", digits: "0123456789" }],
    ["\u00a00123456789\n", { type: "number", digits: "0123456789" }],
    ["08031234567", { type: "phone", digits: "8031234567" }],
    ["0803 123 4567", { type: "phone", digits: "8031234567" }],
    ["+234 803–123–4567", { type: "phone", digits: "8031234567" }],
    ["+234 (0) 803 123 4567", { type: "phone", digits: "8031234567" }],
    ["002348031234567", { type: "phone", digits: "8031234567" }],
    ["2348031234567", { type: "phone", digits: "8031234567" }],
    ["012345678", { type: "fault", text: "An account number has 10 digits. This has 9." }],
    ["12345678901", { type: "fault", text: "An account number has 10 digits. This has 11." }],
    ["NGN0123456789", { type: "fault", text: "An account number has 10 digits and nothing else." }],
  ])("is read from %j without cutting it [WALL-04]", (text, expected) => {
    expect(parseAccountNumber(text)).toEqual(expected);
  });

  it("stays chosen when another one comes before it in the list", () => {
    const [first, second] = ["0123456789", "9876543210"].map((accountNumber) => ({ bankCode: "057", accountNumber }));
    expect(findChoice([first!], first!)).toBe("0");
    expect(findChoice([second!, first!], first!)).toBe("1");
    expect(findChoice([second!], first!)).toBe("other");
  });

  // [CALL-13 §7] Verifying an account returns its holder's name.
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
