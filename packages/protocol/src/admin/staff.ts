import { z } from "zod";
import { cursor, formField, instant } from "../fields.ts";
import type { Route, View } from "../route.ts";

const admin = z.strictObject({
  id: z.uuid(),
  email: z.string(),
  /** An unverified address gives no role (ruling 25). */
  isVerified: z.boolean(),
  /** Null: no player has registered with this address. */
  username: z.string().nullable(),
});
export type AdminView = View<typeof admin>;

const admins = z.strictObject({
  /** The CEO by the server's configuration; cannot be removed. */
  owner: z.strictObject({ email: z.string(), isVerified: z.boolean() }),
  admins: z.array(admin),
});
export type AdminsView = View<typeof admins>;

const auditEventType = z.enum([
  /** The server was started with another owner's address. */
  "owner_set",
  "admin_added",
  "admin_removed",
  "settings_changed",
  "payment_credited",
  "payment_debited",
  "payment_refunded",
  "payment_sent_again",
  "payment_written_off",
  "dispute_answered",
  "orphaned_balance_sent",
  "reconciled",
  "revenue_withdrawn",
  "maintenance_begun",
  "maintenance_ended",
  "player_banned",
  "player_unbanned",
  "withdrawals_held",
  "withdrawals_released",
  /** All withdrawals. */
  "payouts_held",
  "payouts_released",
  "game_cancelled",
  "report_ended",
  "release_added",
  "release_made_current",
  /** By an operator's command on the machine. */
  "owner_verified",
  "sessions_ended",
  "second_factor_removed",
  "payment_asked",
  "secret_forgotten",
  "ratings_rebuilt",
  "fair_play_cleared",
  "forfeit_proposed",
  "forfeit_withdrawn",
  "coins_forfeited",
  "appeal_answered",
]);
export type AuditEventType = View<typeof auditEventType>;

const auditEvent = z.strictObject({
  id: z.string(),
  at: instant,
  /** Null: the server itself. */
  username: z.string().nullable(),
  action: auditEventType,
  /** The object of the action: an address, a reference. */
  subject: z.string(),
  detail: z.string(),
});
export type AuditEventView = View<typeof auditEvent>;

/** Newest first, at most 50; `next` is the cursor of the following page. */
const auditEvents = z.strictObject({ events: z.array(auditEvent), next: z.string().nullable() });
export type AuditEventsView = View<typeof auditEvents>;

export const STAFF_ROUTES = {
  admins: { method: "get", path: "/api/admin/admins", access: "admin", refusals: [], response: admins },
  addAdmin: {
    method: "post",
    path: "/api/admin/admins",
    access: "admin",
    refusals: ["bad_admin_email", "wrong_password", "admin_listed", "admins_full"],
    body: z.strictObject({ email: formField, password: formField }),
    response: admins,
  },
  removeAdmin: {
    method: "post",
    path: "/api/admin/admins/remove",
    access: "admin",
    refusals: ["unknown_admin", "own_matter", "admin_matter"],
    body: z.strictObject({ id: z.uuid() }),
    response: admins,
  },
  auditEvents: {
    method: "get",
    path: "/api/admin/audit-events",
    access: "admin",
    refusals: [],
    query: z.strictObject({ before: cursor.optional() }),
    response: auditEvents,
  },
} as const satisfies Record<string, Route>;
