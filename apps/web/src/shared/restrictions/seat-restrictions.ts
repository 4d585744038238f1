import { type RefusalView, toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import type { RestrictionsView } from "@holo/protocol/restrictions.ts";
import { formatMoment } from "../../ui/text/relative-time.ts";

/**
 * Why players may not sit down at a game of this stake, by their own wish or the house's and as the server will say it; null where they may.
 * @param limits as they are now; null for a visitor
 * @param stake whole holocoins a piece
 * @param now ms since 1970
 */
export function findSeatRefusal(limits: RestrictionsView | null, stake: number, now: number): RefusalView | null {
  if (limits === null) return null;
  if (limits.blockedFor !== null) return toRefusalView("blocked_by_house");
  if (limits.closingAt !== null) return toRefusalView("account_closing");
  if (limits.excludedUntil !== null) {
    return { ...toRefusalView("self_excluded"), text: formatExclusionEnd(limits.excludedUntil, now) };
  }
  const { value } = limits.stake;
  return value !== null && stake > value ? toRefusalView("stake_limit", { stake: value }) : null;
}

/** Whether a player neither plays nor deposits at the moment, for whatever reason of their own. */
export function isRestricted(limits: RestrictionsView | null): boolean {
  return limits !== null && (limits.blockedFor !== null || limits.closingAt !== null || limits.excludedUntil !== null);
}

/** What a break means, in the reader's own time. */
export function formatExclusionEnd(until: number, now: number): string {
  return `Until ${formatMoment(until, now)} you can neither deposit nor play. You can withdraw at any time.`;
}
