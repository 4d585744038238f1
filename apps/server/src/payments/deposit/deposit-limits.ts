import type { PlayerId } from "@holo/kernel/ids.ts";
import { addMs, type Instant, MINUTE_MS } from "@holo/kernel/instant.ts";
import { type DepositLeft, findDepositLeft, findExceededDepositLimit, loadOwnLimits } from "../../accounts/accounts.ts";
import type { Queries, Tx } from "../../platform/database/database.ts";
import type { Payment } from "../payment.ts";
import { type CountedDeposit, loadDepositsSince } from "../store/payment-store.ts";

/** A month of the player's limits, the longest they have. */
const LOOK_BACK_MS = 30 * 24 * 60 * MINUTE_MS;

/** Every deposit that one more would be counted with. */
export function loadCountedDeposits(
  queries: Queries,
  playerId: PlayerId,
  now: Instant,
): Promise<readonly CountedDeposit[]> {
  return loadDepositsSince(queries, playerId, { since: addMs(now, -LOOK_BACK_MS), now });
}

/** Those of them that the player was credited with: what they have deposited by now, whatever else is begun. */
export async function loadCreditedDeposits(
  queries: Queries,
  playerId: PlayerId,
  now: Instant,
): Promise<readonly CountedDeposit[]> {
  return (await loadCountedDeposits(queries, playerId, now)).filter(({ isCredited }) => isCredited);
}

/** What a player lets themselves deposit still; null where they have set no limit. */
export async function loadDepositLeft(queries: Queries, playerId: PlayerId, now: Instant): Promise<DepositLeft | null> {
  const [{ limits }, deposits] = await Promise.all([
    loadOwnLimits(queries, playerId, now),
    loadCountedDeposits(queries, playerId, now),
  ]);
  return findDepositLeft(limits, deposits, now);
}

/**
 * Whether a deposit that has arrived would pass a limit of its player's own if it were credited now. What is only begun does not count
 * against it: of two that may both be paid the one that is paid first has the room. The caller holds `lockLimits` (`lockArriving`).
 */
export async function exceedsDepositLimit(
  tx: Tx,
  { playerId, kobo }: Pick<Payment, "playerId" | "kobo">,
  now: Instant,
): Promise<boolean> {
  const question = { playerId, kobo, now, loadDeposits: () => loadCreditedDeposits(tx, playerId, now) };
  return (await findExceededDepositLimit(tx, question)) !== null;
}
