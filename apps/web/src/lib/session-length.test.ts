import { MINUTE_MS } from "@holo/kernel/instant.ts";
import { expect, it } from "vitest";
import { isReminderDue, toSeen } from "./session-length.ts";

const START = Date.UTC(2026, 10, 21, 12);

it("goes on while it is seen, also over a reload, and begins anew after a pause", () => {
  const first = toSeen(null, START);
  expect(first).toEqual({ startedAt: START, seenAt: START, remindedAt: START });
  const later = START + 14 * MINUTE_MS;
  expect(toSeen(first, later)).toEqual({ ...first, seenAt: later });
  expect(toSeen(first, START + 15 * MINUTE_MS).startedAt).toBe(START + 15 * MINUTE_MS);
});

it("begins anew where the device's clock was set back", () => {
  expect(toSeen(toSeen(null, START), START - 1).startedAt).toBe(START - 1);
});

it("is reminded of each time so many minutes have passed", () => {
  const session = toSeen(null, START);
  expect(isReminderDue(session, 30, START + 30 * MINUTE_MS - 1)).toBe(false);
  expect(isReminderDue(session, 30, START + 30 * MINUTE_MS)).toBe(true);
  expect(isReminderDue({ ...session, remindedAt: START + 30 * MINUTE_MS }, 30, START + 59 * MINUTE_MS)).toBe(false);
});
