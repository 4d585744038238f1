import { assertNever } from "@holo/kernel/assert.ts";
import { type Coins, formatCoins, formatNaira, type Kobo, MICRO_PER_HC } from "@holo/kernel/money.ts";
import type { DayView } from "@holo/protocol/admin/overview.ts";
import type { PlotPoint } from "../../../ui/data/plot-path.ts";
import { toScaleMax } from "../../../ui/data/plot-path.ts";

/** Series of one unit share a scale, so that they can be compared. */
type Unit = "coins" | "games" | "naira";

export interface DaySeries {
  readonly title: string;
  readonly unit: Unit;
  /** Exact: micro-coins or kobo. */
  readonly read: (day: DayView) => bigint;
}

export const DAY_SERIES: readonly DaySeries[] = [
  { title: "Revenue per day", unit: "coins", read: ({ revenue }) => BigInt(revenue) },
  { title: "Games per day", unit: "games", read: ({ games }) => BigInt(games) },
  { title: "Deposits per day", unit: "naira", read: ({ depositsKobo }) => BigInt(depositsKobo) },
  { title: "Withdrawals per day", unit: "naira", read: ({ withdrawalsKobo }) => BigInt(withdrawalsKobo) },
];

const WHOLE = new Intl.NumberFormat("en-GB");
const KOBO_PER_NAIRA = 100;

export function formatFigure(value: bigint, unit: Unit): string {
  switch (unit) {
    case "coins":
      return `${formatCoins(value as Coins)} HC`;
    case "games":
      return WHOLE.format(value);
    case "naira":
      return formatNaira(value as Kobo);
    default:
      return assertNever(unit);
  }
}

export function formatScale(value: number, unit: Unit): string {
  if (unit === "naira") return `₦${WHOLE.format(value)}`;
  return unit === "coins" ? `${WHOLE.format(value)} HC` : WHOLE.format(value);
}

export function toDayPoints({ read, unit }: DaySeries, days: readonly DayView[]): readonly PlotPoint[] {
  const perOne = unit === "coins" ? Number(MICRO_PER_HC) : unit === "naira" ? KOBO_PER_NAIRA : 1;
  return days.map((day) => ({ at: Date.parse(day.day), value: Number(read(day)) / perOne }));
}

export function toTotal({ read }: DaySeries, days: readonly DayView[]): bigint {
  return days.reduce((sum, day) => sum + read(day), 0n);
}

export function toScaleTop(unit: Unit, days: readonly DayView[]): number {
  const drawn = DAY_SERIES.filter((series) => series.unit === unit).flatMap((series) => toDayPoints(series, days));
  return toScaleMax(Math.max(...drawn.map(({ value }) => value)));
}

const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
const LONG_DAY = new Intl.DateTimeFormat("en-GB", {
  weekday: "short",
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});

/** "21 Nov", in any time zone. `day` is YYYY-MM-DD, a day in Lagos. */
export function formatDay(day: string): string {
  return DAY.format(Date.parse(day));
}

export function formatLongDay(day: string): string {
  return LONG_DAY.format(Date.parse(day));
}
