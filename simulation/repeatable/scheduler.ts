import { createHash, type UUID } from "node:crypto";
import { setImmediate as untilIdle } from "node:timers/promises";
import { makeRandom, type Random } from "@holo/kernel/random.ts";
import type { Runtime } from "../../apps/server/src/platform/runtime.ts";

/** A simulated process: it can be stopped for a while, and end without notice. */
export interface Process {
  readonly name: string;
  /** Of a server: its place among them. */
  readonly index: number;
  /** Its events wait until then; they run late, in order. */
  heldUntilMs: number;
  /** Its events are dropped. */
  isGone: boolean;
}

interface Event {
  readonly atMs: number;
  readonly number: number;
  readonly process: Process;
  readonly run: () => void | Promise<void>;
}

export interface Scheduler {
  readonly runtime: Runtime;
  /** For choices of the simulated world. */
  readonly random: Random;
  /** Virtual ms since the start. */
  nowMs(): number;
  steps(): number;
  /** Runs after a delay, as an event of the process; by default of the one that runs now. */
  schedule(delayMs: number, run: Event["run"], process?: Process): () => void;
  makeProcess(name: string, index?: number): Process;
  currentProcess(): Process;
  /** Carries out the next event, and everything that follows from it within the process. */
  step(): Promise<void>;
  /** Adds to the trace what happened now. */
  note(what: string): void;
  /** Of the trace so far. */
  hash(): string;
}

const WORDS = 2 ** 32;
/** The virtual clock begins here: 2026-01-01. */
const STARTED_MS = 1_767_225_600_000;

/**
 * Virtual time and one queue of events. Only one event runs at a time, ordered by its instant, and
 * the seed chooses the delays: the same seed runs the same events in the same order.
 */
export function openScheduler(seed: number, onNote: (line: string) => void): Scheduler {
  const random = makeRandom(seed * 2 + 1);
  const ids = makeRandom(seed * 2 + 2);
  const trace = createHash("sha256");
  const events = new Set<Event>();
  const outside: Process = { name: "world", index: -1, heldUntilMs: 0, isGone: false };
  const timers = new WeakMap<object, () => void>();
  let current = outside;
  let nowMs = 0;
  let steps = 0;
  let count = 0;

  function schedule(delayMs: number, run: Event["run"], process = current): () => void {
    count += 1;
    const event = { atMs: nowMs + Math.max(0, delayMs), number: count, process, run };
    events.add(event);
    return () => void events.delete(event);
  }

  const toDueMs = ({ atMs, process }: Event): number => Math.max(atMs, process.heldUntilMs);

  function takeNext(): Event {
    let next: Event | null = null;
    for (const event of events) {
      if (event.process.isGone) events.delete(event);
      else if (next === null || toDueMs(event) < toDueMs(next)) next = event;
      else if (toDueMs(event) === toDueMs(next) && event.atMs < next.atMs) next = event;
    }
    if (next === null) throw new Error("nothing can happen any more");
    events.delete(next);
    return next;
  }

  /** Timers of Node have methods that nothing here depends on. */
  function toTimer(cancel: () => void): NodeJS.Timeout {
    const timer = { ref: () => timer, unref: () => timer, hasRef: () => true };
    timers.set(timer, cancel);
    return timer as unknown as NodeJS.Timeout;
  }

  function cancelTimer(timer: NodeJS.Timeout | undefined): void {
    if (timer !== undefined && timer !== null) timers.get(timer)?.();
  }

  /** What a timer begins is not awaited, unlike the world's own events. */
  function startTimer(ms: number, run: () => void): () => void {
    return schedule(ms, () => {
      run();
    });
  }

  function startInterval(run: () => void, ms: number): NodeJS.Timeout {
    const process = current;
    let cancel = schedule(ms, turn, process);
    function turn(): void {
      cancel = schedule(ms, turn, process);
      run();
    }
    return toTimer(() => cancel());
  }

  function toBytes(size: number): Buffer {
    return Buffer.from(Array.from({ length: size }, () => ids(256)));
  }

  const runtime: Runtime = {
    wallMs: () => STARTED_MS + Math.floor(nowMs),
    monotonicMs: () => nowMs,
    // Simulated time passes without work.
    cpuMs: () => 0,
    setTimeout: (run, ms) => toTimer(startTimer(ms, run)),
    clearTimeout: cancelTimer,
    setInterval: startInterval,
    clearInterval: cancelTimer,
    setImmediate: (run) => void startTimer(0, run),
    sleep: (ms, value, { signal } = {}) =>
      new Promise((resolve, reject) => {
        const cancel = schedule(ms, () => resolve(value));
        signal?.addEventListener("abort", () => {
          cancel();
          reject(signal.reason);
        });
      }),
    random: () => ids(WORDS) / WORDS,
    randomBytes: toBytes,
    randomUUID() {
      const hex = toBytes(16).toString("hex");
      const variant = "89ab"[Number.parseInt(hex[16]!, 16) % 4];
      return [
        hex.slice(0, 8),
        hex.slice(8, 12),
        `4${hex.slice(13, 16)}`,
        variant + hex.slice(17, 20),
        hex.slice(20),
      ].join("-") as UUID;
    },
  };

  return {
    runtime,
    random,
    nowMs: () => nowMs,
    steps: () => steps,
    schedule,
    currentProcess: () => current,
    makeProcess: (name, index = -1) => ({ name, index, heldUntilMs: 0, isGone: false }),
    async step() {
      const event = takeNext();
      nowMs = Math.max(nowMs, toDueMs(event));
      current = event.process;
      steps += 1;
      await event.run();
      // Promises and ticks that follow have all run when Node turns to immediates.
      await untilIdle();
      current = outside;
    },
    note(what) {
      trace.update(`${nowMs} ${what}\n`);
      onNote(`${nowMs.toFixed(3)} ${what}`);
    },
    hash: () => trace.copy().digest("hex").slice(0, 16),
  };
}
