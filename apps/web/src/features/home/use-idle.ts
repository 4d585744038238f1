import { useEffect, useState } from "react";

/** A page that is never idle waits no longer than this. */
const IDLE_WAIT_MAX_MS = 2_000;

/** False until the page has been painted and the browser has nothing better to do. */
export function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    // Safari does not tell when it is idle
    if (!("requestIdleCallback" in globalThis)) {
      const timer = setTimeout(() => setIdle(true));
      return () => clearTimeout(timer);
    }
    const asked = requestIdleCallback(() => setIdle(true), { timeout: IDLE_WAIT_MAX_MS });
    return () => cancelIdleCallback(asked);
  }, []);
  return isIdle;
}
