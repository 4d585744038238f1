import type { CommandId, PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { Coins, Kobo } from "@holo/kernel/money.ts";
import { sql } from "kysely";
import type { MoneyState, Payment, PaymentKind, PaymentStatus } from "../payment.ts";

/** A payment as it is kept. */
export interface PaymentRow {
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
  readonly gone_kobo: Kobo;
  readonly booked_kobo: Kobo;
}

/** What a row is read with. */
export const PAYMENT_COLUMNS = sql`id, kind, player_id, command_id, kobo, rate_kobo, coins, fee_kobo, payer_fee_kobo, status, money, reference, reason,
  authorization_url, bank_code, bank_name, account_number, account_name, recipient_code, created_at, completed_at, updated_at,
  attempts, next_attempt_at, sent_at, asked_since, gone_kobo, booked_kobo`;

function toInstantOrNull(ms: bigint | null): Instant | null {
  return ms === null ? null : (Number(ms) as Instant);
}

export function toPayment(row: PaymentRow): Payment {
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
    providerFeeKobo: row.fee_kobo,
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
    notFoundSince: toInstantOrNull(row.asked_since),
    refundedKobo: row.gone_kobo,
    allocatedKobo: row.booked_kobo,
  };
}
