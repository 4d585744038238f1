import type { OutageMeter } from "../time/outage-meter.ts";

export interface TestOutages extends OutageMeter {
  setServed(isServed: boolean): void;
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
