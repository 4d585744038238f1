import { assert } from "@holo/kernel/assert.ts";
import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { ServerFrame } from "@holo/protocol/frames.ts";
import { hasLeft } from "../accounts/accounts.ts";
import type { Wallet } from "../ledger/ledger.ts";
import type { Database, Tx } from "../platform/database.ts";
import type { Log } from "../platform/log.ts";
import type { Metrics } from "../platform/metrics.ts";
import type { Time } from "../platform/time.ts";
import { transact } from "../platform/transaction.ts";
import { type CarriedOut, carryOut } from "./carry-out.ts";
import { isBeyondLimit } from "./counted.ts";
import { decideAfterLeaving, decideBeyondLimit, decideDispute, decideOldRate } from "./decide-deposit.ts";
import { type Effect, toNextAttemptAt } from "./effect.ts";
import { hasOpenDispute } from "./inbox-store.ts";
import { type Payment, toPaymentView } from "./payment.ts";
import { changePayment, lockArriving, lockPayment, type PaymentChange } from "./store.ts";
import { type ChargeWord, formatWord, type TransferWord } from "./word.ts";

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
  show(wallets: readonly Wallet[]): void;
  /** Tells the player and the log. */
  tell(payment: Payment, wallets: readonly Wallet[], alert: string | null): void;
}

export interface SettleOrder {
  readonly reference: string;
  /** What the provider said, for the record. */
  readonly word: ChargeWord | TransferWord | null;
  /** The payment as it was when the provider was asked; left out for what it said of itself. */
  readonly asked?: Payment;
  readonly decide: (payment: Payment, now: Instant) => Effect;
}

export interface SettlerOptions {
  readonly database: Database;
  readonly time: Time;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly push: (playerId: PlayerId, frame: ServerFrame) => void;
  /** Kobo for one holocoin, as it is in force. */
  readonly rateKobo: () => number;
}

export function openSettler({ database, time, log, metrics, push, rateKobo }: SettlerOptions): Settler {
  const alerts = metrics.counter("holo_payment_alerts_total", "Payments for which people have to do something");

  function show(wallets: readonly Wallet[]): void {
    for (const { playerId, balance, sequence } of wallets) {
      push(playerId, { type: "wallet", balance: String(balance), sequence });
    }
  }

  function tell(payment: Payment, wallets: readonly Wallet[], alert: string | null): void {
    show(wallets);
    if (payment.kind !== "revenue") push(payment.playerId, { type: "payment", payment: toPaymentView(payment) });
    if (alert === null) return;
    alerts.inc();
    log.error({ alert, payment: payment.id, reference: payment.reference }, "a payment needs somebody to look at it");
  }

  async function settleWithin(
    tx: Tx,
    afterCommit: (effect: () => void) => void,
    { reference, word, asked, decide }: SettleOrder,
  ): Promise<Payment | null> {
    const payment = await lockArriving(tx, reference);
    if (payment === null) return null;
    const at = time.now();
    if (asked !== undefined && isOlder(asked, payment)) {
      return await changePayment(tx, payment, { nextAttemptAt: at }, at);
    }
    const decided = decide(payment, at);
    const effect = (decided.type === "credit" ? decideOldRate(payment, rateKobo(), at) : null) ?? decided;
    const done = await carryOutFor(tx, payment, effect, word === null ? null : formatWord(word), at);
    // A webhook may be older than one that came before it and made us ask: only an answer ends a question.
    const isAskedStill = asked === undefined && done.payment.nextAttemptAt === null && payment.nextAttemptAt !== null;
    const carried = isAskedStill
      ? { ...done, payment: await changePayment(tx, done.payment, { nextAttemptAt: payment.nextAttemptAt }, at) }
      : done;
    const isNews = carried.payment.status !== payment.status || carried.payment.reason !== payment.reason;
    if (isNews || carried.wallets.length > 0 || carried.alert !== null) {
      afterCommit(() => tell(carried.payment, carried.wallets, carried.alert));
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
        afterCommit(() => tell(changed, [], changed.status === locked.status ? null : alert));
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
    show,
    tell,
  };
}

/** Carries it out for its player: for one who is there no more, within the limits they set, and with a dispute that was heard of before
 * the charge. */
async function carryOutFor(
  tx: Tx,
  payment: Payment,
  effect: Effect,
  provider: string | null,
  at: Instant,
): Promise<CarriedOut> {
  if (effect.type === "credit") {
    if (await hasLeft(tx, payment.playerId)) return await carryOut(tx, payment, decideAfterLeaving(), provider, at);
    const isDisputed = await hasOpenDispute(tx, payment.reference);
    if (await isBeyondLimit(tx, payment, at))
      return await carryOut(tx, payment, decideBeyondLimit(isDisputed), provider, at);
    const credited = await carryOut(tx, payment, effect, provider, at);
    if (!isDisputed) return credited;
    const held = await carryOut(tx, credited.payment, decideDispute(credited.payment, null, at), null, at);
    return { ...held, wallets: credited.wallets };
  }
  if (effect.type === "restore" && (await hasLeft(tx, payment.playerId)))
    return await carryOut(tx, payment, decideAfterLeaving(), provider, at);
  const done = await carryOut(tx, payment, effect, provider, at);
  // What comes back to them stays in their wallet, and people have to pay it out.
  const isTheirs = done.wallets.some(({ playerId }) => playerId === payment.playerId);
  return isTheirs && (await hasLeft(tx, payment.playerId)) ? { ...done, alert: "coins_of_who_left" } : done;
}

/** Whether something has happened since the question that its answer may not know: coins moved, the
 * provider was told to move money, or a webhook asks for another one. */
function isOlder(asked: Payment, now: Payment): boolean {
  if (asked.money !== now.money || asked.sentAt !== now.sentAt) return true;
  return now.money !== "none" && asked.nextAttemptAt !== now.nextAttemptAt;
}
