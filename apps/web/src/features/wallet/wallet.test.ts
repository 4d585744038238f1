import { formatCoins, toCoins, wholeCoins } from "@holo/kernel/money.ts";
import { paymentIdOf } from "@holo/kernel/testing/test-ids.ts";
import { describe, expect, it } from "vitest";
import { NOW, pay } from "../../shared/money/testing/pay.ts";
import { findAvailableAt, sumOpenKobo, toSettling, toWallet, upsertPayment } from "./wallet.ts";

const WALLET = {
  balance: "184320000",
  withdrawable: "121800000",
  frees: [
    { at: 3_000, coins: "40000000" },
    { at: 2_000, coins: "22520000" },
  ],
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

  it("are shown so that parts add up to the balance and lots to their part [SITE-40]", () => {
    const frees = [
      { at: 2_000, coins: "4444000" },
      { at: 3_000, coins: "3334000" },
    ];
    const { shown, lots } = toSettling(toWallet({ ...WALLET, balance: "20000000", withdrawable: "12222000", frees }));
    expect(formatCoins(shown)).toBe("7.78");
    expect(lots.map(({ coins }) => formatCoins(coins))).toEqual(["4.44", "3.34"]);
  });

  it("stay within a hundredth of their own figures if they are not the whole settling part", () => {
    const show = (coins: string) => {
      const frees = [{ at: 2_000, coins }];
      const { shown, lots } = toSettling(toWallet({ ...WALLET, balance: "20000000", withdrawable: "12222000", frees }));
      return [formatCoins(shown), ...lots.map((lot) => formatCoins(lot.coins))];
    };
    expect(show("4444000")).toEqual(["7.78", "4.45"]);
    expect(show("9999000")).toEqual(["7.78", "9.99"]);
  });

  it("never cover more than the balance", () => {
    expect(findAvailableAt(toCoins(184_320_001n), wallet)).toBe(null);
  });
});

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
      pay({ kobo: 64, kind: "deposit", status: "review", completedAt: NOW }),
    ];
    expect(sumOpenKobo(payments, "withdrawal")).toBe(3n);
    expect(sumOpenKobo(payments, "deposit")).toBe(24n);
  });
});
