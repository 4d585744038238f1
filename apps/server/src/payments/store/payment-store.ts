import type { CommandId, PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import { type Instant, toInstant } from "@holo/kernel/instant.ts";
import { type Kobo, toKobo } from "@holo/kernel/money.ts";
import { type RawBuilder, sql } from "kysely";
import { lockLimits } from "../../accounts/accounts.ts";
import type { Queries, Tx } from "../../platform/database/database.ts";
import { isDeposit, type Payment } from "../payment.ts";
import type { PaymentReason, PaymentStatus } from "../payment-base.ts";
import { PAYMENT_COLUMNS, type PaymentRow, parsePayment } from "./payment-row.ts";

/**
 * Returns false if the player's command has made a payment before. `claimedUntil`: the caller takes
 * the first step until then; null leaves it to the due loop.
 */
export async function savePayment(tx: Tx, payment: Payment, claimedUntil: Instant | null): Promise<boolean> {
  const account = isDeposit(payment) ? null : payment.account;
  const { recipientCode, partOf } = isDeposit(payment) ? { recipientCode: null, partOf: null } : payment;
  const { rows } = await sql`
    insert into payments (id, kind, player_id, command_id, kobo, rate_kobo, coins, payer_fee_kobo, status, step, reference, bank_code,
      bank_name, account_number, account_name, recipient_code, part_of, created_at, next_ask_at, claimed_until)
    values (${payment.id}, ${payment.kind}, ${payment.playerId}, ${payment.commandId}, ${payment.kobo}, ${payment.rateKobo},
      ${payment.coins}, ${payment.payerFeeKobo}, ${payment.status}, ${payment.step}, ${payment.reference},
      ${account?.bankCode ?? null}, ${account?.bankName ?? null}, ${account?.accountNumber ?? null}, ${account?.accountName ?? null},
      ${recipientCode}, ${partOf}, ${payment.createdAt}, ${payment.nextAskAt}, ${claimedUntil})
    on conflict (player_id, command_id) do nothing returning id`.execute(tx);
  return rows.length === 1;
}

export async function loadPayments(queries: Queries, rest: RawBuilder<unknown>): Promise<readonly Payment[]> {
  const { rows } = await sql<PaymentRow>`select ${PAYMENT_COLUMNS} from payments ${rest}`.execute(queries);
  return rows.map(parsePayment);
}

async function loadOne(queries: Queries, rest: RawBuilder<unknown>): Promise<Payment | null> {
  return (await loadPayments(queries, rest))[0] ?? null;
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

/** The player's payments, newest first; a part that waits follows its withdrawal. */
export function loadNewest(queries: Queries, playerId: PlayerId, count: number): Promise<readonly Payment[]> {
  const own = sql`where player_id = ${playerId} and kind <> 'revenue'`;
  return loadPayments(queries, sql`${own} order by created_at desc, part_of is not null, id limit ${count}`);
}

/** Revenue withdrawals, newest first. */
export function loadNewestRevenue(queries: Queries, count: number): Promise<readonly Payment[]> {
  return loadPayments(queries, sql`where kind = 'revenue' order by created_at desc, id limit ${count}`);
}

/** What the part of this withdrawal takes that waits; 0: none does. */
export async function loadPartKobo(queries: Queries, id: PaymentId): Promise<bigint> {
  const { rows } = await sql<{ readonly kobo: bigint }>`
    select kobo + payer_fee_kobo as kobo from payments where part_of = ${id}`.execute(queries);
  return rows[0]?.kobo ?? 0n;
}

/**
 * Instants of the player's withdrawals since then, oldest first, without those that came back and
 * parts of others.
 */
export async function loadWithdrawalsSince(
  queries: Queries,
  playerId: PlayerId,
  since: Instant,
): Promise<readonly Instant[]> {
  const { rows } = await sql<{ readonly at: bigint }>`
    select created_at as at from payments
    where player_id = ${playerId} and kind = 'withdrawal' and part_of is null and not is_back and created_at > ${since}
    order by created_at`.execute(queries);
  return rows.map(({ at }) => toInstant(Number(at)));
}

/** Stores how many withdrawals a day were allowed when this one was made, for the auditor. */
export async function saveDayLimit(tx: Tx, id: PaymentId, count: number): Promise<void> {
  await sql`update payments set day_limit = ${count} where id = ${id}`.execute(tx);
}

/** Locks the payment. Every posting for it holds this lock; the wallet is locked after it. */
export function lockPayment(tx: Tx, reference: string): Promise<Payment | null> {
  return loadOne(tx, sql`where reference = ${reference} for no key update`);
}

/**
 * As `lockPayment`, and first the limits of its player: a credit counts against them, and a dispute
 * or a debt restricts the player. Beginning and reopening a deposit lock in the same order.
 */
export async function lockPaymentAndLimits(tx: Tx, reference: string): Promise<Payment | null> {
  const known = await loadByReference(tx, reference);
  if (known === null) return null;
  await lockLimits(tx, known.playerId);
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
    select case when credited_kobo > 0 then credited_kobo else kobo end as kobo,
      case when credited_kobo > 0 then coalesce(completed_at, created_at) end as credited_at
    from payments where player_id = ${playerId} and kind = 'deposit'
      and case when credited_kobo = 0 then status in ('pending', 'processing', 'review')
        else coalesce(completed_at, created_at) > ${since} end`.execute(queries);
  return rows.map(({ kobo, credited_at: at }) => ({
    kobo,
    at: at === null ? now : toInstant(Number(at)),
    isCredited: at !== null,
  }));
}

/** What changes without a fact: what the player reads of an open deposit, and the schedule. */
export interface PaymentChange {
  readonly status?: PaymentStatus;
  readonly reason?: PaymentReason | null;
  readonly authorizationUrl?: string;
  readonly recipientCode?: string;
  readonly attempts?: number;
  readonly nextAskAt?: Instant | null;
}

/** Writes the change, ends any claim on the payment, and returns the payment. */
export async function changePayment(
  queries: Queries,
  { id }: Pick<Payment, "id">,
  change: PaymentChange,
): Promise<Payment> {
  const columns = {
    status: change.status,
    authorization_url: change.authorizationUrl,
    recipient_code: change.recipientCode,
    attempts: change.attempts,
    next_ask_at: change.nextAskAt,
    ...(change.reason === undefined
      ? {}
      : { reason: change.reason?.code ?? null, reason_kobo: change.reason?.kobo ?? null }),
  };
  const assignments = Object.entries(columns)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
  const { rows } = await sql<PaymentRow>`
    update payments set ${sql.join([...assignments, sql`claimed_until = null`])}
    where id = ${id} returning ${PAYMENT_COLUMNS}`.execute(queries);
  return parsePayment(rows[0]!);
}

/**
 * Has the provider asked at once; an answer that is on its way counts no more. False for an
 * unknown reference.
 */
export async function question(queries: Queries, reference: string, at: Instant): Promise<boolean> {
  const { rows } = await sql`
    update payments set next_ask_at = ${at}, attempts = 0, questions = questions + 1, claimed_until = null
    where reference = ${reference} returning id`.execute(queries);
  return rows.length === 1;
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
    where id = ${id} and status = 'processing' and step in ('held', 'sent') and slow_since is null
      and coalesce(sending_since, created_at) <= ${inProgressBefore}
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
    select coalesce(sum(kobo - least(kobo, sent_kobo)) filter (where kind = 'revenue' and not is_back), 0)::bigint as revenue,
      coalesce(sum(greatest(in_kobo - back_kobo - kept_kobo - written_off_kobo - borne_fee_kobo, 0)) filter (where kind = 'deposit'), 0)::bigint as uncredited,
      coalesce(sum(sent_kobo) filter (where kind <> 'deposit' and step = 'paid' and completed_at >= ${since}), 0)::bigint as "sentSince"
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
