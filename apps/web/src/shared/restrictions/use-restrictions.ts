import type { RestrictionsView } from "@holo/protocol/accounts/restrictions.ts";
import { useEffect, useState } from "react";
import { serverClock } from "../../lib/clock/server-clock.ts";
import { toChangeAt, toLimitsAt } from "../../lib/session/limits.ts";
import { useSession } from "../../lib/session/session.ts";

/** The longest delay of a browser's timer. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** The player's current restrictions; null for a visitor. */
export function useRestrictions(): RestrictionsView | null {
  const { limits } = useSession();
  const [now, setNow] = useState(serverClock.now);
  const changeAt = limits === null ? null : toChangeAt(limits, now);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `now` sets the next timer
  useEffect(() => {
    if (changeAt === null) return;
    const update = () => setNow(serverClock.now());
    const waitMs = Math.max(changeAt - serverClock.now(), 0);
    const timer = setTimeout(update, Math.min(waitMs, TIMER_MS_MAX));
    const unsubscribe = serverClock.onCorrected(update);
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }, [changeAt, now]);

  return limits === null ? null : toLimitsAt(limits, now);
}
