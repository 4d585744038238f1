import { z } from "zod";
import { empty, formField, instant, text } from "../fields.ts";
import type { Route, View } from "../route.ts";
import { profileFields } from "./profile.ts";
import { secondFactorCode } from "./second-factor.ts";
import { ownPlayer, session } from "./session.ts";

const ownSession = z.strictObject({
  id: z.string(),
  /** Browser and machine in words: "Chrome on Android". */
  device: z.string(),
  startedAt: instant,
  /** With a precision of a few minutes. */
  seenAt: instant,
  isCurrent: z.boolean(),
});
export type OwnSessionView = View<typeof ownSession>;
const ownSessions = z.strictObject({ sessions: z.array(ownSession) });

const NEW_PASSWORD_REFUSALS = ["short_password", "long_password", "common_password"] as const;

export const ACCOUNT_ROUTES = {
  /**
   * The answer does not reveal whether the address has an account; a mail tells its owner (ruling
   * 24).
   */
  register: {
    method: "post",
    path: "/api/register",
    access: "anyone",
    refusals: [
      "missing_fields",
      "bad_username",
      "reserved_username",
      "bad_email",
      ...NEW_PASSWORD_REFUSALS,
      "username_taken",
    ],
    body: z.strictObject({ username: formField, email: formField, password: formField }),
    response: empty,
  },
  login: {
    method: "post",
    path: "/api/login",
    access: "anyone",
    refusals: ["missing_credentials", "invalid_credentials", "second_factor_required", "wrong_code"],
    body: z.strictObject({ email: formField, password: formField, code: secondFactorCode.optional() }),
    /** `isFirst`: the account has logged in nowhere before. */
    response: session.extend({ isFirst: z.boolean() }),
  },
  logout: { method: "post", path: "/api/logout", access: "anyone", refusals: [], body: empty, response: session },
  verifyEmail: {
    method: "post",
    path: "/api/verify-email",
    access: "anyone",
    refusals: ["unusable_link", "link_login_required"],
    body: z.strictObject({ token: formField }),
    response: empty,
  },
  /** The answer does not reveal whether the address is verified already. */
  resendVerification: {
    method: "post",
    path: "/api/resend-verification",
    access: "player",
    refusals: [],
    body: empty,
    response: empty,
  },
  /** Neither the answer nor its timing reveals whether the address has an account. */
  forgotPassword: {
    method: "post",
    path: "/api/forgot-password",
    access: "anyone",
    refusals: ["missing_email", "bad_email"],
    body: z.strictObject({ email: formField }),
    response: empty,
  },
  /** The token works once. Ends every session of the player. */
  resetPassword: {
    method: "post",
    path: "/api/reset-password",
    access: "anyone",
    refusals: [...NEW_PASSWORD_REFUSALS, "unusable_reset_link"],
    body: z.strictObject({ token: formField, password: formField }),
    response: empty,
  },
  /** Ends the player's other sessions. */
  changePassword: {
    method: "post",
    path: "/api/account/password",
    access: "player",
    refusals: [...NEW_PASSWORD_REFUSALS, "wrong_password"],
    body: z.strictObject({ password: formField, newPassword: formField }),
    response: empty,
  },
  /** Mails a link to the new address. The answer does not reveal whether another account has it. */
  changeEmail: {
    method: "post",
    path: "/api/account/email",
    access: "player",
    refusals: ["missing_email", "bad_email", "wrong_password", "email_unchanged"],
    body: z.strictObject({ password: formField, email: formField }),
    response: empty,
  },
  /** The current session first. */
  sessions: { method: "get", path: "/api/account/sessions", access: "player", refusals: [], response: ownSessions },
  endSession: {
    method: "post",
    path: "/api/account/sessions/end",
    access: "player",
    refusals: [],
    body: z.strictObject({ id: text(64) }),
    response: ownSessions,
  },
  /** Ends the current session too. */
  endAllSessions: {
    method: "post",
    path: "/api/account/sessions/end-all",
    access: "player",
    refusals: [],
    body: empty,
    response: empty,
  },
  updateProfile: {
    method: "patch",
    path: "/api/profile",
    access: "player",
    refusals: [],
    body: profileFields.partial(),
    response: ownPlayer,
  },
} as const satisfies Record<string, Route>;
