import { describe, expect, it } from "vitest";
import { formatThinkTime, summarizeThinkTimes, toThinkTimes } from "./think-times.ts";

/** Seconds of white and black in turn; `!` marks the only legal move. */
function makeMoves(text: string) {
  return text.split(" ").map((move, index) => ({
    seat: index % 2 === 0 ? (1 as const) : (2 as const),
    chargedMs: Number.parseFloat(move) * 1_000,
    isForced: move.endsWith("!"),
  }));
}

describe("think times", () => {
  it("are summed up for each player, without moves that were no choice", () => {
    const moves = makeMoves("1 9 3 9 0.1! 9 8");
    expect(summarizeThinkTimes(moves, 1)).toEqual({ moves: 3, medianMs: 3_000, longestMs: 8_000 });
    expect(summarizeThinkTimes(makeMoves("1 9 3"), 1).medianMs).toBe(2_000);
    expect(summarizeThinkTimes(makeMoves("1"), 2)).toEqual({ moves: 0, medianMs: null, longestMs: null });
  });

  it("are drawn so that seconds and minutes are both seen", () => {
    const heights = toThinkTimes(makeMoves("0 0.1 3 120 600")).map(({ height }) => height);
    expect(heights).toEqual([0, 0, expect.closeTo(0.48, 2), 1, 1]);
    expect(toThinkTimes(makeMoves("1 2")).map(({ ply, seat }) => [ply, seat])).toEqual([
      [1, 1],
      [2, 2],
    ]);
  });

  it.each([
    [40, "0.0 s"],
    [9_940, "9.9 s"],
    [9_960, "10 s"],
    [59_700, "1 min 00 s"],
    [125_000, "2 min 05 s"],
  ])("writes %i ms as %s", (ms, text) => {
    expect(formatThinkTime(ms)).toBe(text);
  });
});
