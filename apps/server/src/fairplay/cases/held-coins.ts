import type { PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { Coins, Kobo } from "@holo/kernel/money.ts";
import { type CoinOrigin, loadWalletOrigins, loadWhereabouts, loadWithdrawalOrigins } from "../../ledger/ledger.ts";
import type { Queries, Tx } from "../../platform/database/database.ts";
import type { FairPlayCase } from "./case.ts";
import { toGainer, toGifts } from "./flow-edges.ts";

/** A withdrawal that waits for fair play. */
export interface HeldPayment {
  readonly paymentId: PaymentId;
  readonly reference: string;
  readonly kobo: Kobo;
  readonly coins: Coins;
  readonly untilAt: Instant;
}

/** Of the payments module, which asks this one before it pays. */
export interface HeldPayments {
  listHeld(queries: Queries, playerId: PlayerId): Promise<readonly HeldPayment[]>;
  /** Due at once, as marks have ended. */
  recheckHeld(tx: Tx, playerId: PlayerId, at: Instant): Promise<void>;
  /** Their coins go back to the wallet. */
  returnHeld(
    tx: Tx,
    afterCommit: (effect: () => void) => void,
    playerId: PlayerId,
    paymentIds: readonly PaymentId[],
  ): Promise<void>;
}

/** What a forfeit would return to the wallet, and whom it would pay. */
export async function loadForfeit(
  queries: Queries,
  one: FairPlayCase,
  payments: Pick<HeldPayments, "listHeld">,
  now: Instant,
) {
  const held = await loadHeldFor(queries, one, payments, now);
  return { held, gifts: toGifts(await loadHeldOrigins(queries, one, held, now), toGainer(one)) };
}

/** Withdrawals that wait for the case, of everyone who may have its coins. */
async function loadHeldFor(
  queries: Queries,
  one: FairPlayCase,
  { listHeld }: Pick<HeldPayments, "listHeld">,
  now: Instant,
): Promise<readonly (HeldPayment & { readonly playerId: PlayerId })[]> {
  const { id, paymentId } = one;
  const found = [];
  for (const playerId of await listHolders(queries, one)) {
    for (const payment of await listHeld(queries, playerId)) {
      const origins = await loadWithdrawalOrigins(queries, payment.paymentId, now);
      const isOfCase = origins.some(({ isMarked, doubtedBy, origin }) =>
        paymentId === null ? doubtedBy.includes(id) : isMarked && origin.paymentId === paymentId,
      );
      if (isOfCase) found.push({ ...payment, playerId });
    }
  }
  return found;
}

/** The case's coins that its player still has: in the wallet, or in a withdrawal that waits. */
async function loadHeldOrigins(
  queries: Queries,
  { id, playerId }: FairPlayCase,
  held: readonly HeldPayment[],
  now: Instant,
): Promise<readonly CoinOrigin[]> {
  const found = [...(await loadWalletOrigins(queries, playerId, now))];
  for (const { paymentId } of held) found.push(...(await loadWithdrawalOrigins(queries, paymentId, now)));
  return found.filter(({ doubtedBy }) => doubtedBy.includes(id));
}

/** Everyone whom a case is about now: coins of a disputed deposit travel on after its opening. */
export async function loadConcerned(queries: Queries, one: FairPlayCase): Promise<readonly PlayerId[]> {
  return [...new Set([...one.concerned, ...(await listHolders(queries, one))])];
}

/** Whose withdrawals may wait for this case. */
export async function listHolders(
  queries: Queries,
  { playerId, paymentId }: FairPlayCase,
): Promise<readonly PlayerId[]> {
  if (paymentId === null) return [playerId];
  const { held, gone } = await loadWhereabouts(queries, { paymentId, playerId });
  const paid = gone.filter(({ kind }) => kind === "withdrawal");
  return [...new Set([...held, ...paid].map((one) => one.playerId))];
}
