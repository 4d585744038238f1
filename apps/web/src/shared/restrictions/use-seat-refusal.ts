import type { RefusalView } from "@holo/protocol/refusals/refusals.ts";
import { useEffect, useReducer } from "react";
import { useSession } from "../../lib/session/session.ts";
import { findPauseRefusal, findSeatRefusal } from "./seat-restrictions.ts";
import { useRestrictions } from "./use-restrictions.ts";

/** How often the minutes of a cool-down are updated. */
const PAUSE_STEP_MS = 5_000;

/**
 * Why the player may not take a seat at this stake (whole holocoins per piece) now; null if they
 * may. By this device's clock; the server decides.
 */
export function useSeatRefusal(stake: number): RefusalView | null {
  const restrictions = useRestrictions();
  const { pausedUntil } = useSession();
  const [, recount] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    if (pausedUntil === null) return;
    const timer = setInterval(recount, PAUSE_STEP_MS);
    return () => clearInterval(timer);
  }, [pausedUntil]);
  const now = Date.now();
  return findSeatRefusal(restrictions, stake, now) ?? findPauseRefusal(pausedUntil, now);
}
