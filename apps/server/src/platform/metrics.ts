import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** Where a process counts what it does. Each server has its own registry, so that two in one test do not meet. */
export interface Metrics {
  counter(name: string, help: string): Counter;
  gauge(name: string, help: string, read?: () => number): Gauge;
  histogram(name: string, help: string, buckets: readonly number[]): Histogram;
  /** All of them in the text format of Prometheus, with the content type to send. */
  toText(): Promise<{ readonly contentType: string; readonly body: string }>;
}

/** Metrics are named `holo_<what>_<unit>`; with `process` the runtime's own (memory, event loop lag) are added. */
export function openMetrics(options: { readonly process: boolean }): Metrics {
  const registry = new Registry();
  if (options.process) collectDefaultMetrics({ register: registry });
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
    histogram: (name, help, buckets) => new Histogram({ name, help, buckets: [...buckets], registers: [registry] }),
    toText: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
  };
}
