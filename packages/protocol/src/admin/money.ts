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
  /** About so many payments the provider was asked. */
  asked: whole,
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

const correctionAct = z.enum([
  /** Coins of a deposit to its player; those of a withdrawal back to them. */
  "credit",
  /** Coins back from the player. */
  "debit",
  /** What arrived back to its payer. */
  "refund",
  /** A transfer that the provider does not know, under the same reference. */
  "send_again",
  "write_off",
]);
export type CorrectionAct = View<typeof correctionAct>;

const paymentFact = z.strictObject({
  number: whole,
  at: instant,
  type: z.string(),
  outcome: z.string().nullable(),
  kobo: kobo.nullable(),
  backKobo: kobo.nullable(),
  /** Whether staff did it. */
  isByStaff: z.boolean(),
});
export type PaymentFactView = View<typeof paymentFact>;

const paymentCase = z.strictObject({
  payment,
  playerId,
  username: z.string(),
  /** Why staff look at it; null: it only waits. */
  why: z.string().nullable(),
  /** Oldest first. */
  facts: z.array(paymentFact),
  /**
   * What no one has been given; below 0: what no one paid for. Null: the provider is not
   * conclusive.
   */
  residueKobo: kobo.nullable(),
  disputes: z.array(
    z.strictObject({
      id: z.string(),
      stage: z.enum(["open", "won", "lost"]),
      /** Until when the provider takes an answer. */
      dueAt: instant.nullable(),
      /** What ledger and log say, as the first text of an answer. */
      evidence: z.string(),
    }),
  ),
  walletCoins: coins,
  /** What can be done now. */
  corrections: z.array(z.strictObject({ act: correctionAct, kobo })),
  /** Waits for a second member (ruling 58). */
  proposal: z
    .strictObject({
      id: z.uuid(),
      act: correctionAct,
      kobo,
      reason: z.string(),
      username: z.string(),
      isOwn: z.boolean(),
      at: instant,
    })
    .nullable(),
  /** The number of the newest fact: a correction names what its member has seen. */
  lastFact: whole,
  /** Why the viewer may not decide this; null: they may. */
  heldBack: z.enum(STAFF_CONFLICTS).nullable(),
});
export type PaymentCaseView = View<typeof paymentCase>;

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
const paymentCases = z.strictObject({ cases: z.array(paymentCase), orphanedBalances: z.array(orphanedBalance) });
export type PaymentCasesView = View<typeof paymentCases>;

const correctionResult = z.strictObject({
  /** Whether it waits for a second member. */
  isProposed: z.boolean(),
  ...paymentCases.shape,
});

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
  paymentCases: {
    method: "get",
    path: "/api/admin/payments",
    access: "admin",
    refusals: [],
    response: paymentCases,
  },
  /**
   * The provider is asked first. Refused for the caller's own payments, and if a fact came since.
   */
  correctPayment: {
    method: "post",
    path: "/api/admin/payments/correct",
    access: "admin",
    refusals: [
      "reason_missing",
      "unknown_payment",
      "not_with_staff",
      "provider_silent",
      "facts_changed",
      "own_matter",
      "admin_matter",
      "correction_impossible",
      "beyond_own_limit",
      "deposit_barred",
    ],
    body: z.strictObject({
      reference: text(100),
      act: correctionAct,
      kobo,
      lastFact: whole,
      reason: z.string().max(500),
    }),
    response: correctionResult,
  },
  /** By a second member; where the CEO is the only one, by the CEO an hour later. */
  confirmCorrection: {
    method: "post",
    path: "/api/admin/payments/confirm",
    access: "admin",
    refusals: [
      "unknown_payment",
      "not_with_staff",
      "provider_silent",
      "facts_changed",
      "own_matter",
      "admin_matter",
      "correction_impossible",
      "beyond_own_limit",
      "deposit_barred",
      "second_member_needed",
      "confirmed_too_early",
    ],
    body: z.strictObject({ id: z.uuid() }),
    response: correctionResult,
  },
  /** Sends the evidence to the provider, which hands it to the payer's bank (ruling 60). */
  answerDispute: {
    method: "post",
    path: "/api/admin/payments/dispute",
    access: "admin",
    refusals: ["reason_missing", "unknown_payment", "own_matter", "admin_matter", "dispute_over", "provider_silent"],
    body: z.strictObject({ reference: text(100), disputeId: text(40), evidence: z.string().max(500) }),
    response: paymentCases,
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
    response: paymentCases,
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
