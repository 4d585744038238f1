import type { PlayerId } from "@holo/kernel/ids.ts";
import type { ServerFrame } from "@holo/protocol/frames.ts";
import type { Database } from "../platform/database.ts";
import type { Log } from "../platform/log.ts";
import type { Metrics } from "../platform/metrics.ts";
import type { Time } from "../platform/time.ts";
import type { TimerWheel } from "../platform/timer-wheel.ts";
import { type BankAccounts, openBankAccounts } from "./bank-accounts.ts";
import { type Banks, openBanks } from "./banks.ts";
import { type Closings, openClosings } from "./closings.ts";
import { type Deposits, openDeposits } from "./deposits.ts";
import { openDueLoop } from "./due-loop.ts";
import { type Leaving, type LeavingOptions, openLeaving } from "./leaving.ts";
import { type LeftCoins, openLeftCoins } from "./left-coins.ts";
import { isBeingRefunded, isMoneyOut, type Payment } from "./payment.ts";
import { openPaystack } from "./paystack.ts";
import { openReconciler, type Reconciler } from "./reconciliation.ts";
import { openRefunds } from "./refunds.ts";
import { openRevenue, type Revenue } from "./revenue.ts";
import { openReviews, type Reviews } from "./reviews.ts";
import { openSettler } from "./settle.ts";
import { loadNewest } from "./store.ts";
import { openTransfers } from "./transfers.ts";
import { openWebhook, type WebhookDoor } from "./webhook.ts";
import { openWithdrawals, type Withdrawals, type WithdrawalsOptions } from "./withdrawals.ts";

export type { ClosingForm, ClosingTerms } from "./closings.ts";
export { loadDepositLeft } from "./counted.ts";
export type { LeftCoinsOrder, LeftCoinsRefusal } from "./left-coins.ts";
export { type Payment, toPaymentView } from "./payment.ts";
export type { Reconciliation } from "./reconciliation.ts";
export type { RevenueForm, RevenueRefusal } from "./revenue.ts";
export type { Permit, ReviewRefusal } from "./reviews.ts";
export { loadUnderWay } from "./under-way.ts";
export { loadWithdrawable } from "./withdrawable.ts";
export type { WithdrawalForm } from "./withdrawals.ts";

export interface PaymentsOptions {
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
  readonly push: (playerId: PlayerId, frame: ServerFrame) => void;
  readonly queueMail: WithdrawalsOptions["queueMail"];
  readonly checkPassword: WithdrawalsOptions["checkPassword"];
  readonly hasOpenGame: WithdrawalsOptions["hasOpenGame"];
  readonly removePlayer: LeavingOptions["removePlayer"];
  /** False: nothing happens by itself but what webhooks bring; `runDue` does the rest. */
  readonly isBeating?: boolean;
}

/** Money in and out. */
export interface Payments extends Pick<Deposits, "begin" | "reopen" | "check">, Withdrawals, WebhookDoor {
  readonly banks: Banks;
  readonly bankAccounts: BankAccounts;
  /** For people of the house alone; who may is for the caller to check. */
  readonly reviews: Reviews;
  readonly leftCoins: LeftCoins;
  readonly revenue: Revenue;
  readonly closings: Closings;
  readonly leaving: Leaving;
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

const LISTED = 20;
/** More than anybody makes in years. */
const EXPORTED_MAX = 50_000;

export function openPayments(options: PaymentsOptions): Payments {
  const { database, time, wheel, log, metrics, provider, isBeating = true } = options;
  const paystack = openPaystack({ ...provider, log, metrics });
  const settler = openSettler({ database, time, log, metrics, push: options.push, rateKobo: options.rateKobo });
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
    isBeating,
    step: (payment, claimedUntil) => {
      if (isMoneyOut(payment)) return transfers.step(payment, claimedUntil);
      return isBeingRefunded(payment) ? refunds.step(payment) : deposits.step(payment);
    },
  });
  const { wake } = dueLoop;
  const withdrawals = openWithdrawals({ ...options, settler, wake });
  const reconciliation = openReconciler({ database, time, wheel, log, metrics, paystack, settler, isBeating });
  const webhook = openWebhook({ database, time, log, metrics, settler, secretKey: provider.secretKey, wake });

  return {
    begin: deposits.begin,
    reopen: deposits.reopen,
    check: deposits.check,
    withdraw: withdrawals.withdraw,
    receive: webhook.receive,
    banks,
    bankAccounts,
    leftCoins: openLeftCoins({ database, time, paystack, settler, rateKobo: options.rateKobo, wake }),
    reviews: openReviews({ database, time, paystack, refunds, settler }),
    leaving: openLeaving(options),
    closings: openClosings({ ...options, settler, withdraw: withdrawals.withdraw }),
    revenue: openRevenue({ database, time, settler, rateKobo: options.rateKobo, wake }),
    listPayments: (playerId) => loadNewest(database.kysely, playerId, LISTED),
    exportPayments: (playerId) => loadNewest(database.kysely, playerId, EXPORTED_MAX),
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
