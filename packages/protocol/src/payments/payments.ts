import { z } from "zod";
import {
  bankAccountNumber,
  bankCode,
  coins,
  commandId,
  formField,
  instant,
  kobo,
  paymentId,
  text,
  whole,
} from "../fields.ts";
import type { Route, View } from "../route.ts";

/** Ruling 11. `review`, and `pending` of a withdrawal, wait for staff. */
export const paymentStatus = z.enum([
  "pending",
  "processing",
  "completed",
  "failed",
  "reversed",
  "abandoned",
  "review",
]);
export type PaymentStatus = View<typeof paymentStatus>;

/** A payment as its player sees it; a withdrawal of revenue as the CEO sees it. */
export const payment = z.strictObject({
  id: paymentId,
  /** `revenue`: the platform's earnings. */
  kind: z.enum(["deposit", "withdrawal", "revenue"]),
  status: paymentStatus,
  kobo,
  /** What the player bears of the provider's fees: on top of a deposit, off a withdrawal. */
  payerFeeKobo: kobo,
  coins,
  rateKobo: whole,
  /** Until when a payable deposit keeps that rate (ruling 35); null for any other payment. */
  rateUntil: instant.nullable(),
  reference: z.string(),
  createdAt: instant,
  completedAt: instant.nullable(),
  reason: z.string().nullable(),
  account: z.strictObject({ bankName: z.string(), accountName: z.string(), lastDigits: z.string() }).nullable(),
  /** When a withdrawal should arrive at the latest. */
  expectedAt: instant.nullable(),
  /** Until when its coins are checked, at the latest; null: they are not. */
  checkedUntil: instant.nullable(),
  isPayable: z.boolean(),
  isCancellable: z.boolean(),
});
export type PaymentView = View<typeof payment>;

export const savedAccount = z.strictObject({
  bankCode: z.string(),
  bankName: z.string(),
  accountNumber: z.string(),
  accountName: z.string(),
});
export type SavedAccountView = View<typeof savedAccount>;

const checkout = z.strictObject({ payment, authorizationUrl: z.string() });
const reference = z.strictObject({ reference: text(100) });
/** `rateKobo` is the exchange rate that was shown; refused at another one. */
const reopening = z.strictObject({ reference: text(100), rateKobo: whole });

const DEPOSIT_RESTRICTION_REFUSALS = [
  "banned",
  "account_closing",
  "self_excluded",
  "maintenance",
  "limit_reached",
] as const;

/** In the order in which they are checked. */
export const WITHDRAWAL_REFUSALS = [
  "command_id_reused",
  "withdrawal_too_small",
  "bad_amount",
  "rate_changed",
  "insufficient_for_withdrawal",
  "not_settled",
  "account_not_verified",
  "email_unverified",
  "password_required",
  "wrong_password",
  "debts_open",
  "withdrawals_held",
  "withdrawals_used",
  "withdrawal_fee_changed",
] as const;

export const PAYMENT_ROUTES = {
  /**
   * Starts a deposit; the player pays at `authorizationUrl`. The same command gets the same answer.
   */
  deposit: {
    method: "post",
    path: "/api/deposits",
    access: "player",
    visitorRefusal: "deposit_login_required",
    refusals: [
      "command_id_reused",
      "deposit_too_small",
      "deposit_too_large",
      "bad_amount",
      "no_email",
      "rate_changed",
      "deposit_fee_changed",
      ...DEPOSIT_RESTRICTION_REFUSALS,
      "payments_unavailable",
    ],
    body: z.strictObject({
      commandId,
      kobo,
      /** The total that the player was shown, with the fee that the payer bears. */
      payKobo: kobo,
      /** The exchange rate that was shown; refused at another one. */
      rateKobo: whole,
    }),
    response: checkout,
  },
  reopenDeposit: {
    method: "post",
    path: "/api/deposits/reopen",
    access: "player",
    refusals: ["unknown_payment", ...DEPOSIT_RESTRICTION_REFUSALS, "not_payable", "rate_changed"],
    body: reopening,
    response: checkout,
  },
  checkDeposit: {
    method: "post",
    path: "/api/deposits/check",
    access: "player",
    refusals: ["unknown_payment"],
    body: reference,
    response: payment,
  },
  /**
   * Sends unplayed coins of a deposit back to its card at once (ruling 51). A repeat gets the same
   * payment.
   */
  refundToCard: {
    method: "post",
    path: "/api/deposits/refund",
    access: "player",
    refusals: [
      "second_factor_required",
      "unknown_payment",
      "provider_silent",
      "debts_open",
      "withdrawals_held",
      "card_refund_changed",
    ],
    /** The sum and the fee that were shown; refused at others. */
    body: z.strictObject({ paymentId, kobo, feeKobo: kobo }),
    response: payment,
  },
  /** Empty if the provider cannot be reached. */
  banks: {
    method: "get",
    path: "/api/banks",
    access: "player",
    refusals: [],
    response: z.strictObject({ banks: z.array(z.strictObject({ code: z.string(), name: z.string() })) }),
  },
  /** The holder of a bank account. An account withdrawn to before needs no password. */
  verifyAccount: {
    method: "post",
    path: "/api/accounts/verify",
    access: "player",
    refusals: ["missing_account_fields", "banks_unavailable", "unknown_bank_account", "account_check_failed"],
    body: z.strictObject({ accountNumber: bankAccountNumber, bankCode }),
    response: z.strictObject({ accountName: z.string(), isKnown: z.boolean() }),
  },
  /**
   * Takes coins and sends naira, less the provider's fees for coins that were never staked (ruling
   * 37). The same command gets the same payment.
   */
  withdraw: {
    method: "post",
    path: "/api/withdrawals",
    access: "player",
    refusals: ["second_factor_required", ...WITHDRAWAL_REFUSALS],
    body: z.strictObject({
      commandId,
      /** What leaves the wallet, fees included. */
      kobo,
      /** The fees that were shown; refused at others. */
      feeKobo: kobo,
      accountNumber: bankAccountNumber,
      bankCode,
      password: formField.optional(),
      /** The exchange rate that was shown; refused at another one. */
      rateKobo: whole,
    }),
    response: payment,
  },
  /** Returns the coins of a withdrawal that was never ordered at the provider. */
  cancelWithdrawal: {
    method: "post",
    path: "/api/withdrawals/cancel",
    access: "player",
    refusals: ["unknown_payment", "not_cancellable", "coins_being_checked", "provider_silent"],
    body: reference,
    response: payment,
  },
} as const satisfies Record<string, Route>;
