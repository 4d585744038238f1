import { randomUUID } from "node:crypto";
import type { CommandId, PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import { addMs, DAY_MS, type Instant } from "@holo/kernel/instant.ts";
import { type Coins, type Kobo, toKobo } from "@holo/kernel/money.ts";
import type { PaymentStatus, PaymentView } from "@holo/protocol/payments.ts";

export type { PaymentStatus } from "@holo/protocol/payments.ts";

export type PaymentKind = "deposit" | "withdrawal" | "revenue";

/**
 * What the ledger has done for the payment. A deposit: nothing, credited, taken back again, and restored for good by a dispute that was
 * won. Money out: held, and then paid or returned;
 * `returned` after a payment that came back counts as one, and `lost` is a payment that went through although its coins were returned.
 */
export type MoneyState = "none" | "credited" | "taken_back" | "restored" | "held" | "paid" | "returned" | "lost";

/** Where money goes to: an account whose holder the provider has named. */
export interface BankAccount {
  readonly bankCode: string;
  readonly bankName: string;
  readonly accountNumber: string;
  readonly accountName: string;
}

/** A payment as its row says. */
export interface Payment {
  readonly id: PaymentId;
  readonly kind: PaymentKind;
  readonly playerId: PlayerId;
  readonly commandId: CommandId;
  readonly kobo: Kobo;
  /** Kobo for one holocoin when it was begun (ruling 4). */
  readonly rateKobo: number;
  readonly coins: Coins;
  /** What the provider kept at our cost. */
  readonly providerFeeKobo: Kobo | null;
  /** What a deposit's payer pays beside its amount, for the provider's fee; 0 where that is the platform's (ruling 10). */
  readonly payerFeeKobo: Kobo;
  readonly status: PaymentStatus;
  readonly money: MoneyState;
  readonly reference: string;
  /** Words for the player. */
  readonly reason: string | null;
  readonly authorizationUrl: string | null;
  readonly account: BankAccount | null;
  readonly recipientCode: string | null;
  readonly createdAt: Instant;
  readonly completedAt: Instant | null;
  readonly updatedAt: Instant;
  readonly attempts: number;
  readonly nextAttemptAt: Instant | null;
  /** When the provider was first told, or may have been, to pay this out, or a deposit back; null while it certainly was not. */
  readonly sentAt: Instant | null;
  /** Since when the provider has said that it knows nothing of it. */
  readonly notFoundSince: Instant | null;
  /** What of a credited deposit has gone back to who paid it, as far as the provider has answered, but for one that was taken back whole. */
  readonly refundedKobo: Kobo;
  /** What of that was booked by people of the house; the rest waits for them. */
  readonly allocatedKobo: Kobo;
}

/** What a payment begins with; the rest is as for every one of which nothing has come yet. */
export type NewPayment = Pick<Payment, "kind" | "playerId" | "commandId" | "kobo" | "rateKobo" | "coins"> &
  Pick<Payment, "status" | "money" | "nextAttemptAt" | "createdAt"> &
  Partial<Pick<Payment, "account" | "payerFeeKobo" | "recipientCode">>;

/** Begins the reference, which is ours alone, told to the provider and unlike any other: letters, digits and `-`, which both its APIs take. */
const REFERENCE_OF: Readonly<Record<PaymentKind, string>> = { deposit: "dep", withdrawal: "wdr", revenue: "rev" };

export function makePayment(given: NewPayment): Payment {
  const id = randomUUID() as PaymentId;
  return {
    account: null,
    payerFeeKobo: toKobo(0n),
    recipientCode: null,
    ...given,
    id,
    reference: `${REFERENCE_OF[given.kind]}-${id}`,
    providerFeeKobo: null,
    reason: null,
    authorizationUrl: null,
    completedAt: null,
    updatedAt: given.createdAt,
    attempts: 0,
    sentAt: null,
    notFoundSince: null,
    refundedKobo: toKobo(0n),
    allocatedKobo: toKobo(0n),
  };
}

const LAST_DIGITS = 4;

export function isMoneyOut(payment: Payment): boolean {
  return payment.kind !== "deposit";
}

/**
 * Whether a deposit that is nobody's coins is on its way back to who paid it, as far as the provider has said so far: one that nobody was
 * credited with, or one that came again after its coins were taken back and its player had left.
 */
export function isBeingRefunded({ kind, money, status, sentAt, completedAt }: Payment): boolean {
  const isNobodys = kind === "deposit" && (money === "none" || money === "taken_back");
  return isNobodys && status === "reversed" && sentAt !== null && completedAt === null;
}

/** Whether its coins were given to its player and are not taken back whole. */
export function isCredited({ money }: Pick<Payment, "money">): boolean {
  return money === "credited" || money === "restored";
}

/** Whether something of a credited deposit has gone back to who paid it, and people have to say who bears it. */
export function isAllocationPending({
  refundedKobo,
  allocatedKobo,
}: Pick<Payment, "refundedKobo" | "allocatedKobo">): boolean {
  return refundedKobo > allocatedKobo;
}

/** Whether the player can still pay it where they began to. */
export function isPayable({ kind, money, status, authorizationUrl, nextAttemptAt }: Payment): boolean {
  const isUnpaid = kind === "deposit" && money === "none" && (status === "pending" || status === "abandoned");
  return isUnpaid && authorizationUrl !== null && nextAttemptAt !== null;
}

/** By when a withdrawal is to have arrived (T+1); null for what is not on its way out. */
function toExpectedAt(payment: Payment): Instant | null {
  const isOnItsWay = isMoneyOut(payment) && (payment.status === "processing" || payment.status === "pending");
  return isOnItsWay ? addMs(payment.createdAt, DAY_MS) : null;
}

export function toLastDigits(accountNumber: string): string {
  return accountNumber.slice(-LAST_DIGITS);
}

/** The payment as its own player sees it. */
export function toPaymentView(payment: Payment): PaymentView {
  const { account } = payment;
  return {
    id: payment.id,
    kind: payment.kind,
    status: payment.status,
    kobo: Number(payment.kobo),
    payerFeeKobo: Number(payment.payerFeeKobo),
    coins: String(payment.coins),
    reference: payment.reference,
    createdAt: payment.createdAt,
    completedAt: payment.completedAt,
    reason: payment.reason,
    account:
      account === null
        ? null
        : {
            bankName: account.bankName,
            accountName: account.accountName,
            lastDigits: toLastDigits(account.accountNumber),
          },
    expectedAt: toExpectedAt(payment),
    isPayable: isPayable(payment),
  };
}
