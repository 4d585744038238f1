import { z } from "zod";
import { ROLES } from "./games.ts";
import { CLOSING_OBSTACLES } from "./payments.ts";
import { EXCLUSION_TERMS } from "./restrictions.ts";
import {
  coins,
  commandId,
  field,
  kobo,
  limits,
  maintenance,
  match,
  name,
  openGame,
  player,
  savedAccount,
} from "./route-parts.ts";

const ownPlayer = player.extend({
  email: z.string(),
  emailVerified: z.boolean(),
  notificationsEnabled: z.boolean(),
  soundEnabled: z.boolean(),
  takebacksEnabled: z.boolean(),
});
const closing = z.strictObject({
  closingAt: z.int().nullable(),
  balance: coins,
  kobo: z.int(),
  remainder: coins,
  obstacle: z.enum(CLOSING_OBSTACLES).nullable(),
  emailVerified: z.boolean(),
  accounts: z.array(savedAccount),
});
const limitWish = z.int().nullable().optional();
const session = z.strictObject({
  player: ownPlayer.nullable(),
  role: z.enum(ROLES).nullable(),
  balance: coins,
  openGame: openGame.nullable(),
  settings: z.strictObject({ rateKobo: z.int(), feeBps: z.int() }),
  pausedUntil: z.int().nullable(),
  limits: limits.nullable(),
  maintenance: maintenance.nullable(),
});
const profile = z.strictObject({
  player: ownPlayer,
  balance: coins,
  games: z.strictObject({
    pending: z.int(),
    active: z.int(),
    completed: z.int(),
    wins: z.int(),
    losses: z.int(),
    draws: z.int(),
  }),
  matches: z.array(match),
});
const ownSessions = z.strictObject({
  sessions: z.array(
    z.strictObject({
      id: z.string(),
      device: z.string(),
      startedAt: z.int(),
      seenAt: z.int(),
      isCurrent: z.boolean(),
    }),
  ),
});

/** The routes about the player's own account; part of ROUTES (routes.ts). */
export const ACCOUNT_ROUTES = {
  /** Answers alike whether or not the address has an account; its owner is mailed which (ruling 24). */
  register: {
    method: "post",
    path: "/api/register",
    body: z.strictObject({ username: field, email: field, password: field }),
    response: z.strictObject({}),
  },
  login: {
    method: "post",
    path: "/api/login",
    body: z.strictObject({ email: field, password: field }),
    response: session,
  },
  logout: { method: "post", path: "/api/logout", body: z.strictObject({}), response: session },
  /** What a mailed link leads to. */
  verifyEmail: {
    method: "post",
    path: "/api/verify-email",
    body: z.strictObject({ token: field }),
    response: z.strictObject({}),
  },
  /** Mails the viewer a new link, unless their address is verified already; the answer does not say which. */
  resendVerification: {
    method: "post",
    path: "/api/resend-verification",
    body: z.strictObject({}),
    response: z.strictObject({}),
  },
  /** Mails a link for a new password. Answers alike, and after the same time, whether or not the address has an account. */
  forgotPassword: {
    method: "post",
    path: "/api/forgot-password",
    body: z.strictObject({ email: field }),
    response: z.strictObject({}),
  },
  /** What such a link leads to. It works once, and ends every session. */
  resetPassword: {
    method: "post",
    path: "/api/reset-password",
    body: z.strictObject({ token: field, password: field }),
    response: z.strictObject({}),
  },
  /** Ends the viewer's other sessions. */
  changePassword: {
    method: "post",
    path: "/api/account/password",
    body: z.strictObject({ password: field, newPassword: field }),
    response: z.strictObject({}),
  },
  /** Mails the new address a link that makes it the viewer's. Answers alike whether or not somebody else has it. */
  changeEmail: {
    method: "post",
    path: "/api/account/email",
    body: z.strictObject({ password: field, email: field }),
    response: z.strictObject({}),
  },
  /** Where the viewer is logged in, the browser that asks first. */
  sessions: { method: "get", path: "/api/account/sessions", response: ownSessions },
  endSession: {
    method: "post",
    path: "/api/account/sessions/end",
    body: z.strictObject({ id: name(64) }),
    response: ownSessions,
  },
  /** Logs the viewer out everywhere, here as well. */
  endAllSessions: {
    method: "post",
    path: "/api/account/sessions/end-all",
    body: z.strictObject({}),
    response: z.strictObject({}),
  },
  session: { method: "get", path: "/api/session", response: session },
  profile: { method: "get", path: "/api/profile", response: profile },
  updateProfile: {
    method: "patch",
    path: "/api/profile",
    body: z.strictObject({
      notificationsEnabled: z.boolean().optional(),
      soundEnabled: z.boolean().optional(),
      takebacksEnabled: z.boolean().optional(),
    }),
    response: ownPlayer,
  },
  /** What closing the account comes to now. */
  closing: { method: "get", path: "/api/closing", response: closing },
  /** Sends everything there is, which `kobo` repeats as it was shown, and makes the account one that is closing (ruling 12). */
  closeAccount: {
    method: "post",
    path: "/api/closing",
    body: z.strictObject({
      commandId,
      kobo,
      /** Null where there is nothing to send. */
      account: z.strictObject({ accountNumber: z.string().max(40), bankCode: z.string().max(20) }).nullable(),
      password: field,
    }),
    response: closing,
  },
  /** Removes for good who the player of a closed account is; their games and the ledger keep a pseudonym. */
  deleteAccount: {
    method: "post",
    path: "/api/account/delete",
    body: z.strictObject({ password: field }),
    response: z.strictObject({}),
  },
  /** What the player has set for themselves. */
  limits: { method: "get", path: "/api/limits", response: limits },
  /** Lower holds at once; higher, or null for none, a day later. What holds already drops what was to come. */
  updateLimits: {
    method: "patch",
    path: "/api/limits",
    body: z.strictObject({
      depositDay: limitWish,
      depositWeek: limitWish,
      depositMonth: limitWish,
      stake: limitWish,
      session: limitWish,
    }),
    response: limits,
  },
  /** No deposit and no new game for this long; nothing takes it back (ruling 27). */
  excludeSelf: {
    method: "post",
    path: "/api/self-exclusion",
    body: z.strictObject({ term: z.enum(EXCLUSION_TERMS), password: field }),
    response: limits,
  },
} as const;
