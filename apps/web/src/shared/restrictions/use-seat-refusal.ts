import type { RefusalView } from "@holo/protocol/refusals/refusals.ts";
import { serverClock } from "../../lib/clock/server-clock.ts";
import { findSeatRefusal } from "./find-seat-refusal.ts";
import { usePauseRefusal } from "./use-may-play.ts";
import { useRestrictions } from "./use-restrictions.ts";

/**
 * Why the player may not take a seat at this stake (whole holocoins per piece) now; null if they
 * may. By an estimate of the server's clock; the server decides.
 */
export function useSeatRefusal(stake: number): RefusalView | null {
  const restrictions = useRestrictions();
  const pause = usePauseRefusal();
  return findSeatRefusal(restrictions, stake, serverClock.now()) ?? pause;
}
