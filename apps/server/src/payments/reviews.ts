import { addMs } from "@holo/kernel/instant.ts";
import { type Coins, formatNaira, type Kobo, toCoinsIn } from "@holo/kernel/money.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { hasLeft } from "../accounts/accounts.ts";
import type { Database, Tx } from "../platform/database.ts";
import type { Time } from "../platform/time.ts";
import { transact } from "../platform/transaction.ts";
import { carryOut } from "./carry-out.ts";
import { isBeyondLimit } from "./counted.ts";
import { toArrived } from "./decide.ts";
import { CLAIM_MS } from "./deposits.ts";
import { hasOpenDispute } from "./inbox-store.ts";
import type { Payment } from "./payment.ts";
import type { Paystack } from "./paystack.ts";
import type { Refunds } from "./refunds.ts";
import type { Settler } from "./settle.ts";
import { changeAmount, changePayment, loadInReview, lockArriving } from "./store.ts";
import { parseKeptCharge } from "./word.ts";

/** Who may do what is about to be done, and that they did it: both in its transaction. */
export interface Permit<Denied extends string> {
  /** Writes nothing: what comes after it may still refuse. */
  check(tx: Tx, payment: Payment): Promise<Result<null, Denied>>;
  record(tx: Tx, payment: Payment): Promise<void>;
}

export type ReviewRefusal =
  | "unknown_payment"
  | "not_in_review"
  | "payment_disputed"
  | "not_creditable"
  | "beyond_own_limit"
  | "provider_silent";

/** A payment that people have to look at. */
export interface Review {
  readonly payment: Payment;
  /** What could be credited of it, as far as the provider has said; null where that is nothing. */
  readonly arrived: { readonly kobo: Kobo; readonly coins: Coins } | null;
  /** Whether people can end it here; all else is decided at the provider. */
  readonly isEndable: boolean;
}

/** Deposits that arrived otherwise than they were to: held until somebody of the house ends them in one of two ways (ruling 9). */
export interface Reviews {
  /** Everything that people have to look at, the oldest first. */
  list(): Promise<readonly Review[]>;
  /**
   * Credits what the provider says has arrived, at the rate of the deposit. Refusals in the order of `ReviewRefusal`: `not_creditable`
   * is what is not naira or was not paid, what is on its way back or went back in part already, and what is of somebody who has left; `beyond_own_limit` what would pass a limit
   * that its player has set; the last where the provider does not answer; and what `permit` refuses.
   */
  credit<Denied extends string>(
    reference: string,
    permit: Permit<Denied>,
  ): Promise<Result<Payment, ReviewRefusal | Denied>>;
  /**
   * Sends back all of it, so that it can never be credited unless the provider cannot. Refusals as there; after the last one it is in
   * review again.
   */
  refund<Denied extends string>(
    reference: string,
    permit: Permit<Denied>,
  ): Promise<Result<Payment, ReviewRefusal | Denied>>;
}

export interface ReviewsOptions {
  readonly database: Database;
  readonly time: Time;
  readonly paystack: Paystack;
  readonly refunds: Pick<Refunds, "send">;
  readonly settler: Settler;
}

function isEndable(payment: Payment): boolean {
  return payment.kind === "deposit" && payment.status === "review" && payment.money === "none";
}

export function openReviews({ database, time, paystack, refunds, settler }: ReviewsOptions): Reviews {
  /** Carries out what `end` does with the locked payment, if it is still there to be ended. */
  async function endOne<Denied extends string>(
    reference: string,
    permit: Permit<Denied>,
    end: (tx: Tx, payment: Payment) => Promise<Result<Awaited<ReturnType<typeof carryOut>>, ReviewRefusal>>,
  ): Promise<Result<Payment, ReviewRefusal | Denied>> {
    return await transact(database, async (tx, afterCommit) => {
      const payment = await lockArriving(tx, reference);
      if (payment === null) return refuse("unknown_payment");
      if (!isEndable(payment)) return refuse("not_in_review");
      // Whoever wins it, the money would be with both: the bank takes back what it is owed by itself.
      if (await hasOpenDispute(tx, reference)) return refuse("payment_disputed");
      const permitted = await permit.check(tx, payment);
      if (!permitted.ok) return permitted;
      const carried = await end(tx, payment);
      if (!carried.ok) return carried;
      const { payment: ended, wallets, alert } = carried.value;
      await permit.record(tx, ended);
      afterCommit(() => settler.tell(ended, wallets, alert));
      return ok(ended);
    });
  }

  return {
    async list() {
      const held = await loadInReview(database.kysely);
      return held.map(({ payment, provider }) => {
        const arrived = payment.money === "none" ? toArrived(payment, parseKeptCharge(provider)) : null;
        return {
          payment,
          arrived: arrived && { kobo: arrived.kobo, coins: toCoinsIn(arrived.kobo, payment.rateKobo) },
          isEndable: isEndable(payment),
        };
      });
    },

    async credit(reference, permit) {
      const answer = await paystack.verifyCharge(reference);
      if (!answer.ok) return refuse("provider_silent");
      const word = answer.value;
      if (word === null) return refuse("unknown_payment");
      // Also one that was ordered at the provider's own pages: else the same money would be with both.
      const refunds = await paystack.listRefunds(word);
      if (!refunds.ok) return refuse("provider_silent");
      const isGoingBack = refunds.value.some(({ status }) => status !== "failed");
      return await endOne(reference, permit, async (tx, payment) => {
        const arrived = toArrived(payment, word);
        const isTheirs = !(await hasLeft(tx, payment.playerId));
        if (arrived === null || isGoingBack || !isTheirs) return refuse("not_creditable");
        const { kobo, payerFeeKobo, feeKobo } = arrived;
        if (await isBeyondLimit(tx, { ...payment, kobo }, time.now())) return refuse("beyond_own_limit");
        const coins = toCoinsIn(kobo, payment.rateKobo);
        const changed = await changeAmount(tx, payment, { kobo, coins, payerFeeKobo });
        const reason = `What arrived was credited: ${formatNaira(kobo)}.`;
        return ok(await carryOut(tx, changed, { type: "credit", feeKobo, reason }, null, time.now()));
      });
    },

    async refund(reference, permit) {
      // First it is said that it goes back: from then on nobody can credit it, whatever becomes of the call or of us.
      const ended = await endOne(reference, permit, async (tx, payment) => {
        const at = time.now();
        const going = {
          sentAt: at,
          askedSince: null,
          attempts: 0,
          completedAt: null,
          nextAttemptAt: addMs(at, CLAIM_MS),
        };
        const change = { ...going, status: "reversed", reason: "Your payment is being sent back to you." } as const;
        return ok({ payment: await changePayment(tx, payment, change, at), wallets: [], alert: null });
      });
      if (!ended.ok) return ended;
      return (await refunds.send(ended.value)) ? ended : refuse("provider_silent");
    },
  };
}
