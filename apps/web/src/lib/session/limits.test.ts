import type { LimitView, RestrictionsView } from "@holo/protocol/accounts/restrictions.ts";
import { expect, it } from "vitest";
import { toChangeAt, toLimitsAt } from "./limits.ts";

const NONE: LimitView = { value: null, next: null };
const RAISED: LimitView = { value: 2, next: { value: 10, at: 2_000 } };
const LIMITS: RestrictionsView = {
  depositDay: NONE,
  depositWeek: NONE,
  depositMonth: { value: 500_000, next: { value: null, at: 3_000 } },
  stake: RAISED,
  session: { value: 60, next: null },
  excludedUntil: 4_000,
  excludedFromFreeUntil: 3_000,
  closingAt: null,
  bannedFor: null,
  moneyHold: null,
  withdrawalsHeldFor: null,
};

it("applies each pending change at its own time", () => {
  expect(toLimitsAt(LIMITS, 1_999)).toEqual(LIMITS);
  expect(toLimitsAt(LIMITS, 2_000)).toEqual({ ...LIMITS, stake: { value: 10, next: null } });
  const last = toLimitsAt(LIMITS, 4_000);
  expect(last).toMatchObject({ depositMonth: NONE, session: { value: 60 }, excludedUntil: null });
  expect(toLimitsAt(LIMITS, 3_000)).toMatchObject({ excludedUntil: 4_000, excludedFromFreeUntil: null });
});

it("finds the earliest change ahead", () => {
  expect(toChangeAt(LIMITS, 0)).toBe(2_000);
  expect(toChangeAt(LIMITS, 2_000)).toBe(3_000);
  expect(toChangeAt(LIMITS, 3_000)).toBe(4_000);
  expect(toChangeAt(LIMITS, 4_000)).toBeNull();
});
