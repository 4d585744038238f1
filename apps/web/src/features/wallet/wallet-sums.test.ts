import { toCoins, wholeCoins } from "@holo/kernel/money.ts";
import { describe, expect, it } from "vitest";
import { findAvailableAt, toWallet } from "./wallet-sums.ts";

const WALLET = {
  balance: "184320000",
  withdrawable: "121800000",
  frees: [
    { at: 3_000, coins: "40000000" },
    { at: 2_000, coins: "22520000" },
  ],
  inPlay: "0",
  debts: "0",
  rateKobo: 30_600,
  feeBps: 740,
  payerBearsFee: false,
  emailVerified: true,
  depositLeft: null,
  payments: [],
  accounts: [],
};

describe("settling coins", () => {
  const wallet = toWallet(WALLET);

  it("are sorted by settlement time", () => {
    expect(wallet.settlingLots).toEqual([
      { at: 2_000, coins: toCoins(22_520_000n) },
      { at: 3_000, coins: wholeCoins(40) },
    ]);
  });

  it("make an amount available when its last lot settles", () => {
    expect(findAvailableAt(wholeCoins(122), wallet)).toBe(2_000);
    expect(findAvailableAt(toCoins(144_320_000n), wallet)).toBe(2_000);
    expect(findAvailableAt(toCoins(144_320_001n), wallet)).toBe(3_000);
    expect(findAvailableAt(wallet.balance, wallet)).toBe(3_000);
  });

  it("never cover more than the balance", () => {
    expect(findAvailableAt(toCoins(184_320_001n), wallet)).toBe(null);
  });
});
