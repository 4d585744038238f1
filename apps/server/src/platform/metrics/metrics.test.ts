import { expect, it } from "vitest";
import { openMetrics } from "./metrics.ts";

it("counts, and reads a gauge when collected", async () => {
  const metrics = openMetrics({ process: false });
  metrics.counter("holo_moves_total", "moves committed").inc(3);
  let sockets = 1;
  metrics.gauge("holo_sockets", "open sockets", () => sockets);
  metrics.histogram("holo_batch_rows", "rows in a commit", [1, 8]).observe(5);
  sockets = 7;
  const { contentType, body } = await metrics.toText();
  expect(contentType).toContain("text/plain");
  expect(body).toContain("holo_moves_total 3");
  expect(body).toContain("holo_sockets 7");
  expect(body).toContain('holo_batch_rows_bucket{le="8"} 1');
});

it("reads single values and the cumulative counts of a histogram", async () => {
  const metrics = openMetrics({ process: true });
  expect((await metrics.toText()).body).toMatch(/^holo_build_info\{version="\d+\.\d+\.\d+(\+[0-9a-f]{10})?"\} 1$/m);
  metrics.counter("holo_moves_total", "moves committed").inc(3);
  const seconds = metrics.histogram("holo_move_seconds", "time of a move", [0.01, 0.1]);
  for (const value of [0.005, 0.05, 5]) seconds.observe(value);
  expect(await metrics.readValue("holo_moves_total")).toBe(3);
  expect(await metrics.readValue("process_resident_memory_bytes")).toBeGreaterThan(1_000_000);
  expect(await metrics.readValue("holo_nothing")).toBeNull();
  expect(await metrics.readHistogram("holo_moves_total")).toBeNull();
  expect(await metrics.readHistogram("holo_move_seconds")).toEqual({
    count: 3,
    upTo: [
      { bound: 0.01, count: 1 },
      { bound: 0.1, count: 2 },
      { bound: Number.POSITIVE_INFINITY, count: 3 },
    ],
  });
});
