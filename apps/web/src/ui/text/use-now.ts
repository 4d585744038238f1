import { useEffect, useState } from "react";
import { serverClock } from "../../lib/clock/server-clock.ts";

/** The server's time (ms since 1970), updated every `everyMs`. For texts such as "4 min ago". */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(serverClock.now);
  useEffect(() => {
    const update = () => setNow(serverClock.now());
    const timer = setInterval(update, everyMs);
    const unsubscribe = serverClock.onCorrected(update);
    return () => {
      clearInterval(timer);
      unsubscribe();
    };
  }, [everyMs]);
  return now;
}
