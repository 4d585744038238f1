/** Loads the values of keys; null without such a value. */
export type LoadOne<Key, Value> = (key: Key) => Promise<Value | null>;

interface Waiting<Value> {
  resolve(value: Value | null): void;
  reject(error: unknown): void;
}

/** One more, so that a lost connection does not keep the others waiting. */
const RUNNING_MAX = 2;

/**
 * Loads in one query what is asked for at the same time: after a restart thousands of players come
 * back at once, and a query for each costs the database ten times as much. A value is always read
 * after it was asked for.
 *
 * @param load a key without a value is left out
 */
export function makeBatchLoader<Key, Value>(
  load: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
  keysMax: number,
): LoadOne<Key, Value> {
  const waiting = new Map<Key, Waiting<Value>[]>();
  let running = 0;
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled || waiting.size === 0 || running >= RUNNING_MAX) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      void run();
    });
  }

  async function run(): Promise<void> {
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
