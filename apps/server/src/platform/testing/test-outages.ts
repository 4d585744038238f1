import type { OutageMeter } from "../time/outage-meter.ts";

/** An outage meter whose readings a test sets. */
export interface TestOutages extends OutageMeter {
  setServed(isServed: boolean): void;
  /** The process or the database was away for so long. */
  lose(ms: number): void;
}

export function makeTestOutages(): TestOutages {
  let isServed = true;
  let lostMs = 0;
  return {
    lostMs: () => lostMs,
    isServed: () => isServed,
    noteAnswer: () => undefined,
    setServed(served) {
      isServed = served;
    },
    lose(ms) {
      lostMs += ms;
    },
  };
}
