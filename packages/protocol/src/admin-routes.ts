import { z } from "zod";
import { HELD_BACK } from "./admin/moderation.ts";
import { AUDIT_EVENT_TYPES, DIFFERENCES, REVIEW_ENDS } from "./admin/money.ts";
import { ROLES } from "./games.ts";
import { coins, commandId, field, kobo, name, payment, playerId, savedAccount } from "./route-parts.ts";

const reconciliation = z.strictObject({
  day: z.string(),
  finishedAt: z.int(),
  settled: z.int(),
  differences: z.array(z.strictObject({ type: z.enum(DIFFERENCES), reference: z.string(), kobo: z.int() })),
});
const reviews = z.strictObject({
  payments: z.array(
    z.strictObject({
      payment,
      playerId,
      username: z.string(),
      arrivedKobo: z.int().nullable(),
      arrivedCoins: coins.nullable(),
      goneKobo: z.int().nullable(),
      goneCoins: coins.nullable(),
      walletCoins: coins,
      ends: z.array(z.enum(REVIEW_ENDS)),
      heldBack: z.enum(HELD_BACK).nullable(),
    }),
  ),
  leftWallets: z.array(
    z.strictObject({
      playerId,
      username: z.string(),
      coins,
      kobo: z.int(),
      bankName: z.string().nullable(),
    }),
  ),
});
const admins = z.strictObject({
  owner: z.strictObject({ email: z.string(), isVerified: z.boolean() }),
  admins: z.array(
    z.strictObject({
      id: z.uuid(),
      email: z.string(),
      isVerified: z.boolean(),
      username: z.string().nullable(),
      addedAt: z.int(),
    }),
  ),
});
/** Whole numbers; which of them may be settings is for the administration to say, with its own texts. */
const settings = z.strictObject({ rateKobo: z.int(), feeBps: z.int() });
const adminSettings = settings.extend({
  changes: z.array(settings.extend({ at: z.int(), username: z.string().nullable() })),
});

const pending = z.strictObject({ count: z.int(), kobo: z.int() });

/** The routes of people of the house, each for admins or for the CEO alone; part of ROUTES (routes.ts). */
export const ADMIN_ROUTES = {
  /** For admins: whose coins are where, and whether the provider holds as much. */
  adminOverview: {
    method: "get",
    path: "/api/admin/overview",
    response: z.strictObject({
      role: z.enum(ROLES),
      at: z.int(),
      platformBalance: coins,
      wallets: coins,
      escrow: coins,
      opening: coins,
      completedRevenue: coins,
      providerFees: coins,
      providerLoss: coins,
      debts: coins,
      revenueWithdrawn: coins,
      revenueLeft: coins,
      games: z.strictObject({ total: z.int(), completed: z.int(), active: z.int(), pending: z.int() }),
      rateKobo: z.int(),
      feeBps: z.int(),
      solvency: z.strictObject({
        owedCoins: coins,
        owedKobo: z.int(),
        onTheWayKobo: z.int(),
        providerKobo: z.int().nullable(),
        differenceKobo: z.int().nullable(),
        askedAt: z.int(),
      }),
      reviews: z.int(),
      reconciliation: reconciliation.nullable(),
    }),
  },
  /** For admins: what goes on at this moment. */
  adminLive: {
    method: "get",
    path: "/api/admin/live",
    response: z.strictObject({
      at: z.int(),
      playersOnline: z.int().nullable(),
      gamesPlaying: z.int().nullable(),
      gamesWaiting: z.int().nullable(),
      connections: z.int().nullable(),
      memoryBytes: z.int().nullable(),
      movesPerSecond: z.number(),
      moveP99Ms: z.number().nullable(),
      depositsTodayKobo: z.int(),
      withdrawalsTodayKobo: z.int(),
      pendingDeposits: pending,
      pendingWithdrawals: pending,
    }),
  },
  /** For admins: the last 90 days, by the ledger. */
  adminDays: {
    method: "get",
    path: "/api/admin/days",
    response: z.strictObject({
      days: z.array(
        z.strictObject({
          day: z.string(),
          games: z.int(),
          revenue: coins,
          depositsKobo: z.int(),
          withdrawalsKobo: z.int(),
        }),
      ),
    }),
  },
  /** For admins: whose addresses make them admins. */
  admins: { method: "get", path: "/api/admin/admins", response: admins },
  addAdmin: {
    method: "post",
    path: "/api/admin/admins",
    body: z.strictObject({ email: field }),
    response: admins,
  },
  removeAdmin: {
    method: "post",
    path: "/api/admin/admins/remove",
    body: z.strictObject({ id: z.uuid() }),
    response: admins,
  },
  /** For admins: what people of the house did, newest first, 50 at a time; `next` asks for those before. */
  adminActs: {
    method: "get",
    path: "/api/admin/acts",
    query: z.strictObject({
      before: z
        .string()
        .regex(/^\d{1,18}$/)
        .optional(),
    }),
    response: z.strictObject({
      acts: z.array(
        z.strictObject({
          id: z.string(),
          at: z.int(),
          username: z.string().nullable(),
          act: z.enum(AUDIT_EVENT_TYPES),
          subject: z.string(),
          detail: z.string(),
        }),
      ),
      next: z.string().nullable(),
    }),
  },
  /** For the CEO: the rate and the fee, and how they came to be. */
  adminSettings: { method: "get", path: "/api/admin/settings", response: adminSettings },
  /** For the CEO: what players would be owed under these settings. Changes nothing. */
  settingsEffect: {
    method: "post",
    path: "/api/admin/settings/effect",
    body: settings,
    response: z.strictObject({
      owedCoins: coins,
      owedKoboNow: z.int(),
      owedKoboThen: z.int(),
      providerKobo: z.int().nullable(),
    }),
  },
  /** For the CEO: changes the settings from what they were shown, after their password. The same command gets the same answer. */
  changeSettings: {
    method: "post",
    path: "/api/admin/settings",
    body: settings.extend({ commandId, expected: settings, password: field }),
    response: adminSettings,
  },
  /** For admins: the payments that people have to look at, the oldest first. */
  reviews: { method: "get", path: "/api/admin/reviews", response: reviews },
  /** For admins, not about their own: credits what arrived, or sends it back. Whoever comes second is told that it is ended. */
  endReview: {
    method: "post",
    path: "/api/admin/reviews/end",
    body: z.strictObject({
      reference: name(100),
      end: z.enum(REVIEW_ENDS),
      /** What was shown to be booked, by who ends it so. */
      kobo: kobo.optional(),
      reason: z.string().max(500),
    }),
    response: reviews,
  },
  /**
   * For admins: sends the coins of somebody who has left to where they were paid last. For the CEO, after their password: to another account,
   * whose holder they were told before. The same command gets the same answer.
   */
  sendLeftCoins: {
    method: "post",
    path: "/api/admin/left-coins",
    body: z.strictObject({
      commandId,
      playerId,
      kobo,
      account: z.strictObject({ accountNumber: z.string().max(40), bankCode: z.string().max(20) }).nullable(),
      password: field.optional(),
      reason: z.string().max(500),
    }),
    response: reviews,
  },
  /** For admins: compares with the provider now. */
  adminReconcile: {
    method: "post",
    path: "/api/admin/reconcile",
    body: z.strictObject({}),
    response: reconciliation,
  },
  /** For the CEO: what the platform earned and where it is. */
  revenue: {
    method: "get",
    path: "/api/admin/revenue",
    response: z.strictObject({
      earned: coins,
      providerFees: coins,
      providerLoss: coins,
      withdrawn: coins,
      onTheWay: coins,
      left: coins,
      payments: z.array(payment),
      accounts: z.array(savedAccount),
    }),
  },
  /** For the CEO: takes revenue out, after their password. The same command gets the same payment. */
  withdrawRevenue: {
    method: "post",
    path: "/api/admin/revenue",
    body: z.strictObject({
      commandId,
      kobo,
      accountNumber: z.string().max(40),
      bankCode: z.string().max(20),
      password: field,
    }),
    response: payment,
  },
} as const;
