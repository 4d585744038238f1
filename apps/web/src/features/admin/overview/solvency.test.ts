import type { SolvencyView } from "@holo/protocol/admin/overview.ts";
import { describe, expect, it } from "vitest";
import { describeSolvency, toBarPercent } from "./solvency.tsx";

function stand(providerKobo: number | null, onTheWayKobo = 0): SolvencyView {
  const owedKobo = 2_000_000;
  const differenceKobo = providerKobo === null ? null : providerKobo - owedKobo;
  return { owedCoins: "65359477", owedKobo, onTheWayKobo, providerKobo, differenceKobo };
}

describe("the solvency text", () => {
  it("is covered to the kobo, and not with a kobo less", () => {
    expect(describeSolvency(stand(2_000_000))).toEqual({
      kind: "covered",
      text: "Covered: the provider holds exactly what players are owed.",
    });
    expect(describeSolvency(stand(2_000_001)).text).toBe(
      "Covered: the provider holds ₦0.01 more than players are owed.",
    );
    expect(describeSolvency(stand(1_999_999))).toEqual({
      kind: "short",
      text: "Not covered: the provider holds ₦0.01 less than players are owed.",
    });
  });

  it("names withdrawals that may explain a shortfall", () => {
    expect(describeSolvency(stand(1_500_000, 600_000)).text).toBe(
      "Not covered: the provider holds ₦5,000 less than players are owed. " +
        "Up to ₦6,000 of that may be withdrawals that have left it already.",
    );
  });

  it("is unknown without an answer of the provider, and draws no bar", () => {
    expect(describeSolvency(stand(null)).kind).toBe("unknown");
    expect(toBarPercent(stand(null))).toBeNull();
  });

  it("draws the debt as a share of the larger amount", () => {
    expect(toBarPercent(stand(4_000_000))).toBe(50);
    expect(toBarPercent(stand(500_000))).toBe(25);
    expect(toBarPercent(stand(-1))).toBe(0);
  });
});
