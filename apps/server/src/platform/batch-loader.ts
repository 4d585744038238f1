import { performance, setImmediate, setTimeout } from "./runtime.ts";

export type LoadOne<Key, Value> = (key: Key) => Promise<Value | null>;

interface Waiting<Value> {
  resolve(value: Value | null): void;
  reject(error: unknown): void;
}

/** Two, so that a lost connection does not keep the others waiting. */
const RUNNING_MAX = 2;
const APART_MS = 20;

/**
 * Loads in one query all keys requested at the same time. After a restart thousands of players
 * return, and a query for each costs the database ten times as much.
 */
export function makeBatchLoader<Key, Value>(
  load: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
  keysMax: number,
): LoadOne<Key, Value> {
  const waiting = new Map<Key, Waiting<Value>[]>();
  let running = 0;
  let startedMs = Number.NEGATIVE_INFINITY;
  let isDue = false;
  let isWaiting = false;

  function schedule(): void {
    if (isDue || waiting.size === 0 || running >= RUNNING_MAX) return;
    const inMs = waiting.size >= keysMax ? 0 : startedMs + APART_MS - performance.now();
    if (inMs <= 1) {
      isDue = true;
      setImmediate(run);
    } else if (!isWaiting) {
      isWaiting = true;
      setTimeout(() => {
        isWaiting = false;
        schedule();
      }, inMs);
    }
  }

  async function run(): Promise<void> {
    isDue = false;
    startedMs = performance.now();
    const batch = [...waiting].slice(0, keysMax);
    for (const [key] of batch) waiting.delete(key);
    running += 1;
    schedule();
    try {
      const values = await load(batch.map(([key]) => key));
      for (const [key, asking] of batch) for (const { resolve } of asking) resolve(values.get(key) ?? null);
    } catch (error) {
      for (const [, asking] of batch) for (const { reject } of asking) reject(error);
    }
    running -= 1;
    schedule();
  }

  return (key) =>
    new Promise((resolve, reject) => {
      const asking = waiting.get(key);
      if (asking === undefined) waiting.set(key, [{ resolve, reject }]);
      else asking.push({ resolve, reject });
      schedule();
    });
}
