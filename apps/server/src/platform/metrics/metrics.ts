import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

import { loadVersion } from "../build.ts";

export interface HistogramReading {
  readonly count: number;
  /** Cumulative counts by ascending upper bound; the last bound is infinity. */
  readonly upTo: readonly { readonly bound: number; readonly count: number }[];
}

/**
 * Metrics of one server. Each server has its own registry, so that two in one test do not collide.
 */
export interface Metrics {
  counter(name: string, help: string): Counter;
  gauge(name: string, help: string, read?: () => number): Gauge;
  histogram<Label extends string = never>(
    name: string,
    help: string,
    buckets: readonly number[],
    labels?: readonly Label[],
  ): Histogram<Label>;
  readValue(name: string): Promise<number | null>;
  readHistogram(name: string): Promise<HistogramReading | null>;
  toText(): Promise<{ readonly contentType: string; readonly body: string }>;
}

/**
 * Metrics are named `holo_<what>_<unit>`. `process` adds the runtime's own (memory, event loop
 * lag).
 */
export function openMetrics(options: { readonly process: boolean }): Metrics {
  const registry = new Registry();
  if (options.process) {
    collectDefaultMetrics({ register: registry });
    const help = "always 1; the label names the release";
    const registers = [registry];
    new Gauge({ name: "holo_build_info", help, labelNames: ["version"], registers }).set({ version: loadVersion() }, 1);
  }
  return {
    counter: (name, help) => new Counter({ name, help, registers: [registry] }),
    gauge: (name, help, read) =>
      new Gauge({
        name,
        help,
        registers: [registry],
        ...(read && {
          collect() {
            this.set(read());
          },
        }),
      }),
    histogram: (name, help, buckets, labels = []) =>
      new Histogram({ name, help, buckets: [...buckets], labelNames: [...labels], registers: [registry] }),
    async readValue(name) {
      const metric = await registry.getSingleMetric(name)?.get();
      return metric?.values[0]?.value ?? null;
    },
    async readHistogram(name) {
      const metric = registry.getSingleMetric(name);
      if (!(metric instanceof Histogram)) return null;
      const { values } = await metric.get();
      const upTo = values
        .filter(({ metricName }) => metricName === `${name}_bucket`)
        .map(({ labels, value }) => ({ bound: Number(String(labels.le).replace("+Inf", "Infinity")), count: value }));
      return { count: upTo.at(-1)?.count ?? 0, upTo };
    },
    toText: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
  };
}
