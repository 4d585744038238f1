import type { RefusalView } from "@holo/protocol/refusals/refusals.ts";
import { useEffect, useReducer } from "react";
import { serverClock } from "../../lib/clock/server-clock.ts";
import { useSession } from "../../lib/session/session.ts";
import { findPauseRefusal, isPlayRestricted } from "./seat-restrictions.ts";
import { useRestrictions } from "./use-restrictions.ts";

/** How often the minutes of a cool-down are updated. */
const PAUSE_STEP_MS = 5_000;

/** The cool-down, whatever the stake; null if there is none. */
export function usePauseRefusal(): RefusalView | null {
  const { pausedUntil } = useSession();
  const [, recount] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    if (pausedUntil === null) return;
    const timer = setInterval(recount, PAUSE_STEP_MS);
    return () => clearInterval(timer);
  }, [pausedUntil]);
  return findPauseRefusal(pausedUntil, serverClock.now());
}

/** Whether the player may take a seat, at least in a free game, now; true for a visitor. */
export function useMayPlay(): boolean {
  const isRestricted = isPlayRestricted(useRestrictions());
  const pause = usePauseRefusal();
  return !isRestricted && pause === null;
}
