import { DAY_MS } from "@holo/kernel/instant.ts";
import type { OwnFairPlayCaseView } from "@holo/protocol/fair-play.ts";

const SHOWN_MS = 30 * DAY_MS;

/** While it can be appealed or waits, and a month after. The data export keeps all. */
export function isRecent(
  { appeal, appealUntilAt, endedAt }: Pick<OwnFairPlayCaseView, "appeal" | "appealUntilAt" | "endedAt">,
  now: number,
): boolean {
  if (appeal === null ? appealUntilAt !== null : appeal.answer === null) return true;
  return now < (appeal?.answer?.at ?? endedAt ?? 0) + SHOWN_MS;
}
