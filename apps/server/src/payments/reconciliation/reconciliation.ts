import { addMs, DAY_MS, type Instant, MINUTE_MS, toInstant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import type { Database, Queries } from "../../platform/database/database.ts";
import type { Log } from "../../platform/log.ts";
import type { Metrics } from "../../platform/metrics/metrics.ts";
import type { Time } from "../../platform/time/time.ts";
import type { TimerWheel } from "../../platform/time/timer-wheel.ts";
import { decideDeposit } from "../deposit/decide-deposit.ts";
import { isBeingRefunded, isCredited, isMoneyOut, type Payment } from "../payment.ts";
import type { ListOrder, Page, Paystack } from "../provider/paystack.ts";
import type { ProviderAnswer } from "../provider/paystack-client.ts";
import type { ProviderCharge, ProviderTransfer } from "../provider/provider-status.ts";
import type { Settler } from "../settlement/settler.ts";
import { loadByReference, loadCreatedSince } from "../store/payment-store.ts";
import { decideTransfer } from "../withdrawal/decide-transfer.ts";

/** Where the provider and we do not say the same, after everything that could be settled was. */
export interface Difference {
  readonly type: /** Money that came in or went out at the provider and belongs to no payment of ours. */
    | "unknown_charge"
    | "unknown_transfer"
    /** We say that it came in or went out, the provider does not. */
    | "missing_charge"
    | "missing_transfer"
    /** We say that it was taken back, the provider that it came in and stayed. */
    | "kept_charge"
    /** Another amount than ours, held for people. */
    | "other_amount"
    /** Something that was listed could not be understood. */
    | "unread";
  readonly reference: string;
  readonly kobo: string;
}

export interface Reconciliation {
  /** UTC, YYYY-MM-DD. */
  readonly day: string;
  readonly finishedAt: Instant;
  /** How many payments came to their end by it. */
  readonly settled: number;
  readonly differences: readonly Difference[];
}

/** Compares what the provider lists with what we have, once a day. */
export interface Reconciler {
  /** Compares now. Null where the provider did not list everything; then it is tried again within the hour. */
  reconcile(): Promise<Reconciliation | null>;
  /** The last one that was finished. */
  loadLast(): Promise<Reconciliation | null>;
  close(): Promise<void>;
}

export interface ReconcilerDeps {
  readonly database: Database;
  readonly time: Time;
  readonly wheel: TimerWheel;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly paystack: Paystack;
  readonly settler: Settler;
  readonly isPolling: boolean;
}

/** So far back each day looks: what comes back later is told by webhooks alone. */
const WINDOW_MS = 14 * DAY_MS;
/** What is younger may be under way on one side only. */
const SETTLING_MS = 10 * MINUTE_MS;
const SKEW_MS = 60 * MINUTE_MS;
const LOOK_EVERY_MS = MINUTE_MS;
const RETRY_MS = 60 * MINUTE_MS;
const PAGES_MAX = 10_000;

type ProviderReport = ProviderCharge | ProviderTransfer;

export function openReconciler(options: ReconcilerDeps): Reconciler {
  const { database, time, wheel, log, metrics, paystack, settler } = options;
  const settledCount = metrics.counter("holo_reconciliation_settled_total", "Payments that the daily comparison ended");
  let differing = 0;
  metrics.gauge("holo_reconciliation_differences", "Differences that the last comparison found", () => differing);
  let running: Promise<unknown> | null = null;
  let isClosed = false;
  let cancel: () => void = () => undefined;
  if (options.isPolling) beat();

  function beat(): void {
    cancel = wheel.schedule(time.monotonicMs() + LOOK_EVERY_MS, () => {
      running ??= runWhenDue()
        .catch((err) => log.error({ err }, "the daily comparison with the provider failed"))
        .finally(() => {
          running = null;
        });
      beat();
    });
  }

  async function runWhenDue(): Promise<void> {
    const now = time.now();
    if (await claimDay(database.kysely, toDay(now), now, addMs(now, -RETRY_MS))) await reconcile();
  }

  async function listAll<Item>(
    list: (order: ListOrder) => Promise<ProviderAnswer<Page<Item>>>,
    from: Instant,
    to: Instant,
  ): Promise<{ readonly items: readonly Item[]; readonly unread: number } | null> {
    const items: Item[] = [];
    let unread = 0;
    for (let page = 1; page <= PAGES_MAX && !isClosed; page += 1) {
      const answer = await list({ from, to, page });
      if (!answer.ok) return null;
      items.push(...answer.value.items);
      unread += answer.value.unread;
      if (answer.value.isLast) return { items, unread };
    }
    return null;
  }

  /** Settles what the word says and we do not know yet. @returns whether it moved coins */
  async function settle(payment: Payment, word: ProviderReport): Promise<Payment> {
    if (!isNews(payment, word)) return payment;
    const settled = await settler.settle({
      reference: payment.reference,
      reported: word,
      asOfRequest: payment,
      decide: (now, at) =>
        isMoneyOut(now)
          ? decideTransfer(now, word as ProviderTransfer, "answer", at)
          : decideDeposit(now, word as ProviderCharge, "answer", at),
    });
    return settled ?? payment;
  }

  async function reconcile(): Promise<Reconciliation | null> {
    const startedAt = time.now();
    const from = addMs(startedAt, -WINDOW_MS);
    // Ours first: what begins while the provider lists is not compared.
    const payments = await loadCreatedSince(database.kysely, addMs(from, -DAY_MS));
    const ours = new Map(payments.map((payment) => [payment.reference, payment]));
    // The provider's clock is not ours.
    const to = addMs(startedAt, SKEW_MS);
    const charges = await listAll(paystack.listCharges, from, to);
    const transfers = charges && (await listAll(paystack.listTransfers, from, to));
    if (charges === null || transfers === null) return null;

    const differences: Difference[] = [];
    const seen = new Set<string>();
    let settled = 0;
    for (const [words, isOut] of [[charges.items, false] as const, [transfers.items, true] as const]) {
      for (const word of words) {
        const payment = ours.get(word.reference);
        seen.add(word.reference);
        if (payment === undefined || isMoneyOut(payment) !== isOut) {
          if (word.status !== "success") continue;
          const isNew = payment === undefined && (await loadByReference(database.kysely, word.reference)) !== null;
          if (!isNew) differences.push(toDifference(isOut ? "unknown_transfer" : "unknown_charge", word));
          continue;
        }
        const after = await settle(payment, word);
        if (after.money !== payment.money) settled += 1;
        const difference = compare(after, word);
        if (difference !== null) differences.push(difference);
      }
    }
    for (const payment of payments) {
      const isOld = payment.createdAt >= from && payment.createdAt <= addMs(startedAt, -SETTLING_MS);
      if (!isOld || seen.has(payment.reference) || !isKnownToProvider(payment)) continue;
      differences.push({
        type: isMoneyOut(payment) ? "missing_transfer" : "missing_charge",
        reference: payment.reference,
        kobo: String(payment.kobo),
      });
    }
    const unread = charges.unread + transfers.unread;
    if (unread > 0) differences.push({ type: "unread", reference: `${unread} entries`, kobo: "0" });

    const result = { day: toDay(startedAt), finishedAt: time.now(), settled, differences };
    await saveReconciliation(database.kysely, result, startedAt);
    settledCount.inc(settled);
    differing = differences.length;
    if (differing > 0) log.error({ differences: differences.slice(0, 20), differing }, "the provider and we differ");
    return result;
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

/** Whether the word says of the payment's coins what its row does not. */
function isNews(payment: Payment, word: ProviderReport): boolean {
  const { money, status } = payment;
  const isOver = !["pending", "received", "otp", "ongoing", "processing", "queued"].includes(word.status);
  switch (money) {
    case "none":
      return word.status === "reversed" ? isBeingRefunded(payment) : word.status === "success" && status !== "review";
    case "credited":
    case "restored":
      return word.status === "reversed";
    case "taken_back":
      return word.status === "reversed" ? isBeingRefunded(payment) : word.status === "success" && status === "review";
    case "held":
      return isOver;
    case "paid":
      return isOver && word.status !== "success";
    case "returned":
      return word.status === "success";
    case "lost":
      return isOver && word.status !== "success";
  }
}

/** What still differs once everything was settled. */
function compare(payment: Payment, word: ProviderReport): Difference | null {
  const isMoved = word.status === "success";
  const isAllBooked = isCredited(payment) && payment.allocatedKobo === payment.kobo;
  if (payment.money === "taken_back" || isAllBooked) return isMoved ? toDifference("kept_charge", word) : null;
  if (payment.status === "review" && isMoved && !isCredited(payment)) return toDifference("other_amount", word);
  if (payment.money === "paid" && !isMoved) return toDifference("missing_transfer", word);
  if (isCredited(payment) && !isMoved) return toDifference("missing_charge", word);
  return null;
}

/** Whether the provider has to know of it. */
function isKnownToProvider(payment: Payment): boolean {
  return isCredited(payment) || payment.money === "paid" || payment.money === "lost";
}

function toDifference(type: Difference["type"], word: ProviderReport): Difference {
  return { type, reference: word.reference, kobo: String(word.amount) };
}

function toDay(at: Instant): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** Takes the day; false where it is done, or somebody is at it since `abandonedBefore`. */
async function claimDay(queries: Queries, day: string, at: Instant, abandonedBefore: Instant): Promise<boolean> {
  const { rows } = await sql`
    insert into reconciliations as kept (day, started_at) values (${day}, ${at})
    on conflict (day) do update set started_at = excluded.started_at
    where kept.finished_at is null and kept.started_at <= ${abandonedBefore}
    returning day`.execute(queries);
  return rows.length === 1;
}

async function saveReconciliation(queries: Queries, result: Reconciliation, startedAt: Instant): Promise<void> {
  const { day, finishedAt, settled, differences } = result;
  await sql`
    insert into reconciliations (day, started_at, finished_at, settled, differences)
    values (${day}, ${startedAt}, ${finishedAt}, ${settled}, ${JSON.stringify(differences)})
    on conflict (day) do update set started_at = excluded.started_at, finished_at = excluded.finished_at,
      settled = reconciliations.settled + excluded.settled, differences = excluded.differences`.execute(queries);
}

async function loadLastReconciliation(queries: Queries): Promise<Reconciliation | null> {
  const { rows } = await sql<{
    readonly day: string;
    readonly finished_at: bigint;
    readonly settled: number;
    readonly differences: string;
  }>`
    select day::text as day, finished_at, settled, differences from reconciliations
    where finished_at is not null order by day desc limit 1`.execute(queries);
  const row = rows[0];
  if (row === undefined) return null;
  return {
    day: row.day,
    finishedAt: toInstant(Number(row.finished_at)),
    settled: row.settled,
    differences: JSON.parse(row.differences) as readonly Difference[],
  };
}
