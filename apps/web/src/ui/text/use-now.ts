import { useEffect, useState } from "react";

/**
 * This device's time (ms since 1970), updated every `everyMs`. For texts such as "4 min ago", never
 * for a game clock.
 */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
