import type { DayView } from "@holo/protocol/admin/overview.ts";
import { expect, test } from "vitest";
import {
  DAY_SERIES,
  formatDay,
  formatFigure,
  formatLongDay,
  formatScale,
  toDayPoints,
  toScaleTop,
  toTotal,
} from "./day-series.ts";

const DAYS: readonly DayView[] = [
  { day: "2026-10-31", games: 2, revenue: "17760000", depositsKobo: 500_000, withdrawalsKobo: 0 },
  { day: "2026-11-01", games: 1, revenue: "8880001", depositsKobo: 1_250_050, withdrawalsKobo: 600_000 },
];

test("sums each figure exactly, in micro-coins and kobo", () => {
  const totals = DAY_SERIES.map((series) => [series.title, formatFigure(toTotal(series, DAYS), series.unit)]);
  expect(totals).toEqual([
    ["Revenue per day", "26.64 HC"],
    ["Games per day", "3"],
    ["Deposits per day", "₦17,500.50"],
    ["Withdrawals per day", "₦6,000"],
  ]);
  expect(toTotal(DAY_SERIES[0]!, DAYS)).toBe(26_640_001n);
});

test("converts points to whole coins and naira, one per day", () => {
  expect(toDayPoints(DAY_SERIES[0]!, DAYS).map(({ value }) => value)).toEqual([17.76, 8.880001]);
  const [first, second] = toDayPoints(DAY_SERIES[2]!, DAYS);
  expect([first?.value, second?.value]).toEqual([5_000, 12_500.5]);
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBe(86_400_000);
});

test("draws deposits and withdrawals to one scale that covers both", () => {
  expect(DAY_SERIES.map(({ unit }) => formatScale(toScaleTop(unit, DAYS), unit))).toEqual([
    "20 HC",
    "2",
    "₦15,000",
    "₦15,000",
  ]);
});

test("names a day in Lagos time in any time zone", () => {
  expect([formatDay("2026-11-01"), formatLongDay("2026-11-01")]).toEqual(["1 Nov", "Sun, 1 Nov 2026"]);
});
