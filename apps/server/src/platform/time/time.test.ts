import { addMs, HOUR_MS, toInstant } from "@holo/kernel/instant.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "../database/database.ts";
import { fromTimestamp, toTimestamp } from "../database/timestamp.ts";
import { createTestDatabase } from "../testing/test-database.ts";
import { makeTestTime } from "../testing/test-time.ts";
import { makeSlewedClock, openTime } from "./time.ts";

describe("a slewed clock", () => {
  it("follows the monotonic clock from its anchor", () => {
    const clock = makeSlewedClock({ databaseMs: 1_000_000, monotonicMs: 50 });
    expect([clock.nowMs(50), clock.nowMs(1_050)]).toEqual([1_000_000, 1_001_000]);
  });

  it("slews towards the database's clock by half a millisecond per second until they agree", () => {
    const clock = makeSlewedClock({ databaseMs: 0, monotonicMs: 0 });
    expect(clock.follow({ databaseMs: 10_002, monotonicMs: 10_000 })).toBe(2);
    expect(clock.nowMs(10_000)).toBe(10_000);
    expect(clock.nowMs(12_000)).toBe(12_001);
    expect(clock.nowMs(14_000)).toBe(14_002);
    expect(clock.nowMs(100_000)).toBe(100_002);
  });

  // [FAULT-10 §-] A clock that is set forward or back charges no player.
  it.each([HOUR_MS, -HOUR_MS])(
    "neither jumps nor decreases if the database's clock is set by %d ms [FAULT-10]",
    (shiftMs) => {
      const clock = makeSlewedClock({ databaseMs: 0, monotonicMs: 0 });
      let previousMs = 0;
      for (let monotonicMs = 100; monotonicMs <= 60_000; monotonicMs += 100) {
        if (monotonicMs % 10_000 === 0) clock.follow({ databaseMs: monotonicMs + shiftMs, monotonicMs });
        const stepMs = clock.nowMs(monotonicMs) - previousMs;
        expect(stepMs).toBeGreaterThan(99.9);
        expect(stepMs).toBeLessThan(100.1);
        previousMs = clock.nowMs(monotonicMs);
      }
    },
  );
});

describe("server time", () => {
  let database: Database;

  beforeAll(async () => {
    database = await createTestDatabase();
  });

  afterAll(() => database.close());

  it("follows the database and never decreases", async () => {
    const time = await openTime(database);
    const askedAt = time.now();
    const { rows } = await database.pool.query<{ at: Date }>("select clock_timestamp() as at");
    const databaseAt = fromTimestamp(rows[0]?.at ?? new Date(0));
    // The clock's own error is half of the shortest round trip.
    expect(databaseAt).toBeGreaterThan(addMs(askedAt, -250));
    expect(databaseAt).toBeLessThan(addMs(time.now(), 250));
    const readings = Array.from({ length: 1_000 }, () => time.now());
    expect(readings).toEqual(readings.toSorted((a, b) => a - b));
    time.stop();
  });

  it("continues after the newest heartbeat if the database's clock was set back", async () => {
    const running = await openTime(database);
    const seenAt = addMs(running.now(), HOUR_MS);
    running.stop();
    const time = await openTime(database, { seenAt });
    expect(time.now()).toBeGreaterThan(seenAt);
    time.stop();
  });

  it("keeps instants to the millisecond in a timestamptz", async () => {
    const at = toInstant(1_772_366_400_123);
    const { rows } = await database.pool.query<{ at: Date }>("select $1::timestamptz as at", [toTimestamp(at)]);
    expect(fromTimestamp(rows[0]?.at ?? new Date(0))).toBe(at);
  });
});

describe("test time", () => {
  it("moves only when advanced", () => {
    const time = makeTestTime(toInstant(5_000));
    time.advance(250);
    expect([time.now(), time.monotonicMs()]).toEqual([5_250, 250]);
  });
});
