import { paymentIdOf, playerIdOf } from "@holo/kernel/testing/test-ids.ts";
import type { ReviewsView, ReviewView } from "@holo/protocol/admin/money.ts";
import { describe, expect, it } from "vitest";
import { pay } from "../../../shared/money/testing/pay.ts";
import { type Ending, type EndingReview, updateRefused } from "./ending.ts";

const ADA = playerIdOf("1");

function hold(id: string, arrivedKobo: number): ReviewView {
  return {
    payment: pay({ id: paymentIdOf(id), kind: "deposit", status: "review" }),
    playerId: ADA,
    username: "ada",
    arrivedKobo,
    arrivedCoins: "16339869",
    refundedKobo: null,
    refundedCoins: null,
    walletCoins: "0",
    ends: ["credit", "refund"],
    heldBack: null,
  };
}

const latest = hold("1", 400_000);
const other = hold("2", 700_000);
const reviews: ReviewsView = { payments: [other, latest], orphanedBalances: [] };
const refused: EndingReview = { type: "review", review: hold("1", 500_000), end: "credit" };

describe("the dialog of a refused decision", () => {
  it("shows the new figures", () => {
    expect(updateRefused(refused, refused, reviews)).toEqual({ ...refused, review: latest });
    const wallet = { playerId: ADA, username: "gone", coins: "2", kobo: 2, bankName: null };
    const left: Ending = { type: "left", wallet: { ...wallet, kobo: 1 } };
    const latestLeft = { payments: [], orphanedBalances: [wallet] };
    expect(updateRefused(left, left, latestLeft)).toEqual({ ...left, wallet });
    expect(updateRefused(left, left, reviews)).toBe(left);
  });

  it("shows the new figures although an earlier refusal renewed it meanwhile", () => {
    expect(updateRefused({ ...refused }, refused, reviews)).toEqual({ ...refused, review: latest });
  });

  it("stays as it is without new figures", () => {
    expect(updateRefused(refused, refused, undefined)).toBe(refused);
    expect(updateRefused(refused, refused, { ...reviews, payments: [other] })).toBe(refused);
  });

  // [ADMIN-40 §2 r9] A decision about a held payment is refused if its figures have changed. The dialog then shows
  // the new ones, unless another is open by then. So does the dialog for the coins of a deleted account.
  it("never replaces another one that was opened meanwhile [ADMIN-40]", () => {
    const wallet = { playerId: ADA, username: "ada", coins: "1", kobo: 1, bankName: null };
    const opened: readonly (Ending | null)[] = [
      null,
      { ...refused, end: "refund" },
      { type: "review", review: other, end: "credit" },
      { type: "left", wallet },
    ];
    for (const open of opened) expect(updateRefused(open, refused, reviews)).toBe(open);
  });
});
