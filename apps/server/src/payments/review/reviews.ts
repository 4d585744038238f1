import { addMs } from "@holo/kernel/instant.ts";
import {
  type Coins,
  formatNaira,
  type Kobo,
  subtractCoins,
  toCoinsIn,
  toCoinsOut,
  toKobo,
} from "@holo/kernel/money.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { ReviewEnd } from "@holo/protocol/admin/money.ts";
import { isAccountDeleted, loadDeletedPlayers } from "../../accounts/accounts.ts";
import { loadWallets } from "../../ledger/ledger.ts";
import type { Database, Tx } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import type { Time } from "../../platform/time/time.ts";
import { toCreditable, toRefundedKobo } from "../deposit/decide-deposit.ts";
import { REFUND_SLOW_MS } from "../deposit/decide-refund.ts";
import { exceedsDepositLimit } from "../deposit/deposit-limits.ts";
import { CLAIM_MS } from "../deposit/deposits.ts";
import type { Refunds } from "../deposit/refunds.ts";
import { isAllocationPending, isCredited, type Payment } from "../payment.ts";
import { hasOpenDispute } from "../provider/inbox-store.ts";
import type { Paystack } from "../provider/paystack.ts";
import { type ProviderCharge, type ProviderRefund, parseStoredCharge } from "../provider/provider-status.ts";
import { type AppliedEffect, applyEffect } from "../settlement/apply-effect.ts";
import type { Settler } from "../settlement/settler.ts";
import { changeAmount, changePayment, loadPaymentsForReview, lockPaymentAndLimits } from "../store/payment-store.ts";

/** Who may do what is about to be done, and that they did it: both in its transaction. */
export interface Permit<Denied extends string> {
  /** Writes nothing: what comes after it may still refuse. */
  check(tx: Tx, payment: Payment): Promise<Result<null, Denied>>;
  /** @param kobo what it was about: the payment, or a part of it */
  record(tx: Tx, payment: Payment, kobo: Kobo): Promise<void>;
}

export type ReviewRefusal =
  | "unknown_payment"
  | "not_in_review"
  | "payment_disputed"
  | "not_creditable"
  | "beyond_own_limit"
  | "figures_changed"
  | "provider_silent";

/** A payment that people have to look at. */
export interface Review {
  readonly payment: Payment;
  /** What could be credited of it, as far as the provider has said; null where that is nothing. */
  readonly arrived: { readonly kobo: Kobo; readonly coins: Coins } | null;
  /** What of a credited deposit has gone back to who paid it and was not booked yet; null where that is nothing. */
  readonly refunded: { readonly kobo: Kobo; readonly coins: Coins } | null;
  /** What its player has now. */
  readonly wallet: Coins;
  /** How people can end it here; where in no way, it is decided at the provider. */
  readonly ends: readonly ReviewEnd[];
}

/** What went otherwise than it was to, until somebody of the house ends it (ruling 9). */
export interface Reviews {
  /** Everything that people have to look at, the oldest first; also what takes a week on its way back to who paid it. */
  list(): Promise<readonly Review[]>;
  /**
   * Credits what the provider says has arrived, at the rate of the deposit. Refusals in the order of `ReviewRefusal`: `not_creditable`
   * is what is not naira or was not paid, what is on its way back or went back in part already, and what is of somebody who has left;
   * `beyond_own_limit` what would pass a limit that its player has set; the last where the provider does not answer; and what `permit`
   * refuses.
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
  /**
   * Books what of a credited deposit has gone back to who paid it: its coins are taken from the player, the missing ones as a debt, or it is
   * the platform's loss. Refusals as there; `figures_changed` where the provider says of another sum than `kobo`, which is then what is
   * shown, or of none, which ends it.
   */
  allocate<Denied extends string>(
    order: AllocationOrder,
    permit: Permit<Denied>,
  ): Promise<Result<Payment, ReviewRefusal | Denied>>;
}

export interface AllocationOrder {
  readonly reference: string;
  readonly bearer: "player" | "platform";
  /** What was shown to be booked. */
  readonly kobo: bigint;
}

export interface ReviewsDeps {
  readonly database: Database;
  readonly time: Time;
  readonly paystack: Paystack;
  readonly refunds: Pick<Refunds, "send">;
  readonly settler: Settler;
}

type Ended = AppliedEffect & { readonly kobo: Kobo };

/** Whether it waits for people while nobody has its coins: what came again after it was taken back does so once its player has left. */
function isHeld({ kind, status, money }: Payment, isLeft: boolean): boolean {
  return kind === "deposit" && status === "review" && (money === "none" || (money === "taken_back" && isLeft));
}

function toEnds(payment: Payment, isCreditable: boolean, isLeft: boolean): readonly ReviewEnd[] {
  if (isAllocationPending(payment)) return ["take", "bear"];
  if (!isHeld(payment, isLeft)) return [];
  return isCreditable && payment.money === "none" && !isLeft ? ["credit", "refund"] : ["refund"];
}

/** What is gone and not booked, and its coins as they would be taken. */
function toUnallocated({
  kobo,
  coins,
  rateKobo,
  refundedKobo,
  allocatedKobo,
}: Payment): NonNullable<Review["refunded"]> {
  const all = refundedKobo === kobo ? coins : toCoinsOut(refundedKobo, rateKobo);
  return { kobo: toKobo(refundedKobo - allocatedKobo), coins: subtractCoins(all, toCoinsOut(allocatedKobo, rateKobo)) };
}

export function openReviews({ database, time, paystack, refunds, settler }: ReviewsDeps): Reviews {
  /** Carries out what `end` does with the locked payment, if it is still there to be ended. */
  async function endOne<Denied extends string>(
    reference: string,
    permit: Permit<Denied>,
    isOpen: (payment: Payment, isLeft: boolean) => boolean,
    end: (tx: Tx, payment: Payment, isLeft: boolean) => Promise<Result<Ended, ReviewRefusal>>,
  ): Promise<Result<Payment, ReviewRefusal | Denied>> {
    return await transact(database, async (tx, afterCommit) => {
      const payment = await lockPaymentAndLimits(tx, reference);
      if (payment === null) return refuse("unknown_payment");
      const isLeft = await isAccountDeleted(tx, payment.playerId);
      if (!isOpen(payment, isLeft)) return refuse("not_in_review");
      // Whoever wins it, the money would be with both: the bank takes back what it is owed by itself.
      if (await hasOpenDispute(tx, reference)) return refuse("payment_disputed");
      const permitted = await permit.check(tx, payment);
      if (!permitted.ok) return permitted;
      const carried = await end(tx, payment, isLeft);
      if (!carried.ok) return carried;
      const { payment: ended, wallets, alert, kobo } = carried.value;
      await permit.record(tx, ended, kobo);
      afterCommit(() => settler.notify(ended, wallets, alert));
      return ok(ended);
    });
  }

  /** The charge as it is now, and what was refunded of it, by whomever; refused where the provider does not say. */
  async function ask(
    reference: string,
  ): Promise<
    Result<
      { readonly word: ProviderCharge; readonly refunded: readonly ProviderRefund[] },
      "provider_silent" | "unknown_payment"
    >
  > {
    const answer = await paystack.verifyCharge(reference);
    if (!answer.ok) return refuse("provider_silent");
    if (answer.value === null) return refuse("unknown_payment");
    const listed = await paystack.listRefunds(answer.value);
    return listed.ok ? ok({ word: answer.value, refunded: listed.value }) : refuse("provider_silent");
  }

  /** Writes what is gone by now, where that is not what people were shown: it is for them to look again, unless nothing is left of it. */
  async function correct(tx: Tx, payment: Payment, refundedKobo: Kobo): Promise<Payment> {
    const gone = refundedKobo > payment.allocatedKobo ? refundedKobo : payment.allocatedKobo;
    const isOver = gone === payment.allocatedKobo && payment.status === "review";
    const over = isOver ? ({ status: "completed", reason: null } as const) : {};
    return await changePayment(tx, payment, { refundedKobo: gone, ...over }, time.now());
  }

  return {
    async list() {
      const held = await loadPaymentsForReview(database.kysely, addMs(time.now(), -REFUND_SLOW_MS));
      const players = [...new Set(held.map(({ payment }) => payment.playerId))];
      const [wallets, left] = await Promise.all([
        loadWallets(database.kysely, players),
        held.length === 0 ? [] : loadDeletedPlayers(database.kysely),
      ]);
      const balances = new Map(wallets.map(({ playerId, balance }) => [playerId, balance]));
      const gone = new Set(left);
      return held.map(({ payment, provider }) => {
        const arrived = payment.money === "none" ? toCreditable(payment, parseStoredCharge(provider)) : null;
        return {
          payment,
          arrived: arrived && { kobo: arrived.kobo, coins: toCoinsIn(arrived.kobo, payment.rateKobo) },
          refunded: isAllocationPending(payment) ? toUnallocated(payment) : null,
          wallet: balances.get(payment.playerId) ?? (0n as Coins),
          ends: toEnds(payment, arrived !== null, gone.has(payment.playerId)),
        };
      });
    },

    async credit(reference, permit) {
      const asked = await ask(reference);
      if (!asked.ok) return asked;
      const { word, refunded } = asked.value;
      // Also one that was ordered at the provider's own pages: else the same money would be with both.
      const isGoingBack = refunded.some(({ status }) => status !== "failed");
      return await endOne(reference, permit, isHeld, async (tx, payment, isLeft) => {
        const arrived = toCreditable(payment, word);
        if (arrived === null || isGoingBack || isLeft) return refuse("not_creditable");
        const { kobo, payerFeeKobo, providerFeeKobo } = arrived;
        if (await exceedsDepositLimit(tx, { ...payment, kobo }, time.now())) return refuse("beyond_own_limit");
        const coins = toCoinsIn(kobo, payment.rateKobo);
        const changed = await changeAmount(tx, payment, { kobo, coins, payerFeeKobo });
        const reason = `What arrived was credited: ${formatNaira(kobo)}.`;
        return ok({
          ...(await applyEffect(tx, changed, { type: "credit", providerFeeKobo, reason }, null, time.now())),
          kobo,
        });
      });
    },

    async refund(reference, permit) {
      // First it is said that it goes back: from then on nobody can credit it, whatever becomes of the call or of us.
      const ended = await endOne(reference, permit, isHeld, async (tx, payment) => {
        const at = time.now();
        const going = {
          sentAt: at,
          notFoundSince: null,
          attempts: 0,
          completedAt: null,
          nextAttemptAt: addMs(at, CLAIM_MS),
        };
        const change = { ...going, status: "reversed", reason: "Your payment is being sent back to you." } as const;
        const changed = await changePayment(tx, payment, change, at);
        return ok({ payment: changed, wallets: [], alert: null, kobo: payment.kobo });
      });
      if (!ended.ok) return ended;
      return (await refunds.send(ended.value)) ? ended : refuse("provider_silent");
    },

    async allocate({ reference, bearer, kobo }, permit) {
      const asked = await ask(reference);
      if (!asked.ok) return asked;
      const { word, refunded } = asked.value;
      const isOpen = (payment: Payment) => isCredited(payment) && isAllocationPending(payment);
      let corrected: Payment | null = null;
      const booked = await endOne(reference, permit, isOpen, async (tx, payment) => {
        const gone = toRefundedKobo(payment, word, refunded);
        corrected = gone === payment.refundedKobo ? null : await correct(tx, payment, gone);
        const unbooked = toUnallocated(payment);
        if (corrected !== null || unbooked.kobo !== kobo) return refuse("figures_changed");
        const carried = await applyEffect(tx, payment, { type: "book", bearer }, null, time.now());
        return ok({ ...carried, kobo: unbooked.kobo });
      });
      if (corrected !== null) settler.notify(corrected, [], null);
      return booked;
    },
  };
}
