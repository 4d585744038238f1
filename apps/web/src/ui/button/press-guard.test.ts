import { describe, expect, it } from "vitest";
import { followPlace, hasSettledUnder, type Place, type PlaceTrack, type Point } from "./press-guard.ts";

const at = (left: number): Place => ({ left, top: 0, right: left + 80, bottom: 44 });
const AWAY: Point = { x: 500, y: 500 };

/** Followed from 0 ms on, each step at its own instant. */
function track(...steps: readonly (readonly [now: number, place: Place, mouse?: Point | null])[]): PlaceTrack {
  return steps.reduce<PlaceTrack | null>(
    (before, [now, place, mouse = null]) => followPlace(before, place, now, mouse),
    null,
  )!;
}

describe("a press counts [GAME-22]", () => {
  it("half a second after the button appeared", () => {
    const still = track([0, at(0)], [400, at(0)]);
    expect(hasSettledUnder(still, { x: 40, y: 20 }, 499)).toBe(false);
    expect(hasSettledUnder(still, { x: 40, y: 20 }, 500)).toBe(true);
  });

  it("half a second after it moved, or at once where it has been all the time", () => {
    const moved = track([0, at(0)], [1_000, at(60)]);
    expect(hasSettledUnder(moved, { x: 120, y: 20 }, 1_400)).toBe(false);
    expect(hasSettledUnder(moved, { x: 70, y: 20 }, 1_400)).toBe(true);
    const later = followPlace(moved, at(60), 1_500, null);
    expect(hasSettledUnder(later, { x: 120, y: 20 }, 1_500)).toBe(true);
    expect(hasSettledUnder(later, { x: 20, y: 20 }, 1_500)).toBe(false);
  });

  it("not before a resting mouse has left a button that came under it", () => {
    const mouse = { x: 120, y: 20 };
    const slipped = track([0, at(0), mouse], [1_000, at(60), mouse], [9_000, at(60), mouse]);
    expect(hasSettledUnder(slipped, mouse, 9_000)).toBe(false);
    const left = track([0, at(0), mouse], [1_000, at(60), mouse], [9_000, at(60), AWAY], [9_100, at(60), mouse]);
    expect(hasSettledUnder(left, mouse, 9_100)).toBe(true);
  });

  it("half a second after a hidden button is shown", () => {
    const hidden = { left: 0, top: 0, right: 0, bottom: 0 };
    const shown = track([0, hidden], [1_000, at(60)], [1_400, at(60)]);
    expect(hasSettledUnder(shown, { x: 100, y: 20 }, 1_499)).toBe(false);
    expect(hasSettledUnder(followPlace(shown, at(60), 1_500, null), { x: 100, y: 20 }, 1_500)).toBe(true);
  });
});
