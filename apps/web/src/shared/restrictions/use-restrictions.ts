import type { RestrictionsView } from "@holo/protocol/restrictions.ts";
import { useEffect, useState } from "react";
import { toChangeAt, toLimitsAt } from "../../lib/session/limits.ts";
import { useSession } from "../../lib/session/session.ts";

/** No timer of a browser reaches further than this. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/**
 * What the player has set for themselves, as it is now; null for a visitor. The server tells every change, and what changes by itself does
 * so by this device's clock: one that is wrong shows the wrong thing until the server refuses or is asked again, and allows nothing.
 */
export function useRestrictions(): RestrictionsView | null {
  const { limits } = useSession();
  const [now, setNow] = useState(() => Date.now());
  const changeAt = limits === null ? null : toChangeAt(limits, now);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a timer that came too early, or not far enough, is followed by another
  useEffect(() => {
    if (changeAt === null) return;
    const waitMs = Math.max(changeAt - Date.now(), 0);
    const timer = setTimeout(() => setNow(Date.now()), Math.min(waitMs, TIMER_MS_MAX));
    return () => clearTimeout(timer);
  }, [changeAt, now]);

  return limits === null ? null : toLimitsAt(limits, now);
}
