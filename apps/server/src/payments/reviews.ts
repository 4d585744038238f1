import { addMs } from "@holo/kernel/instant.ts";
import { KOBO_MAX, toCoinsIn, toKobo } from "@holo/kernel/money.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { Database } from "../platform/database.ts";
import type { Time } from "../platform/time.ts";
import { transact } from "../platform/transaction.ts";
import { carryOut } from "./carry-out.ts";
import { CLAIM_MS } from "./deposits.ts";
import type { Payment } from "./payment.ts";
import type { Paystack } from "./paystack.ts";
import type { Refunds } from "./refunds.ts";
import type { Settler } from "./settle.ts";
import { changeAmount, changePayment, loadInReview, lockPayment } from "./store.ts";

export type ReviewRefusal = "unknown_payment" | "not_in_review" | "not_creditable" | "payments_unavailable";

/** Deposits that arrived otherwise than they were to: held until somebody of the house ends them in one of two ways (ruling 9). */
export interface Reviews {
  /** Everything that people have to look at, the oldest first; not all of it is theirs to end. */
  list(): Promise<readonly Payment[]>;
  /**
   * Credits what the provider says has arrived, at the rate of the deposit. Refusals in the order of `ReviewRefusal`: `not_creditable`
   * is what is not naira or was not paid, and the last where the provider does not answer.
   */
  credit(reference: string): Promise<Result<Payment, ReviewRefusal>>;
  /**
   * Sends back all of it, so that it can never be credited unless the provider cannot. Refusals as there; after the last one it is in
   * review again.
   */
  refund(reference: string): Promise<Result<Payment, ReviewRefusal>>;
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
  async function endOne(
    reference: string,
    end: (tx: Parameters<typeof lockPayment>[0], payment: Payment) => ReturnType<typeof carryOut>,
  ): Promise<Result<Payment, ReviewRefusal>> {
    return await transact(database, async (tx, afterCommit) => {
      const payment = await lockPayment(tx, reference);
      if (payment === null) return refuse("unknown_payment");
      if (!isEndable(payment)) return refuse("not_in_review");
      const { payment: ended, wallets, alert } = await end(tx, payment);
      afterCommit(() => settler.tell(ended, wallets, alert));
      return ok(ended);
    });
  }

  return {
    list: () => loadInReview(database.kysely),

    async credit(reference) {
      const answer = await paystack.verifyCharge(reference);
      if (!answer.ok) return refuse("payments_unavailable");
      const word = answer.value;
      if (word === null) return refuse("unknown_payment");
      const isMoney =
        word.status === "success" && word.currency === "NGN" && word.amount > 0n && word.amount <= KOBO_MAX;
      if (!isMoney) return refuse("not_creditable");
      return await endOne(reference, async (tx, payment) => {
        const kobo = toKobo(word.amount);
        const changed = await changeAmount(tx, payment, kobo, toCoinsIn(kobo, payment.rateKobo));
        const feeKobo = word.fees === null || word.fees <= 0n ? null : toKobo(word.fees);
        return await carryOut(tx, changed, { type: "credit", feeKobo }, null, time.now());
      });
    },

    async refund(reference) {
      // First it is said that it goes back: from then on nobody can credit it, whatever becomes of the call or of us.
      const ended = await endOne(reference, async (tx, payment) => {
        const at = time.now();
        const going = {
          sentAt: at,
          askedSince: null,
          attempts: 0,
          completedAt: null,
          nextAttemptAt: addMs(at, CLAIM_MS),
        };
        const change = { ...going, status: "reversed", reason: "Your payment is being sent back to you." } as const;
        return { payment: await changePayment(tx, payment, change, at), wallets: [], alert: null };
      });
      if (!ended.ok) return ended;
      return (await refunds.send(ended.value)) ? ended : refuse("payments_unavailable");
    },
  };
}
