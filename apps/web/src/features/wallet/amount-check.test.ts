import type { Kobo } from "@holo/kernel/money.ts";
import { ok } from "@holo/kernel/result.ts";
import { describe, expect, it } from "vitest";
import { checkAmount, checkWithdrawal } from "./amount-check.ts";
import { toWallet } from "./wallet.ts";

const NOW = new Date(2026, 10, 21, 12, 30).getTime();
const WALLET = toWallet({
  balance: "32679739",
  withdrawable: "16339870",
  frees: [{ at: new Date(2026, 10, 22, 9, 5).getTime(), coins: "16339869" }],
  unplayed: [],
  isFirstFromCard: true,
  inPlay: "0",
  debts: "0",
  rateKobo: 30_600,
  feeBps: 740,
  payerBearsFee: false,
  emailVerified: true,
  depositLeft: null,
  payments: [],
  accounts: [],
});

describe("checkAmount", () => {
  // [VALID-19 §5,9] A deposit is at least ₦5,000: 'Minimum deposit amount is ₦5,000'. What is no number has a text of
  // its own, also for withdrawals.
  it.each(["abc", "NaN", "1e309", "N5000", "5k", "5000,50"])("says of %j that it is no amount [VALID-19]", (text) => {
    for (const tooSmall of ["deposit_too_small", "withdrawal_too_small"] as const) {
      expect(checkAmount(text, tooSmall)).toMatchObject({
        ok: false,
        refusal: { text: "Please write the amount in digits, such as 5,000 or 5000.50." },
      });
    }
  });

  it.each(["", "-1", "0", "4999.99", "4,999", "₦4,999"])("refuses %j as too small [VALID-19]", (text) => {
    const checked = checkAmount(text, "deposit_too_small");
    expect(checked).toMatchObject({ ok: false, refusal: { text: "Minimum deposit amount is ₦5,000" } });
  });

  it.each(["5000.005", "9007199254740993"])("refuses %j as malformed", (text) => {
    expect(checkAmount(text, "deposit_too_small")).toMatchObject({ ok: false, refusal: { code: "bad_amount" } });
  });

  it("accepts ₦5,000 and a kobo", () => {
    expect(checkAmount("5,000", "deposit_too_small")).toEqual(ok(500_000n));
    expect(checkAmount(" ₦ 5,000 ", "deposit_too_small")).toEqual(ok(500_000n));
    expect(checkAmount("5000.01", "deposit_too_small")).toEqual(ok(500_001n));
  });
});

describe("checkWithdrawal", () => {
  it("has a minimum of ₦5,000", () => {
    const checked = checkAmount("4999.99", "withdrawal_too_small");
    expect(checked).toMatchObject({ ok: false, refusal: { text: "Minimum withdrawal amount is ₦5,000" } });
  });

  it("returns the coins, rounded down", () => {
    expect(checkWithdrawal(500_000n as Kobo, WALLET, NOW)).toMatchObject(ok({ takenCoins: 16_339_869n, feeKobo: 0n }));
  });

  // [VALID-22 §5 r8] Withdrawing more than the settled coins is refused: 'Balance Not Yet Settled', with the amount
  // available now and when more will be.
  it("states when an unsettled amount becomes available [VALID-22]", () => {
    expect(checkWithdrawal(500_100n as Kobo, WALLET, NOW)).toMatchObject({
      ok: false,
      refusal: {
        title: "Balance Not Yet Settled",
        text: "Deposits and winnings can be withdrawn 24 hours after they arrive. You can withdraw 16.33 HC now, and this amount from tomorrow at 09:05.",
      },
    });
  });

  it("refuses more than the balance", () => {
    expect(checkWithdrawal(1_000_100n as Kobo, WALLET, NOW)).toMatchObject({
      ok: false,
      refusal: { text: "Insufficient coins for withdrawal" },
    });
  });
});
