import { assert, assertNever } from "@holo/kernel/assert.ts";
import { addMs, type Instant } from "@holo/kernel/instant.ts";
import { formatNaira, type Kobo, toKobo } from "@holo/kernel/money.ts";
import type { Result } from "@holo/kernel/result.ts";
import {
  type EntryConflict,
  type Posted,
  postDeposit,
  postDepositReturn,
  postDepositReversal,
  postDepositSentBack,
  postLateReversal,
  postLateSuccess,
  postProviderFee,
  postWithdrawalPaid,
  postWithdrawalReturn,
  type Wallet,
} from "../ledger/ledger.ts";
import type { Tx } from "../platform/database.ts";
import { type Effect, NOT_FOUND_MS } from "./effect.ts";
import { isMoneyOut, type Payment } from "./payment.ts";
import { changePayment } from "./store.ts";

const TAKEN = "of this payment went back to you, and its coins were taken back.";

/** What an effect has done, to be told once it is committed. */
export interface CarriedOut {
  readonly payment: Payment;
  readonly wallets: readonly Wallet[];
  /** What people have to be called for, the first time it is so. */
  readonly alert: string | null;
}

/**
 * Posts what the effect says and writes it into the payment's row, which the caller has locked: both or neither. An effect is decided from
 * that very row, so that a posting of it can neither be there already nor contradict another.
 *
 * @param provider what the provider said, as text; null where it said nothing
 */
export async function carryOut(
  tx: Tx,
  payment: Payment,
  effect: Effect,
  provider: string | null,
  at: Instant,
): Promise<CarriedOut> {
  const said = provider === null ? {} : { provider };
  const order = { paymentId: payment.id, at };
  const over = { nextAttemptAt: null, askedSince: null, attempts: 0, ...said };
  switch (effect.type) {
    case "credit": {
      const posted = stand(await postDeposit(tx, { ...toNaira(payment), playerId: payment.playerId, at }), payment);
      await bookFee(tx, payment, effect.feeKobo, at);
      const change = {
        status: "completed",
        money: "credited",
        reason: effect.reason,
        completedAt: at,
        ...toFee(effect.feeKobo),
      } as const;
      return done(await changePayment(tx, payment, { ...over, ...change }, at), posted);
    }
    case "take_back": {
      const posted = await postDepositReversal(tx, order);
      const goneKobo = toKobo(0n);
      const change = { status: "reversed", money: "taken_back", reason: effect.reason, goneKobo } as const;
      return done(await changePayment(tx, payment, { ...over, ...change }, at), posted, "deposit_reversed");
    }
    case "gone": {
      const { kobo: goneKobo, status, reason } = effect;
      const changed = await changePayment(tx, payment, { ...over, goneKobo, status, reason }, at);
      return { payment: changed, wallets: [], alert: goneKobo > payment.goneKobo ? effect.alert : null };
    }
    case "book": {
      const { bearer } = effect;
      const { goneKobo, bookedKobo } = payment;
      const posted = stand(await postDepositSentBack(tx, { ...order, goneKobo, bookedKobo, bearer }), payment);
      const isAllTaken = bearer === "player" && goneKobo === payment.kobo;
      const reason = bearer === "player" ? `${formatNaira(toKobo(goneKobo - bookedKobo))} ${TAKEN}` : null;
      const change = { status: isAllTaken ? "reversed" : "completed", bookedKobo: goneKobo, reason } as const;
      return done(await changePayment(tx, payment, { ...over, ...change }, at), posted);
    }
    case "restore": {
      const posted = await postDepositReturn(tx, order);
      // It stays completed when it was: nothing was deposited once more.
      const change = { status: "completed", money: "restored", reason: null } as const;
      return done(await changePayment(tx, payment, { ...over, ...change }, at), posted);
    }
    case "send_back": {
      // Nobody told the provider yet, so none has to be waited for: it is told by the step that is due now.
      const going = { sentAt: at, askedSince: addMs(at, -NOT_FOUND_MS), completedAt: null } as const;
      const change = { ...over, ...going, status: "reversed", reason: effect.reason, nextAttemptAt: at } as const;
      return { payment: await changePayment(tx, payment, change, at), wallets: [], alert: null };
    }
    case "refunded": {
      const change = { status: "reversed", reason: effect.reason, completedAt: at } as const;
      return { payment: await changePayment(tx, payment, { ...over, ...change }, at), wallets: [], alert: null };
    }
    case "pay": {
      const posted = stand(await postWithdrawalPaid(tx, order), payment);
      await bookFee(tx, payment, effect.feeKobo, at);
      const change = {
        status: "completed",
        money: "paid",
        reason: null,
        completedAt: at,
        ...toFee(effect.feeKobo),
      } as const;
      return done(await changePayment(tx, payment, { ...over, ...change }, at), posted);
    }
    case "give_back": {
      const posted = stand(await postWithdrawalReturn(tx, order), payment);
      const change = { status: effect.status, money: "returned", reason: effect.reason, completedAt: at } as const;
      return done(await changePayment(tx, payment, { ...over, ...change }, at), posted);
    }
    case "compensate": {
      const posted = stand(await postLateReversal(tx, order), payment);
      const change = { status: "reversed", money: "returned", reason: effect.reason } as const;
      return done(await changePayment(tx, payment, { ...over, ...change }, at), posted, "transfer_reversed");
    }
    case "lose": {
      const posted = await postLateSuccess(tx, order);
      // What came back once and is said to have arrived all the same is for people alone.
      const money = posted.ok ? "lost" : payment.money;
      const reason = "We are looking into this payment.";
      const changed = await changePayment(tx, payment, { ...over, status: "review", money, reason }, at);
      return { payment: changed, wallets: [], alert: "transfer_after_return" };
    }
    case "tell": {
      const { status, reason, nextAttemptAt, alert } = effect;
      const change = { status, reason, nextAttemptAt, attempts: payment.attempts + 1, ...said };
      const changed = await changePayment(tx, payment, change, at);
      const isTold = payment.status === status && payment.reason === reason;
      return { payment: changed, wallets: [], alert: isTold ? null : alert };
    }
    case "send_again": {
      const again = { askedSince: null, attempts: 0, nextAttemptAt: at };
      // A refund stays what it is and is told once more by who found that out; should they die over it, it is asked for again.
      const change = isMoneyOut(payment) ? ({ ...again, status: "processing", sentAt: null } as const) : again;
      return { payment: await changePayment(tx, payment, change, at), wallets: [], alert: null };
    }
    case "ask":
      return {
        payment: await changePayment(tx, payment, { nextAttemptAt: at, attempts: 0 }, at),
        wallets: [],
        alert: null,
      };
    default:
      return assertNever(effect);
  }
}

function done(payment: Payment, { wallets }: Posted, alert: string | null = null): CarriedOut {
  return { payment, wallets, alert };
}

function toNaira({ id, reference, kobo, rateKobo }: Payment) {
  return { paymentId: id, reference, kobo, rateKobo };
}

function toFee(feeKobo: Kobo | null): { readonly feeKobo?: Kobo } {
  return feeKobo === null ? {} : { feeKobo };
}

async function bookFee(tx: Tx, payment: Payment, feeKobo: Kobo | null, at: Instant): Promise<void> {
  if (feeKobo === null) return;
  const posted = await postProviderFee(tx, { ...toNaira(payment), kobo: feeKobo, at });
  assert(posted.ok, `payment ${payment.id} has another fee`);
}

/** The row says what was posted, under its lock: a posting that the ledger refuses means that the two have parted. */
function stand(posted: Result<Posted, EntryConflict>, payment: Payment): Posted {
  assert(posted.ok && !posted.value.replayed, `payment ${payment.id} says ${payment.money}, its ledger otherwise`);
  return posted.value;
}
