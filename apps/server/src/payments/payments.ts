import type { PlayerId } from "@holo/kernel/ids.ts";
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
import { type Deposits, openDeposits } from "./deposit/deposits.ts";
import { openRefunds } from "./deposit/refunds.ts";
import { openDueLoop } from "./effect/due-loop.ts";
import { openPaymentUpdater, type PaymentUpdaterDeps } from "./effect/payment-updater.ts";
import { isDeposit, type Payment } from "./payment.ts";
import { openPaystack } from "./provider/paystack.ts";
import { isLiveKey } from "./provider/paystack-client.ts";
import { openWebhookReceiver, type WebhookReceiver } from "./provider/webhook.ts";
import { openReconciler, type Reconciler } from "./reconciliation/reconciliation.ts";
import { openReviews, type Reviews } from "./review/reviews.ts";
import { loadNewest } from "./store/payment-store.ts";
import { openPayoutGuard } from "./withdrawal/payout-guard.ts";
import { openRevenueWithdrawals, type RevenueWithdrawals } from "./withdrawal/revenue-withdrawals.ts";
import { openTransfers, type Transfers } from "./withdrawal/transfers.ts";
import { openWithdrawals, type Withdrawals, type WithdrawalsDeps } from "./withdrawal/withdrawals.ts";

export type { ClosingForm, ClosingTerms } from "./account-deletion/account-closing.ts";
export type { OrphanedBalanceOrder, OrphanedBalanceRefusal } from "./account-deletion/orphaned-balances.ts";
export { loadDepositLeft } from "./deposit/counted-deposits.ts";
export { openPaymentUpdater } from "./effect/payment-updater.ts";
export { type Payment, toPaymentView, toStaffPaymentView } from "./payment.ts";
export { listWebhooks, removeOldWebhookBodies } from "./provider/inbox-store.ts";
export { replayWebhook } from "./provider/webhook.ts";
export type { Reconciliation } from "./reconciliation/reconciliation.ts";
export { loadComparedAt } from "./reconciliation/reconciliation-store.ts";
export type { Permit, ReviewRefusal } from "./review/reviews.ts";
export { loadOpenPaymentTotals } from "./store/payment-store.ts";
export { findMoneyHold } from "./withdrawal/money-hold.ts";
export {
  endPayoutHold,
  loadPayoutHold,
  lockPayoutGuard,
  savePayoutHold,
} from "./withdrawal/payout-hold-store.ts";
export { toCoveredKobo } from "./withdrawal/provider-cover.ts";
export type { RevenueForm, RevenueRefusal } from "./withdrawal/revenue-withdrawals.ts";
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
  readonly loadRateAt: PaymentUpdaterDeps["loadRateAt"];
  /** Ruling 10. */
  readonly payerBearsFee: boolean;
  /** Default: this server is the only one. */
  readonly openRateLimiter?: OpenRateLimiter;
  /** Ruling 37. */
  readonly withdrawalsPerDay: () => number;
  readonly sendFrame: (playerId: PlayerId, frame: ServerFrame) => void;
  /** Called when the hold on the player's money may have changed (ruling 33). */
  readonly onHoldChanged: (playerId: PlayerId) => void;
  readonly queueMail: WithdrawalsDeps["queueMail"];
  readonly confirmPassword: WithdrawalsDeps["confirmPassword"];
  readonly hasOpenGame: WithdrawalsDeps["hasOpenGame"];
  readonly removePlayer: AccountDeletionDeps["removePlayer"];
  /** False: only webhooks are handled automatically; tests call `runDue`. */
  readonly isPolling?: boolean;
}

export interface Payments
  extends Pick<Deposits, "begin" | "reopen" | "check">,
    Pick<Withdrawals, "withdraw">,
    Pick<Transfers, "cancel">,
    Pick<WebhookReceiver, "receive"> {
  readonly banks: Banks;
  readonly bankAccounts: BankAccounts;
  /** For staff. The caller passes a permit. */
  readonly reviews: Reviews;
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
  const updater = openPaymentUpdater(deps);
  const deposits = openDeposits({ ...deps, paystack, updater, openRateLimiter });
  const payoutGuard = openPayoutGuard(deps);
  const isLive = isLiveKey(provider.secretKey);
  const transfers = openTransfers({ ...deps, paystack, updater, payoutGuard, isLive });
  const refunds = openRefunds({ time, paystack, updater });
  const banks = openBanks(paystack, time);
  const bankAccounts = openBankAccounts({ ...deps, paystack, banks, openRateLimiter });
  const dueLoop = openDueLoop({
    ...deps,
    isPolling,
    step: (payment, claimedUntil) => {
      if (!isDeposit(payment)) return transfers.step(payment, claimedUntil);
      return payment.type === "refunding" ? refunds.step(payment) : deposits.step(payment);
    },
  });
  const { wake: wakeDueLoop } = dueLoop;
  const withdrawals = openWithdrawals({ ...deps, updater, wakeDueLoop });
  const revenue = openRevenueWithdrawals({ ...deps, updater, paystack, wakeDueLoop });
  const webhook = openWebhookReceiver({ ...deps, updater, secretKey: provider.secretKey, wakeDueLoop });
  const reconciliation = openReconciler({
    ...deps,
    receiveDispute: webhook.receiveDispute,
    paystack,
    updater,
    payoutGuard,
    loadCover: () => revenue.loadCover(),
    isPolling,
  });
  return {
    begin: deposits.begin,
    reopen: deposits.reopen,
    check: deposits.check,
    withdraw: withdrawals.withdraw,
    cancel: transfers.cancel,
    receive: webhook.receive,
    banks,
    bankAccounts,
    orphanedBalances: openOrphanedBalances({ ...deps, paystack, updater, wakeDueLoop }),
    reviews: openReviews({ ...deps, paystack, refunds, updater }),
    accountDeletion: openAccountDeletion(deps),
    accountClosing: openAccountClosing({ ...deps, updater, withdrawToClose: withdrawals.withdrawToClose }),
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
