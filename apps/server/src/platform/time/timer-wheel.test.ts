import { HOUR_MS } from "@holo/kernel/instant.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openTestLog } from "../testing/test-log.ts";
import { makeTestTime, type TestTime } from "../testing/test-time.ts";
import { openTimerWheel, type TimerWheel } from "./timer-wheel.ts";

let time: TestTime;
let wheel: TimerWheel;

beforeEach(() => {
  time = makeTestTime();
  wheel = openTimerWheel({ time, log: openTestLog() });
});

afterEach(() => wheel.stop());

function advance(ms: number): void {
  time.advance(ms);
  wheel.tick();
}

describe("a timer wheel", () => {
  it("fires once, never early and at most one tick late", () => {
    const fired: number[] = [];
    wheel.schedule(100, () => fired.push(time.monotonicMs()));
    for (let i = 0; i < 200; i += 1) advance(1);
    expect(fired).toHaveLength(1);
    expect(fired[0]).toBeGreaterThanOrEqual(100);
    expect(fired[0]).toBeLessThanOrEqual(116);
  });

  it("fires a timer in the past at the next tick", () => {
    let fired = 0;
    advance(1_000);
    wheel.schedule(10, () => {
      fired += 1;
    });
    expect(fired).toBe(0);
    advance(16);
    expect(fired).toBe(1);
  });

  it("waits for several turns", () => {
    const fired: string[] = [];
    wheel.schedule(600_000, () => fired.push("ten minutes"));
    wheel.schedule(600_000 % (1_024 * 16), () => fired.push("the same slot, this turn"));
    advance(599_999);
    expect(fired).toEqual(["the same slot, this turn"]);
    advance(17);
    expect(fired).toEqual(["the same slot, this turn", "ten minutes"]);
  });

  it("never fires a cancelled timer, even if cancelled in the same tick", () => {
    const fired: string[] = [];
    const cancel = wheel.schedule(50, () => fired.push("cancelled"));
    cancel();
    cancel();
    wheel.schedule(60, () => {
      fired.push("first");
      cancelSecond();
    });
    const cancelSecond = wheel.schedule(60, () => fired.push("second"));
    advance(1_000);
    expect(fired).toEqual(["first"]);
    expect(wheel.size).toBe(0);
  });

  it("fires in order after a stall, newly scheduled timers last", () => {
    const fired: number[] = [];
    for (const atMs of [4_000, 1_000, 3_000, 2_000]) wheel.schedule(atMs, () => fired.push(atMs));
    wheel.schedule(500, () => wheel.schedule(2_500, () => fired.push(2_500)));
    advance(5_000);
    expect(fired).toEqual([1_000, 2_000, 2_500, 3_000, 4_000]);
  });

  it("fires in order after the clock was moved by days, at the first tick of each", () => {
    const fired: string[] = [];
    wheel.schedule(30 * HOUR_MS, () => fired.push("thirty hours"));
    wheel.schedule(7 * HOUR_MS, () => {
      fired.push("seven hours");
      wheel.schedule(7 * HOUR_MS + 40_000, () => fired.push("forty seconds later"));
    });
    advance(29 * HOUR_MS);
    expect(fired).toEqual(["seven hours", "forty seconds later"]);
    advance(HOUR_MS - 1);
    expect(fired).toHaveLength(2);
    advance(16);
    expect(fired.at(-1)).toBe("thirty hours");
  });

  it("continues after a timer that throws", () => {
    let fired = 0;
    wheel.schedule(20, () => {
      throw new Error("no");
    });
    wheel.schedule(20, () => {
      fired += 1;
    });
    advance(100);
    expect(fired).toBe(1);
  });

  it("ticks on its own", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    time.advance(100);
    wheel.schedule(50, resolve);
    time.advance(100);
    await promise;
  });

  it("forgets tens of thousands of cancelled timers", () => {
    const cancels = Array.from({ length: 50_000 }, (_, i) => wheel.schedule(i * 10, () => {}));
    for (const cancel of cancels) cancel();
    for (let i = 0; i < 1_000; i += 1) advance(16);
    expect(wheel.size).toBe(0);
  });
});
