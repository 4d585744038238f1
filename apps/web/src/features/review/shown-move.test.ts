import { checkers } from "@holo/checkers/checkers.ts";
import { describe, expect, it } from "vitest";
import type { Rules } from "../../shared/board/game-rules.ts";
import type { Review } from "./load-review.ts";
import { toShownMove, toTryAddress } from "./shown-move.ts";

const rules = checkers as Rules;

/** After c3-d4 and f6-g5, of which the second lost half of black's chance. */
function makeReview(seat: 1 | 2) {
  const start = rules.start();
  const first = rules.play(start, [42, 35]);
  if (!first.ok) throw new Error("c3-d4 is legal");
  const second = rules.play(first.value.position, [21, 30]);
  if (!second.ok) throw new Error("f6-g5 is legal");
  const moves = [first.value, second.value].map(({ move }, ply) => ({
    move,
    text: ["c3-d4", "f6-g5"][ply]!,
    seat: ply === 0 ? (1 as const) : (2 as const),
    isForced: false,
  }));
  const positions = [start, first.value.position, second.value.position];
  const review = { rules, seat, reviewed: { game: "checkers", moves, positions } } as unknown as Review;
  const evaluations = [
    { whiteChance: 50, best: { path: [42, 35] } },
    { whiteChance: 50, best: { path: [17, 24] } },
    { whiteChance: 90, best: null },
  ];
  const show = (ply: number) => toShownMove(review, ply, evaluations[ply - 1], evaluations[ply]);
  return { review, show };
}

describe("the shown move", () => {
  it("has the better move and the viewer's chances", () => {
    const { show } = makeReview(2);
    expect(show(0)).toBeNull();
    expect(show(1)).toMatchObject({ isOwn: false, better: null, ownChances: [50, 50] });
    expect(show(2)).toMatchObject({ isOwn: true, better: { text: "b6-a5" }, ownChances: [50, 10] });
    expect(makeReview(1).show(2)).toMatchObject({ isOwn: false, ownChances: [50, 90] });
  });

  // [REVIEW-05 §-] "Try it" plays on from the shown position against the computer, in the own colour; at an own wrong
  // move from the position before it.
  it("is played on from in the own colour, an own wrong move from before it [REVIEW-05]", () => {
    const addresses = ([1, 2] as const).map((seat) => {
      const { review, show } = makeReview(seat);
      return new URLSearchParams(toTryAddress(review, 2, show(2))?.split("?")[1]);
    });
    const positions = makeReview(1).review.reviewed.positions.map((position) => rules.formatPosition(position));
    expect(addresses.map((query) => [query.get("game"), query.get("as"), query.get("fen")])).toEqual([
      ["checkers", "white", positions[2]],
      ["checkers", "black", positions[1]],
    ]);
  });
});
