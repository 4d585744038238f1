import { GAME_TYPES } from "@holo/rules/rules.ts";
import { z } from "zod";
import { ADMIN_ROUTES } from "./admin-routes.ts";
import { HOUSE_ROUTES } from "./house-routes.ts";
import { RELEASE_ROUTES } from "./release-routes.ts";
import {
  coins,
  commandId,
  field,
  kobo,
  limits,
  maintenance,
  match,
  openGame,
  payment,
  player,
  playerId,
  savedAccount,
  statementRow,
} from "./route-parts.ts";
import {
  CLOSING_OBSTACLES,
  EXCLUSION_TERMS,
  LEADERBOARD_PERIODS,
  REPORT_REASONS,
  ROLES,
  STATEMENT_KINDS,
} from "./views.ts";

/**
 * Every HTTP route, once: the server registers its handlers from here, the OpenAPI page is made from here, and the page's fetch takes
 * its types from here (types only: no schema is loaded in the browser).
 */
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
const outcomes = z.strictObject({ wins: z.int(), losses: z.int(), draws: z.int() });
const standing = outcomes.extend({ rank: z.int(), player });
const relation = z.strictObject({ muted: z.boolean(), blocked: z.boolean() });

export const ROUTES = {
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
    body: z.strictObject({ id: z.string().max(64) }),
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
  /** The newest games a viewer may see, at most 30; pending ones only for players (ruling 22). `mine`: the viewer's own. */
  matches: {
    method: "get",
    path: "/api/matches",
    query: z.strictObject({
      mine: z.literal("true").optional(),
      status: z.enum(["pending", "active", "completed"]).optional(),
      search: z.string().max(60).optional(),
    }),
    response: z.strictObject({ matches: z.array(match) }),
  },
  match: {
    method: "get",
    path: "/api/matches/{id}",
    params: z.strictObject({ id: z.uuid() }),
    response: match,
  },
  /** The entries of the ledger that a game brought about, oldest first; for its two players. */
  settlement: {
    method: "get",
    path: "/api/matches/{id}/settlement",
    params: z.strictObject({ id: z.uuid() }),
    response: z.strictObject({
      entries: z.array(
        z.strictObject({
          id: z.string(),
          kind: z.enum(["stake", "refund", "win", "draw"]),
          at: z.int(),
          postings: z.array(
            z.strictObject({ holder: z.enum(["white", "black", "escrow", "platform"]), amount: coins }),
          ),
        }),
      ),
    }),
  },
  /** The whole log of a game that is over, as it is stored, so that anyone can check its chain of hashes. */
  log: {
    method: "get",
    path: "/api/matches/{id}/log",
    params: z.strictObject({ id: z.uuid() }),
    response: z.strictObject({
      /** What the first row's hash follows. */
      before: z.string(),
      rows: z.array(z.strictObject({ text: z.string(), hash: z.string() })),
      /** The hash of the row that ended the game, which its settlement carries. */
      finalHash: z.string(),
    }),
  },
  /** A player's public record. */
  player: {
    method: "get",
    path: "/api/players/{id}",
    params: z.strictObject({ id: playerId }),
    response: z.strictObject({
      player,
      sinceAt: z.int(),
      games: z.strictObject({ checkers: outcomes, chess: outcomes }),
      aborts: z.int(),
      recent: z.array(match),
      relation: relation.nullable(),
    }),
  },
  /** The viewer's own wishes about another player. */
  updateRelation: {
    method: "patch",
    path: "/api/players/{id}/relation",
    params: z.strictObject({ id: playerId }),
    body: z.strictObject({ muted: z.boolean().optional(), blocked: z.boolean().optional() }),
    response: relation,
  },
  /** Tells the house of a player or a game. */
  report: {
    method: "post",
    path: "/api/reports",
    body: z.strictObject({
      gameId: z.uuid(),
      /** Whom it is about; null for the game itself. */
      playerId: playerId.nullable(),
      reason: z.enum(REPORT_REASONS),
      text: z.string().max(500),
    }),
    response: z.strictObject({ reportId: z.string() }),
  },
  availability: {
    method: "get",
    path: "/api/availability",
    response: z.strictObject({
      waiting: z.array(
        z.strictObject({
          game: z.enum(GAME_TYPES),
          stake: match.shape.stake,
          limitMinutes: match.shape.limitMinutes,
          creators: z.array(z.string()),
        }),
      ),
    }),
  },
  stats: {
    method: "get",
    path: "/api/stats",
    response: z.strictObject({ playersOnline: z.int(), gamesPlaying: z.int() }),
  },
  /** Players by completed games, then by win rate; below the best three a page of those who come after them. */
  leaderboard: {
    method: "get",
    path: "/api/leaderboard",
    query: z.strictObject({
      game: z.enum(GAME_TYPES).optional(),
      period: z.enum(LEADERBOARD_PERIODS).optional(),
      page: z
        .string()
        .regex(/^[1-9]\d{0,2}$/)
        .optional(),
    }),
    response: z.strictObject({
      top: z.array(standing),
      rows: z.array(standing),
      pages: z.int(),
      players: z.int(),
      own: standing.nullable(),
    }),
  },
  contact: {
    method: "get",
    path: "/api/contact",
    response: z.strictObject({ email: z.string(), messagingUrl: z.string() }),
  },
  /** How the viewer's balance and win rate went. */
  history: {
    method: "get",
    path: "/api/history",
    response: z.strictObject({
      balance: z.array(z.strictObject({ at: z.int(), balance: coins })),
      winRate: z.array(z.strictObject({ at: z.int(), wins: z.int(), games: z.int() })),
    }),
  },
  /** What has touched the viewer's wallet, newest first, 50 entries at a time: `next` asks for those before. */
  statement: {
    method: "get",
    path: "/api/statement",
    query: z.strictObject({
      before: z
        .string()
        .regex(/^\d{1,18}$/)
        .optional(),
      kind: z.enum(STATEMENT_KINDS).optional(),
    }),
    response: z.strictObject({
      rows: z.array(statementRow),
      next: z.string().nullable(),
    }),
  },
  /** The player's coins, what of them may be withdrawn, their newest payments and the accounts they withdrew to. */
  wallet: {
    method: "get",
    path: "/api/wallet",
    response: z.strictObject({
      balance: coins,
      withdrawable: coins,
      frees: z.array(z.strictObject({ at: z.int(), coins })),
      inPlay: coins,
      debts: coins,
      rateKobo: z.int(),
      feeBps: z.int(),
      payerBearsFee: z.boolean(),
      emailVerified: z.boolean(),
      depositLeft: z
        .strictObject({ period: z.enum(["day", "week", "month"]), limitKobo: z.int(), leftKobo: z.int() })
        .nullable(),
      payments: z.array(payment),
      accounts: z.array(savedAccount),
    }),
  },
  /** Begins a deposit; the player pays at the address answered. The same command gets the same answer. */
  deposit: {
    method: "post",
    path: "/api/deposits",
    body: z.strictObject({
      commandId,
      kobo,
      /** What the player was shown that they would pay in all; left out: `kobo` alone. */
      payKobo: kobo.optional(),
      /** The rate that they were shown: at another one nothing is begun. */
      rateKobo: z.int(),
    }),
    response: z.strictObject({ payment, authorizationUrl: z.string() }),
  },
  /** Where a deposit of one's own is paid that nobody has paid yet: the checkout that it had from the first. */
  reopenDeposit: {
    method: "post",
    path: "/api/deposits/reopen",
    body: z.strictObject({ reference: z.string().max(100) }),
    response: z.strictObject({ payment, authorizationUrl: z.string() }),
  },
  /** Asks what became of a deposit of one's own, on the way back from where it is paid. */
  checkDeposit: {
    method: "post",
    path: "/api/deposits/check",
    body: z.strictObject({ reference: z.string().max(100) }),
    response: payment,
  },
  /** The banks that can be paid to; empty where they are not known at the moment. */
  banks: {
    method: "get",
    path: "/api/banks",
    response: z.strictObject({ banks: z.array(z.strictObject({ code: z.string(), name: z.string() })) }),
  },
  /** Asks whose account this is. Known is one that was withdrawn to before: it needs no password. */
  verifyAccount: {
    method: "post",
    path: "/api/accounts/verify",
    body: z.strictObject({ accountNumber: z.string().max(40), bankCode: z.string().max(20) }),
    response: z.strictObject({ accountName: z.string(), isKnown: z.boolean() }),
  },
  /** Takes coins and sends naira for them. The same command gets the same payment. */
  withdraw: {
    method: "post",
    path: "/api/withdrawals",
    body: z.strictObject({
      commandId,
      kobo,
      accountNumber: z.string().max(40),
      bankCode: z.string().max(20),
      password: field.optional(),
      /** The rate that the player was shown: at another one nothing is taken. */
      rateKobo: z.int(),
    }),
    response: payment,
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
  ...ADMIN_ROUTES,
  ...HOUSE_ROUTES,
  ...RELEASE_ROUTES,
} as const;

export type RouteName = keyof typeof ROUTES;
type Part<Name extends RouteName, Key extends string> =
  (typeof ROUTES)[Name] extends Record<Key, infer Schema>
    ? Schema extends z.ZodType
      ? z.infer<Schema>
      : undefined
    : undefined;

export type RouteBody<Name extends RouteName> = Part<Name, "body">;
export type RouteQuery<Name extends RouteName> = Part<Name, "query">;
export type RouteParams<Name extends RouteName> = Part<Name, "params">;
export type RouteResponse<Name extends RouteName> = Part<Name, "response">;

/** What answers a request that was refused: status by the map in refusals.ts. */
export const refusalSchema = z.strictObject({ code: z.string(), title: z.string(), text: z.string() });
