import { z } from "zod";
import { restrictions } from "../accounts/restrictions.ts";
import { role } from "../accounts/session.ts";
import { coins, cursor, empty, gameId, instant, playerId, text, whole } from "../fields.ts";
import { match, openGame, player } from "../game/games.ts";
import { payment } from "../payments/payments.ts";
import { statementPage } from "../payments/wallet.ts";
import { maintenance } from "../platform.ts";
import { REPORT_OUTCOMES, REPORT_REASONS } from "../report-terms.ts";
import type { Route, View } from "../route.ts";
import { STAFF_CONFLICTS } from "./staff-conflicts.ts";

/** Why a member of staff acts. The admin module checks the content. */
const reason = z.string().max(500);
/** Why the viewer may not decide this; null: they may. */
const heldBack = z.enum(STAFF_CONFLICTS).nullable();

const report = z.strictObject({
  id: z.uuid(),
  reporter: player,
  /** Null: the report is about the game itself. */
  player: player.nullable(),
  match,
  reason: z.enum(REPORT_REASONS),
  text: z.string(),
  at: instant,
  /** Null while it is open. */
  ended: z.strictObject({ outcome: z.enum(REPORT_OUTCOMES), note: z.string(), by: z.string(), at: instant }).nullable(),
  heldBack,
});
export type ReportView = View<typeof report>;

/**
 * Open reports oldest first, closed ones newest first; `next` is the cursor of the following page.
 */
const reports = z.strictObject({ reports: z.array(report), next: z.string().nullable() });
export type ReportsView = View<typeof reports>;

const reportState = z.enum(["open", "closed"]);
export type ReportState = View<typeof reportState>;

const gameChat = z.strictObject({
  /** All messages of the game, in order: at most 500 of each player. */
  messages: z.array(z.strictObject({ number: whole, username: z.string(), text: z.string(), at: instant })),
});
export type GameChatView = View<typeof gameChat>;

const foundPlayer = player.extend({
  email: z.string(),
  isVerified: z.boolean(),
  sinceAt: instant,
  isBanned: z.boolean(),
  role: role.nullable(),
  /** Null and `own_matter`: their details can be read. */
  heldBack,
});
export type FoundPlayerView = View<typeof foundPlayer>;

const foundPlayers = z.strictObject({ players: z.array(foundPlayer), next: z.string().nullable() });
export type FoundPlayersView = View<typeof foundPlayers>;

const playerFile = z.strictObject({
  player: foundPlayer,
  balance: coins,
  openGame: openGame.nullable(),
  /** Why the viewer may not cancel the open game. */
  gameHeldBack: heldBack,
  limits: restrictions,
  /** Which ban an unblocking ends; null: none. */
  banId: z.string().nullable(),
  /** Which hold of withdrawals a release ends; null: none. */
  withdrawalHoldId: z.string().nullable(),
  /** The newest, with only the last digits of account numbers. */
  payments: z.array(payment),
  sessions: z.array(z.strictObject({ device: z.string(), startedAt: instant, seenAt: instant })),
  reports: z.array(report),
});
export type PlayerFileView = View<typeof playerFile>;

const ofPlayer = z.strictObject({ id: playerId });
const page = z.strictObject({ before: cursor.optional() });

const BAN_REFUSALS = [
  "reason_missing",
  "own_matter",
  "admin_matter",
  "ceo_matter",
  "unknown_player",
  "block_unchanged",
  "ban_changed",
] as const;

export const MODERATION_ROUTES = {
  /**
   * `notice` is what players read; null ends the maintenance. `sinceAt` is when the maintenance
   * began that the caller saw, null for none. If another one is in force, nothing changes.
   */
  switchMaintenance: {
    method: "post",
    path: "/api/admin/maintenance",
    access: "admin",
    refusals: ["maintenance_text_missing", "maintenance_changed"],
    body: z.strictObject({ notice: z.string().max(300).nullable(), sinceAt: instant.nullable() }),
    response: z.strictObject({ maintenance: maintenance.nullable() }),
  },
  /**
   * Ends an active game that cannot continue, and refunds both players. The reason is public.
   * Refused for games of the caller.
   */
  cancelGame: {
    method: "post",
    path: "/api/admin/games/cancel",
    access: "admin",
    refusals: [
      "reason_missing",
      "unknown_game",
      "game_over",
      "not_started",
      "own_matter",
      "admin_matter",
      "cancellation_unknown",
    ],
    body: z.strictObject({ gameId, reason: z.string().max(300) }),
    response: empty,
  },
  gameChat: {
    method: "get",
    path: "/api/admin/games/{id}/chat",
    access: "admin",
    refusals: ["unknown_report", "admin_matter"],
    params: z.strictObject({ id: gameId }),
    response: gameChat,
  },
  /** 20 per page; `after` is a report's id. */
  reports: {
    method: "get",
    path: "/api/admin/reports",
    access: "admin",
    refusals: [],
    query: z.strictObject({ state: reportState.optional(), after: z.uuid().optional() }),
    response: reports,
  },
  /** Notifies the reporter. Refused in the caller's own case; only the CEO decides about admins. */
  endReport: {
    method: "post",
    path: "/api/admin/reports/end",
    access: "admin",
    refusals: ["reason_missing", "unknown_report", "own_matter", "admin_matter", "report_ended"],
    body: z.strictObject({ id: z.uuid(), outcome: z.enum(REPORT_OUTCOMES), note: reason }),
    response: empty,
  },
  /** By name, address or id, 20 per page; `after` is a name. */
  searchPlayers: {
    method: "get",
    path: "/api/admin/players",
    access: "admin",
    refusals: [],
    query: z.strictObject({ text: text(320), after: text(40).optional() }),
    response: foundPlayers,
  },
  /** An admin's details are visible to that admin and the CEO, the CEO's only to the CEO. */
  playerFile: {
    method: "get",
    path: "/api/admin/players/{id}",
    access: "admin",
    refusals: ["unknown_player", "admin_matter", "ceo_matter"],
    params: ofPlayer,
    response: playerFile,
  },
  playerGames: {
    method: "get",
    path: "/api/admin/players/{id}/games",
    access: "admin",
    refusals: ["admin_matter", "ceo_matter"],
    params: ofPlayer,
    query: page,
    response: z.strictObject({ matches: z.array(match), next: z.string().nullable() }),
  },
  playerEntries: {
    method: "get",
    path: "/api/admin/players/{id}/entries",
    access: "admin",
    refusals: ["admin_matter", "ceo_matter"],
    params: ofPlayer,
    query: page,
    response: statementPage,
  },
  /**
   * The player cannot play, chat or deposit, and sees the reason. Only the CEO bans an admin; the
   * CEO cannot be banned.
   */
  banPlayer: {
    method: "post",
    path: "/api/admin/bans",
    access: "admin",
    refusals: BAN_REFUSALS,
    body: z.strictObject({ playerId, reason }),
    response: empty,
  },
  /** Ends the ban that the caller saw. Allowed to staff who may ban the player. */
  unbanPlayer: {
    method: "post",
    path: "/api/admin/bans/end",
    access: "admin",
    refusals: BAN_REFUSALS,
    body: z.strictObject({ playerId, banId: text(20), reason }),
    response: empty,
  },
} as const satisfies Record<string, Route>;
