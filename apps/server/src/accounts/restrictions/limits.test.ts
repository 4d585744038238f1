import { addMs, DAY_MS, HOUR_MS, type Instant, toInstant } from "@holo/kernel/instant.ts";
import { describe, expect, test } from "vitest";
import {
  changeLimit,
  findExceededLimit,
  NO_LIMIT,
  type PlayerLimit,
  type PlayerLimits,
  toExclusionEnd,
  toLimitAt,
} from "./limits.ts";

const NOW = toInstant(Date.UTC(2026, 10, 21, 12));
const NONE: PlayerLimits = {
  depositDay: NO_LIMIT,
  depositWeek: NO_LIMIT,
  depositMonth: NO_LIMIT,
  stake: NO_LIMIT,
  session: NO_LIMIT,
};

const later = (ms: number): Instant => addMs(NOW, ms);
const fixed = (value: number | null): PlayerLimit => ({ value, next: null });

function change(before: PlayerLimit, wanted: number | null, at = NOW): PlayerLimit {
  const changed = changeLimit("depositDay", before, wanted, at);
  if (!changed.ok) throw new Error(changed.refusal);
  return changed.value;
}

describe("a limit", () => {
  test("applies at once if set for the first time or lowered", () => {
    expect(change(NO_LIMIT, 1_000_000)).toEqual(fixed(1_000_000));
    expect(change(fixed(1_000_000), 500_000)).toEqual(fixed(500_000));
    expect(change(fixed(1_000_000), 0)).toEqual(fixed(0));
  });

  test.each([[2_000_000], [null]])("raised to %d applies exactly one day later", (wanted) => {
    const raised = change(fixed(1_000_000), wanted);
    expect(raised).toEqual({ value: 1_000_000, next: { value: wanted, at: later(DAY_MS) } });
    expect(toLimitAt(raised, later(DAY_MS - 1))).toEqual(raised);
    expect(toLimitAt(raised, later(DAY_MS))).toEqual(fixed(wanted));
  });

  test("drops a pending increase if the current value or less is requested", () => {
    const raised = change(fixed(1_000_000), 2_000_000);
    expect(change(raised, 1_000_000)).toEqual(fixed(1_000_000));
    expect(change(raised, 600_000)).toEqual(fixed(600_000));
  });

  test("restarts the delay for more than the pending value only", () => {
    const raised = change(fixed(1_000_000), 2_000_000);
    expect(change(raised, 2_000_000, later(HOUR_MS)).next).toEqual({ value: 2_000_000, at: later(DAY_MS) });
    expect(change(raised, 1_500_000, later(HOUR_MS)).next).toEqual({ value: 1_500_000, at: later(DAY_MS) });
    expect(change(raised, 3_000_000, later(HOUR_MS)).next).toEqual({ value: 3_000_000, at: later(DAY_MS + HOUR_MS) });
    expect(change(raised, null, later(HOUR_MS)).next).toEqual({ value: null, at: later(DAY_MS + HOUR_MS) });
  });

  test("is changed from the pending value once that applies", () => {
    const raised = change(fixed(1_000_000), 2_000_000);
    expect(change(raised, 1_500_000, later(DAY_MS))).toEqual(fixed(1_500_000));
  });

  test.each([
    ["depositDay", -1],
    ["depositWeek", 0.5],
    ["depositMonth", 100_000_000_001],
    ["stake", 3],
    ["stake", 0],
    ["session", 4],
    ["session", 721],
    ["session", 7.5],
  ] as const)("of %s cannot be %d", (kind, wanted) => {
    expect(changeLimit(kind, NO_LIMIT, wanted, NOW)).toEqual({ ok: false, refusal: "bad_limit" });
  });
});

describe("one more deposit", () => {
  const deposits = [
    { kobo: 500_000n, at: later(-HOUR_MS) },
    { kobo: 700_000n, at: later(-2 * DAY_MS) },
    { kobo: 900_000n, at: later(-20 * DAY_MS) },
    { kobo: 9_000_000n, at: later(-30 * DAY_MS) },
  ];

  test("exceeds no limit if there is none, or up to the exact kobo", () => {
    expect(findExceededLimit(NONE, deposits, 10_000_000n, NOW)).toBeNull();
    const limits = {
      ...NONE,
      depositDay: fixed(1_000_000),
      depositWeek: fixed(1_700_000),
      depositMonth: fixed(2_600_000),
    };
    expect(findExceededLimit(limits, deposits, 500_000n, NOW)).toBeNull();
  });

  test.each([
    [{ depositDay: fixed(1_000_000) }, { period: "day", limitKobo: 1_000_000n, leftKobo: 500_000n }],
    [{ depositWeek: fixed(1_700_000) }, { period: "week", limitKobo: 1_700_000n, leftKobo: 500_000n }],
    [{ depositMonth: fixed(2_000_000) }, { period: "month", limitKobo: 2_000_000n, leftKobo: 0n }],
    [
      { depositDay: fixed(1_000_000), depositWeek: fixed(1_300_000) },
      { period: "week", limitKobo: 1_300_000n, leftKobo: 100_000n },
    ],
  ] as const)("passes the one of %j that leaves least", (limits, passed) => {
    expect(findExceededLimit({ ...NONE, ...limits }, deposits, 500_001n, NOW)).toEqual(passed);
  });

  test("is checked against the current value, and a pending one once it applies", () => {
    const limits = { ...NONE, depositDay: { value: 1_000_000, next: { value: null, at: later(DAY_MS) } } };
    expect(findExceededLimit(limits, [], 1_000_001n, later(DAY_MS - 1))?.period).toBe("day");
    expect(findExceededLimit(limits, [], 1_000_001n, later(DAY_MS))).toBeNull();
  });

  test("counts deposits of the last 24 hours, regardless of midnight", () => {
    const limits = { ...NONE, depositDay: fixed(500_000) };
    expect(findExceededLimit(limits, deposits, 1n, later(23 * HOUR_MS - 1))?.leftKobo).toBe(0n);
    expect(findExceededLimit(limits, deposits, 500_000n, later(23 * HOUR_MS))).toBeNull();
  });
});

test("ends a self-exclusion after its term", () => {
  expect(toExclusionEnd("day", NOW)).toBe(later(DAY_MS));
  expect(toExclusionEnd("week", NOW)).toBe(later(7 * DAY_MS));
  expect(toExclusionEnd("month", NOW)).toBe(later(30 * DAY_MS));
  expect(toExclusionEnd("half_year", NOW)).toBe(later(183 * DAY_MS));
});
