import { addMs, DAY_MS, type Instant, MINUTE_MS, SECOND_MS, toInstant } from "@holo/kernel/instant.ts";
import type { Database } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import type { Log } from "../../platform/log.ts";
import type { Metrics } from "../../platform/metrics/metrics.ts";
import type { Time } from "../../platform/time/time.ts";
import type { TimerWheel } from "../../platform/time/timer-wheel.ts";
import { isDeposit, type Payment, toPaymentMoney } from "../payment.ts";
import type { ListOrder, Page, Paystack } from "../provider/paystack.ts";
import type { ProviderAnswer } from "../provider/paystack-client.ts";
import type { ListedRefund, ProviderCharge } from "../provider/provider-status.ts";
import type { Settler } from "../settlement/settler.ts";
import { CLAIM_MS } from "../store/claim-store.ts";
import { loadByReference, loadCreatedSince } from "../store/payment-store.ts";
import type { PayoutGuard } from "../withdrawal/payout-guard.ts";
import { claimPayoutHold, endPayoutHold, type PayoutHold } from "../withdrawal/payout-hold-store.ts";
import {
  type Difference,
  findDifference,
  findMissing,
  hasMoved,
  isNews,
  type ListedPayment,
  toDifference,
} from "./compare-payment.ts";
import { compareRefunds } from "./compare-refunds.ts";
import { openPayoutRecheck } from "./recheck-payouts.ts";
import {
  claimDay,
  loadComparedAt,
  loadLastReconciliation,
  type Reconciliation,
  saveReconciliation,
} from "./reconciliation-store.ts";

export type { Reconciliation } from "./reconciliation-store.ts";

export interface Reconciler {
  /**
   * Compares now, and verifies the next older payouts. Releases held payouts if every transfer of
   * the provider is known. Null if a list is incomplete; it is tried again within the hour.
   */
  reconcile(): Promise<Reconciliation | null>;
  loadLast(): Promise<Reconciliation | null>;
  close(): Promise<void>;
}

interface ReconcilerDeps {
  readonly database: Database;
  readonly time: Time;
  readonly wheel: TimerWheel;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly paystack: Paystack;
  readonly settler: Settler;
  readonly payoutGuard: Pick<PayoutGuard, "check">;
  readonly isPolling: boolean;
  /** What the provider holds beyond what players are owed; null without an answer. */
  readonly loadCover: () => Promise<bigint | null>;
}

/** The compared period. Older deposits change by webhooks only; older payouts are rechecked. */
const WINDOW_MS = 14 * DAY_MS;
/** Younger payments may exist on one side only. */
const SETTLING_MS = 10 * MINUTE_MS;
/** The largest difference between the provider's clock and the server's. */
const SKEW_MS = 60 * MINUTE_MS;
const POLL_MS = MINUTE_MS;
const RETRY_MS = 60 * MINUTE_MS;
/** Between comparisons while payouts are held. */
const HELD_RETRY_MS = 10 * MINUTE_MS;
const PAGES_MAX = 10_000;
const LOGGED_MAX = 20;

export function openReconciler(deps: ReconcilerDeps): Reconciler {
  const { database, time, wheel, log, metrics } = deps;
  const settledCount = metrics.counter(
    "holo_reconciliation_settled_total",
    "Payments settled by the daily reconciliation",
  );
  let differenceCount = 0;
  metrics.gauge(
    "holo_reconciliation_differences",
    "Differences found by the last reconciliation",
    () => differenceCount,
  );
  let comparedAt = time.now();
  // Not renewed by a comparison that fails or hangs.
  metrics.gauge(
    "holo_reconciliation_age_seconds",
    "Seconds since the last complete comparison with the provider",
    () => (time.now() - comparedAt) / SECOND_MS,
  );
  let running: Promise<unknown> | null = null;
  let isClosed = false;
  const recheck = openPayoutRecheck({ ...deps, isClosed: () => isClosed });
  let cancel: () => void = () => undefined;
  if (deps.isPolling) {
    // At once, so that the metrics have no gap at a restart.
    running = runLogged(async () => {
      await deps.payoutGuard.check();
      await loadGauges();
    });
    schedule();
  }

  function schedule(): void {
    cancel = wheel.schedule(time.monotonicMs() + POLL_MS, () => {
      running ??= runLogged(runWhenDue);
      schedule();
    });
  }

  function runLogged(work: () => Promise<unknown>): Promise<void> {
    return work()
      .then(() => undefined)
      .catch((err) => log.error({ err }, "the daily comparison with the provider failed"))
      .finally(() => {
        running = null;
      });
  }

  async function runWhenDue(): Promise<void> {
    const now = time.now();
    const hold = await deps.payoutGuard.check();
    const isRetried = hold !== null && (await claimPayoutHold(database.kysely, hold, now, addMs(now, -HELD_RETRY_MS)));
    if ((await claimDay(database.kysely, toDay(now), now, addMs(now, -RETRY_MS))) || isRetried) await reconcile();
    else settledCount.inc(await recheck.run());
    await loadGauges();
  }

  /** Stored, since another server may have compared last. */
  async function loadGauges(): Promise<void> {
    differenceCount = (await loadLastReconciliation(database.kysely))?.differences.length ?? 0;
    comparedAt = (await loadComparedAt(database.kysely)) ?? comparedAt;
  }

  async function reconcile(): Promise<Reconciliation | null> {
    const hold = await deps.payoutGuard.check();
    const startedAt = time.now();
    const from = Math.min(addMs(startedAt, -WINDOW_MS), addMs(hold?.compareFrom ?? startedAt, -SKEW_MS));
    const compared = await comparePayments(deps, toInstant(from), startedAt, () => isClosed);
    if (compared === null) {
      log.warn("the comparison with the provider is incomplete; it is tried again");
      return null;
    }
    const { settled, differences } = compared;
    const result = { day: toDay(startedAt), finishedAt: time.now(), settled, differences };
    await saveReconciliation(database.kysely, result, startedAt);
    if (hold !== null && endsHold(hold, startedAt, differences)) await releasePayouts(hold);
    settledCount.inc(settled);
    await loadGauges();
    if (differences.length > 0) {
      const facts = { differences: differences.slice(0, LOGGED_MAX), differing: differences.length };
      log.error(facts, "our payments differ from the provider's");
    }
    await recheck.refill(startedAt, addMs(startedAt, -WINDOW_MS));
    settledCount.inc(await recheck.run());
    return result;
  }

  async function releasePayouts(hold: PayoutHold): Promise<void> {
    const ending = { at: time.now(), auditEventId: null };
    const isEnded = await transact(database, (tx) => endPayoutHold(tx, hold, ending));
    if (isEnded) log.info({ cause: hold.cause }, "the provider sent no unknown payouts; payouts resume");
    await deps.payoutGuard.check();
  }

  return {
    reconcile,
    loadLast: () => loadLastReconciliation(database.kysely),
    async close() {
      isClosed = true;
      cancel();
      await running;
    },
  };
}

/** An order from before the hold may reach the provider until its claim ends. */
function endsHold({ fromAt }: PayoutHold, startedAt: Instant, differences: readonly Difference[]): boolean {
  const isUnknown = differences.some(({ type }) => type === "unknown_transfer" || type === "unread");
  return !isUnknown && startedAt >= addMs(fromAt, CLAIM_MS);
}

interface Compared {
  readonly settled: number;
  readonly differences: readonly Difference[];
}

/** Settles and compares everything in the window; null if the provider's lists are incomplete. */
async function comparePayments(
  deps: ReconcilerDeps,
  from: Instant,
  startedAt: Instant,
  isClosed: () => boolean,
): Promise<Compared | null> {
  // Loaded first, so that payments that begin during the listing are not compared.
  const payments = await loadCreatedSince(deps.database.kysely, addMs(from, -DAY_MS));
  const listed = await listEverything(deps.paystack, from, addMs(startedAt, SKEW_MS), isClosed);
  if (listed === null) return null;

  const known = new Map(payments.map((payment) => [payment.reference, payment]));
  const differences: Difference[] = [];
  let settled = 0;
  for (const entry of listed.items) {
    const payment = known.get(entry.item.reference);
    if (payment === undefined || isDeposit(payment) !== (entry.type === "charge")) {
      const difference = await findUnknown(deps, payment, entry);
      if (difference !== null) differences.push(difference);
      continue;
    }
    const after = await settle(deps, payment, entry);
    if (toPaymentMoney(after) !== toPaymentMoney(payment)) settled += 1;
    const difference = findDifference(after, entry);
    if (difference !== null) differences.push(difference);
  }
  const references = new Set(listed.items.map(({ item }) => item.reference));
  const settlesBefore = addMs(startedAt, -SETTLING_MS);
  const missing = payments.filter(
    ({ createdAt, reference }) => createdAt >= from && createdAt <= settlesBefore && !references.has(reference),
  );
  differences.push(...missing.map(findMissing).filter((difference) => difference !== null));
  const compared = await compareRefunds(deps, listed.refunds, toCharges(listed.items));
  if (compared === null) return null;
  differences.push(...compared.differences);
  settled += compared.settled;
  const cover = await deps.loadCover();
  if (cover === null) return null;
  if (cover < 0n) differences.push({ type: "provider_short", reference: "players", kobo: String(-cover) });
  if (listed.unread > 0) differences.push({ type: "unread", reference: `${listed.unread} entries`, kobo: "0" });
  return { settled, differences };
}

/**
 * What moved, or may still be sent, without a payment of its kind, unless that payment began during
 * the listing.
 */
async function findUnknown(
  { database }: ReconcilerDeps,
  payment: Payment | undefined,
  entry: ListedPayment,
): Promise<Difference | null> {
  if (!hasMoved(entry)) return null;
  const isNew = payment === undefined && (await loadByReference(database.kysely, entry.item.reference)) !== null;
  return isNew ? null : toDifference(`unknown_${entry.type}`, entry);
}

async function settle({ settler }: ReconcilerDeps, payment: Payment, entry: ListedPayment): Promise<Payment> {
  if (!isNews(payment, entry)) return payment;
  const { reference } = payment;
  const report =
    entry.type === "charge"
      ? ({ type: "charge", charge: entry.item, source: "answer" } as const)
      : ({ type: "transfer", transfer: entry.item, source: "answer" } as const);
  const settled = await settler.settle({ reference, report, asOfRequest: payment });
  return settled?.payment ?? payment;
}

function toCharges(items: readonly ListedPayment[]): readonly ProviderCharge[] {
  return items.flatMap((entry) => (entry.type === "charge" ? [entry.item] : []));
}

interface Listed<Item> {
  readonly items: readonly Item[];
  readonly unread: number;
}

type ListedEverything = Listed<ListedPayment> & { readonly refunds: readonly ListedRefund[] };

async function listEverything(
  paystack: Paystack,
  from: Instant,
  to: Instant,
  isClosed: () => boolean,
): Promise<ListedEverything | null> {
  const charges = await listAll(paystack.listCharges, from, to, isClosed);
  const transfers = charges && (await listAll(paystack.listTransfers, from, to, isClosed));
  const refunds = transfers && (await listAll(paystack.listAllRefunds, from, to, isClosed));
  if (charges === null || transfers === null || refunds === null) return null;
  const items: readonly ListedPayment[] = [
    ...charges.items.map((item) => ({ type: "charge", item }) as const),
    ...transfers.items.map((item) => ({ type: "transfer", item }) as const),
  ];
  return { items, refunds: refunds.items, unread: charges.unread + transfers.unread + refunds.unread };
}

async function listAll<Item>(
  list: (order: ListOrder) => Promise<ProviderAnswer<Page<Item>>>,
  from: Instant,
  to: Instant,
  isClosed: () => boolean,
): Promise<Listed<Item> | null> {
  const items: Item[] = [];
  let unread = 0;
  for (let page = 1; page <= PAGES_MAX && !isClosed(); page += 1) {
    const answer = await list({ from, to, page });
    if (!answer.ok) return null;
    items.push(...answer.value.items);
    unread += answer.value.unread;
    if (answer.value.isLast) return { items, unread };
  }
  return null;
}

function toDay(at: Instant): string {
  return new Date(at).toISOString().slice(0, 10);
}
