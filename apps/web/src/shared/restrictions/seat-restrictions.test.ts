import type { RestrictionsView } from "@holo/protocol/accounts/restrictions.ts";
import { expect, it } from "vitest";
import { findSeatRefusal } from "./find-seat-refusal.ts";
import { findPauseRefusal, isPlayRestricted, isRestricted } from "./seat-restrictions.ts";

const NONE = { value: null, next: null };
const FREE: RestrictionsView = {
  depositDay: NONE,
  depositWeek: NONE,
  depositMonth: NONE,
  stake: NONE,
  session: NONE,
  excludedUntil: null,
  excludedFromFreeUntil: null,
  closingAt: null,
  bannedFor: null,
  moneyHold: null,
  withdrawalsHeldFor: null,
};
const NOW = new Date(2026, 10, 21, 12).getTime();

it("refuses a stake above the player's limit and names the limit", () => {
  const limits = { ...FREE, stake: { value: 2, next: { value: 10, at: NOW + 1 } } };
  expect(findSeatRefusal(limits, 5, NOW)?.text).toContain("2 HC per piece");
  expect(findSeatRefusal(limits, 2, NOW)).toBeNull();
  expect(findSeatRefusal(FREE, 10, NOW)).toBeNull();
  expect(findSeatRefusal(null, 10, NOW)).toBeNull();
});

const AT = new Date(2026, 10, 22, 9, 5).getTime();
const UNTIL = { excludedUntil: AT, excludedFromFreeUntil: AT };

it("refuses every seat during a self-exclusion, before other reasons", () => {
  const limits = { ...FREE, stake: { value: 2, next: null }, ...UNTIL };
  expect(findSeatRefusal(limits, 5, NOW)).toMatchObject({
    title: "You are taking a break",
    text: "You can't deposit or play until tomorrow at 09:05. A break doesn't stop withdrawals.",
  });
});

it("refuses every seat during an account deletion", () => {
  expect(findSeatRefusal({ ...FREE, closingAt: NOW, excludedUntil: NOW + 1 }, 1, NOW)).toMatchObject({
    title: "Your account is closing",
  });
});

it("refuses every seat to a banned player, before their own restrictions", () => {
  const blocked = { ...FREE, bannedFor: "Insults", closingAt: NOW };
  expect(findSeatRefusal(blocked, 1, NOW)).toMatchObject({ title: "Your account is blocked" });
});

it("refuses every seat during a dispute or with a debt, while deposits stay open", () => {
  expect(findSeatRefusal({ ...FREE, moneyHold: "dispute" }, 1, NOW)).toMatchObject({ code: "deposit_disputed" });
  expect(findSeatRefusal({ ...FREE, moneyHold: "debt" }, 1, NOW)?.text).toContain(
    "Your next deposit repays that first",
  );
  for (const moneyHold of ["dispute", "debt"] as const) {
    expect(isRestricted({ ...FREE, moneyHold })).toBe(false);
    expect(isPlayRestricted({ ...FREE, moneyHold })).toBe(false);
    expect(findSeatRefusal({ ...FREE, moneyHold }, 0, NOW)).toBeNull();
  }
});

it("states the rest of a cool-down, rounded up to a minute, and nothing after its end", () => {
  expect(findPauseRefusal(NOW + 5 * 60_000, NOW)).toMatchObject({ code: "paused" });
  expect(findPauseRefusal(NOW + 4 * 60_000 + 1, NOW)?.text).toContain("in 5 min.");
  expect(findPauseRefusal(NOW + 1, NOW)?.text).toContain("in 1 min.");
  expect(findPauseRefusal(NOW, NOW)).toBeNull();
  expect(findPauseRefusal(null, NOW)).toBeNull();
});

it("restricts banned, deleting and self-excluded players, and no others", () => {
  const barred = [{ bannedFor: "Insults" }, { closingAt: NOW }, UNTIL];
  for (const limits of barred) expect(isRestricted({ ...FREE, ...limits })).toBe(true);
  for (const limits of barred) expect(isPlayRestricted({ ...FREE, ...limits })).toBe(true);
  for (const limits of [FREE, null]) {
    expect(isRestricted(limits)).toBe(false);
    expect(isPlayRestricted(limits)).toBe(false);
  }
});

it("leaves free games open during a self-exclusion from stakes", () => {
  const limits = { ...FREE, excludedUntil: AT };
  expect(isRestricted(limits)).toBe(true);
  expect(isPlayRestricted(limits)).toBe(false);
  expect(findSeatRefusal(limits, 0, NOW)).toBeNull();
  expect(findSeatRefusal(limits, 1, NOW)?.text).toBe(
    "You can't deposit or stake coins until tomorrow at 09:05. You can play free games now. A break doesn't stop withdrawals.",
  );
});
