import type { RestrictionsView } from "@holo/protocol/accounts/restrictions.ts";
import { type RefusalView, toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import { isFree } from "@holo/table/stakes.ts";
import { formatExclusionEnd, toMoneyHoldNote } from "./seat-restrictions.ts";

/**
 * Why a player may not join a game of this stake (whole holocoins per piece) at `now` (ms), with
 * the server's rules; null if they may. `limits` is null for a visitor.
 */
export function findSeatRefusal(limits: RestrictionsView | null, stake: number, now: number): RefusalView | null {
  if (limits === null) return null;
  if (limits.bannedFor !== null) return toRefusalView("banned");
  if (limits.closingAt !== null) return toRefusalView("account_closing");
  const { excludedUntil, excludedFromFreeUntil } = limits;
  if ((isFree(stake) ? excludedFromFreeUntil : excludedUntil) !== null) {
    return { ...toRefusalView("self_excluded"), text: formatExclusionEnd(limits, now) };
  }
  if (isFree(stake)) return null;
  if (limits.moneyHold !== null) return toMoneyHoldNote(limits.moneyHold);
  const { value } = limits.stake;
  return value !== null && stake > value ? toRefusalView("stake_limit", { stake: value }) : null;
}
