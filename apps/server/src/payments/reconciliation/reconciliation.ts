import { addMs, DAY_MS, type Instant, MINUTE_MS, SECOND_MS, toInstant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import type { Database } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import type { Log } from "../../platform/log.ts";
import type { Metrics } from "../../platform/metrics/metrics.ts";
import type { Time } from "../../platform/time/time.ts";
import type { TimerWheel } from "../../platform/time/timer-wheel.ts";
import type { Payment } from "../payment.ts";
import type { ListOrder, Page, Paystack } from "../provider/paystack.ts";
import type { ProviderAnswer } from "../provider/paystack-client.ts";
import type { ListedRefund, ProviderDispute } from "../provider/provider-status.ts";
import { CLAIM_MS } from "../store/claim-store.ts";
import { loadByReference, loadPayments, question } from "../store/payment-store.ts";
import type { PayoutGuard } from "../withdrawal/payout-guard.ts";
import {
  claimPayoutHold,
  endPayoutHold,
  loadUncomparedHold,
  type PayoutHold,
} from "../withdrawal/payout-hold-store.ts";
import {
  type Difference,
  findDifference,
  findMissing,
  hasMoved,
  isNews,
  isOfKind,
  type Listed,
  toDifference,
} from "./compare.ts";
import {
  claimDay,
  hasComparedFrom,
  loadComparedAt,
  loadLastReconciliation,
  type Reconciliation,
  saveReconciliation,
} from "./reconciliation-store.ts";

export type { Reconciliation } from "./reconciliation-store.ts";

export interface Reconciler {
  /**
   * Settles nothing from a list. Releases held payouts if every listed transfer is known. Null if
   * an answer is missing; it is tried again within the hour.
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
  /** Asks about everything that is due. */
  readonly runDue: () => Promise<void>;
  readonly payoutGuard: Pick<PayoutGuard, "check">;
  readonly receiveDispute: (dispute: ProviderDispute) => Promise<boolean>;
  readonly isPolling: boolean;
  /** What the provider holds beyond what players are owed; null without an answer. */
  readonly loadCover: () => Promise<bigint | null>;
}

/** The compared period: daily, and weekly or after a restore. */
const WINDOW_MS = 14 * DAY_MS;
/**
 * As long as a charge may be paid late, disputed or reversed, and a transfer returned, generously.
 */
const LONG_WINDOW_MS = 120 * DAY_MS;
const LONG_EVERY_MS = 7 * DAY_MS;
/** A page of the provider's lists has at most 100 entries. */
const PAGES_MAX = 20_000;
/** Payments begun, sent or credited in this time before the start wait for the next comparison. */
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
  const askedCount = metrics.counter("holo_reconciliation_asked_total", "Payments asked by the daily reconciliation");
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
    const isLong = uncompared !== null || (await isLongDue(startedAt));
    const from = addMs(toInstant(lostFrom), -(isLong ? LONG_WINDOW_MS : WINDOW_MS));
    const compared = await compare(
      deps,
      { from, shortFrom: addMs(toInstant(lostFrom), -WINDOW_MS), startedAt },
      () => isClosed,
    );
    if (compared === null) {
      log.warn("the comparison with the provider is incomplete; it is tried again");
      return null;
    }
    const { asked, differences } = compared;
    const result = { day: toDay(startedAt), finishedAt: time.now(), asked, differences };
    await saveReconciliation(database.kysely, result, { startedAt, from });
    if (hold !== null && endsHold(hold, startedAt, differences)) await releasePayouts(hold);
    askedCount.inc(asked);
    await loadGauges();
    if (differences.length > 0) {
      const facts = { differences: differences.slice(0, LOGGED_MAX), differing: differences.length };
      log.error(facts, "our payments differ from the provider's");
    }
    return result;
  }

  async function isLongDue(now: Instant): Promise<boolean> {
    const [from, since] = [addMs(now, -LONG_WINDOW_MS + LONG_EVERY_MS), addMs(now, -LONG_EVERY_MS)];
    return !(await hasComparedFrom(database.kysely, from, since));
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

interface Period {
  readonly from: Instant;
  /** Since when a payment that no list names is a difference. */
  readonly shortFrom: Instant;
  readonly startedAt: Instant;
}

interface Compared {
  readonly asked: number;
  readonly differences: readonly Difference[];
}

/** Null if an answer is missing. */
async function compare(deps: ReconcilerDeps, period: Period, isClosed: () => boolean): Promise<Compared | null> {
  const { paystack, database } = deps;
  const to = addMs(period.startedAt, SKEW_MS);
  const order = { from: period.from, to, isClosed };
  // Disputes first, so that charges are asked about in the state in which they leave them.
  const disputes = await eachPage(paystack.listDisputes, order, async (items) => {
    for (const dispute of items) await deps.receiveDispute(dispute);
    return true;
  });
  if (disputes === null) return null;
  const tally = {
    startedAt: period.startedAt,
    asked: 0,
    differences: [] as Difference[],
    listed: new Set<string>(),
    chargeIds: new Map<string, string>(),
  };
  const charges = await eachPage(paystack.listCharges, order, (items) => {
    for (const { id, reference } of items) tally.chargeIds.set(id, reference);
    return compareItems(
      deps,
      items.map((item) => ({ type: "charge", item }) as const),
      tally,
    );
  });
  const transfers =
    charges &&
    (await eachPage(paystack.listTransfers, order, (items) =>
      compareItems(
        deps,
        items.map((item) => ({ type: "transfer", item }) as const),
        tally,
      ),
    ));
  const refunds: ListedRefund[] = [];
  const listedRefunds =
    transfers &&
    (await eachPage(paystack.listAllRefunds, order, async (items) => {
      refunds.push(...items);
      return true;
    }));
  if (charges === null || transfers === null || listedRefunds === null) return null;
  await compareRefunds(deps, refunds, tally);
  await deps.runDue();
  tally.differences.push(...(await findAllMissing(database, period, tally.listed)));
  const cover = await deps.loadCover();
  if (cover === null) return null;
  const { asked, differences } = tally;
  if (cover < 0n) differences.push({ type: "provider_short", reference: "players", kobo: String(-cover) });
  const unread = charges.unread + transfers.unread + listedRefunds.unread;
  if (unread > 0) differences.push({ type: "unread", reference: `${unread} entries`, kobo: "0" });
  return { asked, differences };
}

interface Tally {
  readonly startedAt: Instant;
  asked: number;
  readonly differences: Difference[];
  readonly listed: Set<string>;
  /** References of listed charges by the provider's id. */
  readonly chargeIds: Map<string, string>;
}

async function compareItems(deps: ReconcilerDeps, items: readonly Listed[], tally: Tally): Promise<true> {
  const references = items.map(({ item }) => item.reference);
  const known = new Map(
    (await loadPayments(deps.database.kysely, sql`where reference = any(${references}::text[])`)).map((payment) => [
      payment.reference,
      payment,
    ]),
  );
  for (const entry of items) {
    tally.listed.add(entry.item.reference);
    const payment = known.get(entry.item.reference);
    if (payment === undefined || !isOfKind(payment, entry)) {
      if (hasMoved(entry)) tally.differences.push(toDifference(`unknown_${entry.type}`, entry));
      continue;
    }
    if (isNews(payment, entry, deps.time.now())) await ask(deps, payment, tally);
    else if (isSettled(payment, tally.startedAt)) {
      const difference = findDifference(payment, entry);
      if (difference !== null) tally.differences.push(difference);
    }
  }
  return true;
}

/** The due loop asks: one that the provider does not answer holds nothing up. */
async function ask({ database, time }: ReconcilerDeps, { reference }: Payment, tally: Tally): Promise<void> {
  if (await question(database.kysely, reference, time.now())) tally.asked += 1;
}

/**
 * Asks about deposits whose refunds differ from what is known. The list may lack some of a charge.
 */
async function compareRefunds(deps: ReconcilerDeps, refunds: readonly ListedRefund[], tally: Tally): Promise<void> {
  const named = await nameCharges(deps.database, refunds, tally.chargeIds);
  const ended = named.filter(({ status }) => status !== "open");
  for (const [reference, own] of Map.groupBy(ended, (refund) => refund.reference)) {
    const processed = own.filter(({ status }) => status === "processed").reduce((sum, { amount }) => sum + amount, 0n);
    const payment = await loadByReference(deps.database.kysely, reference);
    if (payment === null) {
      if (processed > 0n) tally.differences.push({ type: "unknown_refund", reference, kobo: String(processed) });
      continue;
    }
    if (payment.kind !== "deposit") continue;
    const isWhole = processed >= payment.inKobo && payment.backKobo === payment.inKobo;
    if (isWhole || processed === payment.backKobo) continue;
    await ask(deps, payment, tally);
  }
}

/** The list names the charge by id or by reference. */
async function nameCharges(
  { kysely }: Database,
  refunds: readonly ListedRefund[],
  listed: ReadonlyMap<string, string>,
): Promise<readonly (ListedRefund & { readonly reference: string })[]> {
  const ids = refunds.flatMap(({ reference, chargeId }) =>
    reference === null && chargeId !== null && !listed.has(chargeId) ? [chargeId] : [],
  );
  const { rows } = await sql<{ readonly id: string; readonly reference: string }>`
    select distinct fact.provider_id as id, payment.reference from payment_facts fact join payments payment on payment.id = fact.payment_id
    where fact.type = 'charge' and fact.provider_id = any(${ids}::text[])`.execute(kysely);
  const stored = new Map(rows.map(({ id, reference }) => [id, reference]));
  return refunds.map((refund) => {
    const id = refund.chargeId ?? "";
    return { ...refund, reference: refund.reference ?? listed.get(id) ?? stored.get(id) ?? `charge ${id}` };
  });
}

function isSettled(payment: Payment, startedAt: Instant): boolean {
  const sentAt = payment.kind === "deposit" ? null : payment.sentAt;
  return Math.max(payment.createdAt, sentAt ?? 0, payment.completedAt ?? 0) <= startedAt - SETTLING_MS;
}

/** Payments of the shorter period that moved here and that no list names. */
async function findAllMissing(
  { kysely }: Database,
  { shortFrom, startedAt }: Period,
  listed: ReadonlySet<string>,
): Promise<readonly Difference[]> {
  const payments = await loadPayments(
    kysely,
    sql`where created_at >= ${shortFrom}
      and (kept_kobo > 0 or sent_kobo > 0) order by created_at, id`,
  );
  return payments
    .filter((payment) => !listed.has(payment.reference) && isSettled(payment, startedAt))
    .flatMap((payment) => findMissing(payment) ?? []);
}

interface PageOrder {
  readonly from: Instant;
  readonly to: Instant;
  readonly isClosed: () => boolean;
}

/** Null if the provider does not answer, or `read` gives up. */
async function eachPage<Item>(
  list: (order: ListOrder) => Promise<ProviderAnswer<Page<Item>>>,
  { from, to, isClosed }: PageOrder,
  read: (items: readonly Item[]) => Promise<boolean>,
): Promise<{ readonly unread: number } | null> {
  let unread = 0;
  for (let page = 1; page <= PAGES_MAX && !isClosed(); page += 1) {
    const answer = await list({ from, to, page });
    if (!answer.ok || !(await read(answer.value.items))) return null;
    unread += answer.value.unread;
    if (answer.value.isLast) return { unread };
  }
  return null;
}

function toDay(at: Instant): string {
  return new Date(at).toISOString().slice(0, 10);
}
