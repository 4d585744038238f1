import { useEffect, useState } from "react";

/** The time of this device (ms since 1970), fresh every `everyMs`: for words such as "4 min ago", never for a clock of a game. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
