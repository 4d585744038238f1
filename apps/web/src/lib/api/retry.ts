const RETRY_MIN_MS = 1_000;
const RETRY_MAX_MS = 30_000;

/**
 * Repeats `attempt` with growing delays until it resolves with true. Returns a function that ends
 * this.
 */
export function retryUntilDone(attempt: () => Promise<boolean>): () => void {
  let isEnded = false;
  let timer: ReturnType<typeof setTimeout>;
  async function run(waitMs: number): Promise<void> {
    if ((await attempt()) || isEnded) return;
    timer = setTimeout(() => void run(Math.min(waitMs * 2, RETRY_MAX_MS)), waitMs);
  }
  void run(RETRY_MIN_MS);
  return () => {
    isEnded = true;
    clearTimeout(timer);
  };
}
