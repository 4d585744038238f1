import { assert, assertNever } from "@holo/kernel/assert.ts";
import { addMs, type Instant } from "@holo/kernel/instant.ts";
import { formatNaira, type Kobo, toKobo } from "@holo/kernel/money.ts";
import type { Result } from "@holo/kernel/result.ts";
import {
  type JournalConflict,
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
} from "../../ledger/ledger.ts";
import type { Tx } from "../../platform/database/database.ts";
import { isMoneyOut, type Payment } from "../payment.ts";
import { changePayment } from "../store/payment-store.ts";
import { type Effect, NOT_FOUND_MS } from "./effect.ts";

const TAKEN = "of this payment went back to you, and its coins were taken back.";

/** What an effect has done, to be told once it is committed. */
export interface AppliedEffect {
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
export async function applyEffect(
  tx: Tx,
  payment: Payment,
  effect: Effect,
  provider: string | null,
  at: Instant,
): Promise<AppliedEffect> {
  const said = provider === null ? {} : { provider };
  const order = { paymentId: payment.id, at };
  const over = { nextAttemptAt: null, notFoundSince: null, attempts: 0, ...said };
  switch (effect.type) {
    case "credit": {
      const posted = assertPosted(
        await postDeposit(tx, { ...toNaira(payment), playerId: payment.playerId, at }),
        payment,
      );
      await postFee(tx, payment, effect.providerFeeKobo, at);
      const change = {
        status: "completed",
        money: "credited",
        reason: effect.reason,
        completedAt: at,
        ...toFee(effect.providerFeeKobo),
      } as const;
      return done(await changePayment(tx, payment, { ...over, ...change }, at), posted);
    }
    case "take_back": {
      const posted = await postDepositReversal(tx, order);
      const refundedKobo = toKobo(0n);
      const change = { status: "reversed", money: "taken_back", reason: effect.reason, refundedKobo } as const;
      return done(await changePayment(tx, payment, { ...over, ...change }, at), posted, "deposit_reversed");
    }
    case "gone": {
      const { kobo: refundedKobo, status, reason } = effect;
      const changed = await changePayment(tx, payment, { ...over, refundedKobo, status, reason }, at);
      return { payment: changed, wallets: [], alert: refundedKobo > payment.refundedKobo ? effect.alert : null };
    }
    case "book": {
      const { bearer } = effect;
      const { refundedKobo, allocatedKobo } = payment;
      const posted = assertPosted(
        await postDepositSentBack(tx, { ...order, refundedKobo, allocatedKobo, bearer }),
        payment,
      );
      const isAllTaken = bearer === "player" && refundedKobo === payment.kobo;
      const reason = bearer === "player" ? `${formatNaira(toKobo(refundedKobo - allocatedKobo))} ${TAKEN}` : null;
      const change = { status: isAllTaken ? "reversed" : "completed", allocatedKobo: refundedKobo, reason } as const;
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
      const going = { sentAt: at, notFoundSince: addMs(at, -NOT_FOUND_MS), completedAt: null } as const;
      const change = { ...over, ...going, status: "reversed", reason: effect.reason, nextAttemptAt: at } as const;
      return { payment: await changePayment(tx, payment, change, at), wallets: [], alert: null };
    }
    case "refunded": {
      const change = { status: "reversed", reason: effect.reason, completedAt: at } as const;
      return { payment: await changePayment(tx, payment, { ...over, ...change }, at), wallets: [], alert: null };
    }
    case "pay": {
      const posted = assertPosted(await postWithdrawalPaid(tx, order), payment);
      await postFee(tx, payment, effect.providerFeeKobo, at);
      const change = {
        status: "completed",
        money: "paid",
        reason: null,
        completedAt: at,
        ...toFee(effect.providerFeeKobo),
      } as const;
      return done(await changePayment(tx, payment, { ...over, ...change }, at), posted);
    }
    case "give_back": {
      const posted = assertPosted(await postWithdrawalReturn(tx, order), payment);
      const change = { status: effect.status, money: "returned", reason: effect.reason, completedAt: at } as const;
      return done(await changePayment(tx, payment, { ...over, ...change }, at), posted);
    }
    case "compensate": {
      const posted = assertPosted(await postLateReversal(tx, order), payment);
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
      const again = { notFoundSince: null, attempts: 0, nextAttemptAt: at };
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

function done(payment: Payment, { wallets }: Posted, alert: string | null = null): AppliedEffect {
  return { payment, wallets, alert };
}

function toNaira({ id, reference, kobo, rateKobo }: Payment) {
  return { paymentId: id, reference, kobo, rateKobo };
}

function toFee(providerFeeKobo: Kobo | null): { readonly providerFeeKobo?: Kobo } {
  return providerFeeKobo === null ? {} : { providerFeeKobo };
}

async function postFee(tx: Tx, payment: Payment, providerFeeKobo: Kobo | null, at: Instant): Promise<void> {
  if (providerFeeKobo === null) return;
  const posted = await postProviderFee(tx, { ...toNaira(payment), kobo: providerFeeKobo, at });
  assert(posted.ok, `payment ${payment.id} has another fee`);
}

/** The row says what was posted, under its lock: a posting that the ledger refuses means that the two have parted. */
function assertPosted(posted: Result<Posted, JournalConflict>, payment: Payment): Posted {
  assert(posted.ok && !posted.value.replayed, `payment ${payment.id} says ${payment.money}, its ledger otherwise`);
  return posted.value;
}
