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
} from "./fields.ts";
import type { Route, View } from "./route.ts";

/** A payment as its player sees it, or the CEO a withdrawal of revenue. */
export const payment = z.strictObject({
  id: paymentId,
  /** `revenue`: the platform's earnings. */
  kind: z.enum(["deposit", "withdrawal", "revenue"]),
  /** Ruling 11. `review`, and `pending` of money out, wait for staff. */
  status: z.enum(["pending", "processing", "completed", "failed", "reversed", "abandoned", "review"]),
  kobo,
  /**
   * What the player bears of the provider's fees, paid on top of a deposit or taken off a
   * withdrawal; 0 where the platform bears all.
   */
  payerFeeKobo: kobo,
  /** What it gives or takes, fees of a withdrawal included. */
  coins,
  rateKobo: whole,
  /** Until when a payable deposit keeps that rate (ruling 35); null for any other payment. */
  rateUntil: instant.nullable(),
  /** The provider's reference. */
  reference: z.string(),
  createdAt: instant,
  completedAt: instant.nullable(),
  /** An explanation for the player; null where there is nothing to say. */
  reason: z.string().nullable(),
  /** Where a withdrawal goes to. */
  account: z.strictObject({ bankName: z.string(), accountName: z.string(), lastDigits: z.string() }).nullable(),
  /** By when money on its way out should arrive. */
  expectedAt: instant.nullable(),
  /** Whether a deposit can still be paid at its checkout. */
  isPayable: z.boolean(),
  /** Whether the player can cancel a withdrawal that waits. */
  isCancellable: z.boolean(),
});
export type PaymentView = View<typeof payment>;
export type PaymentStatus = PaymentView["status"];

/** A bank account that the player withdrew to before. */
export const savedAccount = z.strictObject({
  bankCode: z.string(),
  bankName: z.string(),
  accountNumber: z.string(),
  accountName: z.string(),
});
export type SavedAccountView = View<typeof savedAccount>;

const checkout = z.strictObject({ payment, authorizationUrl: z.string() });
const reference = z.strictObject({ reference: text(100) });
/** `rateKobo`: the exchange rate that the player was shown; at another one nothing is opened. */
const reopening = z.strictObject({ reference: text(100), rateKobo: whole });

/** What limits a player's deposits. */
const DEPOSIT_RESTRICTION_REFUSALS = [
  "blocked_by_house",
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
      /** The total that the player was shown; left out: `kobo` alone. */
      payKobo: kobo.optional(),
      /** The exchange rate that the player was shown: at another one nothing starts. */
      rateKobo: whole,
    }),
    response: checkout,
  },
  /** The checkout of an unpaid deposit, as it was at first. */
  reopenDeposit: {
    method: "post",
    path: "/api/deposits/reopen",
    access: "player",
    refusals: ["unknown_payment", ...DEPOSIT_RESTRICTION_REFUSALS, "not_payable", "rate_changed"],
    body: reopening,
    response: checkout,
  },
  /** Asks the provider about a deposit, on the way back from its checkout. */
  checkDeposit: {
    method: "post",
    path: "/api/deposits/check",
    access: "player",
    refusals: ["unknown_payment"],
    body: reference,
    response: payment,
  },
  /** Empty where the provider cannot be reached. */
  banks: {
    method: "get",
    path: "/api/banks",
    access: "player",
    refusals: [],
    response: z.strictObject({ banks: z.array(z.strictObject({ code: z.string(), name: z.string() })) }),
  },
  /**
   * The holder of a bank account. A known account was withdrawn to before and needs no password.
   */
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
      /** The fees that the player was shown, none if left out: at others nothing is taken. */
      feeKobo: kobo.optional(),
      accountNumber: bankAccountNumber,
      bankCode,
      password: formField.optional(),
      /** The exchange rate that the player was shown: at another one nothing is taken. */
      rateKobo: whole,
    }),
    response: payment,
  },
  /** Returns the coins of a withdrawal that waits and was never ordered at the provider. */
  cancelWithdrawal: {
    method: "post",
    path: "/api/withdrawals/cancel",
    access: "player",
    refusals: ["unknown_payment", "not_cancellable", "provider_silent"],
    body: reference,
    response: payment,
  },
} as const satisfies Record<string, Route>;
