import { MINUTE_MS } from "@holo/kernel/instant.ts";
import { expect, it } from "vitest";
import { continueSession, formatLength, toReminderAt } from "./session-reminder.tsx";

const START = Date.UTC(2026, 10, 21, 12);
const first = continueSession(null, "ada", START);

it("continues over a reload and restarts after a break", () => {
  expect(first).toEqual({ playerId: "ada", startedAt: START, seenAt: START, remindedAt: START });
  const later = START + 14 * MINUTE_MS;
  expect(continueSession(first, "ada", later)).toEqual({ ...first, seenAt: later });
  expect(continueSession(first, "ada", START + 15 * MINUTE_MS).startedAt).toBe(START + 15 * MINUTE_MS);
});

it("belongs to one player and restarts if the device's clock goes back", () => {
  expect(continueSession(first, "bola", START + MINUTE_MS)).toMatchObject({
    playerId: "bola",
    startedAt: START + MINUTE_MS,
  });
  expect(continueSession(first, "ada", START - 1).startedAt).toBe(START - 1);
});

it("is due for a reminder after an interval, and after each reminder", () => {
  expect(toReminderAt(first, 30)).toBe(START + 30 * MINUTE_MS);
  expect(toReminderAt({ ...first, remindedAt: START + 31 * MINUTE_MS }, 30)).toBe(START + 61 * MINUTE_MS);
});

it("is formatted in hours and minutes", () => {
  const lengths = [0.5, 1, 45, 60, 61, 125].map((minutes) => formatLength(minutes * MINUTE_MS));
  expect(lengths).toEqual([
    "less than a minute",
    "1 minute",
    "45 minutes",
    "1 hour",
    "1 hour 1 minute",
    "2 hours 5 minutes",
  ]);
});
