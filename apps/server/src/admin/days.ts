import { addMs, DAY_MS, type Instant, toInstant } from "@holo/kernel/instant.ts";
import { toKobo, ZERO_COINS } from "@holo/kernel/money.ts";
import { type DayFigures, LAGOS_AHEAD_MS, loadDayFigures } from "../ledger/ledger.ts";
import type { Queries } from "../platform/database.ts";
import type { Time } from "../platform/time.ts";

/** The days of the house in Lagos, each by the ledger. */
export interface Days {
  /** The last 90 and today, the oldest first; those on which nothing happened are among them. */
  load(): Promise<readonly DayFigures[]>;
}

const DAYS = 90;
/** A transaction that began before midnight is over by then: the figures of that day stay what they are. */
const SETTLES_MS = 3_600_000;

/** A day that is over does not change, since entries do not: its figures are read once and kept, so that what is asked for often is today. */
export function openDays({ queries, time }: { readonly queries: Queries; readonly time: Pick<Time, "now"> }): Days {
  const kept = new Map<number, DayFigures>();

  return {
    async load() {
      const now = time.now();
      const today = toDayNumber(now);
      const wanted = Array.from({ length: DAYS }, (_, index) => today - DAYS + 1 + index);
      for (const number of kept.keys()) if (number < wanted[0]!) kept.delete(number);
      const missing = wanted.find((number) => !kept.has(number)) ?? today;
      const read = new Map((await loadDayFigures(queries, toStart(missing))).map((figures) => [figures.day, figures]));
      return wanted.map((number) => {
        const figures = kept.get(number) ?? read.get(toDay(number)) ?? toEmpty(number);
        if (addMs(toStart(number + 1), SETTLES_MS) < now) kept.set(number, figures);
        return figures;
      });
    },
  };
}

function toDayNumber(at: Instant): number {
  return Math.floor((at + LAGOS_AHEAD_MS) / DAY_MS);
}

function toStart(number: number): Instant {
  return toInstant(number * DAY_MS - LAGOS_AHEAD_MS);
}

function toDay(number: number): string {
  return new Date(number * DAY_MS).toISOString().slice(0, 10);
}

function toEmpty(number: number): DayFigures {
  return { day: toDay(number), games: 0, revenue: ZERO_COINS, deposits: toKobo(0n), withdrawals: toKobo(0n) };
}
