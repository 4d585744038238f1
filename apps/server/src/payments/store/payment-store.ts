import type { CommandId, PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { Kobo } from "@holo/kernel/money.ts";
import { sql } from "kysely";
import { lockLimits } from "../../accounts/accounts.ts";
import type { Queries, Tx } from "../../platform/database/database.ts";
import type { MoneyState, Payment, PaymentStatus } from "../payment.ts";
import { PAYMENT_COLUMNS, type PaymentRow, toPayment } from "./payment-row.ts";

/**
 * Writes a new payment; false where the player's command has made one before.
 *
 * @param claimedUntil until when its first step is its maker's own
 */
export async function savePayment(tx: Tx, payment: Payment, claimedUntil: Instant | null): Promise<boolean> {
  const { account } = payment;
  const { rows } = await sql`
    insert into payments (id, kind, player_id, command_id, kobo, rate_kobo, coins, payer_fee_kobo, status, money, reference, bank_code, bank_name,
      account_number, account_name, recipient_code, created_at, updated_at, next_attempt_at, claimed_until)
    values (${payment.id}, ${payment.kind}, ${payment.playerId}, ${payment.commandId}, ${payment.kobo}, ${payment.rateKobo},
      ${payment.coins}, ${payment.payerFeeKobo}, ${payment.status}, ${payment.money}, ${payment.reference}, ${account?.bankCode ?? null},
      ${account?.bankName ?? null}, ${account?.accountNumber ?? null}, ${account?.accountName ?? null},
      ${payment.recipientCode}, ${payment.createdAt}, ${payment.createdAt}, ${payment.nextAttemptAt}, ${claimedUntil})
    on conflict (player_id, command_id) do nothing returning id`.execute(tx);
  return rows.length === 1;
}

export async function loadPayment(queries: Queries, id: PaymentId): Promise<Payment | null> {
  const { rows } = await sql<PaymentRow>`select ${PAYMENT_COLUMNS} from payments where id = ${id}`.execute(queries);
  return rows[0] === undefined ? null : toPayment(rows[0]);
}

/** The payment that the player's command made; null where it made none. */
export async function loadByCommand(
  queries: Queries,
  playerId: PlayerId,
  commandId: CommandId,
): Promise<Payment | null> {
  const { rows } = await sql<PaymentRow>`
    select ${PAYMENT_COLUMNS} from payments where player_id = ${playerId} and command_id = ${commandId}`.execute(
    queries,
  );
  return rows[0] === undefined ? null : toPayment(rows[0]);
}

export async function loadByReference(queries: Queries, reference: string): Promise<Payment | null> {
  const { rows } =
    await sql<PaymentRow>`select ${PAYMENT_COLUMNS} from payments where reference = ${reference}`.execute(queries);
  return rows[0] === undefined ? null : toPayment(rows[0]);
}

/** The player's payments, the newest first. */
export async function loadNewest(queries: Queries, playerId: PlayerId, count: number): Promise<readonly Payment[]> {
  const { rows } = await sql<PaymentRow>`
    select ${PAYMENT_COLUMNS} from payments where player_id = ${playerId} and kind <> 'revenue'
    order by created_at desc, id limit ${count}`.execute(queries);
  return rows.map(toPayment);
}

/** A deposit that counts towards the limits of its player. */
export interface CountedDeposit {
  readonly kobo: bigint;
  /** When it was credited; the instant of the question for one that is not. */
  readonly at: Instant;
  readonly isCredited: boolean;
}

/**
 * The player's deposits that were credited since then, and those that are begun or held for people and may be credited yet. What was taken
 * back later counts all the same; what nobody was credited with and goes back to who paid it does not, and neither does what was left at the
 * checkout: should it be paid all the same, it is counted as it arrives.
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

/**
 * The payments that people have to look at, the oldest first, each with what the provider said last, as text: those in review, credited ones
 * of which something has gone back, money out that waits for somebody at the provider, and those that were on their way back before
 * `slowBefore` and are still. What is asked for first is what the index holds.
 */
export async function loadPaymentsForReview(
  queries: Queries,
  slowBefore: Instant,
): Promise<readonly { readonly payment: Payment; readonly provider: string | null }[]> {
  const { rows } = await sql<PaymentRow & { readonly provider: string | null }>`
    select ${PAYMENT_COLUMNS}, provider from payments
    where (status in ('review', 'pending') or gone_kobo > booked_kobo or (status = 'reversed' and completed_at is null))
      and (status = 'review' or gone_kobo > booked_kobo or (kind <> 'deposit' and status = 'pending')
        or (kind = 'deposit' and money in ('none', 'taken_back') and status = 'reversed' and sent_at <= ${slowBefore}))
    order by created_at, id limit 200`.execute(queries);
  return rows.map((row) => ({ payment: toPayment(row), provider: row.provider }));
}

/** Makes a payment one of what has really arrived. Only before anything is posted for it. */
export async function changeAmount(
  tx: Tx,
  payment: Payment,
  change: Pick<Payment, "kobo" | "coins" | "payerFeeKobo">,
): Promise<Payment> {
  await sql`
    update payments set kobo = ${change.kobo}, coins = ${change.coins}, payer_fee_kobo = ${change.payerFeeKobo}
    where id = ${payment.id} and money = 'none'`.execute(tx);
  return { ...payment, ...change };
}

/** The platform's own payments, the newest first. */
export async function loadNewestRevenue(queries: Queries, count: number): Promise<readonly Payment[]> {
  const { rows } = await sql<PaymentRow>`
    select ${PAYMENT_COLUMNS} from payments where kind = 'revenue' order by created_at desc, id limit ${count}`.execute(
    queries,
  );
  return rows.map(toPayment);
}

/** All payments begun since then, of everybody. */
export async function loadCreatedSince(queries: Queries, since: Instant): Promise<readonly Payment[]> {
  const { rows } = await sql<PaymentRow>`
    select ${PAYMENT_COLUMNS} from payments where created_at >= ${since} order by created_at, id`.execute(queries);
  return rows.map(toPayment);
}

/** Locks the payment: whoever moves its coins holds it. The wallet is locked after it, never before. */
export async function lockPayment(tx: Tx, reference: string): Promise<Payment | null> {
  const { rows } = await sql<PaymentRow>`
    select ${PAYMENT_COLUMNS} from payments where reference = ${reference} for no key update`.execute(tx);
  return rows[0] === undefined ? null : toPayment(rows[0]);
}

/** The same for who may credit a deposit: nobody changes or counts by its player's limits until the transaction ends. */
export async function lockPaymentAndLimits(tx: Tx, reference: string): Promise<Payment | null> {
  const known = await loadByReference(tx, reference);
  // Limits before payments, as who begins or opens a deposit has it.
  if (known?.kind === "deposit" && known.money === "none") await lockLimits(tx, known.playerId);
  return known === null ? null : await lockPayment(tx, reference);
}

/** What changes of a payment by one step. What is left out stays. */
export interface PaymentChange {
  readonly status?: PaymentStatus;
  readonly money?: MoneyState;
  readonly reason?: string | null;
  readonly providerFeeKobo?: Kobo | null;
  readonly completedAt?: Instant | null;
  readonly authorizationUrl?: string;
  readonly recipientCode?: string;
  readonly sentAt?: Instant | null;
  readonly notFoundSince?: Instant | null;
  readonly attempts?: number;
  readonly nextAttemptAt?: Instant | null;
  readonly refundedKobo?: Kobo;
  readonly allocatedKobo?: Kobo;
  /** What the provider said, as text. */
  readonly provider?: string;
}

/** Writes the step and ends whoever's claim there was. */
export async function changePayment(
  tx: Queries,
  payment: Payment,
  change: PaymentChange,
  at: Instant,
): Promise<Payment> {
  const next: Payment = { ...payment, ...change, updatedAt: at };
  await sql`
    update payments set status = ${next.status}, money = ${next.money}, reason = ${next.reason}, fee_kobo = ${next.providerFeeKobo},
      completed_at = ${next.completedAt}, authorization_url = ${next.authorizationUrl},
      recipient_code = ${next.recipientCode}, sent_at = ${next.sentAt}, asked_since = ${next.notFoundSince},
      gone_kobo = ${next.refundedKobo}, booked_kobo = ${next.allocatedKobo},
      attempts = ${next.attempts}, next_attempt_at = ${next.nextAttemptAt}, claimed_until = null, updated_at = ${at},
      provider = coalesce(${change.provider ?? null}, provider)
    where id = ${payment.id}`.execute(tx);
  return next;
}

/** Whether a payment that is credited to this player is disputed by who paid it. */
export async function hasDispute(queries: Queries, playerId: PlayerId): Promise<boolean> {
  const { rows } = await sql<{ readonly has: boolean }>`
    select exists (select from payments where player_id = ${playerId} and kind = 'deposit' and money in ('credited', 'restored')
      and status = 'review') as has`.execute(queries);
  return rows[0]?.has ?? false;
}
