import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Result } from "@holo/kernel/result.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";
import type { Database, Queries } from "../platform/database/database.ts";
import type { Log } from "../platform/log.ts";
import type { Metrics } from "../platform/metrics/metrics.ts";
import { makeLocalLimiters, type OpenRateLimiter } from "../platform/shared-rate-limiter.ts";
import type { Time } from "../platform/time/time.ts";
import type { TimerWheel } from "../platform/time/timer-wheel.ts";
import { type AccountClosing, openAccountClosing } from "./account-deletion/account-closing.ts";
import {
  type AccountDeletion,
  type AccountDeletionDeps,
  openAccountDeletion,
} from "./account-deletion/account-deletion.ts";
import { type OrphanedBalances, openOrphanedBalances } from "./account-deletion/orphaned-balances.ts";
import { type BankAccounts, openBankAccounts } from "./bank-accounts/bank-accounts.ts";
import { type Banks, openBanks } from "./bank-accounts/banks.ts";
import { answerDispute, type DisputeAnswer, type DisputeAnswerRefusal } from "./corrections/answer-dispute.ts";
import { type Case, loadCases } from "./corrections/cases.ts";
import { type Corrections, openCorrections } from "./corrections/corrections.ts";
import type { Permit } from "./corrections/permit.ts";
import { followCharge, stepDeposit } from "./deposit/ask-charge.ts";
import { type CardRefundOrder, type CardRefundRefusal, refundToCard } from "./deposit/card-refund.ts";
import { type Deposits, openDeposits } from "./deposit/deposits.ts";
import { openDueLoop } from "./facts/due-loop.ts";
import type { LoadRateAt } from "./facts/follow-deposit.ts";
import { type DisputeCases, openFollower } from "./facts/follower.ts";
import { isDeposit, type Payment } from "./payment.ts";
import { openPaystack } from "./provider/paystack.ts";
import { isLiveKey } from "./provider/paystack-client.ts";
import { openWebhookReceiver, type WebhookReceiver } from "./provider/webhook.ts";
import { openReconciler, type Reconciler } from "./reconciliation/reconciliation.ts";
import { loadNewest } from "./store/payment-store.ts";
import { type HeldWithdrawals, openHeldWithdrawals } from "./withdrawal/held-withdrawals.ts";
import { openPayoutGuard } from "./withdrawal/payout-guard.ts";
import { openRevenueWithdrawals, type RevenueWithdrawals } from "./withdrawal/revenue-withdrawals.ts";
import { openTransfers, type Transfers } from "./withdrawal/transfers.ts";
import { openWithdrawals, type Withdrawals, type WithdrawalsDeps } from "./withdrawal/withdrawals.ts";

export type { ClosingForm, ClosingTerms } from "./account-deletion/account-closing.ts";
export type { OrphanedBalanceOrder, OrphanedBalanceRefusal } from "./account-deletion/orphaned-balances.ts";
export type { DisputeAnswer, DisputeAnswerRefusal } from "./corrections/answer-dispute.ts";
export type { Case } from "./corrections/cases.ts";
export type {
  ConfirmationRefusal,
  CorrectionOrder,
  CorrectionRefusal,
} from "./corrections/corrections.ts";
export type { CorrectionAct } from "./corrections/decide-corrections.ts";
export type { Permit } from "./corrections/permit.ts";
export { loadDepositLeft } from "./deposit/counted-deposits.ts";
export { type Payment, toPaymentView } from "./payment.ts";
export type { Reconciliation } from "./reconciliation/reconciliation.ts";
export { loadComparedAt } from "./reconciliation/reconciliation-store.ts";
export {
  loadNewest as loadNewestPayments,
  loadOpenPaymentTotals,
  loadPayment,
  question,
} from "./store/payment-store.ts";
export { isFirstFromCard } from "./withdrawal/first-withdrawal.ts";
export { findMoneyHold } from "./withdrawal/money-hold.ts";
export {
  endPayoutHold,
  loadPayoutHold,
  lockPayoutGuard,
  savePayoutHold,
} from "./withdrawal/payout-hold-store.ts";
export { toCoveredKobo } from "./withdrawal/provider-cover.ts";
export type { RevenueForm, RevenueRefusal } from "./withdrawal/revenue-withdrawals.ts";
export type { Screen } from "./withdrawal/screening.ts";
export { loadWithdrawable } from "./withdrawal/withdrawable.ts";
export {
  endWithdrawalHold,
  loadWithdrawalHolds,
  loadWithdrawalHoldsOf,
  saveWithdrawalHold,
} from "./withdrawal/withdrawal-hold-store.ts";
export type { WithdrawalForm } from "./withdrawal/withdrawals.ts";

export interface PaymentsDeps {
  readonly database: Database;
  readonly time: Time;
  readonly wheel: TimerWheel;
  readonly log: Log;
  readonly metrics: Metrics;
  /** The provider's address without a trailing slash, and its secret key. */
  readonly provider: { readonly url: string; readonly secretKey: string; readonly timeoutMs?: number };
  readonly publicUrl: string;
  /** Kobo for one holocoin in new payments. */
  readonly rateKobo: () => number;
  readonly loadRateAt: LoadRateAt;
  /** Ruling 10. */
  readonly payerBearsFee: boolean;
  /** Default: this server is the only one. */
  readonly openRateLimiter?: OpenRateLimiter;
  /** Ruling 37. */
  readonly withdrawalsPerDay: () => number;
  /** What a member of staff may order in a day without a second one, in kobo (ruling 58). */
  readonly correctionLimitKobo: bigint;
  readonly sendFrame: (playerId: PlayerId, frame: ServerFrame) => void;
  /** Called when the hold on the player's money may have changed (ruling 33). */
  readonly onHoldChanged: (playerId: PlayerId) => void;
  readonly queueMail: WithdrawalsDeps["queueMail"];
  readonly confirmPassword: WithdrawalsDeps["confirmPassword"];
  readonly hasOpenGame: WithdrawalsDeps["hasOpenGame"];
  readonly disputeCases: DisputeCases;
  readonly recordTrace: WithdrawalsDeps["recordTrace"];
  /** Judges the coins of a withdrawal, when it is accepted and again before a late one is sent. */
  readonly screen: WithdrawalsDeps["screen"];
  readonly removePlayer: AccountDeletionDeps["removePlayer"];
  /** False: only webhooks are handled automatically; tests call `runDue`. */
  readonly isPolling?: boolean;
}

export interface Payments
  extends Pick<Deposits, "begin" | "reopen" | "check">,
    Pick<Withdrawals, "withdraw">,
    Pick<Transfers, "cancel">,
    HeldWithdrawals,
    Pick<WebhookReceiver, "receive"> {
  refundToCard(order: CardRefundOrder): Promise<Result<Payment, CardRefundRefusal>>;
  readonly banks: Banks;
  readonly bankAccounts: BankAccounts;
  /** For staff. The caller passes a permit. */
  readonly corrections: Corrections;
  /** Sends evidence to the payer's bank through the provider. The caller passes a permit. */
  answerDispute<Denied extends string>(
    answer: DisputeAnswer,
    permit: Permit<Denied>,
  ): Promise<Result<null, DisputeAnswerRefusal | Denied>>;
  /** What staff look at, oldest first. */
  loadCases(): Promise<readonly Case[]>;
  readonly orphanedBalances: OrphanedBalances;
  readonly revenue: RevenueWithdrawals;
  readonly accountClosing: AccountClosing;
  readonly accountDeletion: AccountDeletion;
  listPayments(playerId: PlayerId): Promise<readonly Payment[]>;
  /** The newest 50,000 payments, for the player's data export. */
  exportPayments(queries: Queries, playerId: PlayerId): Promise<readonly Payment[]>;
  readonly reconciliation: Pick<Reconciler, "reconcile" | "loadLast">;
  /** The integration's balance in kobo; null without an answer. */
  loadProviderBalance(): Promise<bigint | null>;
  /** Runs everything that is due. It also runs by itself every second. */
  runDue(): Promise<void>;
  /**
   * Starts nothing more and aborts calls to the provider. The next start continues the payments.
   */
  close(): Promise<void>;
}

const LIST_MAX = 20;
const EXPORT_MAX = 50_000;

export function openPayments(deps: PaymentsDeps): Payments {
  const { database, time, log, metrics, provider, isPolling = true } = deps;
  const { openRateLimiter = makeLocalLimiters(time) } = deps;
  const paystack = openPaystack({ ...provider, log, metrics });
  const follower = openFollower(deps);
  const notices = follower;
  const charges = { database, time, paystack, follower };
  const deposits = openDeposits({ ...deps, ...charges, openRateLimiter });
  const payoutGuard = openPayoutGuard(deps);
  const isLive = isLiveKey(provider.secretKey);
  const transfers = openTransfers({ ...deps, paystack, follower, payoutGuard, isLive });
  const banks = openBanks(paystack, time);
  const bankAccounts = openBankAccounts({ ...deps, paystack, banks, openRateLimiter });
  const dueLoop = openDueLoop({
    ...deps,
    isPolling,
    step: (payment, claimedUntil) =>
      isDeposit(payment) ? stepDeposit(charges, payment) : transfers.step(payment, claimedUntil),
  });
  const { wake: wakeDueLoop } = dueLoop;
  const ask = (payment: Payment) => (isDeposit(payment) ? followCharge(charges, payment) : transfers.follow(payment));
  const withdrawals = openWithdrawals({ ...deps, follower, wakeDueLoop });
  const revenue = openRevenueWithdrawals({ ...deps, notices, paystack, wakeDueLoop });
  const webhook = openWebhookReceiver({ ...deps, follower, secretKey: provider.secretKey, wakeDueLoop });
  const reconciliation = openReconciler({
    ...deps,
    receiveDispute: webhook.receiveDispute,
    paystack,
    runDue: dueLoop.runDue,
    payoutGuard,
    loadCover: () => revenue.loadCover(),
    isPolling,
  });
  return {
    begin: deposits.begin,
    reopen: deposits.reopen,
    check: deposits.check,
    refundToCard: (order) => refundToCard(charges, order),
    withdraw: withdrawals.withdraw,
    cancel: transfers.cancel,
    ...openHeldWithdrawals({ time, follower }),
    receive: webhook.receive,
    banks,
    bankAccounts,
    orphanedBalances: openOrphanedBalances({ ...deps, paystack, notices, wakeDueLoop }),
    corrections: openCorrections({ ...deps, paystack, follower, ask }),
    answerDispute: (answer, permit) => answerDispute({ ...deps, paystack }, answer, permit),
    loadCases: () => loadCases(deps),
    accountDeletion: openAccountDeletion(deps),
    accountClosing: openAccountClosing({ ...deps, notices, withdrawToClose: withdrawals.withdrawToClose }),
    revenue,
    listPayments: (playerId) => loadNewest(database.kysely, playerId, LIST_MAX),
    exportPayments: (queries, playerId) => loadNewest(queries, playerId, EXPORT_MAX),
    reconciliation,
    async loadProviderBalance() {
      const balance = await paystack.loadBalance();
      return balance.ok ? balance.value : null;
    },
    runDue: dueLoop.runDue,
    async close() {
      paystack.close();
      await dueLoop.close();
      await reconciliation.close();
    },
  };
}
