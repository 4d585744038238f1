import type { PlayerId } from "@holo/kernel/ids.ts";
import type { ServerFrame } from "@holo/protocol/frames.ts";
import type { Database } from "../platform/database/database.ts";
import type { Log } from "../platform/log.ts";
import type { Metrics } from "../platform/metrics/metrics.ts";
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
import { isBeingRefunded, isMoneyOut, type Payment } from "./payment.ts";
import { openPaystack } from "./provider/paystack.ts";
import { openWebhookReceiver, type WebhookReceiver } from "./provider/webhook.ts";
import { openReconciler, type Reconciler } from "./reconciliation/reconciliation.ts";
import { openReviews, type Reviews } from "./review/reviews.ts";
import { openDueLoop } from "./settlement/due-loop.ts";
import { openSettler } from "./settlement/settler.ts";
import { loadNewest } from "./store/payment-store.ts";
import { openRevenueWithdrawals, type RevenueWithdrawals } from "./withdrawal/revenue-withdrawals.ts";
import { openTransfers } from "./withdrawal/transfers.ts";
import { openWithdrawals, type Withdrawals, type WithdrawalsDeps } from "./withdrawal/withdrawals.ts";

export type { ClosingForm, ClosingTerms } from "./account-deletion/account-closing.ts";
export type { OrphanedBalanceOrder, OrphanedBalanceRefusal } from "./account-deletion/orphaned-balances.ts";
export { loadDepositLeft } from "./deposit/deposit-limits.ts";
export { type Payment, toPaymentView } from "./payment.ts";
export type { Reconciliation } from "./reconciliation/reconciliation.ts";
export type { Permit, ReviewRefusal } from "./review/reviews.ts";
export { loadOpenPaymentTotals } from "./store/open-payment-totals.ts";
export type { RevenueForm, RevenueRefusal } from "./withdrawal/revenue-withdrawals.ts";
export { loadWithdrawable } from "./withdrawal/withdrawable.ts";
export type { WithdrawalForm } from "./withdrawal/withdrawals.ts";

export interface PaymentsDeps {
  readonly database: Database;
  readonly time: Time;
  readonly wheel: TimerWheel;
  readonly log: Log;
  readonly metrics: Metrics;
  /** The provider's address, without a slash at its end, and our key to it. */
  readonly provider: { readonly url: string; readonly secretKey: string; readonly timeoutMs?: number };
  /** Where players come back to from the checkout. */
  readonly publicUrl: string;
  /** Kobo for one holocoin, for payments begun from now on. */
  readonly rateKobo: () => number;
  /** Whether players bear the provider's fee of their deposits, shown before paying; else the platform does (ruling 10). */
  readonly payerBearsFee: boolean;
  /** Shows a frame to all connections of a player. */
  readonly sendFrame: (playerId: PlayerId, frame: ServerFrame) => void;
  readonly queueMail: WithdrawalsDeps["queueMail"];
  readonly checkPassword: WithdrawalsDeps["checkPassword"];
  readonly hasOpenGame: WithdrawalsDeps["hasOpenGame"];
  readonly removePlayer: AccountDeletionDeps["removePlayer"];
  /** False: nothing happens by itself but what webhooks bring; `runDue` does the rest. */
  readonly isPolling?: boolean;
}

/** Money in and out. */
export interface Payments extends Pick<Deposits, "begin" | "reopen" | "check">, Withdrawals, WebhookReceiver {
  readonly banks: Banks;
  readonly bankAccounts: BankAccounts;
  /** For people of the house alone; who may is for the caller to check. */
  readonly reviews: Reviews;
  readonly orphanedBalances: OrphanedBalances;
  readonly revenue: RevenueWithdrawals;
  readonly accountClosing: AccountClosing;
  readonly accountDeletion: AccountDeletion;
  /** The player's payments, the newest first. */
  listPayments(playerId: PlayerId): Promise<readonly Payment[]>;
  /** The newest 50,000, which is all of them: for who takes them along. */
  exportPayments(playerId: PlayerId): Promise<readonly Payment[]>;
  readonly reconciliation: Pick<Reconciler, "reconcile" | "loadLast">;
  /** What the provider holds for us, in kobo; null where it does not say. */
  loadProviderBalance(): Promise<bigint | null>;
  /** Does all that is due now and resolves when nothing is; it happens by itself every second. */
  runDue(): Promise<void>;
  /** Begins nothing new; what is under way at the provider is cut off, and taken up again after the next start. */
  close(): Promise<void>;
}

const LIST_MAX = 20;
/** More than anybody makes in years. */
const EXPORT_MAX = 50_000;

export function openPayments(options: PaymentsDeps): Payments {
  const { database, time, wheel, log, metrics, provider, isPolling = true } = options;
  const paystack = openPaystack({ ...provider, log, metrics });
  const settler = openSettler({
    database,
    time,
    log,
    metrics,
    sendFrame: options.sendFrame,
    rateKobo: options.rateKobo,
  });
  const deposits = openDeposits({ ...options, paystack, settler });
  const transfers = openTransfers({ database, time, paystack, settler });
  const refunds = openRefunds({ time, paystack, settler });
  const banks = openBanks(paystack, time);
  const bankAccounts = openBankAccounts(database, time, paystack, banks);
  const dueLoop = openDueLoop({
    database,
    time,
    wheel,
    log,
    isPolling,
    step: (payment, claimedUntil) => {
      if (isMoneyOut(payment)) return transfers.step(payment, claimedUntil);
      return isBeingRefunded(payment) ? refunds.step(payment) : deposits.step(payment);
    },
  });
  const { wake } = dueLoop;
  const withdrawals = openWithdrawals({ ...options, settler, wake });
  const reconciliation = openReconciler({ database, time, wheel, log, metrics, paystack, settler, isPolling });
  const webhook = openWebhookReceiver({ database, time, log, metrics, settler, secretKey: provider.secretKey, wake });

  return {
    begin: deposits.begin,
    reopen: deposits.reopen,
    check: deposits.check,
    withdraw: withdrawals.withdraw,
    receive: webhook.receive,
    banks,
    bankAccounts,
    orphanedBalances: openOrphanedBalances({ database, time, paystack, settler, rateKobo: options.rateKobo, wake }),
    reviews: openReviews({ database, time, paystack, refunds, settler }),
    accountDeletion: openAccountDeletion(options),
    accountClosing: openAccountClosing({ ...options, settler, withdraw: withdrawals.withdraw }),
    revenue: openRevenueWithdrawals({ database, time, settler, rateKobo: options.rateKobo, wake }),
    listPayments: (playerId) => loadNewest(database.kysely, playerId, LIST_MAX),
    exportPayments: (playerId) => loadNewest(database.kysely, playerId, EXPORT_MAX),
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
