import { expect, it } from "vitest";
import { openMetrics } from "./metrics.ts";

it("counts, and reads a gauge at the moment it is asked", async () => {
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
