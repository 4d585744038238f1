import { type Kobo, toCoinsIn, wholeCoins } from "@holo/kernel/money.ts";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { stubClosedStorage, stubStorage } from "../testing/stub-storage.ts";
import {
  dropDepositReturn,
  findDepositReturn,
  readWantedDeposit,
  saveDepositReturn,
  toDepositFor,
  toWantedDeposit,
} from "./wanted-deposit.ts";

const RATE = 30_600;
const GAME = "/game/0a0b0c0d-0000-4000-8000-000000000001";

beforeEach(() => {
  stubStorage("localStorage");
});
afterEach(() => {
  vi.unstubAllGlobals();
});

// [CREATE-10 §2,5] Without enough coins, Create Match and the fee dialog offer 'Deposit ₦…' with the least amount
// that suffices. It opens the wallet with the amount filled in, and the payment leads back to the same terms or the
// same match.
it("is the least amount in steps of ₦100 that covers what is missing, from ₦5,000 on [CREATE-10]", () => {
  expect(toDepositFor(wholeCoins(1), RATE)).toBe(500_000n);
  // 21.92 HC are ₦6,707.52.
  expect(toDepositFor(21_920_000n as never, RATE)).toBe(680_000n);
  for (const rate of [1, 99, RATE, 123_457]) {
    for (const missing of [1n, 16_339_869n, 16_339_870n, 21_920_001n, 171_840_000n]) {
      const kobo = toDepositFor(missing as never, rate);
      expect(kobo % 10_000n).toBe(0n);
      expect(toCoinsIn(kobo, rate) >= missing).toBe(true);
      if (kobo > 500_000n) expect(toCoinsIn((kobo - 10_000n) as Kobo, rate) < missing).toBe(true);
    }
  }
});

it("is passed to the wallet in the history state, with the page to come back to", () => {
  expect(readWantedDeposit(toWantedDeposit(500_000n as Kobo, GAME))).toEqual({ kobo: 500_000n, page: GAME });
  for (const state of [
    null,
    {},
    { wantedPage: GAME },
    { depositKobo: -1, wantedPage: GAME },
    { depositKobo: 1.5, wantedPage: GAME },
  ]) {
    expect(readWantedDeposit(state)).toBeNull();
  }
  expect(readWantedDeposit({ depositKobo: 500_000, wantedPage: "//elsewhere.example" })).toBeNull();
});

it("leads back after its own checkout only, once, within an hour", () => {
  saveDepositReturn("dep-1", GAME, 1_000);
  expect(findDepositReturn("dep-2", 1_000)).toBeNull();
  expect(findDepositReturn("dep-1", 1_000)).toBe(GAME);
  expect(findDepositReturn("dep-1", 1_000 + 60 * 60_000)).toBeNull();
  dropDepositReturn();
  expect(findDepositReturn("dep-1", 1_000)).toBeNull();
});

it("leads to no other site, whatever the storage holds", () => {
  localStorage.setItem("holo.deposit-return", `${Number.MAX_SAFE_INTEGER} dep-1 //elsewhere.example`);
  expect(findDepositReturn("dep-1", 1_000)).toBeNull();
  stubClosedStorage("localStorage");
  saveDepositReturn("dep-1", GAME, 1_000);
  expect(findDepositReturn("dep-1", 1_000)).toBeNull();
});
