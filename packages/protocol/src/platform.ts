import { z } from "zod";
import { instant, whole } from "./fields.ts";
import type { Route, View } from "./route.ts";

export const settings = z.strictObject({
  /** Kobo for one holocoin (30600 = ₦306). */
  rateKobo: whole,
  /** Basis points (740 = 7.4 %), for games created from now on. */
  feeBps: whole,
});
export type SettingsView = View<typeof settings>;

/**
 * During maintenance no game begins and nothing is deposited; active games and withdrawals
 * continue.
 */
export const maintenance = z.strictObject({ text: z.string(), sinceAt: instant });
export type MaintenanceView = View<typeof maintenance>;

export const stats = z.strictObject({ playersOnline: whole, gamesPlaying: whole });
export type StatsView = View<typeof stats>;

const contact = z.strictObject({
  email: z.string(),
  /** Where a message is written; the query parameter `text` prefills it. */
  messagingUrl: z.string(),
  /** Of the server. */
  version: z.string(),
});
export type ContactView = View<typeof contact>;

export const PLATFORM_ROUTES = {
  stats: { method: "get", path: "/api/stats", access: "anyone", refusals: [], response: stats },
  contact: { method: "get", path: "/api/contact", access: "anyone", refusals: [], response: contact },
} as const satisfies Record<string, Route>;
