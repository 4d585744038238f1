import { describe, expect, it } from "vitest";
import { readTasks } from "./main-thread.ts";

const MAIN = { pid: 7, tid: 1 };

function task(ts: number, dur: number, tdur: number, thread = MAIN) {
  return { name: "ThreadControllerImpl::RunTask", cat: "toplevel", ph: "X", ts, dur, tdur, ...thread };
}

function mark(name: string, ts: number) {
  return { name, cat: "blink.user_timing", ph: "I", ts, ...MAIN };
}

function write(...traceEvents: readonly object[]): string {
  return JSON.stringify({ traceEvents });
}

describe("the tasks of a trace", () => {
  it("are read from the marked thread between the marks, by time, in milliseconds", () => {
    const trace = write(
      mark("begin", 10_000),
      mark("end", 90_000),
      task(50_000, 8_000, 3_000),
      task(20_000, 4_500, 4_000),
      task(30_000, 70_000, 1_000, { pid: 7, tid: 2 }),
      task(30_000, 70_000, 1_000, { pid: 8, tid: 1 }),
      { ...task(30_000, 9_000, 9_000), name: "Layout" },
    );
    expect(readTasks(trace, "begin", "end")).toEqual([
      { startMs: 10, wallMs: 4.5, cpuMs: 4 },
      { startMs: 40, wallMs: 8, cpuMs: 3 },
    ]);
  });

  it("exclude the tasks that set the marks", () => {
    const trace = write(
      mark("begin", 10_000),
      mark("end", 90_000),
      task(9_000, 2_000, 2_000),
      task(50_000, 8_000, 3_000),
      task(89_000, 2_000, 2_000),
    );
    expect(readTasks(trace, "begin", "end")).toHaveLength(1);
  });

  it("include the task that sets the first mark if asked for, but none before", () => {
    const trace = write(
      mark("begin", 10_000),
      mark("end", 90_000),
      task(7_000, 1_000, 1_000),
      task(9_000, 20_000, 18_000),
      task(50_000, 8_000, 3_000),
      task(89_000, 2_000, 2_000),
    );
    expect(readTasks(trace, "begin", "end", "begin")).toEqual([
      { startMs: -1, wallMs: 20, cpuMs: 18 },
      { startMs: 40, wallMs: 8, cpuMs: 3 },
    ]);
  });

  it("throws without a mark or without a task between the marks", () => {
    expect(() => readTasks(write(mark("begin", 10_000), task(20_000, 4, 4)), "begin", "end")).toThrow("the mark end");
    expect(() => readTasks(write(mark("begin", 1), mark("end", 2)), "begin", "end")).toThrow("has tasks");
  });
});
