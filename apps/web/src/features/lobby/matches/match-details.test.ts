import { expect, it } from "vitest";
import { toDetailsAction } from "./match-details.ts";

// [MATCH-16 §2] Match Details offers 'Play Now' to the players of an active match, and 'Join Match' to players who
// can take the free seat.
it.each([
  ["pending", null, "Join Match"],
  ["pending", 1, "View"],
  ["active", null, "Watch"],
  ["active", 1, "Play Now"],
  ["active", 2, "Play Now"],
  ["completed", null, "View"],
  ["completed", 2, "View"],
  ["cancelled", 1, "View"],
] as const)("the details of a %s match, seen from seat %s, offer %s [MATCH-16]", (status, seat, action) => {
  expect(toDetailsAction(status, seat)).toBe(action);
});
