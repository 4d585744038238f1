import type { PlayerId } from "@holo/kernel/ids.ts";
import { addMs, type Instant, MINUTE_MS } from "@holo/kernel/instant.ts";
import { type DepositLeft, findDepositLeft, findDepositPassed, loadOwnLimits } from "../accounts/accounts.ts";
import type { Queries, Tx } from "../platform/database.ts";
import type { Payment } from "./payment.ts";
import { type Counted, loadCountedDeposits } from "./store.ts";

/** A month of the player's limits, the longest they have. */
const LOOK_BACK_MS = 30 * 24 * 60 * MINUTE_MS;

/** Every deposit that one more would be counted with. */
export function loadCounted(queries: Queries, playerId: PlayerId, now: Instant): Promise<readonly Counted[]> {
  return loadCountedDeposits(queries, playerId, { since: addMs(now, -LOOK_BACK_MS), now });
}

/** Those of them that the player was credited with: what they have deposited by now, whatever else is begun. */
export async function loadCredited(queries: Queries, playerId: PlayerId, now: Instant): Promise<readonly Counted[]> {
  return (await loadCounted(queries, playerId, now)).filter(({ isCredited }) => isCredited);
}

/** What a player lets themselves deposit still; null where they have set no limit. */
export async function loadDepositLeft(queries: Queries, playerId: PlayerId, now: Instant): Promise<DepositLeft | null> {
  const [{ limits }, deposits] = await Promise.all([
    loadOwnLimits(queries, playerId, now),
    loadCounted(queries, playerId, now),
  ]);
  return findDepositLeft(limits, deposits, now);
}

/**
 * Whether a deposit that has arrived would pass a limit of its player's own if it were credited now. What is only begun does not count
 * against it: of two that may both be paid the one that is paid first has the room. The caller holds `lockLimits` (`lockArriving`).
 */
export async function isBeyondLimit(
  tx: Tx,
  { playerId, kobo }: Pick<Payment, "playerId" | "kobo">,
  now: Instant,
): Promise<boolean> {
  const question = { playerId, kobo, now, loadDeposits: () => loadCredited(tx, playerId, now) };
  return (await findDepositPassed(tx, question)) !== null;
}
