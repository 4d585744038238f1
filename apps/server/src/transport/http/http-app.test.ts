import { randomUUID } from "node:crypto";
import { refuse } from "@holo/kernel/result.ts";
import { PROFILE_DEFAULTS } from "@holo/protocol/accounts/profile.ts";
import { RELEASE_UPLOAD_PATH } from "@holo/protocol/release-terms.ts";
import { ROUTES, type RouteName } from "@holo/protocol/routes.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadVersion } from "../../platform/build.ts";
import type { Database } from "../../platform/database/database.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import { COST } from "../admission/admission.ts";
import { openTestHttp, PASSWORD, send, type TestHttp } from "../testing/test-http.ts";
import { openTestStaff } from "../testing/test-staff.ts";
import type { MetricsAccess } from "./metrics.ts";
import type { Handler } from "./routes.ts";

interface Operation {
  readonly parameters: readonly { readonly name: string; readonly schema: { readonly enum?: readonly string[] } }[];
  readonly responses: Responses;
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}
type Responses = Readonly<
  Record<string, { readonly content: { readonly "application/json": { readonly schema: Schema } } }>
>;
interface Schema {
  readonly properties: { readonly code: { readonly enum: readonly string[] } };
}

const NONE = { value: null, next: null };
const NO_LIMITS = { depositDay: NONE, depositWeek: NONE, depositMonth: NONE, stake: NONE, session: NONE };

let database: Database;
let http: TestHttp;
let cookie: string;
let ceoCookie: string;

beforeAll(async () => {
  database = await createTestDatabase();
  http = await openTestHttp(database);
  cookie = await http.logIn("Amara");
  ceoCookie = (await openTestStaff(http, database)).ceo.cookie;
});

afterAll(async () => {
  await http.close();
  await database.close();
});

const request = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  send(http.app, method, path, body, { cookie, ...headers });

async function readAll(): Promise<unknown> {
  const { rows } = await sql`
    select (select json_agg(a order by id) from players a) as players, (select json_agg(p order by id) from profiles p) as profiles,
      (select json_agg(s order by id) from sessions s) as sessions, (select count(*) from passwords) as passwords,
      (select json_agg(e order by id) from ledger_entries e) as entries, (select count(*) from ledger_accounts) as wallets,
      (select count(*) from games) as games, (select count(*) from player_relations) as relations,
      (select count(*) from reports) as reports, (select json_agg(p order by id) from payments p) as payments,
      (select count(*) from payment_facts) as facts, (select count(*) from bank_accounts) as bank_accounts,
      (select json_agg(l) from player_limits l) as limits, (select count(*) from self_exclusions) as exclusions`.execute(
    database.kysely,
  );
  return rows;
}

async function expectRefused(answer: Response, status: number, code: string): Promise<void> {
  expect(await answer.json()).toMatchObject({ code, title: expect.any(String), text: expect.any(String) });
  expect(answer.status).toBe(status);
  expect(answer.headers.get("cache-control")).toBe("no-store");
}

describe("accounts by HTTP", () => {
  test("a registration creates no session and answers identically for a known address", async () => {
    const register = async (username: string) => {
      const form = { username, email: "obi@example.com", password: PASSWORD };
      const answer = await send(http.app, "POST", "/api/register", form);
      const headers = [...answer.headers].filter(([name]) => name !== "x-request-id");
      return { status: answer.status, headers, body: await answer.text() };
    };
    const [first, second] = [await register("Obi"), await register("Obi-again")];
    expect(first).toMatchObject({ status: 200, body: "{}" });
    expect(first.headers.map(([name]) => name)).not.toContain("set-cookie");
    expect(second).toEqual(first);
    const to = http.mails.filter((mail) => mail.to === "obi@example.com");
    expect(to.map(({ kind }) => kind)).toEqual(["verify_email", "known_address"]);
  });

  test("a login answers with session view and cookie", async () => {
    const answer = await send(http.app, "POST", "/api/login", { email: "AMARA@example.com", password: PASSWORD });
    expect(answer.headers.get("set-cookie")).toMatch(/^holo_session=.*HttpOnly/);
    expect(await answer.json()).toEqual({
      player: {
        id: expect.any(String),
        username: "Amara",
        email: "amara@example.com",
        emailVerified: false,
        ...PROFILE_DEFAULTS,
      },
      role: null,
      balance: "0",
      openGame: null,
      settings: { rateKobo: 30_600, feeBps: 740 },
      pausedUntil: null,
      limits: {
        ...NO_LIMITS,
        excludedUntil: null,
        excludedFromFreeUntil: null,
        closingAt: null,
        bannedFor: null,
        moneyHold: null,
        withdrawalsHeldFor: null,
      },
      maintenance: null,
      isFirst: false,
    });
  });

  test("refuses wrong credentials and taken names with the product's texts", async () => {
    const wrong = await send(http.app, "POST", "/api/login", { email: "amara@example.com", password: "wrong horse" });
    expect(wrong.status).toBe(401);
    expect(await wrong.json()).toEqual({
      code: "invalid_credentials",
      title: "Login failed",
      text: "Invalid email or password. Please try again.",
    });
    const form = { username: "amara", email: "new@example.com", password: PASSWORD };
    await expectRefused(await send(http.app, "POST", "/api/register", form), 409, "username_taken");
  });

  // [ENT-01 §3 r29] A profile's notifications are on by default and are also stored on the device.
  test("the cookie identifies the session until logout [ENT-01 CALL-01]", async () => {
    const own = await http.logIn();
    const before = await send(http.app, "GET", "/api/session", undefined, { cookie: own });
    expect(await before.json()).toMatchObject({ player: { notificationsEnabled: true } });
    const logout = await send(http.app, "POST", "/api/logout", {}, { cookie: own });
    expect(logout.headers.get("set-cookie")).toMatch(/^holo_session=; Max-Age=0/);
    const after = await send(http.app, "GET", "/api/session", undefined, { cookie: own });
    expect(await after.json()).toMatchObject({ player: null, balance: "0" });
  });

  test("a profile shows the player's games and accepts single settings", async () => {
    const own = await http.logIn();
    const patched = await send(http.app, "PATCH", "/api/profile", { soundEnabled: false }, { cookie: own });
    expect(await patched.json()).toMatchObject({ notificationsEnabled: true, soundEnabled: false });
    const profile = await send(http.app, "GET", "/api/profile", undefined, { cookie: own });
    expect(await profile.json()).toMatchObject({
      player: { soundEnabled: false },
      balance: "0",
      games: { pending: 0, active: 0, completed: 0, wins: 0, losses: 0, draws: 0 },
      matches: [],
    });
  });

  test("a visitor has no profile", async () => {
    await expectRefused(await send(http.app, "GET", "/api/profile"), 401, "login_required");
    await expectRefused(await send(http.app, "PATCH", "/api/profile", { soundEnabled: false }), 401, "login_required");
  });
});

describe("bad input", () => {
  const good: Partial<Record<RouteName, unknown>> = {
    register: { username: "Bad", email: "bad@example.com", password: PASSWORD },
    login: { email: "amara@example.com", password: PASSWORD },
    logout: {},
    verifyEmail: { token: "x" },
    resendVerification: {},
    forgotPassword: { email: "amara@example.com" },
    resetPassword: { token: "x", password: PASSWORD },
    changePassword: { password: PASSWORD, newPassword: PASSWORD },
    beginSecondFactor: { password: PASSWORD },
    enableSecondFactor: { code: "000000" },
    disableSecondFactor: { password: PASSWORD, code: "000000" },
    confirmSecondFactor: { code: "000000" },
    changeEmail: { password: PASSWORD, email: "new@example.com" },
    endSession: { id: "x" },
    endAllSessions: {},
    deleteAccount: { password: PASSWORD },
    subscribePush: { endpoint: "https://push.example/x", keys: { p256dh: "B".repeat(87), auth: "A".repeat(22) } },
    unsubscribePush: { endpoint: "https://push.example/x" },
    updateProfile: { soundEnabled: false },
    updateRelation: { muted: true, blocked: true },
    deposit: { commandId: randomUUID(), kobo: 500_000, payKobo: 500_000, rateKobo: 30_600 },
    reopenDeposit: { reference: "dep-x", rateKobo: 30_600 },
    checkDeposit: { reference: "dep-x" },
    refundToCard: { paymentId: randomUUID(), kobo: 490_000, feeKobo: 10_000 },
    verifyAccount: { accountNumber: "0123456789", bankCode: "057" },
    cancelWithdrawal: { reference: "wdr-x" },
    withdraw: {
      commandId: randomUUID(),
      kobo: 500_000,
      feeKobo: 0,
      accountNumber: "0123456789",
      bankCode: "057",
      password: PASSWORD,
      rateKobo: 30_600,
    },
    closeAccount: {
      commandId: randomUUID(),
      kobo: 500_000,
      feeKobo: 0,
      account: { accountNumber: "0123456789", bankCode: "057" },
      password: PASSWORD,
    },
    correctPayment: { reference: "dep-x", act: "refund", kobo: 5, lastFact: 1, reason: "…" },
    confirmCorrection: { id: randomUUID() },
    noteFairPlayCase: { id: randomUUID(), reason: "…" },
    clearFairPlayCase: { id: randomUUID(), reason: "…" },
    proposeForfeit: { id: randomUUID(), reason: "…" },
    withdrawForfeit: { id: randomUUID(), proposalId: "1" },
    confirmForfeit: { id: randomUUID(), proposalId: "1" },
    answerAppeal: { id: randomUUID(), reason: "…", isAccepted: false },
    writeToFairPlay: { paymentId: randomUUID(), text: "…" },
    appealForfeit: { id: randomUUID(), text: "…" },
    answerDispute: { reference: "dep-x", disputeId: "1", evidence: "…" },
    sendOrphanedBalance: {
      commandId: randomUUID(),
      playerId: "somebody-else",
      kobo: 5,
      account: { accountNumber: "0123456789", bankCode: "057" },
      password: PASSWORD,
      reason: "…",
    },
    reconcile: {},
    withdrawRevenue: {
      commandId: randomUUID(),
      kobo: 500_000,
      accountNumber: "0123456789",
      bankCode: "057",
      password: PASSWORD,
    },
    updateLimits: { depositDay: 500_000, depositWeek: 500_000, depositMonth: 500_000, stake: 2, session: 60 },
    excludeSelf: { term: "day", coversFreeGames: true, password: PASSWORD },
    addAdmin: { email: "friend@example.com", password: PASSWORD },
    removeAdmin: { id: randomUUID() },
    settingsEffect: { rateKobo: 30_600, feeBps: 740 },
    changeSettings: {
      rateKobo: 30_600,
      feeBps: 700,
      expected: { rateKobo: 30_600, feeBps: 740 },
      commandId: randomUUID(),
      password: PASSWORD,
    },
    cancelGame: { gameId: randomUUID(), reason: "…" },
    endReport: { id: randomUUID(), outcome: "acted", note: "…" },
    switchMaintenance: { notice: "Back soon.", sinceAt: 5 },
    banPlayer: { playerId: randomUUID(), reason: "…" },
    unbanPlayer: { playerId: randomUUID(), banId: "1", reason: "…" },
    holdWithdrawals: { playerId: randomUUID(), reason: "…" },
    releaseWithdrawals: { playerId: randomUUID(), holdId: "1", reason: "…" },
    releasePayouts: { fromAt: 5, reason: "…" },
    makeReleaseCurrent: { id: randomUUID(), insteadOf: randomUUID() },
    report: { gameId: randomUUID(), playerId: randomUUID(), reason: "abuse", text: "…" },
  };
  const nullable: ReadonlySet<string> = new Set([
    "playerId",
    "account",
    "notice",
    "insteadOf",
    "sinceAt",
    ...["depositDay", "depositWeek", "depositMonth", "stake", "session"],
  ]);
  const routes = Object.entries(ROUTES).map(([name, route]) => ({
    name: name as RouteName,
    method: route.method.toUpperCase(),
    path: route.path.replace("{id}", randomUUID()),
    isForStaff: route.access === "admin" || route.access === "ceo",
  }));
  const writing = routes.filter(({ method }) => method !== "GET");

  async function refusesWithoutWriting(ask: () => Promise<Response>, status: number, code: string): Promise<void> {
    const before = await readAll();
    await expectRefused(await ask(), status, code);
    expect(await readAll()).toEqual(before);
  }

  test.each(writing)(
    "$method $path takes nothing but the JSON it expects",
    async ({ name, method, path, isForStaff }) => {
      const headers = isForStaff ? { cookie: ceoCookie } : { cookie };
      const body = good[name] as Readonly<Record<string, unknown>>;
      const wrong: readonly unknown[] = [
        { ...body, isAdmin: true },
        `{"__proto__": {"isAdmin": true}, ${JSON.stringify(body).slice(1)}`,
        ...Object.keys(body).map((key) => ({ ...body, [key]: typeof body[key] === "number" ? "7" : 7 })),
        ...Object.keys(body)
          .filter((key) => !nullable.has(key) && !nullable.has(`${name}.${key}`))
          .map((key) => ({ ...body, [key]: null })),
        ...Object.keys(body).map((key) => ({ ...body, [key]: ["x"] })),
        ...Object.keys(body).map((key) => ({ ...body, [key]: { $ne: "" } })),
        [],
        "null",
        '"text"',
        "1e999",
        "{",
        "",
        "\u0000",
      ];
      for (const bad of wrong)
        await refusesWithoutWriting(() => request(method, path, bad, headers), 400, "bad_request");
      const forms = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""];
      for (const type of forms) {
        const ask = () => request(method, path, JSON.stringify(body), { ...headers, "content-type": type });
        await refusesWithoutWriting(ask, 400, "bad_request");
      }
    },
  );

  const AMOUNTS = [
    ["4999.99", "bad_request", 400],
    ["500000.5", "bad_request", 400],
    ["NaN", "bad_request", 400],
    ["1e309", "bad_request", 400],
    ["-1e309", "bad_request", 400],
    ['"500000"', "bad_request", 400],
    ['"5000"', "bad_request", 400],
    ["9007199254740993", "bad_request", 400],
    ["[500000]", "bad_request", 400],
    ["true", "bad_request", 400],
    ["null", "bad_request", 400],
    ["9007199254740991", "too_large", 422],
    ["100000000001", "too_large", 422],
    ["-1", "too_small", 422],
    ["-500000", "too_small", 422],
    ["0", "too_small", 422],
    ["-0", "too_small", 422],
    ["499999", "too_small", 422],
  ] as const;

  test.each(AMOUNTS)("an amount of %s kobo is refused with %s, coming in and going out", async (kobo, code, status) => {
    for (const [name, path] of [["deposit", "/api/deposits"] as const, ["withdraw", "/api/withdrawals"] as const]) {
      const body = JSON.stringify(good[name]).replace("500000", kobo);
      const [small, large] =
        name === "deposit" ? ["deposit_too_small", "deposit_too_large"] : ["withdrawal_too_small", "bad_amount"];
      const own = code === "too_small" ? small : code === "too_large" ? large : code;
      await refusesWithoutWriting(() => request("POST", path, body), status, own);
    }
  });

  test.each(writing)("$method $path takes at most 16 KiB", async ({ name, method, path, isForStaff }) => {
    const body = JSON.stringify({ ...(good[name] as object), filler: "x".repeat(16 * 1024) });
    await refusesWithoutWriting(
      () => request(method, path, body, isForStaff ? { cookie: ceoCookie } : {}),
      413,
      "too_large",
    );
  });

  test.each(writing)("$method $path accepts only our own origin [ROLE-12]", async ({ name, method, path }) => {
    const foreign: readonly Record<string, string>[] = [
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: "http://arena.test.evil.example" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "none" },
    ];
    for (const headers of foreign) {
      await refusesWithoutWriting(() => request(method, path, good[name], headers), 403, "foreign_origin");
    }
    const nameless = () =>
      Promise.resolve(
        http.app.request(path, { method, body: "{}", headers: { cookie, "content-type": "application/json" } }, {}),
      );
    await refusesWithoutWriting(nameless, 403, "foreign_origin");
  });

  test.each(writing)("$method $path does not fail on a character that no text column stores", async (route) => {
    const body = good[route.name] as Readonly<Record<string, unknown>>;
    const texts = Object.keys(body).filter((key) => typeof body[key] === "string");
    for (const key of texts) {
      const answer = await request(route.method, route.path, { ...body, [key]: `${body[key]}\0` });
      expect(await answer.json(), key).not.toHaveProperty("code", "something_went_wrong");
    }
  });

  test.each(routes)("$method $path answers only its own methods", async ({ path }) => {
    const allowed = routes.filter(
      (route) => ROUTES[route.name].path.replace("{id}", "") === path.replace(/[0-9a-f-]{36}/, ""),
    );
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
      // Uploads use the path of the list.
      const isUpload = method === "POST" && path === RELEASE_UPLOAD_PATH;
      if (isUpload || allowed.some((route) => route.method === method)) continue;
      const ask = () => request(method, path, method === "GET" ? undefined : {});
      await refusesWithoutWriting(ask, 405, "method_not_allowed");
    }
  });

  test.each([
    ["/api/matches/not-an-id", 400, "bad_request"],
    [`/api/matches/${randomUUID()}`, 404, "unknown_game"],
    [`/api/matches/${randomUUID().toUpperCase()}/../x`, 400, "bad_request"],
    ["/api/matches/not-an-id/log", 400, "bad_request"],
    ["/api/matches/not-an-id/settlement", 400, "bad_request"],
    ["/api/players/short", 400, "bad_request"],
    ["/api/players/no%20such%20player", 400, "bad_request"],
    ["/api/players/no-such-player", 404, "unknown_player"],
    ["/api/matches?status=cancelled", 400, "bad_request"],
    ["/api/matches?status=active&status=pending", 400, "bad_request"],
    ["/api/matches?mine=yes", 400, "bad_request"],
    ["/api/matches?player=someone", 400, "bad_request"],
    [`/api/matches?search=${"x".repeat(61)}`, 400, "bad_request"],
    ["/api", 404, "not_found"],
    ["/api/", 404, "not_found"],
    ["/api/admin", 404, "not_found"],
    ["/api/session/extra", 404, "not_found"],
    ["/socket", 404, "not_found"],
  ])("GET %s is refused as %i", async (path, status, code) => {
    await refusesWithoutWriting(() => request("GET", path), status, code);
  });

  test.each(["%25%27", "_", "' or 1=1 --", "%00", "ünï", "\\"])(
    "a search for %s finds nothing and does not fail",
    async (text) => {
      const answer = await request(
        "GET",
        `/api/matches?search=${text.startsWith("%") ? text : encodeURIComponent(text)}`,
      );
      expect([200, 400]).toContain(answer.status);
    },
  );

  test("treats an invalid cookie as a visitor", async () => {
    for (const bad of ["holo_session=", "holo_session=%", `holo_session=${"x".repeat(5_000)}`, ";;;=;"]) {
      const answer = await send(http.app, "GET", "/api/session", undefined, { cookie: bad });
      expect(await answer.json()).toMatchObject({ player: null });
    }
  });
});

test("refuses too many requests before any query", async () => {
  const limited = await openTestHttp(database, {
    budgets: { perAddress: { burst: 2 * COST.route, refillMs: 60_000 } },
  });
  const statuses: number[] = [];
  for (let i = 0; i < 3; i += 1) statuses.push((await send(limited.app, "GET", "/api/stats")).status);
  expect(statuses).toEqual([200, 200, 429]);
  expect((await send(limited.app, "GET", "/healthz")).status).toBe(200);
  await limited.close();
});

test("keeps the limit of players apart from that of strangers at the same address", async () => {
  const three = { burst: 3 * COST.route, refillMs: 60_000 };
  const limited = await openTestHttp(database, { budgets: { perAddress: three, perKnown: three } });
  const cookie = await limited.logIn();
  const ask = async (headers = {}) => (await send(limited.app, "GET", "/api/stats", undefined, headers)).status;
  expect([await ask(), await ask()]).toEqual([200, 429]);
  expect([await ask({ cookie }), await ask({ cookie }), await ask({ cookie })]).toEqual([200, 200, 200]);
  expect(await ask({ cookie })).toBe(429);
  await limited.close();
});

test("a fault exposes no details", async () => {
  const own = await createTestDatabase();
  const broken = await openTestHttp(own);
  const mine = await broken.logIn();
  await own.pool.query("alter table profiles rename to lost");
  const answer = await send(broken.app, "GET", "/api/profile", undefined, { cookie: mine });
  await expectRefused(answer, 500, "something_went_wrong");
  await broken.close();
  await own.close();
});

describe("for operators", () => {
  test("healthz, readyz and metrics answer", async () => {
    const health = await request("GET", "/healthz");
    expect([health.status, await health.text()]).toEqual([200, `ok ${loadVersion()}`]);
    expect((await request("GET", "/readyz")).status).toBe(200);
    const metrics = await request("GET", "/metrics");
    expect(metrics.headers.get("content-type")).toMatch(/^text\/plain/);
  });

  // [OPS-55 §-] The metrics count requests by route and status, and tell how many servers serve, with and without
  // NATS.
  test("metrics count requests by route and status, never by path [OPS-55]", async () => {
    await request("GET", "/api/players/nobody-1");
    await request("DELETE", "/api/players/nobody-2");
    await request("GET", "/no-such-page");
    const text = await (await request("GET", "/metrics")).text();
    const routes = [...text.matchAll(/holo_http_seconds_count\{route="(.*)",status="(\d+)"\}/g)].map(
      ([, ...one]) => one,
    );
    expect(routes).toEqual(
      expect.arrayContaining([
        ["GET /healthz", "200"],
        ["GET /readyz", "200"],
        ["GET /api/players/:id", "404"],
        ["ALL /api/players/:id", "405"],
        ["other", "404"],
      ]),
    );
    expect(text).not.toMatch(/nobody-|no-such-page/);
  });

  test("metrics need their token, and are not served without permission", async () => {
    const open = async (metricsAccess: MetricsAccess, headers = {}) => {
      const own = await openTestHttp(database, { metricsAccess });
      const { status } = await send(own.app, "GET", "/metrics", undefined, headers);
      await own.close();
      return status;
    };
    const token = "a token of tests";
    expect(await open({ isServed: false, token: null })).toBe(404);
    expect(await open({ isServed: true, token })).toBe(401);
    expect(await open({ isServed: true, token }, { authorization: "Bearer another" })).toBe(401);
    expect(await open({ isServed: true, token }, { authorization: `Bearer ${token}` })).toBe(200);
  });

  test("/admin leads to its first page [HEAD-02]", async () => {
    const answer = await send(http.app, "GET", "/admin");
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/admin/revenue"]);
  });

  test("readyz reports that the server is not ready", async () => {
    const draining = await openTestHttp(database, { isReady: async () => false });
    expect((await send(draining.app, "GET", "/readyz")).status).toBe(503);
    await draining.close();
  });

  test("a fault that is no Error is answered, logged and counted like any other [OPS-41]", async () => {
    const broken = await openTestHttp(database, { isReady: () => Promise.reject("no Error") });
    const answer = await send(broken.app, "GET", "/readyz");
    expect(answer.status).toBe(500);
    expect(await answer.json()).toMatchObject({ code: "something_went_wrong", requestId: expect.any(String) });
    const metrics = await (await send(broken.app, "GET", "/metrics")).text();
    expect(metrics).toMatch(/^holo_http_faults_total 1$/m);
    await broken.close();
  });

  test("openapi.json describes every route of the protocol", async () => {
    const description = (await (await request("GET", "/openapi.json")).json()) as { paths: Record<string, object> };
    const described = Object.entries(description.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    expect(described.sort()).toEqual(
      Object.values(ROUTES)
        .map(({ method, path }) => `${method} ${path}`)
        .sort(),
    );
  });

  test("openapi.json lists the games, stakes and time limits", async () => {
    const { paths } = (await (await request("GET", "/openapi.json")).json()) as Description;
    const { parameters } = paths["/api/matches"]!.get!;
    const choices = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema.enum]));
    expect(choices).toMatchObject({
      game: ["checkers", "chess"],
      stakeMin: ["0", "1", "2", "5", "10"],
      limitMinutes: ["5", "10"],
    });
  });

  test("openapi.json lists the refusals of a route by their status", async () => {
    const { paths } = (await (await request("GET", "/openapi.json")).json()) as Description;
    const listed = Object.entries(paths["/api/deposits/check"]!.post!.responses)
      .filter(([status]) => status !== "200")
      .map(([status, { content }]) => [status, content["application/json"].schema.properties.code.enum]);
    expect(Object.fromEntries(listed)).toEqual({
      400: ["bad_request"],
      401: ["login_required"],
      403: ["foreign_origin"],
      404: ["unknown_payment"],
      413: ["too_large"],
      429: ["too_many_requests"],
      500: ["something_went_wrong"],
      503: ["unavailable"],
    });
  });

  test("a handler that refuses with a code its route does not list does not compile", async () => {
    const listed: Handler<"checkDeposit"> = async () => refuse("unknown_payment");
    // @ts-expect-error
    const unlisted: Handler<"checkDeposit"> = async () => refuse("not_payable");
    expect([listed, unlisted]).toHaveLength(2);
  });
});

test("adds security headers to every response, in production also HSTS", async () => {
  const secure = await openTestHttp(database, { isProduction: true });
  const paths = ["/api/session", "/api/nothing", "/", "/healthz"];
  const seen = await Promise.all(
    paths.map(async (path) => {
      const headers = (await send(secure.app, "GET", path)).headers;
      for (const own of ["content-type", "content-length", "cache-control", "vary", "x-request-id"])
        headers.delete(own);
      return Object.fromEntries(headers);
    }),
  );
  for (const headers of seen) expect(headers).toEqual(seen[0]);
  expect(seen[0]).toMatchInlineSnapshot(`
    {
      "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; media-src 'self'; manifest-src 'self'; worker-src 'self'; connect-src 'self' ws://arena.test; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
      "referrer-policy": "strict-origin-when-cross-origin",
      "strict-transport-security": "max-age=31536000; includeSubDomains",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
    }
  `);
  expect((await request("GET", "/healthz")).headers.get("strict-transport-security")).toBeNull();
  await secure.close();
});
