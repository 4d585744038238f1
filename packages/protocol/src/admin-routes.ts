import { z } from "zod";
import { ADMIN_ACTS, DIFFERENCES } from "./admin-views.ts";
import { coins, commandId, field } from "./route-parts.ts";
import { ROLES } from "./views.ts";

const reconciliation = z.strictObject({
  day: z.string(),
  finishedAt: z.int(),
  settled: z.int(),
  differences: z.array(z.strictObject({ type: z.enum(DIFFERENCES), reference: z.string(), kobo: z.int() })),
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
          act: z.enum(ADMIN_ACTS),
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
} as const;
