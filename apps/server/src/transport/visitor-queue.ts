import { makeFairQueue } from "../platform/fair-queue.ts";
import { makeRateLimiter, type RateLimit } from "../platform/rate-limiter.ts";
import { performance, setTimeout } from "../platform/runtime.ts";

/**
 * Serves the requests of visitors a few at a time, so that their number never delays a move.
 * Addresses with few requests go first, and equal ones take turns. An idle queue starts at once.
 */
export interface VisitorQueue {
  add(source: string, job: VisitorJob): void;
}

interface VisitorJob {
  start(end: () => void): void;
  refuse(): void;
}

/** More would only compete with moves for the database. */
const RUNNING_MAX = 2;
/** Jobs started together, and the pause after them, left to moves and password hashes. */
const BURST = 4;
const BURST_MS = 2;
const PAUSE_MS = 4;
/** A request that runs longer no longer counts towards `RUNNING_MAX`. */
const COUNTED_MS = 50;
/** Per class. */
const WAITING_MAX = 1_000;
/** Enough for a person who logs in or opens a page; a flooding address exceeds it. */
const MODEST: RateLimit = { burst: 12, refillMs: 1_000 };

export function makeVisitorQueue(nowMs: () => number = () => performance.now()): VisitorQueue {
  const modest = makeRateLimiter({ monotonicMs: nowMs }, MODEST);
  const first = makeFairQueue<VisitorJob>(WAITING_MAX);
  const others = makeFairQueue<VisitorJob>(WAITING_MAX);
  const running = new Set<{ readonly startedMs: number }>();
  let started = 0;
  let spentMs = 0;
  let isScheduled = false;

  const hasWaiting = (): boolean => first.size() + others.size() > 0;
  const isBurstOver = (): boolean => started >= BURST || spentMs >= BURST_MS;

  function hasRoom(atMs: number): boolean {
    if (running.size < RUNNING_MAX) return true;
    for (const one of running) if (atMs - one.startedMs >= COUNTED_MS) running.delete(one);
    return running.size < RUNNING_MAX;
  }

  function start(job: VisitorJob, startedMs: number): void {
    const one = { startedMs };
    running.add(one);
    started += 1;
    job.start(() => running.delete(one));
    spentMs += nowMs() - startedMs;
    schedule();
  }

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setTimeout(startWaiting, PAUSE_MS);
  }

  function startWaiting(): void {
    isScheduled = false;
    started = 0;
    spentMs = 0;
    for (let atMs = nowMs(); hasWaiting() && !isBurstOver(); atMs = nowMs()) {
      // Even if no request ends, each stops counting after `COUNTED_MS`.
      if (!hasRoom(atMs)) return schedule();
      start((first.take() ?? others.take())!, atMs);
    }
  }

  return {
    add(source, job) {
      const atMs = nowMs();
      const isModest = modest.tryAcquire(source);
      if (!hasWaiting() && !isBurstOver() && hasRoom(atMs)) return start(job, atMs);
      (isModest ? first : others).add(source, job)?.refuse();
      // The timer of the running requests may have fired long ago.
      schedule();
    },
  };
}
