import { SECOND_MS } from "@holo/kernel/instant.ts";
import type { Time } from "../time/time.ts";
import type { TimerWheel } from "../time/timer-wheel.ts";
import type { HistogramReading, Metrics } from "./metrics.ts";

interface RecentFigures {
  readonly perSecond: number;
  /** The 99th percentile in seconds; null without events. */
  readonly p99Seconds: number | null;
}

export interface RecentHistogram {
  /** Covers the last minute, or the time since the start if shorter. */
  read(): Promise<RecentFigures>;
  stop(): void;
}

const SAMPLE_EVERY_MS = 5 * SECOND_MS;
/** One minute plus the sample that is a minute old. */
const KEPT_MS = 65 * SECOND_MS;
/** Readings closer together give no meaningful rate. */
const SPAN_MS_MIN = SECOND_MS;

interface Sample {
  readonly atMs: number;
  readonly reading: HistogramReading;
}

const NOTHING: HistogramReading = { count: 0, upTo: [] };

interface RecentHistogramDeps {
  readonly metrics: Pick<Metrics, "readHistogram">;
  /** A histogram of seconds. */
  readonly name: string;
  readonly time: Pick<Time, "monotonicMs">;
  readonly wheel: Pick<TimerWheel, "schedule">;
}

export function openRecentHistogram({ metrics, name, time, wheel }: RecentHistogramDeps): RecentHistogram {
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
 * The quantile of what was counted between two readings, interpolated within a bucket as Prometheus
 * does. Values above the highest finite bound give that bound. Null without events.
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
