import { describe, expect, it } from "vitest";
import { formatFutureTime, formatRelativeTime, formatRelativeTimeWithin } from "./relative-time.ts";

const NOW = new Date(2026, 10, 21, 12, 30).getTime();

describe("relative time", () => {
  it.each([
    [-5_000, "just now"],
    [59_999, "just now"],
    [60_000, "1 min ago"],
    [59 * 60_000, "59 min ago"],
    [60 * 60_000, "1 h ago"],
    [24 * 3_600_000 - 1, "23 h ago"],
    [24 * 3_600_000, "Yesterday"],
  ])("is told for an age of %i ms as %s", (ageMs, text) => {
    expect(formatRelativeTime(NOW - ageMs, NOW)).toBe(text);
  });

  it("becomes a date once yesterday is over", () => {
    expect(formatRelativeTime(new Date(2026, 10, 19, 23, 59).getTime(), NOW)).toBe("Thu 19 Nov");
  });

  it("starts with a lower-case letter within a sentence, except for weekdays", () => {
    expect(formatRelativeTimeWithin(NOW - 24 * 3_600_000, NOW)).toBe("yesterday");
    expect(formatRelativeTimeWithin(NOW - 60_000, NOW)).toBe("1 min ago");
    expect(formatRelativeTimeWithin(new Date(2026, 10, 19, 23, 59).getTime(), NOW)).toBe("Thu 19 Nov");
  });

  it("names the year when it differs", () => {
    expect(formatRelativeTime(new Date(2025, 11, 31).getTime(), NOW)).toBe("Wed 31 Dec 2025");
  });
});

describe("a future instant", () => {
  it.each([
    [new Date(2026, 10, 21, 14, 5), "today at 14:05"],
    [new Date(2026, 10, 21, 23, 59), "today at 23:59"],
    [new Date(2026, 10, 22, 0, 0), "tomorrow at 00:00"],
    [new Date(2026, 10, 23, 9, 30), "Mon 23 Nov at 09:30"],
    [new Date(2027, 0, 1, 9, 30), "Fri 1 Jan 2027 at 09:30"],
  ])("is shown as its day and minute: %s", (moment, text) => {
    expect(formatFutureTime(moment.getTime(), NOW)).toBe(text);
  });
});
