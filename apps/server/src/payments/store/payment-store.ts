import type { CommandId, PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { type Kobo, toKobo } from "@holo/kernel/money.ts";
import { type RawBuilder, sql } from "kysely";
import { endDispute, lockLimits, saveDispute } from "../../accounts/accounts.ts";
import type { Queries, Tx } from "../../platform/database/database.ts";
import type { Deposit } from "../deposit/deposit.ts";
import { isDeposit, isDisputed, type Payment, type PaymentMoney, toPaymentMoney } from "../payment.ts";
import type { PaymentReason, PaymentStatus } from "../payment-base.ts";
import { PAYMENT_COLUMNS, type PaymentRow, parsePayment } from "./payment-row.ts";

/**
 * Returns false if the player's command has made a payment before. `claimedUntil`: the caller takes
 * the first step until then; null leaves it to the due loop.
 */
export async function savePayment(tx: Tx, payment: Payment, claimedUntil: Instant | null): Promise<boolean> {
  const account = isDeposit(payment) ? null : payment.account;
  const recipientCode = isDeposit(payment) ? null : payment.recipientCode;
  const { rows } = await sql`
    insert into payments (id, kind, player_id, command_id, kobo, rate_kobo, coins, payer_fee_kobo, status, money, reference, bank_code,
      bank_name, account_number, account_name, recipient_code, created_at, updated_at, next_attempt_at, claimed_until)
    values (${payment.id}, ${payment.kind}, ${payment.playerId}, ${payment.commandId}, ${payment.kobo}, ${payment.rateKobo},
      ${payment.coins}, ${payment.payerFeeKobo}, ${payment.status}, ${toPaymentMoney(payment)}, ${payment.reference},
      ${account?.bankCode ?? null}, ${account?.bankName ?? null}, ${account?.accountNumber ?? null}, ${account?.accountName ?? null},
      ${recipientCode}, ${payment.createdAt}, ${payment.createdAt}, ${payment.nextAttemptAt}, ${claimedUntil})
    on conflict (player_id, command_id) do nothing returning id`.execute(tx);
  return rows.length === 1;
}

async function loadAll(queries: Queries, rest: RawBuilder<unknown>): Promise<readonly Payment[]> {
  const { rows } = await sql<PaymentRow>`select ${PAYMENT_COLUMNS} from payments ${rest}`.execute(queries);
  return rows.map(parsePayment);
}

async function loadOne(queries: Queries, rest: RawBuilder<unknown>): Promise<Payment | null> {
  return (await loadAll(queries, rest))[0] ?? null;
}

export function loadPayment(queries: Queries, id: PaymentId): Promise<Payment | null> {
  return loadOne(queries, sql`where id = ${id}`);
}

export function loadByCommand(queries: Queries, playerId: PlayerId, commandId: CommandId): Promise<Payment | null> {
  return loadOne(queries, sql`where player_id = ${playerId} and command_id = ${commandId}`);
}

export function loadByReference(queries: Queries, reference: string): Promise<Payment | null> {
  return loadOne(queries, sql`where reference = ${reference}`);
}

export async function loadByProviderIds(
  queries: Queries,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ readonly id: string; readonly reference: string }>`
    select provider::jsonb ->> 'id' as id, reference from payments
    where kind = 'deposit' and provider is not null and provider::jsonb ->> 'id' = any(${[...ids]}::text[])`.execute(
    queries,
  );
  return new Map(rows.map(({ id, reference }) => [id, reference]));
}

/** The player's payments, newest first. */
export function loadNewest(queries: Queries, playerId: PlayerId, count: number): Promise<readonly Payment[]> {
  const own = sql`where player_id = ${playerId} and kind <> 'revenue'`;
  return loadAll(queries, sql`${own} order by created_at desc, id limit ${count}`);
}

/** Instants of the player's withdrawals since then, oldest first, without those that came back. */
export async function loadWithdrawalsSince(
  queries: Queries,
  playerId: PlayerId,
  since: Instant,
): Promise<readonly Instant[]> {
  const { rows } = await sql<{ readonly at: bigint }>`
    select created_at as at from payments
    where player_id = ${playerId} and kind = 'withdrawal' and money <> 'returned' and created_at > ${since}
    order by created_at`.execute(queries);
  return rows.map(({ at }) => Number(at) as Instant);
}

/** Stores how many withdrawals a day were allowed when this one was made, for the auditor. */
export async function saveDayLimit(tx: Tx, id: PaymentId, count: number): Promise<void> {
  await sql`update payments set day_limit = ${count} where id = ${id}`.execute(tx);
}

/** Revenue withdrawals, newest first. */
export function loadNewestRevenue(queries: Queries, count: number): Promise<readonly Payment[]> {
  return loadAll(queries, sql`where kind = 'revenue' order by created_at desc, id limit ${count}`);
}

export function loadCreatedSince(queries: Queries, since: Instant): Promise<readonly Payment[]> {
  return loadAll(queries, sql`where created_at >= ${since} order by created_at, id`);
}

export function loadByReferences(queries: Queries, references: readonly string[]): Promise<readonly Payment[]> {
  return loadAll(queries, sql`where reference = any(${[...references]}::text[])`);
}

interface PayoutBounds {
  /** Created from then on. */
  readonly since: Instant;
  readonly until: Instant;
  readonly checkedBefore: Instant;
}

/**
 * References of paid transfers that were last verified before `checkedBefore`, or before the newest
 * hold of payouts: what was reported before a restore may be unknown since.
 */
export async function loadUncheckedPayouts(
  queries: Queries,
  { since, until, checkedBefore }: PayoutBounds,
  count: number,
): Promise<readonly string[]> {
  // Each answer about a paid transfer, also an unchanged one, renews `updated_at`.
  const { rows } = await sql<{ readonly reference: string }>`
    select reference from payments
    where kind in ('withdrawal', 'revenue') and money = 'paid' and next_attempt_at is null
      and created_at >= ${since} and created_at < ${until}
      and updated_at < greatest(${checkedBefore}::bigint, (select max(from_at) from payout_holds))
    order by updated_at, id limit ${count}`.execute(queries);
  return rows.map(({ reference }) => reference);
}

/** Locks the payment. Every posting for it holds this lock; the wallet is locked after it. */
export function lockPayment(tx: Tx, reference: string): Promise<Payment | null> {
  return loadOne(tx, sql`where reference = ${reference} for no key update`);
}

/**
 * As `lockPayment`, and first the limits of a deposit's player: a credit counts against them, and a
 * dispute or a debt restricts the player.
 */
export async function lockPaymentAndLimits(tx: Tx, reference: string): Promise<Payment | null> {
  const known = await loadByReference(tx, reference);
  if (known === null) return null;
  // The same order of locks as for beginning and reopening a deposit.
  if (isDeposit(known)) await lockLimits(tx, known.playerId);
  return await lockPayment(tx, reference);
}

export interface CountedDeposit {
  readonly kobo: bigint;
  /** When it was credited, else the current instant. */
  readonly at: Instant;
  readonly isCredited: boolean;
}

/**
 * The player's deposits that were credited since then, even if taken back later, and the open and
 * held ones. Refunds of uncredited deposits and abandoned checkouts do not count.
 */
export async function loadDepositsSince(
  queries: Queries,
  playerId: PlayerId,
  { since, now }: { readonly since: Instant; readonly now: Instant },
): Promise<readonly CountedDeposit[]> {
  const { rows } = await sql<{ readonly kobo: bigint; readonly credited_at: bigint | null }>`
    select kobo, case when money <> 'none' then coalesce(completed_at, created_at) end as credited_at
    from payments where player_id = ${playerId} and kind = 'deposit'
      and case when money = 'none' then status in ('pending', 'processing', 'review')
        else coalesce(completed_at, created_at) > ${since} end`.execute(queries);
  return rows.map(({ kobo, credited_at: at }) => ({
    kobo,
    at: at === null ? now : (Number(at) as Instant),
    isCredited: at !== null,
  }));
}

/** The provider's last report as text; null without one. */
export async function loadProviderReport(queries: Queries, { id }: Pick<Payment, "id">): Promise<string | null> {
  const { rows } = await sql<{ readonly provider: string | null }>`
    select provider from payments where id = ${id}`.execute(queries);
  return rows[0]?.provider ?? null;
}

/**
 * Payments that staff must look at, oldest first, with the provider's last report as text. The
 * first condition matches one partial index, the status and kind of slow transfers another.
 */
export async function loadPaymentsForReview(
  queries: Queries,
  slowBefore: Instant,
): Promise<readonly { readonly payment: Payment; readonly provider: string | null }[]> {
  const { rows } = await sql<PaymentRow & { readonly provider: string | null }>`
    select ${PAYMENT_COLUMNS}, provider from payments where id in (
      select id from payments
      where (status in ('review', 'pending') or refunded_kobo > allocated_kobo or (status = 'reversed' and completed_at is null))
        and (status = 'review' or refunded_kobo > allocated_kobo or (kind <> 'deposit' and status = 'pending')
          or (kind = 'deposit' and money in ('none', 'taken_back') and status = 'reversed' and sent_at <= ${slowBefore}))
      union all
      select id from payments
      where status = 'processing' and kind in ('withdrawal', 'revenue') and money = 'held' and slow_since is not null)
    order by created_at, id limit 200`.execute(queries);
  return rows.map((row) => ({ payment: parsePayment(row), provider: row.provider }));
}

type DepositTerms = Pick<Deposit, "kobo" | "coins" | "payerFeeKobo" | "rateKobo">;

/** Changes a deposit to what arrived and its rate, before anything is posted for it. */
export async function changeTerms<Changed extends Deposit>(
  tx: Tx,
  deposit: Changed,
  { kobo, coins, payerFeeKobo, rateKobo }: DepositTerms,
): Promise<Changed> {
  await sql`
    update payments set kobo = ${kobo}, coins = ${coins}, payer_fee_kobo = ${payerFeeKobo}, rate_kobo = ${rateKobo}
    where id = ${deposit.id} and money = 'none'`.execute(tx);
  return { ...deposit, kobo, coins, payerFeeKobo, rateKobo };
}

export interface PaymentChange {
  readonly status?: PaymentStatus;
  readonly money?: PaymentMoney;
  readonly reason?: PaymentReason | null;
  readonly providerFeeKobo?: Kobo;
  readonly completedAt?: Instant | null;
  readonly authorizationUrl?: string;
  readonly sentAt?: Instant | null;
  readonly paidAt?: Instant;
  readonly notFoundSince?: Instant | null;
  readonly attempts?: number;
  readonly nextAttemptAt?: Instant | null;
  readonly refundedKobo?: Kobo;
  readonly allocatedKobo?: Kobo;
  readonly sentKobo?: Kobo;
  readonly provider?: string;
}

const CHANGE_COLUMNS: Readonly<Record<Exclude<keyof PaymentChange, "reason">, string>> = {
  status: "status",
  money: "money",
  providerFeeKobo: "fee_kobo",
  completedAt: "completed_at",
  authorizationUrl: "authorization_url",
  sentAt: "sent_at",
  paidAt: "paid_at",
  notFoundSince: "asked_since",
  attempts: "attempts",
  nextAttemptAt: "next_attempt_at",
  refundedKobo: "refunded_kobo",
  allocatedKobo: "allocated_kobo",
  sentKobo: "sent_kobo",
  provider: "provider",
};

/**
 * Writes the change, ends any claim on the payment, and returns the payment. A dispute of a
 * credited deposit restricts its player while it lasts.
 */
export async function changePayment(
  queries: Queries,
  payment: Payment,
  { reason, ...columns }: PaymentChange,
  at: Instant,
): Promise<Payment> {
  const assignments = Object.entries(columns).map(([name, value]) => {
    const column = CHANGE_COLUMNS[name as keyof typeof CHANGE_COLUMNS];
    return sql`${sql.ref(column)} = ${value}`;
  });
  if (reason !== undefined) {
    assignments.push(sql`reason = ${reason?.code ?? null}`, sql`reason_kobo = ${reason?.kobo ?? null}`);
  }
  // The day after which a transfer is slow begins when it no longer waits.
  if (columns.status === "processing" && payment.status !== "processing" && !isDeposit(payment)) {
    assignments.push(sql`processing_since = ${at}`);
  }
  const { rows } = await sql<PaymentRow>`
    update payments set ${sql.join([...assignments, sql`claimed_until = null`, sql`updated_at = ${at}`])}
    where id = ${payment.id} returning ${PAYMENT_COLUMNS}`.execute(queries);
  const changed = parsePayment(rows[0]!);
  if (isDisputed(changed) && !isDisputed(payment)) {
    await saveDispute(queries, { paymentId: changed.id, playerId: changed.playerId, at });
  } else if (isDisputed(payment) && !isDisputed(changed)) {
    await endDispute(queries, changed.id, at);
  }
  return changed;
}

/**
 * Marks an outgoing payment as slow and returns it; null if it is marked already, waits, has ended
 * or was not in progress before `inProgressBefore`.
 */
export async function saveSlow(
  queries: Queries,
  id: PaymentId,
  inProgressBefore: Instant,
  at: Instant,
): Promise<Payment | null> {
  const { rows } = await sql<PaymentRow>`
    update payments set slow_since = ${at}
    where id = ${id} and status = 'processing' and money = 'held' and slow_since is null
      and coalesce(processing_since, created_at) <= ${inProgressBefore}
    returning ${PAYMENT_COLUMNS}`.execute(queries);
  const [row] = rows;
  return row === undefined ? null : parsePayment(row);
}

/** Kobo at the provider that is not the platform's, besides withdrawals of players. */
interface OpenKobo {
  readonly revenue: bigint;
  readonly uncredited: bigint;
  readonly sentSince: bigint;
}

export async function loadOpenKobo(queries: Queries, since: Instant): Promise<OpenKobo> {
  const { rows } = await sql<OpenKobo>`
    select coalesce(sum(kobo) filter (where kind = 'revenue' and money = 'held'), 0)::bigint as revenue,
      coalesce(sum(kobo) filter (where kind = 'deposit' and money in ('none', 'taken_back')
        and ((status = 'review' and (money = 'none' or reason in ('account_deleted', 'refund_failed')))
          or (status = 'reversed' and sent_at is not null and completed_at is null))), 0)::bigint as uncredited,
      coalesce(sum(coalesce(sent_kobo, kobo)) filter (where kind <> 'deposit' and money = 'paid' and completed_at >= ${since}), 0)::bigint as "sentSince"
    from payments`.execute(queries);
  return rows[0]!;
}

interface OpenPaymentTotal {
  readonly count: number;
  readonly kobo: Kobo;
}

export async function loadOpenPaymentTotals(
  queries: Queries,
): Promise<{ readonly deposits: OpenPaymentTotal; readonly withdrawals: OpenPaymentTotal }> {
  const { rows } = await sql<{ readonly kind: string; readonly count: number; readonly kobo: bigint }>`
    select kind, count(*)::int as count, sum(kobo)::bigint as kobo from payments
    where status in ('pending', 'processing') and kind in ('deposit', 'withdrawal')
    group by kind`.execute(queries);
  const findTotal = (kind: string): OpenPaymentTotal => {
    const { count, kobo } = rows.find((row) => row.kind === kind) ?? { count: 0, kobo: 0n };
    return { count, kobo: toKobo(kobo) };
  };
  return { deposits: findTotal("deposit"), withdrawals: findTotal("withdrawal") };
}
