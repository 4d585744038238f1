import { startTransition, useEffect, useState } from "react";

const IDLE_WAIT_MAX_MS = 2_000;

/**
 * Runs a task once the browser is idle. Returns a function that cancels it. `fallbackMs` is the
 * delay in Safari, which does not report idle time.
 */
export function whenIdle(task: () => void, fallbackMs: number): () => void {
  if (!("requestIdleCallback" in globalThis)) {
    const timer = setTimeout(task, fallbackMs);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(task, { timeout: IDLE_WAIT_MAX_MS });
  return () => cancelIdleCallback(handle);
}

/** False until the page was painted and the browser is idle. Changes in a transition. */
export function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => whenIdle(() => startTransition(() => setIdle(true)), 0), []);
  return isIdle;
}
