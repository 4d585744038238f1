import { toCoins, wholeCoins } from "@holo/kernel/money.ts";
import { describe, expect, it } from "vitest";
import { findFreeAt, toWallet } from "./settling.ts";

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

  it("are told with the soonest first", () => {
    expect(wallet.frees).toEqual([
      { at: 2_000, coins: toCoins(22_520_000n) },
      { at: 3_000, coins: wholeCoins(40) },
    ]);
  });

  it("make an amount free when the last of what it needs is", () => {
    expect(findFreeAt(wholeCoins(122), wallet)).toBe(2_000);
    expect(findFreeAt(toCoins(144_320_000n), wallet)).toBe(2_000);
    expect(findFreeAt(toCoins(144_320_001n), wallet)).toBe(3_000);
    expect(findFreeAt(wallet.balance, wallet)).toBe(3_000);
  });

  it("never make more free than there is", () => {
    expect(findFreeAt(toCoins(184_320_001n), wallet)).toBe(null);
  });
});
