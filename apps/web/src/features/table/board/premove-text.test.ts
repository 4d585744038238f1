import { expect, it } from "vitest";
import type { PendingMove } from "../store/table-store.ts";
import { formatPremoveChange } from "./premove-text.ts";

const NOTHING = { premove: null, pending: null } as const;
const KEPT = { premove: { seat: 2, path: [17, 26] }, pending: null } as const;

it("names a premove when it is chosen, and says when it is gone without having been played", () => {
  expect(formatPremoveChange(NOTHING, KEPT)).toBe("Premove: b6 to c5.");
  expect(formatPremoveChange(KEPT, NOTHING)).toBe("Premove dropped.");
});

it("leaves a premove that is played to the words of its move, and says nothing of one that stays", () => {
  const played = { premove: null, pending: { atVersion: 3 } as PendingMove };
  expect(formatPremoveChange(KEPT, played)).toBe("");
  expect(formatPremoveChange(KEPT, { ...KEPT })).toBe("");
  expect(formatPremoveChange(NOTHING, NOTHING)).toBe("");
});
