import { assert } from "@holo/kernel/assert.ts";
import type { CommandId, PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import { type Instant, toInstant } from "@holo/kernel/instant.ts";
import type { Coins, Kobo } from "@holo/kernel/money.ts";
import { sql } from "kysely";
import type { DepositStep } from "../core/deposit-state.ts";
import type { WithdrawalStep } from "../core/withdrawal-state.ts";
import type { Payment } from "../payment.ts";
import type { BankAccount, PaymentBase, PaymentKind, PaymentReasonCode, PaymentStatus } from "../payment-base.ts";

/** A row of `payments`. Instants are ms since 1970. */
export interface PaymentRow {
  readonly id: PaymentId;
  readonly kind: PaymentKind;
  readonly player_id: PlayerId;
  readonly command_id: CommandId;
  readonly kobo: Kobo;
  readonly rate_kobo: number;
  readonly coins: Coins;
  readonly payer_fee_kobo: Kobo;
  readonly reference: string;
  readonly authorization_url: string | null;
  readonly bank_code: string | null;
  readonly bank_name: string | null;
  readonly account_number: string | null;
  readonly account_name: string | null;
  readonly recipient_code: string | null;
  readonly part_of: PaymentId | null;
  readonly created_at: bigint;
  readonly last_fact: number;
  readonly step: string;
  readonly in_kobo: Kobo;
  readonly back_kobo: Kobo;
  readonly kept_kobo: Kobo;
  readonly credited_kobo: Kobo;
  readonly credit_rate_kobo: number | null;
  readonly is_back: boolean;
  readonly sent_kobo: Kobo;
  readonly written_off_kobo: Kobo;
  readonly borne_fee_kobo: Kobo;
  readonly fee_kobo: Kobo | null;
  readonly sent_at: bigint | null;
  readonly status: PaymentStatus;
  readonly reason: PaymentReasonCode | null;
  readonly reason_kobo: Kobo | null;
  readonly completed_at: bigint | null;
  readonly next_ask_at: bigint | null;
  readonly attempts: number;
  readonly questions: number;
}

export const PAYMENT_COLUMNS = sql`id, kind, player_id, command_id, kobo, rate_kobo, coins, payer_fee_kobo, reference, authorization_url,
  bank_code, bank_name, account_number, account_name, recipient_code, part_of, created_at, last_fact, step, in_kobo, back_kobo, kept_kobo,
  credited_kobo, credit_rate_kobo, is_back, sent_kobo, written_off_kobo, borne_fee_kobo, fee_kobo, sent_at, status, reason, reason_kobo, completed_at, next_ask_at,
  attempts, questions`;

function toInstantOrNull(ms: bigint | null): Instant | null {
  return ms === null ? null : toInstant(Number(ms));
}

function parseBase(row: PaymentRow): PaymentBase {
  return {
    id: row.id,
    playerId: row.player_id,
    commandId: row.command_id,
    kobo: row.kobo,
    rateKobo: row.rate_kobo,
    coins: row.coins,
    reference: row.reference,
    status: row.status,
    reason: row.reason === null ? null : { code: row.reason, kobo: row.reason_kobo },
    createdAt: toInstant(Number(row.created_at)),
    completedAt: toInstantOrNull(row.completed_at),
    attempts: row.attempts,
    nextAskAt: toInstantOrNull(row.next_ask_at),
    questions: row.questions,
    lastFact: row.last_fact,
    writtenOffKobo: row.written_off_kobo,
    feeKobo: row.fee_kobo,
  };
}

function parseAccount(row: PaymentRow): BankAccount {
  const { bank_code: bankCode, bank_name: bankName, account_number: accountNumber, account_name: accountName } = row;
  const isWhole = bankCode !== null && bankName !== null && accountNumber !== null && accountName !== null;
  assert(isWhole, `withdrawal ${row.id} has no account`);
  return { bankCode, bankName, accountNumber, accountName };
}

/** The only place where a row becomes a payment. */
export function parsePayment(row: PaymentRow): Payment {
  const base = { ...parseBase(row), payerFeeKobo: row.payer_fee_kobo };
  if (row.kind === "deposit") {
    return {
      ...base,
      kind: "deposit",
      authorizationUrl: row.authorization_url,
      step: row.step as DepositStep,
      inKobo: row.in_kobo,
      backKobo: row.back_kobo,
      keptKobo: row.kept_kobo,
      borneFeeKobo: row.borne_fee_kobo,
      creditedKobo: row.credited_kobo,
      creditRateKobo: row.credit_rate_kobo,
    };
  }
  return {
    ...base,
    kind: row.kind,
    account: parseAccount(row),
    recipientCode: row.recipient_code,
    partOf: row.part_of,
    step: row.step as WithdrawalStep,
    isBack: row.is_back,
    sentKobo: row.sent_kobo,
    sentAt: toInstantOrNull(row.sent_at),
  };
}
