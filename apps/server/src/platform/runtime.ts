import { randomBytes as toRandomBytes, randomUUID as toRandomUUID, type UUID } from "node:crypto";
import process from "node:process";

interface SleepOptions {
  readonly ref?: boolean;
  readonly signal?: AbortSignal;
}

/** The clocks, timers, ids and randomness of the process. */
export interface Runtime {
  /** ms since 1970 by the machine's clock, which may jump. */
  wallMs(): number;
  /** Fractional ms since an arbitrary start. */
  monotonicMs(): number;
  /** The processor time that the process has used, of all threads. */
  cpuMs(): number;
  setTimeout(run: () => void, ms: number): NodeJS.Timeout;
  clearTimeout(timer: NodeJS.Timeout | undefined): void;
  setInterval(run: () => void, ms: number): NodeJS.Timeout;
  clearInterval(timer: NodeJS.Timeout | undefined): void;
  setImmediate(run: () => void): void;
  sleep<Value>(ms: number, value: Value, options?: SleepOptions): Promise<Value>;
  /** From 0 to below 1. */
  random(): number;
  randomBytes(size: number): Buffer;
  randomUUID(): UUID;
}

// The globals are looked up at each call, because tests replace them.
const PROCESS: Runtime = {
  wallMs: () => Date.now(),
  monotonicMs: () => globalThis.performance.now(),
  cpuMs() {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  },
  setTimeout: (run, ms) => globalThis.setTimeout(run, ms),
  clearTimeout: (timer) => globalThis.clearTimeout(timer),
  setInterval: (run, ms) => globalThis.setInterval(run, ms),
  clearInterval: (timer) => globalThis.clearInterval(timer),
  setImmediate: (run) => void globalThis.setImmediate(run),
  sleep: (ms, value, { ref = true, signal } = {}) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const abort = (): void => {
        globalThis.clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = globalThis.setTimeout(() => {
        signal?.removeEventListener("abort", abort);
        resolve(value);
      }, ms);
      if (!ref) timer.unref();
      signal?.addEventListener("abort", abort, { once: true });
    }),
  random: () => Math.random(),
  randomBytes: (size) => toRandomBytes(size),
  randomUUID: () => toOneString(toRandomUUID()),
};

/** Node joins an id of twenty parts, each of which would stay in memory as long as the id. */
function toOneString(id: UUID): UUID {
  return Buffer.from(id, "latin1").toString("latin1") as UUID;
}

/** Only a simulation changes it (`testing/replace-runtime.ts`). */
export const runtime: { current: Runtime } = { current: PROCESS };

export const wallMs = (): number => runtime.current.wallMs();
export const performance = { now: (): number => runtime.current.monotonicMs() };
export const cpuMs = (): number => runtime.current.cpuMs();
export const setTimeout = (run: () => void, ms: number): NodeJS.Timeout => runtime.current.setTimeout(run, ms);
export const clearTimeout = (timer: NodeJS.Timeout | undefined): void => runtime.current.clearTimeout(timer);
export const setInterval = (run: () => void, ms: number): NodeJS.Timeout => runtime.current.setInterval(run, ms);
export const clearInterval = (timer: NodeJS.Timeout | undefined): void => runtime.current.clearInterval(timer);
export const setImmediate = (run: () => void): void => runtime.current.setImmediate(run);
export const random = (): number => runtime.current.random();
export const randomBytes = (size: number): Buffer => runtime.current.randomBytes(size);
export const randomUUID = (): UUID => runtime.current.randomUUID();

export function sleep(ms: number): Promise<void>;
export function sleep<Value>(ms: number, value: Value, options?: SleepOptions): Promise<Value>;
export function sleep(ms: number, value?: unknown, options?: SleepOptions): Promise<unknown> {
  return runtime.current.sleep(ms, value, options);
}
