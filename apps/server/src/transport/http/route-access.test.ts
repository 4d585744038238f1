import { randomUUID } from "node:crypto";
import type { GameId } from "@holo/kernel/ids.ts";
import { REFUSALS, type RefusalCode } from "@holo/protocol/refusals/refusals.ts";
import type { Access, FileRoute, Route } from "@holo/protocol/route.ts";
import { FILE_ROUTES, type FileRouteName, ROUTES, type RouteName } from "@holo/protocol/routes.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import { type Fingerprint, makeFingerprint } from "../../platform/testing/test-rows.ts";
import { gameOf, idOf, newId, openGame, playGame } from "../testing/test-games.ts";
import { openTestHttp, PASSWORD, send, type TestHttp, type TestPerson } from "../testing/test-http.ts";
import { makeTestPeople, TEST_ROLES, type TestPeople, type TestRole } from "../testing/test-roles.ts";
import { openTestStaff } from "../testing/test-staff.ts";
import { toPattern } from "./routes.ts";

/** Every route over HTTP, called by every role. For the socket: socket/message-access.test.ts. */

let database: Database;
let http: TestHttp;
let people: TestPeople;
let fingerprint: () => Promise<Fingerprint>;
let somebody: TestPerson;
let waitingId: GameId;
let overId: GameId;
let invitedId: GameId;
let invitation: string;

beforeAll(async () => {
  database = await createTestDatabase();
  http = await openTestHttp(database);
  people = await makeTestPeople(http, await openTestStaff(http, database));
  fingerprint = await makeFingerprint(database);
  somebody = await http.addPlayer();
  overId = (await playGame(http.at, { white: somebody, black: await http.addPlayer() })).gameId;
  waitingId = await openGame(http.at, somebody);
  const order = { game: "chess", stake: 1, limitMinutes: 5, feeBps: 740, byInvitation: true } as const;
  const host = await http.addPlayer();
  invitedId = gameOf(await http.at.matches.create({ ...order, player: host, commandId: newId() }));
  invitation = (await http.at.matches.findOwnInvitation(invitedId, idOf(host))) ?? "";
});
afterAll(async () => {
  await http.close();
  await database.close();
});

type Outcome = number | RefusalCode;

interface Case {
  /** The answer to admitted callers. Default: 200. */
  readonly admitted?: Outcome;
  /** The answers to roles that differ, admitted or not. */
  readonly but?: Partial<Readonly<Record<TestRole, Outcome>>>;
  readonly ask?: () => RequestParts;
}

interface RequestParts {
  readonly id?: string;
  readonly search?: string;
  readonly body?: unknown;
}

const body = (value: unknown) => () => ({ body: value });
const MONEY = { kobo: 500_000, accountNumber: "0123456789", bankCode: "057" };
const NOBODY = "nobody-at-all";
const unknownId = (): RequestParts => ({ id: randomUUID() });
const toVisitors = (code: Outcome) => ({ visitor: code, "who was logged in as the CEO": code });
const NO_PLAY = {
  "blocked player": "banned",
  "excluded player": "self_excluded",
  "closing player": "account_closing",
} as const;

/** Routes that need a specific request, or answer otherwise than with 200. */
const ROUTE_CASES: Partial<Readonly<Record<RouteName, Case>>> = {
  register: {
    ask: () => {
      const username = `n${randomUUID().slice(0, 12)}`;
      return { body: { username, email: `${username}@example.com`, password: PASSWORD } };
    },
  },
  login: { ask: () => ({ body: { email: `${somebody.username}@example.com`, password: PASSWORD } }) },
  logout: { ask: body({}) },
  verifyEmail: { admitted: "unusable_link", ask: body({ token: "x" }) },
  forgotPassword: { ask: body({ email: "nobody@example.com" }) },
  resetPassword: { admitted: "unusable_reset_link", ask: body({ token: "x", password: PASSWORD }) },
  resendVerification: { ask: body({}) },
  changePassword: { ask: body({ password: PASSWORD, newPassword: PASSWORD }) },
  beginSecondFactor: { ask: body({ password: PASSWORD }) },
  enableSecondFactor: { admitted: "wrong_code", ask: body({ code: "no code" }) },
  disableSecondFactor: { ask: body({ password: PASSWORD, code: "no code" }) },
  confirmSecondFactor: { ask: body({ code: "no code" }) },
  changeEmail: {
    ask: () => ({ body: { password: PASSWORD, email: `${randomUUID()}@example.com` } }),
  },
  endSession: { ask: body({ id: "x" }) },
  endAllSessions: { ask: body({}) },
  subscribePush: {
    admitted: "unknown_push_service",
    ask: body({ endpoint: "https://127.0.0.1/x", keys: { p256dh: "B".repeat(87), auth: "A".repeat(22) } }),
  },
  unsubscribePush: { ask: body({ endpoint: "https://fcm.googleapis.com/x" }) },
  updateProfile: { ask: body({ soundEnabled: false }) },
  updateLimits: { ask: body({ session: 60 }) },
  excludeSelf: {
    admitted: "wrong_password",
    ask: body({ term: "day", coversFreeGames: true, password: "wrong horse" }),
  },
  closeAccount: {
    admitted: "account_not_verified",
    ask: () => ({ body: { commandId: randomUUID(), kobo: 7, feeKobo: 0, account: null, password: PASSWORD } }),
  },
  deleteAccount: { admitted: "wrong_password", ask: body({ password: "wrong horse" }) },

  match: { ask: () => ({ id: overId }) },
  log: { ask: () => ({ id: overId }) },
  settlement: { admitted: "unknown_game", ask: unknownId },
  invitation: { ask: () => ({ id: invitation }) },
  ownInvitation: { admitted: "unknown_game", ask: () => ({ id: invitedId }) },
  player: { ask: () => ({ id: somebody.id }) },
  playerNamed: { ask: () => ({ id: somebody.username }) },
  opponents: { ask: () => ({ search: `?players=${somebody.id}&game=chess&pool=free` }) },
  ladders: { ask: () => ({ search: "?game=chess" }) },
  updateRelation: { ask: () => ({ id: somebody.id, body: { muted: true } }) },
  report: {
    ask: () => ({ body: { gameId: overId, playerId: somebody.id, reason: "abuse", text: "…" } }),
  },

  deposit: {
    admitted: "payments_unavailable",
    but: { ...toVisitors("deposit_login_required"), ...NO_PLAY },
    ask: () => ({ body: { commandId: randomUUID(), kobo: 500_000, payKobo: 500_000, rateKobo: 30_600 } }),
  },
  reopenDeposit: { admitted: "unknown_payment", ask: body({ reference: "dep-x", rateKobo: 30_600 }) },
  checkDeposit: { admitted: "unknown_payment", ask: body({ reference: "dep-x" }) },
  refundToCard: {
    admitted: "unknown_payment",
    ask: () => ({ body: { paymentId: randomUUID(), kobo: 490_000, feeKobo: 10_000 } }),
  },
  verifyAccount: {
    admitted: "banks_unavailable",
    ask: body({ accountNumber: MONEY.accountNumber, bankCode: MONEY.bankCode }),
  },
  withdraw: {
    admitted: "account_not_verified",
    but: { "closing player": "insufficient_for_withdrawal" },
    ask: () => ({ body: { ...MONEY, commandId: randomUUID(), feeKobo: 0, rateKobo: 30_600 } }),
  },
  cancelWithdrawal: { admitted: "unknown_payment", ask: body({ reference: "wdr-x" }) },

  addAdmin: { ask: () => ({ body: { email: `${randomUUID()}@example.com`, password: PASSWORD } }) },
  removeAdmin: { admitted: "unknown_admin", ask: () => ({ body: unknownId() }) },
  correctPayment: {
    admitted: "unknown_payment",
    ask: body({ reference: "dep-x", act: "refund", kobo: 5, lastFact: 1, reason: "…" }),
  },
  confirmCorrection: { admitted: "unknown_payment", ask: () => ({ body: unknownId() }) },
  fairPlayCases: { ask: () => ({ search: "?state=open" }) },
  fairPlayCase: { admitted: "unknown_case", ask: unknownId },
  noteFairPlayCase: { admitted: "unknown_case", ask: () => ({ body: { ...unknownId(), reason: "…" } }) },
  clearFairPlayCase: { admitted: "unknown_case", ask: () => ({ body: { ...unknownId(), reason: "…" } }) },
  proposeForfeit: { admitted: "unknown_case", ask: () => ({ body: { ...unknownId(), reason: "…" } }) },
  withdrawForfeit: { admitted: "unknown_case", ask: () => ({ body: { ...unknownId(), proposalId: "1" } }) },
  confirmForfeit: { admitted: "unknown_case", ask: () => ({ body: { ...unknownId(), proposalId: "1" } }) },
  answerAppeal: {
    admitted: "unknown_case",
    ask: () => ({ body: { ...unknownId(), reason: "…", isAccepted: false } }),
  },
  writeToFairPlay: {
    admitted: "unknown_payment",
    ask: () => ({ body: { paymentId: randomUUID(), text: "…" } }),
  },
  appealForfeit: { admitted: "unknown_case", ask: () => ({ body: { ...unknownId(), text: "…" } }) },
  answerDispute: {
    admitted: "unknown_payment",
    ask: body({ reference: "dep-x", disputeId: "1", evidence: "…" }),
  },
  sendOrphanedBalance: {
    admitted: "nothing_left_behind",
    ask: () => ({
      body: { commandId: randomUUID(), playerId: somebody.id, kobo: 5, account: null, reason: "…" },
    }),
  },
  reconcile: { admitted: "provider_silent", ask: body({}) },
  switchMaintenance: { ask: body({ notice: null, sinceAt: null }) },
  cancelGame: {
    admitted: "unknown_game",
    ask: () => ({ body: { gameId: randomUUID(), reason: "…" } }),
  },
  gameChat: { ask: () => ({ id: overId }) },
  endReport: {
    admitted: "unknown_report",
    ask: () => ({ body: { id: randomUUID(), outcome: "acted", note: "…" } }),
  },
  searchPlayers: { ask: () => ({ search: "?text=a" }) },
  playerFile: { ask: () => ({ id: somebody.id }) },
  playerGames: { ask: () => ({ id: somebody.id }) },
  playerEntries: { ask: () => ({ id: somebody.id }) },
  banPlayer: { admitted: "unknown_player", ask: body({ playerId: NOBODY, reason: "…" }) },
  unbanPlayer: { admitted: "unknown_player", ask: body({ playerId: NOBODY, banId: "1", reason: "…" }) },
  holdWithdrawals: { admitted: "unknown_player", ask: body({ playerId: NOBODY, reason: "…" }) },
  releaseWithdrawals: { admitted: "unknown_player", ask: body({ playerId: NOBODY, holdId: "1", reason: "…" }) },
  releasePayouts: { admitted: "hold_unchanged", ask: body({ fromAt: 5, reason: "…" }) },
  makeReleaseCurrent: { admitted: "unknown_release", ask: () => ({ body: { ...unknownId(), insteadOf: null } }) },
  settingsEffect: { ask: body({ rateKobo: 30_600, feeBps: 740 }) },
  changeSettings: {
    admitted: "settings_changed",
    ask: () => {
      const settings = { rateKobo: 30_700, feeBps: 740 };
      return { body: { ...settings, expected: settings, commandId: randomUUID(), password: PASSWORD } };
    },
  },
  withdrawRevenue: {
    admitted: "account_not_verified",
    ask: () => ({ body: { ...MONEY, commandId: randomUUID(), password: PASSWORD } }),
  },
};

const FILE_ROUTE_CASES: Readonly<Record<FileRouteName, Case>> = {
  gameExport: { ask: () => ({ id: overId }) },
  gamePicture: { ask: () => ({ id: overId }) },
  statementFile: {},
  accountExport: {},
  uploadRelease: {
    admitted: "release_length_missing",
    ask: () => ({ search: "?platform=windows", body: new Uint8Array([77, 90]) }),
  },
  downloadRelease: { admitted: 404 },
};

/** Endpoints that are no routes of the protocol. */
const OTHER_ENDPOINTS = [
  "POST /api/paystack/webhook",
  "GET /.well-known/assetlinks.json",
  "GET /openapi.json",
  "GET /healthz",
  "GET /readyz",
  "GET /metrics",
];

/** Pages that the server answers itself: one that leads on, and a stand-in of development. */
const PAGES = ["GET /admin", "GET /admin/", "GET /api/support-stand-in"];

interface Row extends Case {
  readonly label: string;
  readonly method: string;
  readonly path: string;
  readonly access: Access;
}

function toRow({ method, path, access }: FileRoute | Route, one: Case = {}, what = ""): Row {
  const verb = method.toUpperCase();
  return { label: `${verb} ${path}${what}`, method: verb, path: toPattern(path), access, ...one };
}

const ROWS: readonly Row[] = [
  ...Object.entries(ROUTES).map(([name, route]) => toRow(route, ROUTE_CASES[name as RouteName])),
  ...Object.entries(FILE_ROUTES).map(([name, route]) => toRow(route, FILE_ROUTE_CASES[name as FileRouteName])),
  // Answers that depend on the request.
  toRow(ROUTES.matches, { but: toVisitors("login_required"), ask: () => ({ search: "?mine=true" }) }, " of one's own"),
  toRow(ROUTES.match, { admitted: "unknown_game", ask: () => ({ id: invitedId }) }, " by invitation"),
  toRow(ROUTES.match, { but: toVisitors("unknown_game"), ask: () => ({ id: waitingId }) }, " that waits"),
  toRow(
    ROUTES.log,
    { admitted: "game_not_over", but: toVisitors("unknown_game"), ask: () => ({ id: waitingId }) },
    " of a game that waits",
  ),
  toRow(
    FILE_ROUTES.gameExport,
    { admitted: "not_started", but: toVisitors("unknown_game"), ask: () => ({ id: waitingId }) },
    " of a game that waits",
  ),
];

function isAdmitted(access: Access, role: TestRole): boolean {
  switch (access) {
    case "anyone":
      return true;
    case "player":
      return role !== "visitor" && role !== "who was logged in as the CEO";
    case "admin":
      return role === "admin" || role === "CEO";
    case "ceo":
      return role === "CEO";
  }
}

const REFUSED_WITH: Readonly<Record<Access, Outcome>> = {
  anyone: 200,
  player: "login_required",
  admin: "access_denied",
  ceo: "access_denied",
};

function toOutcome({ access, admitted = 200, but = {} }: Row, role: TestRole): Outcome {
  return but[role] ?? (isAdmitted(access, role) ? admitted : REFUSED_WITH[access]);
}

async function request({ method, path, ask }: Row, role: TestRole, verb = method): Promise<Response> {
  const { id = "nothing", search = "", body: given } = ask?.() ?? {};
  const cookie = people[role]?.cookie;
  const headers = {
    ...(cookie !== undefined && { cookie }),
    ...(given instanceof Uint8Array && { "content-type": "application/octet-stream" }),
  };
  return await send(http.app, verb, `${path.replace(/:\w+/, id)}${search}`, given, headers);
}

async function answer(row: Row, role: TestRole): Promise<Outcome> {
  const response = await request(row, role);
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
  if (response.ok || !isJson) return response.status;
  const { code } = JSON.parse(text) as { readonly code: RefusalCode };
  expect(response.status, code).toBe(REFUSALS[code].status);
  return code;
}

async function answers(row: Row, roles: readonly TestRole[]) {
  const found = await Promise.all(roles.map(async (role) => [role, await answer(row, role)] as const));
  return Object.fromEntries(found);
}

const isRefused = ({ access, but = {} }: Row, role: TestRole): boolean =>
  !isAdmitted(access, role) || typeof but[role] === "string";

/** Asks as refused roles, after which nothing may have changed. */
async function refusing<Value>(ask: () => Promise<Value>, count: number): Promise<Value> {
  if (count === 0) return await ask();
  const readAll = async () => ({ rows: await fingerprint(), mails: http.mails.length });
  const before = await readAll();
  const answered = await ask();
  expect(await readAll()).toEqual(before);
  return answered;
}

/** Some routes end sessions, which the next route needs again. */
async function keepSessions<Value>({ method }: Row, ask: () => Promise<Value>): Promise<Value> {
  if (method === "GET") return await ask();
  const { rows } = await sql<{ readonly all: string }>`
    select coalesce(json_agg(kept), '[]')::text as all from sessions kept`.execute(database.kysely);
  const answered = await ask();
  await sql`delete from sessions`.execute(database.kysely);
  await sql`
    insert into sessions
    select * from json_populate_recordset(null::sessions, ${rows[0]?.all}::json)`.execute(database.kysely);
  return answered;
}

describe("the routes of the server", () => {
  // [ROLE-10 §6 r25] Other people are denied every page and every request of the administration.
  test("are those of the protocol and a few endpoints for operators and the provider [ROLE-10]", () => {
    const mounted = http.app.routes
      .filter(({ method }) => method !== "ALL")
      .map((route) => `${route.method} ${route.path}`);
    const listed = [...ROWS.map(({ method, path }) => `${method} ${path}`), ...OTHER_ENDPOINTS, ...PAGES];
    expect([...new Set(mounted)].sort()).toEqual([...new Set(listed)].sort());
  });

  test("answer other methods only with the methods they have", () => {
    const paths = new Set(ROWS.map(({ path }) => path));
    const others = http.app.routes.filter(({ method, path }) => method === "ALL" && path !== "/*" && !paths.has(path));
    expect(others).toEqual([]);
  });

  test("are for staff below /api/admin, and only these for anyone", () => {
    const all: readonly (readonly [string, Route | FileRoute])[] = Object.entries({ ...ROUTES, ...FILE_ROUTES });
    const isForStaff = (access: Access) => access === "admin" || access === "ceo";
    for (const [name, { path, access }] of all) expect(isForStaff(access), name).toBe(path.startsWith("/api/admin/"));
    const open = all.filter(([, { access }]) => access === "anyone").map(([name]) => name);
    expect(open.toSorted()).toEqual([
      "contact",
      "downloadRelease",
      "fairPlayYears",
      "forgotPassword",
      "gameExport",
      "gamePicture",
      "invitation",
      "ladders",
      "leaderboard",
      "log",
      "login",
      "logout",
      "match",
      "matches",
      "opponents",
      "player",
      "playerNamed",
      "register",
      "releases",
      "resetPassword",
      "session",
      "stats",
      "verifyEmail",
    ]);
  });

  test("leave settings and revenue to the CEO", () => {
    const forCeo = Object.entries(ROUTES).filter(([, { access }]) => access === "ceo");
    expect(forCeo.map(([name]) => name).toSorted()).toEqual([
      "adminSettings",
      "changeSettings",
      "revenue",
      "settingsEffect",
      "withdrawRevenue",
    ]);
  });

  test("leave the webhook to the provider, who signs it", async () => {
    const answered = await send(http.app, "POST", "/api/paystack/webhook", { event: "charge.success" });
    expect(await answered.json()).toMatchObject({ code: "bad_signature" });
  });

  test("need no session for operators", async () => {
    for (const endpoint of OTHER_ENDPOINTS.filter((one) => one.startsWith("GET ")))
      expect((await send(http.app, "GET", endpoint.slice(4))).status, endpoint).toBe(200);
  });
});

describe("a visitor, a player, an admin, the CEO and all roles between", () => {
  // [ROLE-07 §6 r25] Admins see the revenue page and manage the list of admins. They see neither the Admin Wallet nor
  // the settings.
  test.each(ROWS)("get from $label what its access says, and a refusal changes nothing [ROLE-07]", async (row) => {
    const expected = Object.fromEntries(TEST_ROLES.map((role) => [role, toOutcome(row, role)]));
    const refused = TEST_ROLES.filter((role) => isRefused(row, role));
    const toRefused = await refusing(() => answers(row, refused), refused.length);
    const others = TEST_ROLES.filter((role) => !refused.includes(role));
    const toOthers = await keepSessions(row, () => answers(row, others));
    expect({ ...toRefused, ...toOthers }).toEqual(expected);
  });

  test("get the same status for HEAD as for GET, without a body", async () => {
    for (const row of ROWS.filter(({ method }) => method === "GET")) {
      for (const role of ["visitor", "player"] as const) {
        const outcome = toOutcome(row, role);
        const head = await request(row, role, "HEAD");
        const status = typeof outcome === "number" ? outcome : REFUSALS[outcome].status;
        expect([head.status, await head.text()], row.label).toEqual([status, ""]);
      }
    }
  });
});
