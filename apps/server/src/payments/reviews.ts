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
import type { ReviewEnd } from "@holo/protocol/admin-views.ts";
import { hasLeft, loadLeft } from "../accounts/accounts.ts";
import { walletBalances } from "../ledger/ledger.ts";
import type { Database, Tx } from "../platform/database.ts";
import type { Time } from "../platform/time.ts";
import { transact } from "../platform/transaction.ts";
import { type CarriedOut, carryOut } from "./carry-out.ts";
import { isBeyondLimit } from "./counted.ts";
import { toArrived, toGone } from "./decide-deposit.ts";
import { REFUND_SLOW_MS } from "./decide-refund.ts";
import { CLAIM_MS } from "./deposits.ts";
import { hasOpenDispute } from "./inbox-store.ts";
import { isCredited, isToBeBooked, type Payment } from "./payment.ts";
import type { Paystack } from "./paystack.ts";
import type { Refunds } from "./refunds.ts";
import type { Settler } from "./settle.ts";
import { changeAmount, changePayment, loadToLookAt, lockArriving } from "./store.ts";
import { type ChargeWord, parseKeptCharge, type RefundWord } from "./word.ts";

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
  readonly gone: { readonly kobo: Kobo; readonly coins: Coins } | null;
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
  book<Denied extends string>(
    order: BookOrder,
    permit: Permit<Denied>,
  ): Promise<Result<Payment, ReviewRefusal | Denied>>;
}

export interface BookOrder {
  readonly reference: string;
  readonly bearer: "player" | "platform";
  /** What was shown to be booked. */
  readonly kobo: bigint;
}

export interface ReviewsOptions {
  readonly database: Database;
  readonly time: Time;
  readonly paystack: Paystack;
  readonly refunds: Pick<Refunds, "send">;
  readonly settler: Settler;
}

type Ended = CarriedOut & { readonly kobo: Kobo };

/** Whether it waits for people while nobody has its coins: what came again after it was taken back does so once its player has left. */
function isHeld({ kind, status, money }: Payment, isLeft: boolean): boolean {
  return kind === "deposit" && status === "review" && (money === "none" || (money === "taken_back" && isLeft));
}

function toEnds(payment: Payment, isCreditable: boolean, isLeft: boolean): readonly ReviewEnd[] {
  if (isToBeBooked(payment)) return ["take", "bear"];
  if (!isHeld(payment, isLeft)) return [];
  return isCreditable && payment.money === "none" && !isLeft ? ["credit", "refund"] : ["refund"];
}

/** What is gone and not booked, and its coins as they would be taken. */
function toUnbooked({ kobo, coins, rateKobo, goneKobo, bookedKobo }: Payment): NonNullable<Review["gone"]> {
  const all = goneKobo === kobo ? coins : toCoinsOut(goneKobo, rateKobo);
  return { kobo: toKobo(goneKobo - bookedKobo), coins: subtractCoins(all, toCoinsOut(bookedKobo, rateKobo)) };
}

export function openReviews({ database, time, paystack, refunds, settler }: ReviewsOptions): Reviews {
  /** Carries out what `end` does with the locked payment, if it is still there to be ended. */
  async function endOne<Denied extends string>(
    reference: string,
    permit: Permit<Denied>,
    isOpen: (payment: Payment, isLeft: boolean) => boolean,
    end: (tx: Tx, payment: Payment, isLeft: boolean) => Promise<Result<Ended, ReviewRefusal>>,
  ): Promise<Result<Payment, ReviewRefusal | Denied>> {
    return await transact(database, async (tx, afterCommit) => {
      const payment = await lockArriving(tx, reference);
      if (payment === null) return refuse("unknown_payment");
      const isLeft = await hasLeft(tx, payment.playerId);
      if (!isOpen(payment, isLeft)) return refuse("not_in_review");
      // Whoever wins it, the money would be with both: the bank takes back what it is owed by itself.
      if (await hasOpenDispute(tx, reference)) return refuse("payment_disputed");
      const permitted = await permit.check(tx, payment);
      if (!permitted.ok) return permitted;
      const carried = await end(tx, payment, isLeft);
      if (!carried.ok) return carried;
      const { payment: ended, wallets, alert, kobo } = carried.value;
      await permit.record(tx, ended, kobo);
      afterCommit(() => settler.tell(ended, wallets, alert));
      return ok(ended);
    });
  }

  /** The charge as it is now, and what was refunded of it, by whomever; refused where the provider does not say. */
  async function ask(
    reference: string,
  ): Promise<
    Result<
      { readonly word: ChargeWord; readonly refunded: readonly RefundWord[] },
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
  async function correct(tx: Tx, payment: Payment, goneKobo: Kobo): Promise<Payment> {
    const gone = goneKobo > payment.bookedKobo ? goneKobo : payment.bookedKobo;
    const isOver = gone === payment.bookedKobo && payment.status === "review";
    const over = isOver ? ({ status: "completed", reason: null } as const) : {};
    return await changePayment(tx, payment, { goneKobo: gone, ...over }, time.now());
  }

  return {
    async list() {
      const held = await loadToLookAt(database.kysely, addMs(time.now(), -REFUND_SLOW_MS));
      const players = [...new Set(held.map(({ payment }) => payment.playerId))];
      const [wallets, left] = await Promise.all([
        walletBalances(database.kysely, players),
        held.length === 0 ? [] : loadLeft(database.kysely),
      ]);
      const balances = new Map(wallets.map(({ playerId, balance }) => [playerId, balance]));
      const gone = new Set(left);
      return held.map(({ payment, provider }) => {
        const arrived = payment.money === "none" ? toArrived(payment, parseKeptCharge(provider)) : null;
        return {
          payment,
          arrived: arrived && { kobo: arrived.kobo, coins: toCoinsIn(arrived.kobo, payment.rateKobo) },
          gone: isToBeBooked(payment) ? toUnbooked(payment) : null,
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
        const arrived = toArrived(payment, word);
        if (arrived === null || isGoingBack || isLeft) return refuse("not_creditable");
        const { kobo, payerFeeKobo, feeKobo } = arrived;
        if (await isBeyondLimit(tx, { ...payment, kobo }, time.now())) return refuse("beyond_own_limit");
        const coins = toCoinsIn(kobo, payment.rateKobo);
        const changed = await changeAmount(tx, payment, { kobo, coins, payerFeeKobo });
        const reason = `What arrived was credited: ${formatNaira(kobo)}.`;
        return ok({ ...(await carryOut(tx, changed, { type: "credit", feeKobo, reason }, null, time.now())), kobo });
      });
    },

    async refund(reference, permit) {
      // First it is said that it goes back: from then on nobody can credit it, whatever becomes of the call or of us.
      const ended = await endOne(reference, permit, isHeld, async (tx, payment) => {
        const at = time.now();
        const going = {
          sentAt: at,
          askedSince: null,
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

    async book({ reference, bearer, kobo }, permit) {
      const asked = await ask(reference);
      if (!asked.ok) return asked;
      const { word, refunded } = asked.value;
      const isOpen = (payment: Payment) => isCredited(payment) && isToBeBooked(payment);
      let corrected: Payment | null = null;
      const booked = await endOne(reference, permit, isOpen, async (tx, payment) => {
        const gone = toGone(payment, word, refunded);
        corrected = gone === payment.goneKobo ? null : await correct(tx, payment, gone);
        const unbooked = toUnbooked(payment);
        if (corrected !== null || unbooked.kobo !== kobo) return refuse("figures_changed");
        const carried = await carryOut(tx, payment, { type: "book", bearer }, null, time.now());
        return ok({ ...carried, kobo: unbooked.kobo });
      });
      if (corrected !== null) settler.tell(corrected, [], null);
      return booked;
    },
  };
}
