const RETRY_MIN_MS = 500;
const RETRY_MAX_MS = 15_000;

/**
 * Repeats `attempt` until it resolves with true: with growing delays, and soon after the device
 * went online. Returns a function that ends this.
 */
export function retryUntilDone(attempt: () => Promise<boolean>): () => void {
  const ending = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waitMs = RETRY_MIN_MS;

  async function run(): Promise<void> {
    timer = undefined;
    if (await attempt()) ending.abort();
    if (ending.signal.aborted) return;
    timer = setTimeout(() => void run(), waitMs);
    waitMs = Math.min(waitMs * 2, RETRY_MAX_MS);
  }

  function wake(): void {
    waitMs = RETRY_MIN_MS;
    // An attempt in progress may have used the lost network: if it fails, the next one is soon.
    if (timer === undefined) return;
    clearTimeout(timer);
    void run();
  }

  addEventListener("online", wake, { signal: ending.signal });
  void run();
  return () => {
    ending.abort();
    clearTimeout(timer);
  };
}
