import { addMs } from "@holo/kernel/instant.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { makeTestTime, type TestTime } from "../testing/test-time.ts";
import { type Outage, openOutageMeter, type RunningOutageMeter } from "./outage-meter.ts";
import { openStallMeter } from "./stall-meter.ts";

describe("a stall meter", () => {
  it("knows a stall before its own timer runs, and counts it once", async () => {
    const long: number[] = [];
    let nowMs = 0;
    const onLongStall = (ms: number) => long.push(ms);
    const meter = openStallMeter({ monotonicMs: () => nowMs, usedMs: () => nowMs / 100, onLongStall });
    nowMs = 20_000;
    // For a frame that is handled first after the freeze.
    expect(meter.stalledMs()).toBe(19_950);
    expect(long).toEqual([]);
    await expect.poll(() => long).toEqual([19_950]);
    expect(meter.stalledMs()).toBe(19_950);
    meter.stop();
  });

  it("counts no stall while input kept the process busy, however much of the processor others used [OPS-60]", async () => {
    const long: number[] = [];
    let nowMs = 0;
    let usedMs = 0;
    const onLongStall = (ms: number) => long.push(ms);
    const meter = openStallMeter({ monotonicMs: () => nowMs, usedMs: () => usedMs, onLongStall });
    nowMs = 10_000;
    usedMs = 2_000;
    expect([meter.stalledMs(), meter.lateMs()]).toEqual([0, 9_950]);
    // Stopped: only what it did before and after shows.
    nowMs = 20_000;
    usedMs = 2_060;
    expect([meter.stalledMs(), meter.lateMs()]).toEqual([9_950, 19_900]);
    await expect.poll(() => long).toEqual([9_950]);
    meter.stop();
  });

  it("ignores the ordinary jitter of timers", () => {
    let nowMs = 0;
    const meter = openStallMeter({ monotonicMs: () => nowMs, usedMs: () => 0 });
    nowMs = 99;
    expect(meter.stalledMs()).toBe(0);
    meter.stop();
  });
});

describe("an outage meter", () => {
  let time: TestTime;
  let lateMs: number;
  let stalledMs: number;
  let outages: Outage[];
  let meter: RunningOutageMeter;

  beforeEach(() => {
    time = makeTestTime();
    lateMs = 0;
    stalledMs = 0;
    outages = [];
    const stalls = { lateMs: () => lateMs, stalledMs: () => stalledMs };
    meter = openOutageMeter({ time, stalls, onOutage: (outage) => outages.push(outage) });
    meter.startServing();
  });

  it("counts a database that is silent for more than three heartbeats, also while it is [FAULT-03]", () => {
    const fromAt = time.now();
    time.advance(3_000);
    expect([meter.lostMs(), meter.isServed()]).toEqual([0, true]);
    time.advance(5_000);
    expect([meter.lostMs(), meter.isServed()]).toEqual([8_000, false]);
    meter.noteAnswer();
    time.advance(1_000);
    expect([meter.lostMs(), meter.isServed()]).toEqual([8_000, true]);
    expect(outages).toEqual([{ fromAt, toAt: addMs(fromAt, 8_000), cause: "database" }]);
  });

  it("counts a stall as one, not as the database's silence too", () => {
    time.advance(20_000);
    lateMs = 20_000;
    stalledMs = 20_000;
    expect([meter.lostMs(), meter.isServed()]).toEqual([20_000, true]);
    meter.noteAnswer();
    expect(outages).toEqual([]);
    meter.noteLongStall(20_000);
    expect(outages).toEqual([{ fromAt: addMs(time.now(), -20_000), toAt: time.now(), cause: "stall" }]);
  });

  it("counts nothing while input kept the event loop from reading the database's answers [OPS-60]", () => {
    time.advance(20_000);
    lateMs = 20_000;
    expect([meter.lostMs(), meter.isServed()]).toEqual([0, true]);
    meter.noteAnswer();
    expect(outages).toEqual([]);
  });

  it("reports nothing before the server listens, when no flag may fall either", () => {
    meter.stopServing();
    time.advance(9_000);
    meter.noteAnswer();
    meter.noteLongStall(4_000);
    expect([meter.isServed(), outages]).toEqual([false, []]);
  });
});
