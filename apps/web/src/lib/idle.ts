/** Who is never idle waits no longer than this. */
const IDLE_WAIT_MAX_MS = 2_000;

/** Acts once the browser has nothing better to do. Returns what calls it off. @param elseAfterMs for Safari, which does not tell when it is idle */
export function whenIdle(act: () => void, elseAfterMs: number): () => void {
  if (!("requestIdleCallback" in globalThis)) {
    const timer = setTimeout(act, elseAfterMs);
    return () => clearTimeout(timer);
  }
  const asked = requestIdleCallback(act, { timeout: IDLE_WAIT_MAX_MS });
  return () => cancelIdleCallback(asked);
}
