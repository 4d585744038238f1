import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { FairTurns } from "./fair-turns.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function makeJobs(turns: FairTurns) {
  const started: string[] = [];
  const refused: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    started,
    refused,
    add(source: string, ...names: readonly string[]): void {
      for (const name of names)
        turns.add(source, {
          start(end) {
            started.push(name);
            ends.set(name, end);
          },
          refuse: () => refused.push(name),
        });
    },
    end: (name: string): void => ends.get(name)?.(),
  };
}

it("starts a few at once and gives each source its turn", () => {
  const jobs = makeJobs(new FairTurns({ atOnceMax: 2, waitingMax: 10 }));
  jobs.add("flooder", "f1", "f2", "f3", "f4");
  jobs.add("ada", "a1");
  expect(jobs.started).toEqual(["f1", "f2"]);
  jobs.end("f2");
  jobs.end("f1");
  expect(jobs.started).toEqual(["f1", "f2", "f3", "a1"]);
  // A job ends once, however often it says so.
  jobs.end("f1");
  expect(jobs.started).toHaveLength(4);
});

it("refuses the newest job of the source with the most once too many wait", () => {
  const jobs = makeJobs(new FairTurns({ atOnceMax: 1, waitingMax: 2 }));
  jobs.add("flooder", "f1", "f2", "f3");
  jobs.add("ada", "a1");
  expect(jobs.refused).toEqual(["f3"]);
  jobs.add("bola", "b1");
  expect(jobs.refused).toEqual(["f3", "b1"]);
});

it("leaves a place empty for a while after a job, and takes it from one that lasts", () => {
  const jobs = makeJobs(new FairTurns({ atOnceMax: 1, waitingMax: 10, pauseMs: 4, heldMs: 50 }));
  jobs.add("a", "quick", "slow", "last");
  jobs.end("quick");
  vi.advanceTimersByTime(3);
  expect(jobs.started).toEqual(["quick"]);
  vi.advanceTimersByTime(1);
  expect(jobs.started).toEqual(["quick", "slow"]);
  vi.advanceTimersByTime(50);
  expect(jobs.started).toEqual(["quick", "slow", "last"]);
});

it("resolves with the value of the work, or its failure, and goes on with the next", async () => {
  const turns = new FairTurns({ atOnceMax: 1, waitingMax: 1 });
  const failing = turns.run("a", () => Promise.reject(new Error("no memory")));
  const next = turns.run("a", async () => "done");
  const refused = turns.run("a", async () => "never");
  await expect(failing).rejects.toThrow("no memory");
  expect(await next).toEqual({ ok: true, value: "done" });
  expect(await refused).toEqual({ ok: false, refusal: "too_many_requests" });
});
