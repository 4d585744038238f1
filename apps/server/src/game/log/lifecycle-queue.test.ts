import { toInstant } from "@holo/kernel/instant.ts";
import { expect, test } from "vitest";
import { LifecycleQueue, type QueuedJob } from "./lifecycle-queue.ts";

function makeJob(keys: readonly string[], isSuspect = false): QueuedJob {
  const job = { at: toInstant(0), games: [], seats: [], entries: [] };
  const fence = { serverId: "own", databaseStart: "0" };
  return { job, fence, keys, busySinceMs: null, isSuspect, resolve: () => undefined, reject: () => undefined };
}

function takeAll(jobs: readonly QueuedJob[]): readonly (readonly number[])[] {
  const queue = new LifecycleQueue();
  for (const job of jobs) queue.add(job);
  const batches: (readonly number[])[] = [];
  while (queue.size > 0) batches.push(queue.takeBatch().map((job) => jobs.indexOf(job)));
  return batches;
}

test("puts jobs with a common key into different batches, in their order", () => {
  // The third waits for the first, and the fourth for the third.
  const jobs = [makeJob(["ada", "chess"]), makeJob(["bola"]), makeJob(["ada", "chidi"]), makeJob(["chidi"])];
  expect(takeAll(jobs)).toEqual([[0, 1], [2], [3]]);
});

test("gives a job whose batch was refused a separate one", () => {
  expect(takeAll([makeJob(["ada"]), makeJob(["bola"], true), makeJob(["chidi"])])).toEqual([[0, 2], [1]]);
  expect(takeAll([makeJob(["ada"], true), makeJob(["bola"], true), makeJob(["chidi"])])).toEqual([[0], [1], [2]]);
});

test("takes at most 64 jobs at once", () => {
  const jobs = Array.from({ length: 65 }, (_, index) => makeJob([String(index)]));
  expect(takeAll(jobs).map(({ length }) => length)).toEqual([64, 1]);
});
