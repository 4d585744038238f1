import { SECOND_MS } from "@holo/kernel/instant.ts";
import type { HistogramReading, Metrics } from "./metrics.ts";
import type { Time } from "./time.ts";
import type { TimerWheel } from "./timer-wheel.ts";

/** How often something happened of late and how long it took. */
export interface RecentFigures {
  readonly perSecond: number;
  /** Seconds that 99 of 100 did not exceed; null where there were none. */
  readonly p99Seconds: number | null;
}

/** What a histogram counted of late: it counts from the process's start, so that two readings make a rate. */
export interface RecentHistogram {
  /** Of the last minute; of the time since the start where that is shorter. */
  read(): Promise<RecentFigures>;
  stop(): void;
}

const SAMPLE_EVERY_MS = 5 * SECOND_MS;
/** A minute's, and the one that is a minute old; a machine that slept has older ones. */
const KEPT_MS = 65 * SECOND_MS;
/** Two readings nearer to each other make no rate. */
const SPAN_MS_MIN = SECOND_MS;

interface Sample {
  readonly atMs: number;
  readonly reading: HistogramReading;
}

const NOTHING: HistogramReading = { count: 0, upTo: [] };

export interface RecentHistogramOptions {
  readonly metrics: Pick<Metrics, "readHistogram">;
  /** Of a histogram of seconds. */
  readonly name: string;
  readonly time: Pick<Time, "monotonicMs">;
  readonly wheel: Pick<TimerWheel, "schedule">;
}

/** Reads the histogram every five seconds from now on and keeps a minute of readings. */
export function openRecentHistogram({ metrics, name, time, wheel }: RecentHistogramOptions): RecentHistogram {
  const samples: Sample[] = [];
  let cancel = (): void => undefined;
  let isStopped = false;

  async function take(): Promise<Sample> {
    return { atMs: time.monotonicMs(), reading: (await metrics.readHistogram(name)) ?? NOTHING };
  }

  function forget(nowMs: number): void {
    while (samples[0] !== undefined && samples[0].atMs < nowMs - KEPT_MS) samples.shift();
  }

  async function keep(): Promise<void> {
    const sample = await take();
    if (isStopped) return;
    forget(sample.atMs);
    samples.push(sample);
    cancel = wheel.schedule(sample.atMs + SAMPLE_EVERY_MS, () => void keep());
  }

  void keep();

  return {
    async read() {
      const now = await take();
      forget(now.atMs);
      const first = samples[0] ?? now;
      const spanMs = Math.max(now.atMs - first.atMs, SPAN_MS_MIN);
      return {
        perSecond: ((now.reading.count - first.reading.count) * SECOND_MS) / spanMs,
        p99Seconds: toQuantile(0.99, first.reading, now.reading),
      };
    },
    stop() {
      isStopped = true;
      cancel();
    },
  };
}

/**
 * The value that a share of what was counted between two readings did not exceed, as if it lay evenly between the bounds around it: as
 * Prometheus reads histograms. What lies above the highest bound is told as that bound. Null where nothing was counted.
 */
export function toQuantile(share: number, from: HistogramReading, to: HistogramReading): number | null {
  const steps = to.upTo.map(({ bound, count }, index) => ({ bound, count: count - (from.upTo[index]?.count ?? 0) }));
  const wanted = share * (steps.at(-1)?.count ?? 0);
  if (wanted <= 0) return null;
  const index = steps.findIndex(({ count }) => count >= wanted);
  const [below, at] = [steps[index - 1] ?? { bound: 0, count: 0 }, steps[index]];
  if (at === undefined || at.bound === Number.POSITIVE_INFINITY) return below.bound;
  return below.bound + (at.bound - below.bound) * ((wanted - below.count) / (at.count - below.count));
}
