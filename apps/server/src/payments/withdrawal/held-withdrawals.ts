import type { PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { Coins, Kobo } from "@holo/kernel/money.ts";
import { lockLimits } from "../../accounts/accounts.ts";
import { loadMarkedWithdrawal } from "../../ledger/ledger.ts";
import type { Queries, Tx } from "../../platform/database/database.ts";
import type { Time } from "../../platform/time/time.ts";
import { toCheckAt, toFairEndAt, toFirstEndAt } from "../core/decide-withdrawal.ts";
import { foldWithdrawals, loadFacts } from "../facts/fact-store.ts";
import type { Follower } from "../facts/follower.ts";
import { isDeposit } from "../payment.ts";
import { loadUnsent, recheckChecked } from "../store/checked-store.ts";
import { lockPayment } from "../store/payment-store.ts";
import { toTakenCoins } from "./withdrawal.ts";

/** A withdrawal with marked coins that is not sent, whatever else it waits for (rulings 44, 52). */
interface HeldWithdrawal {
  readonly paymentId: PaymentId;
  readonly reference: string;
  readonly kobo: Kobo;
  /** What it took from the wallet. */
  readonly coins: Coins;
  /** When it is sent at the latest. */
  readonly untilAt: Instant;
}

export interface HeldWithdrawals {
  listHeld(queries: Queries, playerId: PlayerId): Promise<readonly HeldWithdrawal[]>;
  /** Marks ended before their time: they are due at once. */
  recheckHeld(tx: Tx, playerId: PlayerId, at: Instant): Promise<void>;
  /** Returns their coins to the wallet, in a forfeit's transaction; not of those sent since. */
  returnHeld(
    tx: Tx,
    afterCommit: (effect: () => void) => void,
    playerId: PlayerId,
    paymentIds: readonly PaymentId[],
  ): Promise<void>;
}

export function openHeldWithdrawals({
  time,
  follower,
}: {
  readonly time: Time;
  readonly follower: Follower;
}): HeldWithdrawals {
  async function listHeld(queries: Queries, playerId: PlayerId): Promise<readonly HeldWithdrawal[]> {
    const now = time.now();
    const found = await loadUnsent(queries, playerId);
    const held: HeldWithdrawal[] = [];
    for (const payment of found) {
      const state = foldWithdrawals(await loadFacts(queries, payment.id));
      const { until } = await loadMarkedWithdrawal(queries, payment.id, now);
      if (isDeposit(payment) || until === null || now >= toFairEndAt(state, now)) continue;
      const { id: paymentId, reference, kobo } = payment;
      const untilAt = Math.max(toCheckAt(state, until, now), toFirstEndAt(state) ?? 0) as Instant;
      held.push({ paymentId, reference, kobo, coins: toTakenCoins(payment), untilAt });
    }
    return held;
  }

  return {
    listHeld,
    recheckHeld: recheckChecked,
    async returnHeld(tx, afterCommit, playerId, paymentIds) {
      await lockLimits(tx, playerId);
      for (const { id, reference } of await loadUnsent(tx, playerId)) {
        const locked = paymentIds.includes(id) ? await lockPayment(tx, reference) : null;
        if (locked?.step !== "held") continue;
        await follower.follow(tx, afterCommit, locked, [{ type: "returned", cause: "forfeit" }]);
      }
    },
  };
}
