import { addMs } from "@holo/kernel/instant.ts";
import { type Coins, type Kobo, toCoinsIn, toKobo } from "@holo/kernel/money.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { ReviewEnd } from "@holo/protocol/admin/money.ts";
import { isAccountDeleted, isRestrictedFromDeposits, loadDeletedPlayers } from "../../accounts/accounts.ts";
import { loadWallets } from "../../ledger/ledger.ts";
import type { Database, Queries, Tx } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import type { Time } from "../../platform/time/time.ts";
import { exceedsDepositLimit } from "../deposit/counted-deposits.ts";
import { toCreditRate, toRefundedKobo } from "../deposit/decide-deposit.ts";
import { isInDispute, isLeftToBank } from "../deposit/decide-dispute.ts";
import { REFUND_SLOW_MS } from "../deposit/decide-refund.ts";
import { type CreditedDeposit, type Deposit, isAllocationPending } from "../deposit/deposit.ts";
import type { Refunds } from "../deposit/refunds.ts";
import { type AppliedEffect, applyEffect } from "../effect/apply-effect.ts";
import type { PaymentUpdater, PaymentUpdaterDeps } from "../effect/payment-updater.ts";
import { isDeposit, type Payment } from "../payment.ts";
import { makeReason } from "../payment-base.ts";
import { endLostDisputes, loadDisputes } from "../provider/dispute-store.ts";
import type { Paystack } from "../provider/paystack.ts";
import {
  formatProviderReport,
  type ProviderCharge,
  type ProviderRefund,
  type ProviderTransfer,
  parseStoredCharge,
  parseStoredTransfer,
  toPaidAt,
} from "../provider/provider-status.ts";
import { CLAIM_MS } from "../store/claim-store.ts";
import {
  changePayment,
  changeTerms,
  loadByReference,
  loadPaymentsForReview,
  loadProviderReport,
  lockPaymentAndLimits,
} from "../store/payment-store.ts";
import {
  type CreditableCharge,
  type DifferingTransferEnd,
  isDifferingForStaff,
  isHeldForStaff,
  isReturnedForStaff,
  type ReviewedAmount,
  toCreditable,
  toDifferingTransferEnd,
  toReviewEnds,
  toTransferEnd,
  toUnallocated,
} from "./decide-review.ts";

export interface Permit<Denied extends string> {
  check(tx: Tx, payment: Payment): Promise<Result<null, Denied>>;
  /** `kobo` is what arrived or the part that was decided, else the payment's amount. */
  record(tx: Tx, payment: Payment, kobo: Kobo): Promise<void>;
}

export type ReviewRefusal =
  | "unknown_payment"
  | "not_in_review"
  | "payment_disputed"
  | "not_creditable"
  | "beyond_own_limit"
  | "deposit_barred"
  | "figures_changed"
  | "transfer_unconfirmed"
  | "provider_silent";

export interface Review {
  readonly payment: Payment;
  readonly arrived: ReviewedAmount | null;
  /** What the provider sent of a transfer that it reports otherwise; null: nothing. */
  readonly sentKobo: bigint | null;
  /** The refunded and unallocated part of a credited deposit; null: nothing. */
  readonly refunded: ReviewedAmount | null;
  readonly wallet: Coins;
  /** How staff can end it here; empty if it ends at the provider. */
  readonly ends: readonly ReviewEnd[];
}

type ReviewResult<Denied extends string> = Promise<Result<Payment, ReviewRefusal | Denied>>;

/** Payments in an exceptional state, until staff end it (ruling 9). */
export interface Reviews {
  /** Oldest first, including refunds that have taken a week. */
  list(): Promise<readonly Review[]>;
  /**
   * Credits the shown sum at the deposit's rate. Refuses `figures_changed` if another one arrived,
   * and `not_creditable` unless it is an unrefunded payment in naira of an existing account.
   */
  credit<Denied extends string>(reference: string, permit: Permit<Denied>, shownKobo: bigint): ReviewResult<Denied>;
  /**
   * Refunds the whole payment. It cannot be credited afterwards unless the provider refuses. After
   * `provider_silent` it is in review again.
   */
  refund<Denied extends string>(reference: string, permit: Permit<Denied>): ReviewResult<Denied>;
  /**
   * Allocates a refund of a credited deposit: to the player, with a debt for missing coins, or to
   * the platform. Refuses `figures_changed` if the provider reports another sum than `kobo`.
   */
  allocate<Denied extends string>(order: AllocationOrder, permit: Permit<Denied>): ReviewResult<Denied>;
  /**
   * Ends the case of a returned or differing transfer, after the provider was asked. Refuses
   * `transfer_unconfirmed` if its answer fits no end, and `figures_changed` if another one or sum.
   */
  endTransfer<Denied extends string>(order: TransferEndOrder, permit: Permit<Denied>): ReviewResult<Denied>;
}

interface TransferEndOrder {
  readonly reference: string;
  readonly end: "write_off" | "close" | "count_paid" | "give_back";
  /** What the provider has sent, of a transfer that it reports otherwise; 0: nothing. */
  readonly kobo?: bigint;
}

interface AllocationOrder {
  readonly reference: string;
  readonly bearer: "player" | "platform";
  readonly kobo: bigint;
}

interface ReviewsDeps {
  readonly database: Database;
  readonly time: Time;
  readonly paystack: Paystack;
  readonly refunds: Pick<Refunds, "send">;
  readonly loadRateAt: PaymentUpdaterDeps["loadRateAt"];
  readonly updater: PaymentUpdater;
}

export function openReviews(deps: ReviewsDeps): Reviews {
  return {
    list: () => list(deps),
    credit: (reference, permit, shownKobo) => credit(deps, reference, permit, shownKobo),
    refund: (reference, permit) => refund(deps, reference, permit),
    allocate: (order, permit) => allocate(deps, order, permit),
    endTransfer: (order, permit) => endTransfer(deps, order, permit),
  };
}

async function list(deps: ReviewsDeps): Promise<readonly Review[]> {
  const { database, time } = deps;
  const found = await loadPaymentsForReview(database.kysely, addMs(time.now(), -REFUND_SLOW_MS));
  const players = [...new Set(found.map(({ payment }) => payment.playerId))];
  const [wallets, deletedPlayers] = await Promise.all([
    loadWallets(database.kysely, players),
    found.length === 0 ? [] : loadDeletedPlayers(database.kysely),
  ]);
  const balances = new Map(wallets.map(({ playerId, balance }) => [playerId, balance]));
  const deleted = new Set(deletedPlayers);
  const reviews = found.map(async ({ payment, provider }) => {
    const charge = parseStoredCharge(provider);
    const creditable = findCreditable(payment, charge);
    const isDeleted = deleted.has(payment.playerId);
    const differing = isDifferingForStaff(payment)
      ? toDifferingTransferEnd(payment, parseStoredTransfer(provider))
      : null;
    const rateKobo =
      isDeposit(payment) && charge !== null ? await findCreditRate(database.kysely, deps, payment, charge) : 0;
    const arrived = creditable && { kobo: creditable.kobo, coins: toCoinsIn(creditable.kobo, rateKobo) };
    return {
      payment,
      arrived,
      sentKobo: findSentKobo(payment, differing),
      refunded: isDeposit(payment) && isAllocationPending(payment) ? toUnallocated(payment) : null,
      wallet: balances.get(payment.playerId) ?? (0n as Coins),
      ends: toReviewEnds(payment, { isCreditable: creditable !== null, isAccountDeleted: isDeleted, differing }),
    };
  });
  return await Promise.all(reviews);
}

function findSentKobo(payment: Payment, differing: DifferingTransferEnd | null): bigint | null {
  if (differing !== null) return differing.sentKobo === 0n ? null : differing.sentKobo;
  return payment.type === "lost" ? payment.sentKobo : null;
}

function findCreditable(payment: Payment, charge: ProviderCharge | null): CreditableCharge | null {
  const isUncredited = isDeposit(payment) && (payment.type === "held" || payment.type === "refunding");
  return isUncredited && !(payment.type === "refunding" && payment.wasCredited) ? toCreditable(payment, charge) : null;
}

type Ended = AppliedEffect & { readonly kobo: Kobo };

interface EndOrder<Open extends Payment, Denied extends string> {
  readonly reference: string;
  readonly permit: Permit<Denied>;
  readonly isOpen: (payment: Payment, isAccountDeleted: boolean) => payment is Open;
  readonly end: (tx: Tx, payment: Open, found: ReviewState) => Promise<Result<Ended, ReviewRefusal>>;
}

interface ReviewState {
  readonly isDeleted: boolean;
  /** A lost dispute that the bank has not collected for two weeks. */
  readonly isDisputed: boolean;
}

/** Ends an open review under the payment's lock. */
async function endReview<Open extends Payment, Denied extends string>(
  { database, updater, time }: ReviewsDeps,
  { reference, permit, isOpen, end }: EndOrder<Open, Denied>,
): ReviewResult<Denied> {
  return await transact(database, async (tx, afterCommit) => {
    const payment = await lockPaymentAndLimits(tx, reference);
    if (payment === null) return refuse("unknown_payment");
    const isDeleted = await isAccountDeleted(tx, payment.playerId);
    if (!isOpen(payment, isDeleted)) return refuse("not_in_review");
    const disputes = await loadDisputes(tx, reference);
    // The bank collects a lost dispute itself, and the money would be paid back twice.
    if (isLeftToBank({ ...disputes, now: time.now() })) return refuse("payment_disputed");
    const permitted = await permit.check(tx, payment);
    if (!permitted.ok) return permitted;
    const ended = await end(tx, payment, { isDeleted, isDisputed: isInDispute(disputes) });
    if (!ended.ok) return ended;
    // A lost dispute that the bank did not collect is over by this decision.
    if (payment.type !== "credited") await endLostDisputes(tx, reference);
    const { payment: after, wallets, alert, kobo } = ended.value;
    await permit.record(tx, after, kobo);
    afterCommit(() => updater.notify(after, wallets, alert));
    return ok(after);
  });
}

interface ChargeState {
  readonly charge: ProviderCharge;
  readonly refunds: readonly ProviderRefund[];
}

async function askProvider(
  { paystack }: ReviewsDeps,
  reference: string,
): Promise<Result<ChargeState, "provider_silent" | "unknown_payment">> {
  const answer = await paystack.verifyCharge(reference);
  if (!answer.ok) return refuse("provider_silent");
  if (answer.value === null) return refuse("unknown_payment");
  const listed = await paystack.listRefunds(answer.value);
  return listed.ok ? ok({ charge: answer.value, refunds: listed.value }) : refuse("provider_silent");
}

async function credit<Denied extends string>(
  deps: ReviewsDeps,
  reference: string,
  permit: Permit<Denied>,
  shownKobo: bigint,
): ReviewResult<Denied> {
  const answered = await askProvider(deps, reference);
  if (!answered.ok) return answered;
  const { charge, refunds } = answered.value;
  // Includes refunds ordered at the provider: else the money would be paid twice.
  const isRefunded = refunds.some(({ status }) => status !== "failed");
  return await endReview(deps, {
    reference,
    permit,
    isOpen: isHeldForStaff,
    async end(tx, deposit, { isDeleted }) {
      const creditable = toCreditable(deposit, charge);
      if (creditable === null || isRefunded || isDeleted || deposit.type !== "held") return refuse("not_creditable");
      const { kobo, payerFeeKobo, providerFeeKobo } = creditable;
      const at = deps.time.now();
      if (kobo !== shownKobo) {
        await changePayment(tx, deposit, { provider: formatProviderReport(charge) }, at);
        return refuse("figures_changed");
      }
      if (await exceedsDepositLimit(tx, { ...deposit, kobo }, at)) return refuse("beyond_own_limit");
      if (await isRestrictedFromDeposits(tx, deposit.playerId, at)) return refuse("deposit_barred");
      const rateKobo = await findCreditRate(tx, deps, deposit, charge);
      const coins = toCoinsIn(kobo, rateKobo);
      const payment = await changeTerms(tx, deposit, { kobo, coins, payerFeeKobo, rateKobo });
      const reason = makeReason("credited_actual_amount", kobo);
      const paidAt = toPaidAt(charge, at);
      const effect = {
        type: "credit",
        providerFeeKobo,
        paidAt,
        rateKobo,
        reason,
        isDisputed: false,
        isAskedAgain: false,
      } as const;
      const decision = { kind: "deposit", payment, effect } as const;
      return ok({ ...(await applyEffect(tx, decision, { source: "answer", report: null, at })), kobo });
    },
  });
}

/** The rate at which a held deposit would be credited (ruling 35). */
async function findCreditRate(
  queries: Queries,
  { time, loadRateAt }: ReviewsDeps,
  deposit: Deposit,
  charge: ProviderCharge,
): Promise<number> {
  const paidAt = toPaidAt(charge, time.now());
  return toCreditRate(deposit, { paidAt, rateAtPaymentKobo: await loadRateAt(queries, paidAt) });
}

async function refund<Denied extends string>(
  deps: ReviewsDeps,
  reference: string,
  permit: Permit<Denied>,
): ReviewResult<Denied> {
  // Committed before the provider is called: from then on nothing can credit it.
  const ended = await endReview(deps, {
    reference,
    permit,
    isOpen: isHeldForStaff,
    async end(tx, deposit) {
      const at = deps.time.now();
      const arrived = findCreditable(deposit, parseStoredCharge(await loadProviderReport(tx, deposit)));
      const change = {
        status: "reversed",
        reason: makeReason("refunding"),
        sentAt: at,
        notFoundSince: null,
        attempts: 0,
        completedAt: null,
        nextAttemptAt: addMs(at, CLAIM_MS),
      } as const;
      const payment = await changePayment(tx, deposit, change, at);
      return ok({ payment, wallets: [], alert: null, kobo: arrived?.kobo ?? deposit.kobo });
    },
  });
  if (!ended.ok || !isDeposit(ended.value)) return ended;
  return (await deps.refunds.send(ended.value)) ? ended : refuse("provider_silent");
}

async function allocate<Denied extends string>(
  deps: ReviewsDeps,
  { reference, bearer, kobo }: AllocationOrder,
  permit: Permit<Denied>,
): ReviewResult<Denied> {
  const answered = await askProvider(deps, reference);
  if (!answered.ok) return answered;
  const { charge, refunds } = answered.value;
  let corrected: Payment | null = null;
  const allocated = await endReview(deps, {
    reference,
    permit,
    isOpen: (payment): payment is CreditedDeposit => isDeposit(payment) && isAllocationPending(payment),
    async end(tx, payment, { isDisputed }) {
      const at = deps.time.now();
      const refundedKobo = toRefundedKobo(payment, charge, refunds);
      corrected =
        refundedKobo === payment.refundedKobo ? null : await correct(tx, deps, payment, refundedKobo, isDisputed);
      const unallocated = toUnallocated(payment);
      if (corrected !== null || unallocated.kobo !== kobo) return refuse("figures_changed");
      const decision = { kind: "deposit", payment, effect: { type: "allocate_refund", bearer, isDisputed } } as const;
      const applied = await applyEffect(tx, decision, { source: "answer", report: null, at });
      return ok({ ...applied, kobo: unallocated.kobo });
    },
  });
  if (corrected !== null) deps.updater.notify(corrected, [], null);
  return allocated;
}

async function endTransfer<Denied extends string>(
  deps: ReviewsDeps,
  order: TransferEndOrder,
  permit: Permit<Denied>,
): ReviewResult<Denied> {
  const { reference, end } = order;
  const asOfRequest = await loadByReference(deps.database.kysely, reference);
  if (asOfRequest === null) return refuse("unknown_payment");
  if (!isReturnedForStaff(asOfRequest) && !isDifferingForStaff(asOfRequest)) return refuse("not_in_review");
  const answer = await deps.paystack.verifyTransfer(reference);
  if (!answer.ok) return refuse("provider_silent");
  const transfer = answer.value;
  // Posts a loss, or takes one back, that the provider reports only now.
  await deps.updater.apply({ reference, report: { type: "transfer", transfer }, asOfRequest });
  if (!isReturnedForStaff(asOfRequest)) return await endDiffering(deps, order, permit, { asOfRequest, transfer });
  return await endReview(deps, {
    reference,
    permit,
    isOpen: isReturnedForStaff,
    async end(tx, withdrawal) {
      const allowed = toTransferEnd(withdrawal, transfer);
      if (allowed === null) return refuse("transfer_unconfirmed");
      if (allowed !== end) return refuse("figures_changed");
      const ended =
        end === "write_off"
          ? ({ status: "completed", reason: null } as const)
          : ({ status: "reversed", reason: makeReason("transfer_reversed") } as const);
      const change = { ...ended, attempts: 0, nextAttemptAt: null };
      const payment = await changePayment(tx, withdrawal, change, deps.time.now());
      return ok({ payment, wallets: [], alert: null, kobo: withdrawal.sentKobo ?? withdrawal.kobo });
    },
  });
}

/** Ends the case of a transfer that the provider reports otherwise than it was ordered. */
async function endDiffering<Denied extends string>(
  deps: ReviewsDeps,
  { reference, end, kobo = 0n }: TransferEndOrder,
  permit: Permit<Denied>,
  asked: { readonly asOfRequest: Payment; readonly transfer: ProviderTransfer | null },
): ReviewResult<Denied> {
  const { asOfRequest, transfer } = asked;
  return await endReview(deps, {
    reference,
    permit,
    isOpen: isDifferingForStaff,
    async end(tx, withdrawal) {
      // An order that was sent since the question may make its answer untrue.
      const isSentSince = withdrawal.sentAt !== asOfRequest.sentAt;
      const allowed = isSentSince ? null : toDifferingTransferEnd(withdrawal, transfer);
      if (allowed === null) return refuse("transfer_unconfirmed");
      if (allowed.end !== end || allowed.sentKobo !== kobo) return refuse("figures_changed");
      const decision = { kind: "withdrawal", payment: withdrawal, effect: allowed.effect } as const;
      const report = transfer && formatProviderReport(transfer);
      const applied = await applyEffect(tx, decision, { source: "answer", report, at: deps.time.now() });
      return ok({ ...applied, kobo: toKobo(allowed.sentKobo) });
    },
  });
}

/** Records another refunded sum for a new review. Without a remaining sum the review is over. */
async function correct(
  tx: Tx,
  { time }: ReviewsDeps,
  deposit: CreditedDeposit,
  reported: Kobo,
  isDisputed: boolean,
): Promise<Payment> {
  const { allocatedKobo, isUnderReview } = deposit;
  const refundedKobo = reported > allocatedKobo ? reported : allocatedKobo;
  const isOver = refundedKobo === allocatedKobo && isUnderReview && !isDisputed;
  const over = isOver ? ({ status: "completed", reason: null } as const) : {};
  return await changePayment(tx, deposit, { refundedKobo, ...over }, time.now());
}
