import type { CommandId, PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { Coins, Kobo } from "@holo/kernel/money.ts";
import { sql } from "kysely";
import type { Queries, Tx } from "../platform/database.ts";
import type { MoneyState, Payment, PaymentKind, PaymentStatus } from "./payment.ts";

interface PaymentRow {
  readonly id: PaymentId;
  readonly kind: PaymentKind;
  readonly player_id: PlayerId;
  readonly command_id: CommandId;
  readonly kobo: Kobo;
  readonly rate_kobo: number;
  readonly coins: Coins;
  readonly fee_kobo: Kobo | null;
  readonly payer_fee_kobo: Kobo;
  readonly status: PaymentStatus;
  readonly money: MoneyState;
  readonly reference: string;
  readonly reason: string | null;
  readonly authorization_url: string | null;
  readonly bank_code: string | null;
  readonly bank_name: string | null;
  readonly account_number: string | null;
  readonly account_name: string | null;
  readonly recipient_code: string | null;
  readonly created_at: bigint;
  readonly completed_at: bigint | null;
  readonly updated_at: bigint;
  readonly attempts: number;
  readonly next_attempt_at: bigint | null;
  readonly sent_at: bigint | null;
  readonly asked_since: bigint | null;
}

const COLUMNS = sql`id, kind, player_id, command_id, kobo, rate_kobo, coins, fee_kobo, payer_fee_kobo, status, money, reference, reason,
  authorization_url, bank_code, bank_name, account_number, account_name, recipient_code, created_at, completed_at, updated_at,
  attempts, next_attempt_at, sent_at, asked_since`;

function toInstantOrNull(ms: bigint | null): Instant | null {
  return ms === null ? null : (Number(ms) as Instant);
}

function toPayment(row: PaymentRow): Payment {
  const { bank_code: bankCode, bank_name: bankName, account_number: accountNumber, account_name: accountName } = row;
  const isComplete = bankCode !== null && bankName !== null && accountNumber !== null && accountName !== null;
  return {
    id: row.id,
    kind: row.kind,
    playerId: row.player_id,
    commandId: row.command_id,
    kobo: row.kobo,
    rateKobo: row.rate_kobo,
    coins: row.coins,
    feeKobo: row.fee_kobo,
    payerFeeKobo: row.payer_fee_kobo,
    status: row.status,
    money: row.money,
    reference: row.reference,
    reason: row.reason,
    authorizationUrl: row.authorization_url,
    account: isComplete ? { bankCode, bankName, accountNumber, accountName } : null,
    recipientCode: row.recipient_code,
    createdAt: Number(row.created_at) as Instant,
    completedAt: toInstantOrNull(row.completed_at),
    updatedAt: Number(row.updated_at) as Instant,
    attempts: row.attempts,
    nextAttemptAt: toInstantOrNull(row.next_attempt_at),
    sentAt: toInstantOrNull(row.sent_at),
    askedSince: toInstantOrNull(row.asked_since),
  };
}

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
  const { rows } = await sql<PaymentRow>`select ${COLUMNS} from payments where id = ${id}`.execute(queries);
  return rows[0] === undefined ? null : toPayment(rows[0]);
}

/** The payment that the player's command made; null where it made none. */
export async function loadByCommand(
  queries: Queries,
  playerId: PlayerId,
  commandId: CommandId,
): Promise<Payment | null> {
  const { rows } = await sql<PaymentRow>`
    select ${COLUMNS} from payments where player_id = ${playerId} and command_id = ${commandId}`.execute(queries);
  return rows[0] === undefined ? null : toPayment(rows[0]);
}

export async function loadByReference(queries: Queries, reference: string): Promise<Payment | null> {
  const { rows } = await sql<PaymentRow>`select ${COLUMNS} from payments where reference = ${reference}`.execute(
    queries,
  );
  return rows[0] === undefined ? null : toPayment(rows[0]);
}

/** The player's payments, the newest first. */
export async function loadNewest(queries: Queries, playerId: PlayerId, count: number): Promise<readonly Payment[]> {
  const { rows } = await sql<PaymentRow>`
    select ${COLUMNS} from payments where player_id = ${playerId} and kind <> 'revenue'
    order by created_at desc, id limit ${count}`.execute(queries);
  return rows.map(toPayment);
}

/** What the player's deposits come to that are paid, or that may still be, each with when it was begun. */
export async function loadCountedDeposits(
  queries: Queries,
  playerId: PlayerId,
  since: Instant,
): Promise<readonly { readonly kobo: bigint; readonly at: Instant }[]> {
  const { rows } = await sql<{ readonly kobo: bigint; readonly created_at: bigint }>`
    select kobo, created_at from payments where player_id = ${playerId} and kind = 'deposit' and created_at > ${since}
      and status not in ('failed', 'abandoned')`.execute(queries);
  return rows.map((row) => ({ kobo: row.kobo, at: Number(row.created_at) as Instant }));
}

/** The payments that people have to look at, the oldest first, each with what the provider said last, as text. */
export async function loadInReview(
  queries: Queries,
): Promise<readonly { readonly payment: Payment; readonly provider: string | null }[]> {
  const { rows } = await sql<PaymentRow & { readonly provider: string | null }>`
    select ${COLUMNS}, provider from payments where status = 'review' order by created_at, id limit 200`.execute(
    queries,
  );
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
    select ${COLUMNS} from payments where kind = 'revenue' order by created_at desc, id limit ${count}`.execute(
    queries,
  );
  return rows.map(toPayment);
}

/** All payments begun since then, of everybody. */
export async function loadCreatedSince(queries: Queries, since: Instant): Promise<readonly Payment[]> {
  const { rows } = await sql<PaymentRow>`
    select ${COLUMNS} from payments where created_at >= ${since} order by created_at, id`.execute(queries);
  return rows.map(toPayment);
}

/** Locks the payment: whoever moves its coins holds it. The wallet is locked after it, never before. */
export async function lockPayment(tx: Tx, reference: string): Promise<Payment | null> {
  const { rows } = await sql<PaymentRow>`
    select ${COLUMNS} from payments where reference = ${reference} for no key update`.execute(tx);
  return rows[0] === undefined ? null : toPayment(rows[0]);
}

/** What changes of a payment by one step. What is left out stays. */
export interface PaymentChange {
  readonly status?: PaymentStatus;
  readonly money?: MoneyState;
  readonly reason?: string | null;
  readonly feeKobo?: Kobo | null;
  readonly completedAt?: Instant | null;
  readonly authorizationUrl?: string;
  readonly recipientCode?: string;
  readonly sentAt?: Instant | null;
  readonly askedSince?: Instant | null;
  readonly attempts?: number;
  readonly nextAttemptAt?: Instant | null;
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
    update payments set status = ${next.status}, money = ${next.money}, reason = ${next.reason}, fee_kobo = ${next.feeKobo},
      completed_at = ${next.completedAt}, authorization_url = ${next.authorizationUrl},
      recipient_code = ${next.recipientCode}, sent_at = ${next.sentAt}, asked_since = ${next.askedSince},
      attempts = ${next.attempts}, next_attempt_at = ${next.nextAttemptAt}, claimed_until = null, updated_at = ${at},
      provider = coalesce(${change.provider ?? null}, provider)
    where id = ${payment.id}`.execute(tx);
  return next;
}

/** Takes up to `count` payments that are due and in nobody's hands, the longest due first, for as long as the claim. */
export async function claimDue(
  queries: Queries,
  now: Instant,
  claimedUntil: Instant,
  count: number,
): Promise<readonly Payment[]> {
  const { rows } = await sql<PaymentRow>`
    update payments set claimed_until = ${claimedUntil}
    where id in (
      select id from payments
      where next_attempt_at <= ${now} and (claimed_until is null or claimed_until <= ${now})
      order by next_attempt_at limit ${count} for no key update skip locked)
    returning ${COLUMNS}`.execute(queries);
  return rows.map(toPayment);
}

/** Takes this deposit for as long as the claim; false where somebody has it, or has begun it at the provider meanwhile. */
export async function claimUnbegun(
  queries: Queries,
  id: PaymentId,
  now: Instant,
  claimedUntil: Instant,
): Promise<boolean> {
  const { rows } = await sql`
    update payments set claimed_until = ${claimedUntil}
    where id = ${id} and authorization_url is null and status = 'pending'
      and (claimed_until is null or claimed_until <= ${now}) returning id`.execute(queries);
  return rows.length === 1;
}

/**
 * Notes, before the provider is told, that it may be paying this out from now on: only its word can say otherwise. False where the payment
 * is in other hands by now, or its coins are not held any more.
 */
export async function markSent(
  queries: Queries,
  id: PaymentId,
  claimedUntil: Instant,
  recipientCode: string,
  at: Instant,
): Promise<boolean> {
  const { rows } = await sql`
    update payments set sent_at = ${at}, asked_since = null, recipient_code = ${recipientCode}, updated_at = ${at}
    where id = ${id} and claimed_until = ${claimedUntil} and money = 'held' and sent_at is null
    returning id`.execute(queries);
  return rows.length === 1;
}

/** Whether a payment that is credited to this player is disputed by who paid it. */
export async function hasDispute(queries: Queries, playerId: PlayerId): Promise<boolean> {
  const { rows } = await sql<{ readonly has: boolean }>`
    select exists (select from payments where player_id = ${playerId} and kind = 'deposit' and money in ('credited', 'restored')
      and status = 'review') as has`.execute(queries);
  return rows[0]?.has ?? false;
}

/** Whether any payment of the player has still to come to its end. All of them are locked, as each is before its coins are. */
export async function lockUnfinished(tx: Tx, playerId: PlayerId): Promise<boolean> {
  const { rows } = await sql<Pick<PaymentRow, "status" | "money">>`
    select status, money from payments where player_id = ${playerId} order by id for update`.execute(tx);
  return rows.some(({ status, money }) => ["pending", "processing", "review"].includes(status) || money === "held");
}

/**
 * Removes from a player's payments whose bank account they went to and what the provider said of the payer; sums, times and references stay,
 * as the books need them. The caller has looked that all have come to their end.
 */
export async function removePayer(tx: Tx, playerId: PlayerId): Promise<void> {
  await sql`delete from bank_accounts where player_id = ${playerId}`.execute(tx);
  await sql`
    update payment_inbox set body = '{}' where reference in (select reference from payments where player_id = ${playerId})`.execute(
    tx,
  );
  await sql`
    update payments set provider = null, authorization_url = null, recipient_code = null,
      account_number = case when account_number is null then null else '0000000000' end,
      account_name = case when account_name is null then null else '' end
    where player_id = ${playerId}`.execute(tx);
}

export interface Webhook {
  readonly event: string;
  readonly reference: string;
  /** As it was signed. */
  readonly body: string;
}

/** Keeps the webhook; false where this event of this payment came before and was handled. */
export async function saveWebhook(tx: Tx, webhook: Webhook, at: Instant): Promise<boolean> {
  const { rows } = await sql<{ readonly handled_at: bigint | null }>`
    insert into payment_inbox (event, reference, body, received_at)
    values (${webhook.event}, ${webhook.reference}, ${webhook.body}, ${at})
    on conflict (event, reference) do update set event = excluded.event
    returning handled_at`.execute(tx);
  return rows[0]?.handled_at === null;
}

export async function markHandled(tx: Tx, { event, reference }: Webhook, at: Instant): Promise<void> {
  await sql`
    update payment_inbox set handled_at = ${at} where event = ${event} and reference = ${reference}`.execute(tx);
}
