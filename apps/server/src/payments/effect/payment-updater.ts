import { assert } from "@holo/kernel/assert.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { isAccountDeleted, isRestrictedFromDeposits } from "../../accounts/accounts.ts";
import type { Database, Queries, Tx } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import type { Time } from "../../platform/time/time.ts";
import { exceedsDepositLimit } from "../deposit/counted-deposits.ts";
import { type DepositContext, type DepositReport, decideDeposit } from "../deposit/decide-deposit.ts";
import type { Deposit } from "../deposit/deposit.ts";
import { isDeposit, type Payment, toPaymentMoney } from "../payment.ts";
import { isSameReason } from "../payment-base.ts";
import { endLostDisputes, loadDisputes } from "../provider/dispute-store.ts";
import { formatProviderReport, toPaidAt } from "../provider/provider-status.ts";
import { changePayment, lockPayment, lockPaymentAndLimits, type PaymentChange } from "../store/payment-store.ts";
import { decideWithdrawal, type WithdrawalReport } from "../withdrawal/decide-withdrawal.ts";
import { applyEffect, type Decision } from "./apply-effect.ts";
import { toNextAttemptAt } from "./effect.ts";
import { openPaymentNotices, type PaymentNotices, type PaymentNoticesDeps } from "./payment-notices.ts";

export type PaymentReport = DepositReport | WithdrawalReport;

/** Applies the provider's reports, one transaction each, and notifies afterwards. */
export interface PaymentUpdater extends PaymentNotices {
  /**
   * Decides on the report under the payment's lock and applies the decision. An answer that may be
   * older than the payment's state only causes another query. Null for an unknown reference.
   */
  apply(order: ReportOrder): Promise<AppliedReport | null>;
  applyWithin(tx: Tx, afterCommit: (effect: () => void) => void, order: ReportOrder): Promise<AppliedReport | null>;
  /**
   * Writes a change that moves no coins and ends the claim. If coins have moved meanwhile, asks the
   * provider again instead.
   */
  change(payment: Payment, change: Omit<PaymentChange, "money">, alert?: string): Promise<Payment>;
  /** Schedules another attempt, each after a longer delay. */
  postpone(payment: Payment, told?: Pick<PaymentChange, "reason">): Promise<void>;
}

interface ReportOrder {
  readonly reference: string;
  readonly report: PaymentReport;
  /** The payment when the provider was asked; omitted for webhooks. */
  readonly asOfRequest?: Payment;
}

interface AppliedReport {
  readonly payment: Payment;
  /** Null if the answer was stale and nothing was decided. */
  readonly effect: Decision["effect"] | null;
}

export interface PaymentUpdaterDeps extends PaymentNoticesDeps {
  readonly database: Database;
  readonly time: Time;
  /** Kobo for one holocoin at that instant. */
  readonly loadRateAt: (queries: Queries, at: Instant) => Promise<number>;
}

export function openPaymentUpdater(deps: PaymentUpdaterDeps): PaymentUpdater {
  const { database, time, loadRateAt } = deps;
  const notices = openPaymentNotices(deps);
  const { notify } = notices;

  async function applyWithin(
    tx: Tx,
    afterCommit: (effect: () => void) => void,
    { reference, report, asOfRequest }: ReportOrder,
  ): Promise<AppliedReport | null> {
    const payment = await lockPaymentAndLimits(tx, reference);
    if (payment === null) return null;
    const at = time.now();
    if (asOfRequest !== undefined && isStaleAnswer(asOfRequest, payment)) {
      return { payment: await changePayment(tx, payment, { nextAttemptAt: at }, at), effect: null };
    }
    const decision = await decide(tx, payment, report, loadRateAt, at);
    const source = asOfRequest === undefined ? "webhook" : "answer";
    const applied = await applyEffect(tx, decision, { source, report: toReportText(report), at });
    if (asOfRequest !== undefined && isTaken(report, decision)) await endLostDisputes(tx, reference);
    const { wallets } = applied;
    // Coins that return to a deleted account remain in its wallet until staff pay them out.
    const isOwn = wallets.some(({ playerId }) => playerId === payment.playerId);
    const isOrphaned = isOwn && (await isAccountDeleted(tx, payment.playerId));
    const alert = isOrphaned ? "orphaned_balance" : applied.alert;
    if (isChanged(payment, applied.payment) || wallets.length > 0 || alert !== null) {
      afterCommit(() => notify(applied.payment, wallets, alert));
    }
    return { payment: applied.payment, effect: decision.effect };
  }

  function change(
    payment: Payment,
    given: Omit<PaymentChange, "money">,
    alert: string | null = null,
  ): Promise<Payment> {
    return transact(database, async (tx, afterCommit) => {
      const locked = await lockPayment(tx, payment.reference);
      assert(locked !== null, `payment ${payment.id} is missing`);
      const at = time.now();
      if (toPaymentMoney(locked) !== toPaymentMoney(payment)) {
        return await changePayment(tx, locked, { nextAttemptAt: at }, at);
      }
      const changed = await changePayment(tx, locked, given, at);
      if (isChanged(locked, changed)) afterCommit(() => notify(changed, [], alert));
      return changed;
    });
  }

  return {
    change,
    async postpone(payment, told = {}) {
      const nextAttemptAt = toNextAttemptAt(payment, time.now());
      await change(payment, { attempts: payment.attempts + 1, nextAttemptAt, ...told });
    },
    apply: (order) => transact(database, (tx, afterCommit) => applyWithin(tx, afterCommit, order)),
    applyWithin,
    ...notices,
  };
}

/** Whether the bank has taken the charge, now or before the deposit was restored. */
function isTaken(report: PaymentReport, { effect }: Decision): boolean {
  return effect.type === "restore" || ("charge" in report && report.charge?.status === "reversed");
}

function isChanged(before: Payment, after: Payment): boolean {
  return before.status !== after.status || !isSameReason(before.reason, after.reason);
}

async function decide(
  tx: Tx,
  payment: Payment,
  report: PaymentReport,
  loadRateAt: PaymentUpdaterDeps["loadRateAt"],
  now: Instant,
): Promise<Decision> {
  if (isDeposit(payment)) {
    // A report about a payment of the other kind only causes a query.
    const own = isTransferReport(report) ? ({ type: "event" } as const) : report;
    const context = await loadContext(tx, payment, own, loadRateAt, now);
    return { kind: "deposit", payment, effect: decideDeposit(payment, own, context) };
  }
  return {
    kind: "withdrawal",
    payment,
    effect: decideWithdrawal(payment, isTransferReport(report) ? report : { type: "event" }, now),
  };
}

function isTransferReport(report: PaymentReport): report is Exclude<WithdrawalReport, { readonly type: "event" }> {
  return report.type === "transfer" || report.type === "refused" || report.type === "cancelled";
}

const NO_EXCEPTIONS = { isAccountDeleted: false, isRestricted: false, isAboveLimit: false };
const NO_DISPUTES = { hasOpenDispute: false, disputeLostAt: null, disputeWonAt: null };

/**
 * What may forbid a credit. All but disputes is read only if the charge was paid and its coins are
 * not the player's. The end of a dispute is stored before its report is decided.
 */
async function loadContext(
  tx: Tx,
  deposit: Deposit,
  report: DepositReport,
  loadRateAt: PaymentUpdaterDeps["loadRateAt"],
  now: Instant,
): Promise<DepositContext> {
  const charge = "charge" in report ? report.charge : null;
  const isPaid = charge?.status === "success";
  const isCredited = deposit.type === "credited" && !deposit.isUnderReview;
  const isAwaited = deposit.type === "reversed" || report.type === "dispute" || report.type === "refund_refused";
  const isUnderReview = deposit.type === "credited" && deposit.isUnderReview;
  const isDisputable = isAwaited || isUnderReview || (isPaid && !isCredited);
  const disputes = isDisputable ? await loadDisputes(tx, deposit.reference) : NO_DISPUTES;
  const none = { ...NO_EXCEPTIONS, ...disputes, now, paidAt: now, rateAtPaymentKobo: deposit.rateKobo };
  if (!isPaid || (deposit.type !== "unpaid" && deposit.type !== "taken_back")) return none;
  const isDeleted = await isAccountDeleted(tx, deposit.playerId);
  const found = { ...none, isAccountDeleted: isDeleted };
  if (deposit.type === "taken_back") return found;
  const paidAt = toPaidAt(charge, now);
  return {
    ...found,
    paidAt,
    rateAtPaymentKobo: await loadRateAt(tx, paidAt),
    isRestricted: await isRestrictedFromDeposits(tx, deposit.playerId, now),
    isAboveLimit: !isDeleted && (await exceedsDepositLimit(tx, deposit, now)),
  };
}

function toReportText(report: PaymentReport): string | null {
  if ("charge" in report && report.charge !== null) return formatProviderReport(report.charge);
  return report.type === "transfer" && report.transfer !== null ? formatProviderReport(report.transfer) : null;
}

/**
 * Whether something happened since the provider was asked: coins moved, an order was sent, or a
 * webhook requires another answer.
 */
function isStaleAnswer(asOfRequest: Payment, now: Payment): boolean {
  const isMoved = toPaymentMoney(asOfRequest) !== toPaymentMoney(now) || asOfRequest.sentAt !== now.sentAt;
  return isMoved || asOfRequest.nextAttemptAt !== now.nextAttemptAt;
}
