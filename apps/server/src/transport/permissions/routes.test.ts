import { randomUUID } from "node:crypto";
import type { GameId } from "@holo/kernel/ids.ts";
import { REFUSALS, type RefusalCode } from "@holo/protocol/refusals/refusals.ts";
import { ROUTES, type RouteName } from "@holo/protocol/routes.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import { type Fingerprint, makeFingerprint } from "../../platform/testing/test-rows.ts";
import { openGame, playGame } from "../testing/test-games.ts";
import { openTestHttp, PASSWORD, send, type TestHttp, type TestPerson } from "../testing/test-http.ts";
import { makeTestPeople, TEST_ROLES, type TestPeople, type TestRole } from "../testing/test-roles.ts";
import { openTestStaff } from "../testing/test-staff.ts";

/** Who may do or see what over HTTP: every route that is mounted, asked by everyone whose rights differ. Messages are in permissions-socket. */

let database: Database;
let http: TestHttp;
let people: TestPeople;
let fingerprint: () => Promise<Fingerprint>;
/** Somebody who belongs to none of the roles, and what is theirs. */
let somebody: TestPerson;
let waitingId: GameId;
let overId: GameId;

beforeAll(async () => {
  database = await createTestDatabase();
  http = await openTestHttp(database);
  people = await makeTestPeople(http, await openTestStaff(http, database));
  fingerprint = await makeFingerprint(database);
  somebody = await http.addPlayer();
  overId = (await playGame(http.at, { white: somebody, black: await http.addPlayer() })).gameId;
  waitingId = await openGame(http.at, somebody);
});
afterAll(async () => {
  await http.close();
  await database.close();
});

/** Whom a route lets in; the others are refused as `login_required` or `access_denied`, and everything stays as it was. */
type Door = "everyone" | "players" | "admins" | "CEO" | "provider";

/** 200, another status without words, or the refusal. */
type Outcome = number | RefusalCode;

interface Row {
  readonly door: Door;
  /** What is answered to who is let in: done, or what is refused only behind the door. Left out: 200. */
  readonly behind?: Outcome;
  /** Who is answered otherwise, let in or not. */
  readonly but?: Partial<Readonly<Record<TestRole, Outcome>>>;
  /** What to ask; each time anew, since some of it can be asked once only. */
  readonly ask?: () => Question;
}

interface Question {
  /** For `{id}` in the path. */
  readonly id?: string;
  /** What follows the path. */
  readonly search?: string;
  readonly body?: unknown;
}

const body = (value: unknown) => () => ({ body: value });
const MONEY = { kobo: 500_000, accountNumber: "0123456789", bankCode: "057" };
const NOBODY = "nobody-at-all";
const unknownId = (): Question => ({ id: randomUUID() });
/** Visitors, and who was logged in. */
const toVisitors = (code: Outcome) => ({ visitor: code, "who was logged in as the CEO": code });
const NO_PLAY = {
  "blocked player": "blocked_by_house",
  "excluded player": "self_excluded",
  "closing player": "account_closing",
} as const;

const ROUTE_ROWS: Readonly<Record<RouteName, Row>> = {
  // who somebody is
  register: {
    door: "everyone",
    ask: () => {
      const username = `n${randomUUID().slice(0, 12)}`;
      return { body: { username, email: `${username}@example.com`, password: PASSWORD } };
    },
  },
  login: { door: "everyone", ask: () => ({ body: { email: `${somebody.username}@example.com`, password: PASSWORD } }) },
  logout: { door: "everyone", ask: body({}) },
  verifyEmail: { door: "everyone", behind: "unusable_link", ask: body({ token: "x" }) },
  forgotPassword: { door: "everyone", ask: body({ email: "nobody@example.com" }) },
  resetPassword: { door: "everyone", behind: "unusable_reset_link", ask: body({ token: "x", password: PASSWORD }) },
  session: { door: "everyone" },
  resendVerification: { door: "players", ask: body({}) },
  changePassword: { door: "players", ask: body({ password: PASSWORD, newPassword: PASSWORD }) },
  changeEmail: {
    door: "players",
    ask: () => ({ body: { password: PASSWORD, email: `${randomUUID()}@example.com` } }),
  },
  sessions: { door: "players" },
  endSession: { door: "players", ask: body({ id: "x" }) },
  endAllSessions: { door: "players", ask: body({}) },
  profile: { door: "players" },
  updateProfile: { door: "players", ask: body({ soundEnabled: false }) },
  limits: { door: "players" },
  updateLimits: { door: "players", ask: body({ session: 60 }) },
  excludeSelf: { door: "players", behind: "wrong_password", ask: body({ term: "day", password: "wrong horse" }) },
  closing: { door: "players" },
  closeAccount: {
    door: "players",
    behind: "account_not_verified",
    ask: () => ({ body: { commandId: randomUUID(), kobo: 7, account: null, password: PASSWORD } }),
  },
  deleteAccount: { door: "players", behind: "wrong_password", ask: body({ password: "wrong horse" }) },

  // games and people
  matches: { door: "everyone" },
  match: { door: "everyone", ask: () => ({ id: overId }) },
  log: { door: "everyone", ask: () => ({ id: overId }) },
  settlement: { door: "players", behind: "unknown_game", ask: unknownId },
  availability: { door: "players" },
  stats: { door: "everyone" },
  leaderboard: { door: "everyone" },
  history: { door: "players" },
  player: { door: "everyone", ask: () => ({ id: somebody.id }) },
  updateRelation: { door: "players", ask: () => ({ id: somebody.id, body: { muted: true } }) },
  report: {
    door: "players",
    ask: () => ({ body: { gameId: overId, playerId: somebody.id, reason: "abuse", text: "…" } }),
  },
  contact: { door: "everyone" },
  releases: { door: "everyone" },

  // money
  wallet: { door: "players" },
  statement: { door: "players" },
  deposit: {
    door: "players",
    // Nobody is there to be paid.
    behind: "payments_unavailable",
    but: { ...toVisitors("deposit_login_required"), ...NO_PLAY },
    ask: () => ({ body: { commandId: randomUUID(), kobo: 500_000, rateKobo: 30_600 } }),
  },
  reopenDeposit: { door: "players", behind: "unknown_payment", ask: body({ reference: "dep-x" }) },
  checkDeposit: { door: "players", behind: "unknown_payment", ask: body({ reference: "dep-x" }) },
  banks: { door: "players" },
  verifyAccount: {
    door: "players",
    behind: "unknown_bank_account",
    ask: body({ accountNumber: MONEY.accountNumber, bankCode: MONEY.bankCode }),
  },
  withdraw: {
    door: "players",
    behind: "account_not_verified",
    but: { "closing player": "insufficient_for_withdrawal" },
    ask: () => ({ body: { ...MONEY, commandId: randomUUID(), rateKobo: 30_600 } }),
  },

  // the house
  adminOverview: { door: "admins" },
  adminLive: { door: "admins" },
  adminDays: { door: "admins" },
  admins: { door: "admins" },
  addAdmin: { door: "admins", ask: () => ({ body: { email: `${randomUUID()}@example.com` } }) },
  removeAdmin: { door: "admins", behind: "unknown_admin", ask: () => ({ body: unknownId() }) },
  auditEvents: { door: "admins" },
  reviews: { door: "admins" },
  endReview: {
    door: "admins",
    behind: "unknown_payment",
    ask: body({ reference: "dep-x", end: "refund", reason: "…" }),
  },
  sendOrphanedBalance: {
    door: "admins",
    behind: "nothing_left_behind",
    ask: () => ({
      body: { commandId: randomUUID(), playerId: somebody.id, kobo: 5, account: null, reason: "…" },
    }),
  },
  reconcile: { door: "admins", behind: "provider_silent", ask: body({}) },
  switchMaintenance: { door: "admins", ask: body({ notice: null }) },
  cancelGame: {
    door: "admins",
    behind: "unknown_game",
    ask: () => ({ body: { gameId: randomUUID(), reason: "…" } }),
  },
  gameChat: { door: "admins", ask: () => ({ id: overId }) },
  reports: { door: "admins" },
  endReport: {
    door: "admins",
    behind: "unknown_report",
    ask: () => ({ body: { id: randomUUID(), outcome: "acted", note: "…" } }),
  },
  searchPlayers: { door: "admins", ask: () => ({ search: "?text=a" }) },
  playerFile: { door: "admins", ask: () => ({ id: somebody.id }) },
  playerGames: { door: "admins", ask: () => ({ id: somebody.id }) },
  playerEntries: { door: "admins", ask: () => ({ id: somebody.id }) },
  banPlayer: { door: "admins", behind: "unknown_player", ask: body({ playerId: NOBODY, reason: "…" }) },
  unbanPlayer: { door: "admins", behind: "unknown_player", ask: body({ playerId: NOBODY, reason: "…" }) },
  adminReleases: { door: "admins" },
  makeReleaseCurrent: { door: "admins", behind: "unknown_release", ask: () => ({ body: unknownId() }) },
  adminSettings: { door: "CEO" },
  settingsEffect: { door: "CEO", ask: body({ rateKobo: 30_600, feeBps: 740 }) },
  changeSettings: {
    door: "CEO",
    behind: "settings_changed",
    ask: () => {
      const settings = { rateKobo: 30_700, feeBps: 740 };
      return { body: { ...settings, expected: settings, commandId: randomUUID(), password: PASSWORD } };
    },
  },
  revenue: { door: "CEO" },
  withdrawRevenue: {
    door: "CEO",
    behind: "account_not_verified",
    ask: () => ({ body: { ...MONEY, commandId: randomUUID(), password: PASSWORD } }),
  },
};

/** What is mounted by itself, since it takes or gives no JSON of the protocol. */
const OTHER_ROWS: Readonly<Record<string, Row>> = {
  "GET /api/matches/:id/record": { door: "everyone", ask: () => ({ id: overId }) },
  "GET /api/statement.csv": { door: "players" },
  "GET /api/account/export.json": { door: "players" },
  "POST /api/admin/releases": {
    door: "admins",
    behind: "release_length_missing",
    ask: () => ({ search: "?platform=windows", body: new Uint8Array([77, 90]) }),
  },
  "GET /downloads/:fileName": { door: "everyone", behind: 404 },
  "POST /api/paystack/webhook": { door: "provider", ask: body({ event: "charge.success" }) },
  "GET /.well-known/assetlinks.json": { door: "everyone" },
  "GET /openapi.json": { door: "everyone" },
  "GET /healthz": { door: "everyone" },
  "GET /readyz": { door: "everyone" },
  // For operators: a proxy keeps it from the public (README).
  "GET /metrics": { door: "everyone" },
};

/** Routes that answer differently by what is asked of them. */
const FURTHER_ROWS: readonly (readonly [endpoint: string, what: string, row: Row])[] = [
  ["GET /api/matches", "one's own", { door: "players", ask: () => ({ search: "?mine=true" }) }],
  [
    "GET /api/matches/:id",
    "that waits",
    { door: "everyone", but: toVisitors("unknown_game"), ask: () => ({ id: waitingId }) },
  ],
  [
    "GET /api/matches/:id/log",
    "of one that waits",
    { door: "everyone", behind: "game_not_over", but: toVisitors("unknown_game"), ask: () => ({ id: waitingId }) },
  ],
  [
    "GET /api/matches/:id/record",
    "of one that waits",
    { door: "everyone", behind: "not_started", but: toVisitors("unknown_game"), ask: () => ({ id: waitingId }) },
  ],
];

const toEndpoint = (name: RouteName): string => {
  const { method, path } = ROUTES[name];
  return `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ":$1")}`;
};
const ROWS: readonly (readonly [label: string, endpoint: string, row: Row])[] = [
  ...Object.entries(ROUTE_ROWS).map(([name, row]) => [toEndpoint(name as RouteName), row] as const),
  ...Object.entries(OTHER_ROWS),
]
  .map(([endpoint, row]) => [endpoint, endpoint, row] as const)
  .concat(FURTHER_ROWS.map(([endpoint, what, row]) => [`${endpoint} ${what}`, endpoint, row]));

function isLetIn(door: Door, role: TestRole): boolean {
  switch (door) {
    case "everyone":
      return true;
    case "players":
      return role !== "visitor" && role !== "who was logged in as the CEO";
    case "admins":
      return role === "admin" || role === "CEO";
    case "CEO":
      return role === "CEO";
    case "provider":
      return false;
  }
}

const REFUSED_AT: Readonly<Record<Door, Outcome>> = {
  everyone: 200,
  players: "login_required",
  admins: "access_denied",
  CEO: "access_denied",
  provider: "bad_signature",
};

function toOutcome({ door, behind = 200, but = {} }: Row, role: TestRole): Outcome {
  return but[role] ?? (isLetIn(door, role) ? behind : REFUSED_AT[door]);
}

async function request(endpoint: string, { ask }: Row, role: TestRole, verb?: string): Promise<Response> {
  const [method = "", path = ""] = endpoint.split(" ");
  const { id = "nothing", search = "", body: given } = ask?.() ?? {};
  const cookie = people[role]?.cookie;
  const headers = {
    ...(cookie !== undefined && { cookie }),
    ...(given instanceof Uint8Array && { "content-type": "application/octet-stream" }),
  };
  return await send(http.app, verb ?? method, `${path.replace(/:\w+/, id)}${search}`, given, headers);
}

async function answer(endpoint: string, row: Row, role: TestRole): Promise<Outcome> {
  const answered = await request(endpoint, row, role);
  const text = await answered.text();
  const isJson = answered.headers.get("content-type")?.startsWith("application/json") === true;
  if (answered.ok || !isJson) return answered.status;
  const { code } = JSON.parse(text) as { readonly code: RefusalCode };
  expect(answered.status, code).toBe(REFUSALS[code].status);
  return code;
}

async function answers(endpoint: string, row: Row, roles: readonly TestRole[]) {
  const found = await Promise.all(roles.map(async (role) => [role, await answer(endpoint, row, role)] as const));
  return Object.fromEntries(found);
}

/** Refused for who they are, not for what they asked. */
const isRefused = ({ door, but = {} }: Row, role: TestRole): boolean =>
  !isLetIn(door, role) || typeof but[role] === "string";

/** Asks those who are to be refused, after which nothing may have changed. */
async function refusing<Value>(ask: () => Promise<Value>, count: number): Promise<Value> {
  if (count === 0) return await ask();
  const readAll = async () => ({ rows: await fingerprint(), mails: http.mails.length });
  const before = await readAll();
  const answered = await ask();
  expect(await readAll()).toEqual(before);
  return answered;
}

/** Some routes end sessions: whoever asks the next one is logged in again. */
async function keepSessions<Value>(endpoint: string, ask: () => Promise<Value>): Promise<Value> {
  if (endpoint.startsWith("GET")) return await ask();
  const { rows } = await sql<{ readonly all: string }>`
    select coalesce(json_agg(kept), '[]')::text as all from auth_sessions kept`.execute(database.kysely);
  const answered = await ask();
  await sql`delete from auth_sessions`.execute(database.kysely);
  await sql`
    insert into auth_sessions
    select * from json_populate_recordset(null::auth_sessions, ${rows[0]?.all}::json)`.execute(database.kysely);
  return answered;
}

describe("the table", () => {
  test("names every route that the server has, and none that it has not [ROLE-10]", () => {
    const mounted = http.app.routes
      .filter(({ method }) => method !== "ALL")
      .map((route) => `${route.method} ${route.path}`);
    expect([...new Set(mounted)].sort()).toEqual([...new Set(ROWS.map(([, endpoint]) => endpoint))].sort());
  });

  test("leaves out nothing that answers to every method, but what says which methods there are", () => {
    const paths = new Set(ROWS.map(([, endpoint]) => endpoint.split(" ")[1]));
    const others = http.app.routes.filter(({ method, path }) => method === "ALL" && path !== "/*" && !paths.has(path));
    expect(others).toEqual([]);
  });
});

describe("to a visitor, a player, an admin, the CEO and all between", () => {
  test.each(ROWS)(
    "%s is answered as the table says, and changes nothing where it is refused [ROLE-07]",
    async (_label, endpoint, row) => {
      const expected = Object.fromEntries(TEST_ROLES.map((role) => [role, toOutcome(row, role)]));
      const refused = TEST_ROLES.filter((role) => isRefused(row, role));
      const toRefused = await refusing(() => answers(endpoint, row, refused), refused.length);
      const others = TEST_ROLES.filter((role) => !refused.includes(role));
      const toOthers = await keepSessions(endpoint, () => answers(endpoint, row, others));
      expect({ ...toRefused, ...toOthers }).toEqual(expected);
    },
  );

  test("HEAD is answered as GET is, without a body", async () => {
    for (const [label, endpoint, row] of ROWS.filter(([, endpoint]) => endpoint.startsWith("GET"))) {
      for (const role of ["visitor", "player"] as const) {
        const outcome = toOutcome(row, role);
        const head = await request(endpoint, row, role, "HEAD");
        const status = typeof outcome === "number" ? outcome : REFUSALS[outcome].status;
        expect([head.status, await head.text()], label).toEqual([status, ""]);
      }
    }
  });
});
