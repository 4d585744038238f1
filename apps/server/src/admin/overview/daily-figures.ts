import { addMs, DAY_MS, type Instant, toInstant } from "@holo/kernel/instant.ts";
import { toKobo, ZERO_COINS } from "@holo/kernel/money.ts";
import { type DayFigures, LAGOS_AHEAD_MS, loadDayFigures } from "../../ledger/ledger.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { Time } from "../../platform/time/time.ts";

/** Figures per day in Lagos, from the ledger. */
export interface DailyFigures {
  /** The last 90 days, today included, oldest first; also days without events. */
  load(): Promise<readonly DayFigures[]>;
}

const DAYS = 90;
/** Transactions begun before midnight have ended by then, so the day's figures are final. */
const SETTLES_MS = 3_600_000;

/** Ledger entries never change, so the figures of a past day are read once and cached. */
export function openDailyFigures({
  queries,
  time,
}: {
  readonly queries: Queries;
  readonly time: Pick<Time, "now">;
}): DailyFigures {
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
