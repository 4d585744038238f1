import { startTransition, useEffect, useState } from "react";

/** A page that is never idle waits no longer than this. */
const IDLE_WAIT_MAX_MS = 2_000;

/**
 * False until the page has been painted and the browser has nothing better to do. What comes with it comes as a transition: where it has
 * to be fetched first, what is shown stays until it is there.
 */
export function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    const tell = () => startTransition(() => setIdle(true));
    // Safari does not tell when it is idle
    if (!("requestIdleCallback" in globalThis)) {
      const timer = setTimeout(tell);
      return () => clearTimeout(timer);
    }
    const asked = requestIdleCallback(tell, { timeout: IDLE_WAIT_MAX_MS });
    return () => cancelIdleCallback(asked);
  }, []);
  return isIdle;
}
