import type { SolvencyView } from "@holo/protocol/admin/money.ts";
import { describe, expect, it } from "vitest";
import { describeSolvency, toOwedPercent } from "./solvency-text.ts";

function stand(providerKobo: number | null, onTheWayKobo = 0): SolvencyView {
  const owedKobo = 2_000_000;
  const differenceKobo = providerKobo === null ? null : providerKobo - owedKobo;
  return { owedCoins: "65359477", owedKobo, onTheWayKobo, providerKobo, differenceKobo, askedAt: 0 };
}

describe("whether players' money is there", () => {
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

  it("names what may have left already where something is missing", () => {
    expect(describeSolvency(stand(1_500_000, 600_000)).text).toBe(
      "Not covered: the provider holds ₦5,000 less than players are owed. " +
        "Up to ₦6,000 of that may be withdrawals that have left it already.",
    );
  });

  it("is told as unknown while the provider does not answer, and drawn as nothing", () => {
    expect(describeSolvency(stand(null)).kind).toBe("unknown");
    expect(toOwedPercent(stand(null))).toBeNull();
  });

  it("is drawn as a part of the larger of both", () => {
    expect(toOwedPercent(stand(4_000_000))).toBe(50);
    expect(toOwedPercent(stand(500_000))).toBe(25);
    expect(toOwedPercent(stand(-1))).toBe(0);
  });
});
