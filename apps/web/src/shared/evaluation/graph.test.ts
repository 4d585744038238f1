import { describe, expect, it } from "vitest";
import { describeChances, toGraphArea, toGraphLine } from "./graph.ts";

describe("the graph of the chances", () => {
  it("has a point per position, high for a good chance", () => {
    expect(toGraphLine([50, 62.34, 0])).toBe("M0 50L1 37.7L2 100");
    expect(toGraphArea([50, 100])).toBe("M0 50L1 0V100H0Z");
    expect([toGraphLine([]), toGraphArea([])]).toEqual(["", ""]);
  });

  // [REVIEW-04 §-] The graph of the viewer's chance to win is described in words, and its slider says the shown move.
  it("is described once it is complete [REVIEW-04]", () => {
    expect(describeChances("Your", [50, 61], 2)).toBe("");
    expect(describeChances("Your", [50, 61, 20], 2)).toBe(
      "Your chance to win was highest with 61% after move 1, lowest with 20% after move 1, 20% at the end.",
    );
    expect(describeChances("Your", [50, 30, 100], 2)).toContain("highest with 100% after move 1, lowest with 30%");
  });
});
