import { addMs, DAY_MS, type Instant, MINUTE_MS, SECOND_MS, toInstant } from "@holo/kernel/instant.ts";
import type { Database } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import type { Log } from "../../platform/log.ts";
import type { Metrics } from "../../platform/metrics/metrics.ts";
import type { Time } from "../../platform/time/time.ts";
import type { TimerWheel } from "../../platform/time/timer-wheel.ts";
import type { PaymentUpdater } from "../effect/payment-updater.ts";
import type { Payment } from "../payment.ts";
import type { ListOrder, Page, Paystack } from "../provider/paystack.ts";
import type { ProviderAnswer } from "../provider/paystack-client.ts";
import type { ListedRefund, ProviderCharge, ProviderDispute } from "../provider/provider-status.ts";
import { CLAIM_MS } from "../store/claim-store.ts";
import { loadByReference, loadCreatedSince } from "../store/payment-store.ts";
import type { PayoutGuard } from "../withdrawal/payout-guard.ts";
import {
  claimPayoutHold,
  endPayoutHold,
  loadUncomparedHold,
  type PayoutHold,
} from "../withdrawal/payout-hold-store.ts";
import { type Compared, compareListed, isOfKind, PAGES_MAX } from "./compare-listed.ts";
import {
  type Difference,
  findMissing,
  hasMoved,
  type ListedPayment,
  REVERSIBLE_MS,
  toDifference,
} from "./compare-payment.ts";
import { compareRefunds } from "./compare-refunds.ts";
import { openOlderCharges } from "./older-charges.ts";
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
  readonly updater: PaymentUpdater;
  readonly payoutGuard: Pick<PayoutGuard, "check">;
  readonly receiveDispute: (dispute: ProviderDispute) => Promise<void>;
  readonly isPolling: boolean;
  /** What the provider holds beyond what players are owed; null without an answer. */
  readonly loadCover: () => Promise<bigint | null>;
}

/** The compared period. Older charges are compared after a restore, older payouts rechecked. */
const WINDOW_MS = 14 * DAY_MS;
/** Younger payments may exist on one side only. */
const SETTLING_MS = 10 * MINUTE_MS;
/** The largest difference between the provider's clock and the server's. */
const SKEW_MS = 60 * MINUTE_MS;
const POLL_MS = MINUTE_MS;
const RETRY_MS = 60 * MINUTE_MS;
/** Between comparisons while payouts are held. */
const HELD_RETRY_MS = 10 * MINUTE_MS;
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
  const olderCharges = openOlderCharges({ ...deps, isClosed: () => isClosed });
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
    const uncompared = await loadUncomparedHold(database.kysely);
    const lostFrom = Math.min(startedAt, ...[hold, uncompared].map((known) => known?.compareFrom ?? startedAt));
    const from = addMs(toInstant(lostFrom), -WINDOW_MS);
    const compared = await comparePeriod(from, startedAt, uncompared);
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

  /** Disputes first, so that charges are compared in the state in which they leave them. */
  async function comparePeriod(
    from: Instant,
    startedAt: Instant,
    uncompared: Pick<PayoutHold, "fromAt"> | null,
  ): Promise<Compared | null> {
    if (!(await receiveDisputes(deps, addMs(from, -REVERSIBLE_MS), startedAt, () => isClosed))) return null;
    const compared = await comparePayments(deps, from, startedAt, () => isClosed);
    if (compared === null || uncompared === null) return compared;
    const older = await olderCharges.compare(uncompared, from);
    if (older === null) return null;
    return {
      settled: compared.settled + older.settled,
      differences: [...compared.differences, ...older.differences],
    };
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

/** Carries out disputes whose webhooks were lost. False: the provider is silent. */
async function receiveDisputes(
  { paystack, receiveDispute }: ReconcilerDeps,
  from: Instant,
  startedAt: Instant,
  isClosed: () => boolean,
): Promise<boolean> {
  const listed = await listAll(paystack.listDisputes, from, addMs(startedAt, SKEW_MS), isClosed);
  for (const dispute of listed?.items ?? []) await receiveDispute(dispute);
  return listed !== null;
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
    if (payment === undefined || !isOfKind(payment, entry)) {
      const difference = await findUnknown(deps, payment, entry);
      if (difference !== null) differences.push(difference);
      continue;
    }
    const { isSettled, difference } = await compareListed(deps.updater, payment, entry);
    if (isSettled) settled += 1;
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
