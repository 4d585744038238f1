import { assert } from "@holo/kernel/assert.ts";
import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { ServerFrame } from "@holo/protocol/frames.ts";
import { isAccountDeleted } from "../../accounts/accounts.ts";
import type { Wallet } from "../../ledger/ledger.ts";
import type { Database, Tx } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import type { Log } from "../../platform/log.ts";
import type { Metrics } from "../../platform/metrics/metrics.ts";
import type { Time } from "../../platform/time/time.ts";
import {
  decideAboveLimit,
  decideAfterDeletion,
  decideDispute,
  decideOldExchangeRate,
} from "../deposit/decide-deposit.ts";
import { exceedsDepositLimit } from "../deposit/deposit-limits.ts";
import { type Payment, toPaymentView } from "../payment.ts";
import { hasOpenDispute } from "../provider/inbox-store.ts";
import { formatProviderReport, type ProviderCharge, type ProviderTransfer } from "../provider/provider-status.ts";
import { changePayment, lockPayment, lockPaymentAndLimits, type PaymentChange } from "../store/payment-store.ts";
import { type AppliedEffect, applyEffect } from "./apply-effect.ts";
import { type Effect, toNextAttemptAt } from "./effect.ts";

/** Brings the provider's words and their effects together, one transaction each, and tells who is concerned afterwards. */
export interface Settler {
  /**
   * Decides under the payment's lock and carries it out. Where something has come of the payment since the provider was asked, its answer
   * may be the older one: nothing is done but to ask again. Null for an unknown reference.
   */
  settle(order: SettleOrder): Promise<Payment | null>;
  /** The same within the caller's transaction. */
  settleWithin(tx: Tx, afterCommit: (effect: () => void) => void, order: SettleOrder): Promise<Payment | null>;
  /** Writes a change that moves no coins, unless they have moved meanwhile; then it is asked again at once. Ends the claim. */
  change(payment: Payment, change: Omit<PaymentChange, "money">, alert?: string): Promise<Payment>;
  /** The step led to nothing: another attempt follows, each after a longer wait. */
  postpone(payment: Payment): Promise<void>;
  /** Shows players what their wallets have become. */
  sendWallets(wallets: readonly Wallet[]): void;
  /** Tells the player and the log. */
  notify(payment: Payment, wallets: readonly Wallet[], alert: string | null): void;
}

export interface SettleOrder {
  readonly reference: string;
  /** What the provider said, for the record. */
  readonly reported: ProviderCharge | ProviderTransfer | null;
  /** The payment as it was when the provider was asked; left out for what it said of itself. */
  readonly asOfRequest?: Payment;
  readonly decide: (payment: Payment, now: Instant) => Effect;
}

export interface SettlerDeps {
  readonly database: Database;
  readonly time: Time;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly sendFrame: (playerId: PlayerId, frame: ServerFrame) => void;
  /** Kobo for one holocoin, as it is in force. */
  readonly rateKobo: () => number;
}

export function openSettler({ database, time, log, metrics, sendFrame, rateKobo }: SettlerDeps): Settler {
  const alerts = metrics.counter("holo_payment_alerts_total", "Payments for which people have to do something");

  function sendWallets(wallets: readonly Wallet[]): void {
    for (const { playerId, balance, sequence } of wallets) {
      sendFrame(playerId, { type: "wallet", balance: String(balance), sequence });
    }
  }

  function notify(payment: Payment, wallets: readonly Wallet[], alert: string | null): void {
    sendWallets(wallets);
    if (payment.kind !== "revenue") sendFrame(payment.playerId, { type: "payment", payment: toPaymentView(payment) });
    if (alert === null) return;
    alerts.inc();
    log.error({ alert, payment: payment.id, reference: payment.reference }, "a payment needs somebody to look at it");
  }

  async function settleWithin(
    tx: Tx,
    afterCommit: (effect: () => void) => void,
    { reference, reported, asOfRequest, decide }: SettleOrder,
  ): Promise<Payment | null> {
    const payment = await lockPaymentAndLimits(tx, reference);
    if (payment === null) return null;
    const at = time.now();
    if (asOfRequest !== undefined && isStaleAnswer(asOfRequest, payment)) {
      return await changePayment(tx, payment, { nextAttemptAt: at }, at);
    }
    const decided = decide(payment, at);
    const effect = (decided.type === "credit" ? decideOldExchangeRate(payment, rateKobo(), at) : null) ?? decided;
    const done = await applyEffectForPlayer(
      tx,
      payment,
      effect,
      reported === null ? null : formatProviderReport(reported),
      at,
    );
    // A webhook may be older than one that came before it and made us ask: only an answer ends a question.
    const isAskedStill =
      asOfRequest === undefined && done.payment.nextAttemptAt === null && payment.nextAttemptAt !== null;
    const carried = isAskedStill
      ? { ...done, payment: await changePayment(tx, done.payment, { nextAttemptAt: payment.nextAttemptAt }, at) }
      : done;
    const isNews = carried.payment.status !== payment.status || carried.payment.reason !== payment.reason;
    if (isNews || carried.wallets.length > 0 || carried.alert !== null) {
      afterCommit(() => notify(carried.payment, carried.wallets, carried.alert));
    }
    return carried.payment;
  }

  function change(
    payment: Payment,
    given: Omit<PaymentChange, "money">,
    alert: string | null = null,
  ): Promise<Payment> {
    return transact(database, async (tx, afterCommit) => {
      const locked = await lockPayment(tx, payment.reference);
      assert(locked !== null, `payment ${payment.id} is gone`);
      const at = time.now();
      if (locked.money !== payment.money) return await changePayment(tx, locked, { nextAttemptAt: at }, at);
      const changed = await changePayment(tx, locked, given, at);
      if (changed.status !== locked.status || changed.reason !== locked.reason) {
        afterCommit(() => notify(changed, [], changed.status === locked.status ? null : alert));
      }
      return changed;
    });
  }

  return {
    change,
    async postpone(payment) {
      const nextAttemptAt = toNextAttemptAt(payment, time.now());
      await change(payment, { attempts: payment.attempts + 1, nextAttemptAt });
    },
    settle: (order) => transact(database, (tx, afterCommit) => settleWithin(tx, afterCommit, order)),
    settleWithin,
    sendWallets,
    notify,
  };
}

/** Carries it out for its player: for one who is there no more, within the limits they set, and with a dispute that was heard of before
 * the charge. */
async function applyEffectForPlayer(
  tx: Tx,
  payment: Payment,
  effect: Effect,
  provider: string | null,
  at: Instant,
): Promise<AppliedEffect> {
  if (effect.type === "credit") {
    if (await isAccountDeleted(tx, payment.playerId))
      return await applyEffect(tx, payment, decideAfterDeletion(), provider, at);
    const isDisputed = await hasOpenDispute(tx, payment.reference);
    if (await exceedsDepositLimit(tx, payment, at))
      return await applyEffect(tx, payment, decideAboveLimit(isDisputed), provider, at);
    const credited = await applyEffect(tx, payment, effect, provider, at);
    if (!isDisputed) return credited;
    const held = await applyEffect(tx, credited.payment, decideDispute(credited.payment, null, at), null, at);
    return { ...held, wallets: credited.wallets };
  }
  if (effect.type === "restore" && (await isAccountDeleted(tx, payment.playerId)))
    return await applyEffect(tx, payment, decideAfterDeletion(), provider, at);
  const done = await applyEffect(tx, payment, effect, provider, at);
  // What comes back to them stays in their wallet, and people have to pay it out.
  const isTheirs = done.wallets.some(({ playerId }) => playerId === payment.playerId);
  return isTheirs && (await isAccountDeleted(tx, payment.playerId)) ? { ...done, alert: "coins_of_who_left" } : done;
}

/** Whether something has happened since the question that its answer may not know: coins moved, the
 * provider was told to move money, or a webhook asks for another one. */
function isStaleAnswer(asked: Payment, now: Payment): boolean {
  if (asked.money !== now.money || asked.sentAt !== now.sentAt) return true;
  return now.money !== "none" && asked.nextAttemptAt !== now.nextAttemptAt;
}
