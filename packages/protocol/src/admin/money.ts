import { z } from "zod";
import {
  bankAccountNumber,
  bankCode,
  coins,
  commandId,
  empty,
  formField,
  instant,
  kobo,
  playerId,
  text,
  whole,
} from "../fields.ts";
import { payment, savedAccount } from "../payments/payments.ts";
import type { Route, View } from "../route.ts";
import { STAFF_CONFLICTS } from "./staff-conflicts.ts";

const difference = z.strictObject({
  type: z.enum([
    /** Money at the provider that belongs to no payment of the arena. */
    "unknown_charge",
    "unknown_transfer",
    "unknown_refund",
    /** The provider holds less than players are owed; without a reference. */
    "provider_short",
    /** A payment of the arena that the provider does not know. */
    "missing_charge",
    "missing_transfer",
    /** The provider still has what was reversed here. */
    "kept_charge",
    /** The amounts differ; the payment is in review. */
    "other_amount",
    /** An item in the provider's list that could not be read. */
    "unread",
  ]),
  reference: z.string(),
  kobo,
});
export type DifferenceView = View<typeof difference>;

export const reconciliation = z.strictObject({
  day: z.string(),
  finishedAt: instant,
  settled: whole,
  differences: z.array(difference),
});
export type ReconciliationView = View<typeof reconciliation>;

/** Why nothing is paid out until the records are compared with the provider's. */
export const payoutHold = z.strictObject({
  cause: z.enum([
    "restore",
    /** A command of the operator. */
    "operator",
    /** The database runs on another PostgreSQL, or on one that was recovered. */
    "database_changed",
  ]),
  fromAt: instant,
});
export type PayoutHoldView = View<typeof payoutHold>;

const reviewEnd = z.enum([
  /** Of a payment that arrived. */
  "credit",
  "refund",
  /** Of a refund of a credited deposit: from the player or the platform. */
  "take",
  "bear",
  /** Of a transfer that was paid after its coins had been returned. */
  "write_off",
  /** Of a transfer whose coins are back, and which a list of the provider showed as paid. */
  "close",
  /** Of a transfer that the provider reports otherwise: it sent more, or less or nothing. */
  "count_paid",
  "give_back",
]);
export type ReviewEnd = View<typeof reviewEnd>;

const review = z.strictObject({
  payment,
  playerId,
  username: z.string(),
  /**
   * By the provider's last report: what could be credited of a deposit, or what it sent of a
   * transfer that differs; null: nothing.
   */
  arrivedKobo: kobo.nullable(),
  arrivedCoins: coins.nullable(),
  /** The part of a credited deposit that was refunded and not yet allocated; null: nothing. */
  refundedKobo: kobo.nullable(),
  refundedCoins: coins.nullable(),
  walletCoins: coins,
  /** The possible decisions; empty if the provider decides it. */
  ends: z.array(reviewEnd),
  /** Why the viewer may not decide this; null: they may. */
  heldBack: z.enum(STAFF_CONFLICTS).nullable(),
});
export type ReviewView = View<typeof review>;

const orphanedBalance = z.strictObject({
  playerId,
  username: z.string(),
  coins,
  /** The part that can be sent at the current rate. */
  kobo,
  /** Where the player was paid last; null if that is not stored. */
  bankName: z.string().nullable(),
});
export type OrphanedBalanceView = View<typeof orphanedBalance>;

/** Oldest first. */
const reviews = z.strictObject({ payments: z.array(review), orphanedBalances: z.array(orphanedBalance) });
export type ReviewsView = View<typeof reviews>;

const revenue = z.strictObject({
  earned: coins,
  providerFees: coins,
  /** Sent although the coins had been returned. */
  providerLoss: coins,
  withdrawn: coins,
  onTheWay: coins,
  /** What may be withdrawn now (rulings 10 and 34). */
  left: coins,
  /** Whether the provider's balance bounds that; null if the provider does not answer. */
  isBoundByProvider: z.boolean().nullable(),
  payments: z.array(payment),
  accounts: z.array(savedAccount),
});
export type RevenueView = View<typeof revenue>;

export const ADMIN_MONEY_ROUTES = {
  reviews: { method: "get", path: "/api/admin/reviews", access: "admin", refusals: [], response: reviews },
  /** Refused for the caller's own payments. The second of two decisions is refused. */
  endReview: {
    method: "post",
    path: "/api/admin/reviews/end",
    access: "admin",
    refusals: [
      "reason_missing",
      "unknown_payment",
      "own_matter",
      "admin_matter",
      "not_in_review",
      "payment_disputed",
      "not_creditable",
      "beyond_own_limit",
      "deposit_barred",
      "figures_changed",
      "transfer_unconfirmed",
      "provider_silent",
    ],
    body: z.strictObject({
      reference: text(100),
      end: reviewEnd,
      /** The sum that was shown; null for an end that posts none. */
      kobo: kobo.nullable(),
      reason: z.string().max(500),
    }),
    response: reviews,
  },
  /**
   * Sends the balance to where its player was paid last. Only the CEO may name another account,
   * with a password.
   */
  sendOrphanedBalance: {
    method: "post",
    path: "/api/admin/orphaned-balances",
    access: "admin",
    refusals: [
      "reason_missing",
      "wrong_password",
      "command_id_reused",
      "account_not_verified",
      "provider_silent",
      "nothing_left_behind",
      "figures_changed",
      "no_account_kept",
    ],
    body: z.strictObject({
      commandId,
      playerId,
      kobo,
      account: z.strictObject({ accountNumber: bankAccountNumber, bankCode }).nullable(),
      password: formField.optional(),
      reason: z.string().max(500),
    }),
    response: reviews,
  },
  reconcile: {
    method: "post",
    path: "/api/admin/reconcile",
    access: "admin",
    refusals: ["provider_silent"],
    body: empty,
    response: reconciliation,
  },
  /** Ends the hold of all payouts that began then, although the comparison has not ended it. */
  releasePayouts: {
    method: "post",
    path: "/api/admin/payouts/release",
    access: "admin",
    refusals: ["reason_missing", "hold_unchanged", "hold_changed"],
    body: z.strictObject({ fromAt: instant, reason: z.string().max(500) }),
    response: empty,
  },
  revenue: { method: "get", path: "/api/admin/revenue", access: "ceo", refusals: [], response: revenue },
  /** Requires the password again. The same command gets the same payment. */
  withdrawRevenue: {
    method: "post",
    path: "/api/admin/revenue",
    access: "ceo",
    refusals: [
      "wrong_password",
      "command_id_reused",
      "bad_revenue_amount",
      "account_not_verified",
      "provider_silent",
      "above_revenue",
      "above_provider_cover",
    ],
    body: z.strictObject({
      commandId,
      kobo,
      accountNumber: bankAccountNumber,
      bankCode,
      password: formField,
    }),
    response: payment,
  },
} as const satisfies Record<string, Route>;
