import { MINUTE_MS } from "@holo/kernel/instant.ts";
import type { RestrictionsView } from "@holo/protocol/accounts/restrictions.ts";
import { type RefusalView, toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import { formatFutureTime } from "../../ui/text/relative-time.ts";

/**
 * Why a player may not join a game of this stake (whole holocoins per piece) at `now` (ms), with
 * the server's rules; null if they may. `limits` is null for a visitor.
 */
export function findSeatRefusal(limits: RestrictionsView | null, stake: number, now: number): RefusalView | null {
  if (limits === null) return null;
  if (limits.bannedFor !== null) return toRefusalView("banned");
  if (limits.closingAt !== null) return toRefusalView("account_closing");
  if (limits.excludedUntil !== null) {
    return { ...toRefusalView("self_excluded"), text: formatExclusionEnd(limits.excludedUntil, now) };
  }
  if (limits.moneyHold !== null) return toMoneyHoldNote(limits.moneyHold);
  const { value } = limits.stake;
  return value !== null && stake > value ? toRefusalView("stake_limit", { stake: value }) : null;
}

/**
 * The cool-down after too many cancelled or missed games (ruling 17), until `until` (ms since
 * 1970); null if there is none.
 */
export function findPauseRefusal(until: number | null, now: number): RefusalView | null {
  if (until === null || until <= now) return null;
  return toRefusalView("paused", { minutes: Math.ceil((until - now) / MINUTE_MS) });
}

/** Why the player can neither play nor withdraw (ruling 33); deposits stay possible. */
export function toMoneyHoldNote(hold: "dispute" | "debt"): RefusalView {
  if (hold === "dispute") return toRefusalView("deposit_disputed");
  return { ...toRefusalView("debt_open"), text: DEBT_TEXT };
}

const DEBT_TEXT =
  "One of your deposits was reversed, so you owe coins. You can't play or withdraw until that's repaid. Your next deposit repays that first.";

/** Neither plays nor deposits. */
export function isRestricted(limits: RestrictionsView | null): boolean {
  return limits !== null && (limits.bannedFor !== null || limits.closingAt !== null || limits.excludedUntil !== null);
}

/** Takes no seat, whatever the stake. Deposits may be possible. */
export function isPlayRestricted(limits: RestrictionsView | null): boolean {
  return isRestricted(limits) || limits?.moneyHold != null;
}

/** The effect of a self-exclusion, in the reader's time zone. */
export function formatExclusionEnd(until: number, now: number): string {
  return `You can't deposit or play until ${formatFutureTime(until, now)}. A break doesn't stop withdrawals.`;
}
