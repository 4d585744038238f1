import type { PlayerId } from "@holo/kernel/ids.ts";
import { addMs, type Instant, MINUTE_MS } from "@holo/kernel/instant.ts";
import { type DepositLeft, findDepositLeft, findExceededDepositLimit, loadOwnLimits } from "../../accounts/accounts.ts";
import type { Queries, Tx } from "../../platform/database/database.ts";
import type { Payment } from "../payment.ts";
import { type CountedDeposit, loadDepositsSince } from "../store/payment-store.ts";

const LOOK_BACK_MS = 30 * 24 * 60 * MINUTE_MS;

export function loadCountedDeposits(
  queries: Queries,
  playerId: PlayerId,
  now: Instant,
): Promise<readonly CountedDeposit[]> {
  return loadDepositsSince(queries, playerId, { since: addMs(now, -LOOK_BACK_MS), now });
}

export async function loadCreditedDeposits(
  queries: Queries,
  playerId: PlayerId,
  now: Instant,
): Promise<readonly CountedDeposit[]> {
  return (await loadCountedDeposits(queries, playerId, now)).filter(({ isCredited }) => isCredited);
}

export async function loadDepositLeft(queries: Queries, playerId: PlayerId, now: Instant): Promise<DepositLeft | null> {
  const [{ limits }, deposits] = await Promise.all([
    loadOwnLimits(queries, playerId, now),
    loadCountedDeposits(queries, playerId, now),
  ]);
  return findDepositLeft(limits, deposits, now);
}

/**
 * Whether crediting the deposit now would exceed a limit of its player. Open deposits do not count:
 * of two, the one paid first fits. The caller holds `lockLimits`.
 */
export async function exceedsDepositLimit(
  tx: Tx,
  { playerId, kobo }: Pick<Payment, "playerId" | "kobo">,
  now: Instant,
): Promise<boolean> {
  const question = { playerId, kobo, now, loadDeposits: () => loadCreditedDeposits(tx, playerId, now) };
  return (await findExceededDepositLimit(tx, question)) !== null;
}
