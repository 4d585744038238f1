import { MINUTE_MS } from "@holo/kernel/instant.ts";
import type { RestrictionsView } from "@holo/protocol/accounts/restrictions.ts";
import { type RefusalView, toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import { formatFutureTime } from "../../ui/text/relative-time.ts";

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
  "One of your deposits was reversed, so you owe coins. You can't stake coins or withdraw until that's repaid. Your next deposit repays that first.";

/** Does not deposit. */
export function isRestricted(limits: RestrictionsView | null): boolean {
  return limits !== null && (limits.bannedFor !== null || limits.closingAt !== null || limits.excludedUntil !== null);
}

/** Takes no seat, not even in a free game. */
export function isPlayRestricted(limits: RestrictionsView | null): boolean {
  return isRestricted(limits && { ...limits, excludedUntil: limits.excludedFromFreeUntil });
}

type ExclusionEnds = Pick<RestrictionsView, "excludedUntil" | "excludedFromFreeUntil">;

/** The effect of a self-exclusion, in the reader's time zone. */
export function formatExclusionEnd({ excludedUntil, excludedFromFreeUntil }: ExclusionEnds, now: number): string {
  const format = (until: number | null) => formatFutureTime(until ?? now, now);
  const isWhole = excludedUntil === excludedFromFreeUntil;
  const free = excludedFromFreeUntil === null ? "now" : format(excludedFromFreeUntil);
  return `You can't deposit or ${isWhole ? "play" : "stake coins"} until ${format(excludedUntil)}.${isWhole ? "" : ` You can play free games ${free}.`} A break doesn't stop withdrawals.`;
}
