import type { RestrictionsView } from "@holo/protocol/accounts/restrictions.ts";
import { useEffect, useState } from "react";
import { toChangeAt, toLimitsAt } from "../../lib/session/limits.ts";
import { useSession } from "../../lib/session/session.ts";

/** The longest delay of a browser's timer. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/**
 * The player's current restrictions; null for a visitor. They expire by this device's clock: a
 * wrong clock shows a wrong state, but the server still refuses.
 */
export function useRestrictions(): RestrictionsView | null {
  const { limits } = useSession();
  const [now, setNow] = useState(() => Date.now());
  const changeAt = limits === null ? null : toChangeAt(limits, now);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `now` sets the next timer
  useEffect(() => {
    if (changeAt === null) return;
    const waitMs = Math.max(changeAt - Date.now(), 0);
    const timer = setTimeout(() => setNow(Date.now()), Math.min(waitMs, TIMER_MS_MAX));
    return () => clearTimeout(timer);
  }, [changeAt, now]);

  return limits === null ? null : toLimitsAt(limits, now);
}
