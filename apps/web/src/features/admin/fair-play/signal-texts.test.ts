import type { FairPlaySignalView } from "@holo/protocol/admin/fair-play-cases.ts";
import { expect, it } from "vitest";
import { toSignalTexts } from "./signal-texts.ts";

function makeSignal(change: Partial<FairPlaySignalView>): FairPlaySignalView {
  return { name: "thrown", version: 1, class: "play", bits: 8, figures: {}, threshold: 0.1, ...change };
}

// [FAIR-63 §6 r55] Each signal of a case has its figures, its threshold, and who else looks like this.
it("says a signal's figures, its threshold and its honest reading [FAIR-63]", () => {
  const thrown = toSignalTexts(makeSignal({ figures: { thrown: 4, losses: 5, usual: 0.125 } }));
  expect(thrown.found).toBe(
    "4 of 5 losses were given up in positions that weren't lost. Usual for these players: 13%.",
  );
  expect(thrown.threshold).toBe("More than 10%");
  expect(thrown.honest).toContain("Power cuts");
  const figures = { share: 1, captivity: 0.94, quick: 0.5, kept: 0, sources: 1 };
  const captivity = toSignalTexts(makeSignal({ name: "captivity", figures, threshold: 0.6 }));
  expect(captivity.found).toContain("94% are with players who win little elsewhere");
  expect(captivity.honest).toContain("Friends who play each other nightly look like this");
  const series = toSignalTexts(
    makeSignal({ name: "series", bits: -4, figures: { games: 31, thrown: 2 }, threshold: 20 }),
  );
  expect(series.honest).toContain("Speaks for the players");
  const means = toSignalTexts(makeSignal({ name: "means", figures: { strength: 0.86, isDetour: 1, isOfMoney: 0 } }));
  expect(means.found).toBe("Linked at 86%, and the coins came by a detour.");
});

it("shows a signal that it does not know by its names", () => {
  expect(toSignalTexts(makeSignal({ name: "new_rule", figures: { gamesSeen: 1_234.567 } }))).toEqual({
    title: "New rule",
    found: "Games seen 1,234.57",
    threshold: "0.1",
    honest: "",
  });
});
