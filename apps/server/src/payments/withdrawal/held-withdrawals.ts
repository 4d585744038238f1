import { assert } from "@holo/kernel/assert.ts";
import type { PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { Coins, Kobo } from "@holo/kernel/money.ts";
import { lockLimits } from "../../accounts/accounts.ts";
import { loadMarkedWithdrawal } from "../../ledger/ledger.ts";
import type { Queries, Tx } from "../../platform/database/database.ts";
import type { Time } from "../../platform/time/time.ts";
import { toCheckAt, toFairEndAt } from "../core/decide-withdrawal.ts";
import { foldWithdrawals, loadFacts } from "../facts/fact-store.ts";
import type { Follower } from "../facts/follower.ts";
import { isDeposit } from "../payment.ts";
import { loadChecked, recheckChecked } from "../store/checked-store.ts";
import { lockPayment } from "../store/payment-store.ts";
import { toTakenCoins } from "./withdrawal.ts";

/** A withdrawal that waits because its coins are marked (rulings 44 and 52). */
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
  /** Returns their coins to the wallet, in the transaction of a forfeit. */
  returnHeld(tx: Tx, afterCommit: (effect: () => void) => void, playerId: PlayerId): Promise<void>;
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
    const found = await loadChecked(queries, playerId);
    const held: HeldWithdrawal[] = [];
    for (const payment of found) {
      const state = foldWithdrawals(await loadFacts(queries, payment.id));
      const { until } = await loadMarkedWithdrawal(queries, payment.id, now);
      if (isDeposit(payment) || until === null || now >= toFairEndAt(state, now)) continue;
      const { id: paymentId, reference, kobo } = payment;
      held.push({ paymentId, reference, kobo, coins: toTakenCoins(payment), untilAt: toCheckAt(state, until, now) });
    }
    return held;
  }

  return {
    listHeld,
    recheckHeld: recheckChecked,
    async returnHeld(tx, afterCommit, playerId) {
      await lockLimits(tx, playerId);
      for (const { reference } of await listHeld(tx, playerId)) {
        const locked = await lockPayment(tx, reference);
        assert(locked?.step === "held", `withdrawal ${reference} was sent while it was held`);
        await follower.follow(tx, afterCommit, locked, [{ type: "returned", cause: "forfeit" }]);
      }
    },
  };
}
