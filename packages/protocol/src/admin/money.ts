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
import { payment, savedAccount } from "../payments.ts";
import { HELD_BACK } from "../report-terms.ts";
import type { Route, View } from "../route.ts";

const difference = z.strictObject({
  type: z.enum([
    /** Money at the provider that belongs to no payment of the arena. */
    "unknown_charge",
    "unknown_transfer",
    "unknown_refund",
    /** The provider holds less than players are owed; without a reference. */
    "provider_short",
    /** The arena knows of it, the provider does not. */
    "missing_charge",
    "missing_transfer",
    /** The provider still has what was reversed here. */
    "kept_charge",
    /** The amounts differ; held for review. */
    "other_amount",
    /** The provider listed something that could not be read. */
    "unread",
  ]),
  reference: z.string(),
  kobo,
});
export type DifferenceView = View<typeof difference>;

export const reconciliation = z.strictObject({
  /** UTC, YYYY-MM-DD. */
  day: z.string(),
  finishedAt: instant,
  /** How many payments it settled. */
  settled: whole,
  differences: z.array(difference),
});
export type ReconciliationView = View<typeof reconciliation>;

/**
 * `credit` or `refund` what arrived; `take` what went back to a credited deposit's payer from the
 * player, or let the platform `bear` it.
 */
const reviewEnd = z.enum(["credit", "refund", "take", "bear"]);
export type ReviewEnd = View<typeof reviewEnd>;

/** A payment that staff have to decide. */
const review = z.strictObject({
  payment,
  playerId,
  username: z.string(),
  /** What could be credited, by the provider's last report; null where that is nothing. */
  arrivedKobo: kobo.nullable(),
  arrivedCoins: coins.nullable(),
  /**
   * What of a credited deposit was refunded to its payer and not yet allocated; null where that is
   * nothing.
   */
  refundedKobo: kobo.nullable(),
  refundedCoins: coins.nullable(),
  /** The player's balance. */
  walletCoins: coins,
  /** The possible decisions; empty where it is decided at the provider. */
  ends: z.array(reviewEnd),
  heldBack: z.enum(HELD_BACK).nullable(),
});
export type ReviewView = View<typeof review>;

/** Coins that arrived after their player had deleted the account. */
const orphanedBalance = z.strictObject({
  playerId,
  /** A pseudonym. */
  username: z.string(),
  coins,
  /** What of it can be sent, at the current rate. */
  kobo,
  /** Where the player was paid last; null where that is not stored. */
  bankName: z.string().nullable(),
});
export type OrphanedBalanceView = View<typeof orphanedBalance>;

/** Oldest first. */
const reviews = z.strictObject({ payments: z.array(review), orphanedBalances: z.array(orphanedBalance) });
export type ReviewsView = View<typeof reviews>;

const revenue = z.strictObject({
  /** Fees of games that ended by win or draw. */
  earned: coins,
  providerFees: coins,
  /** What was sent although it had been given back. */
  providerLoss: coins,
  withdrawn: coins,
  onTheWay: coins,
  /** What may be withdrawn now (rulings 10 and 34). */
  left: coins,
  /** Whether the provider's balance bounds that; null where the provider does not answer. */
  isBoundByProvider: z.boolean().nullable(),
  /** The newest 20. */
  payments: z.array(payment),
  accounts: z.array(savedAccount),
});
export type RevenueView = View<typeof revenue>;

export const ADMIN_MONEY_ROUTES = {
  reviews: { method: "get", path: "/api/admin/reviews", access: "admin", refusals: [], response: reviews },
  /** Refused about one's own payments. The second of two decisions is refused. */
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
      "provider_silent",
    ],
    body: z.strictObject({
      reference: text(100),
      end: reviewEnd,
      /** The amount to allocate, as it was shown. */
      kobo: kobo.optional(),
      reason: z.string().max(500),
    }),
    response: reviews,
  },
  /**
   * Sends an orphaned balance to where its player was paid last. Only the CEO may name another
   * account, with their password. The same command gets the same answer.
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
  /** Compares with the provider's lists now. */
  reconcile: {
    method: "post",
    path: "/api/admin/reconcile",
    access: "admin",
    refusals: ["provider_silent"],
    body: empty,
    response: reconciliation,
  },
  revenue: { method: "get", path: "/api/admin/revenue", access: "ceo", refusals: [], response: revenue },
  /** Asks for the password again. The same command gets the same payment. */
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
