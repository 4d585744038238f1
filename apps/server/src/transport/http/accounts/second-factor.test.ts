import { DAY_MS, MINUTE_MS } from "@holo/kernel/instant.ts";
import type { SecondFactorView } from "@holo/protocol/accounts/second-factor.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../platform/database/database.ts";
import { createTestDatabase } from "../../../platform/testing/test-database.ts";
import { toAuthenticatorCode } from "../../testing/authenticator.ts";
import { openTestHttp, PASSWORD, send, type TestHttp, type TestPerson } from "../../testing/test-http.ts";
import { emailOf, openTestStaff, type TestStaff } from "../../testing/test-staff.ts";

let database: Database;
let http: TestHttp;
let staff: TestStaff;
let ask: TestStaff["ask"];

beforeAll(async () => {
  database = await createTestDatabase();
  http = await openTestHttp(database);
  staff = await openTestStaff(http, database);
  ({ ask } = staff);
});
afterAll(async () => {
  await http.close();
  await database.close();
});

const toAppCode = (secret: string): string => toAuthenticatorCode(secret, http.at.time.now());

const path = (name: string) => `account/second-factor${name}`;

async function switchOn(person: TestPerson) {
  const begun = await ask<{ secret: string; uri: string }>(person, "POST", path("/begin"), { password: PASSWORD });
  const { secret, uri } = begun.body;
  expect(uri).toBe(`otpauth://totp/Holo%20Arena:${person.username}?secret=${secret}&issuer=Holo%20Arena`);
  expect(await ask(person, "POST", path("/enable"), { code: "000000x" })).toMatchObject({
    body: { code: "wrong_code" },
  });
  const enabled = await ask<{ recoveryCodes: string[] }>(person, "POST", path("/enable"), { code: toAppCode(secret) });
  expect(enabled.status).toBe(200);
  http.at.time.advance(MINUTE_MS);
  return { secret, recoveryCodes: enabled.body.recoveryCodes };
}

async function logIn(person: TestPerson, code?: string) {
  const answer = await send(http.app, "POST", "/api/login", { email: emailOf(person), password: PASSWORD, code });
  const body = (await answer.json()) as { readonly code?: string };
  return { outcome: answer.status === 200 ? "logged in" : body.code, cookie: answer.headers.get("set-cookie") };
}

test("asks for a code at login; each code works once [CALL-22]", async () => {
  const person = await http.addPlayer();
  const { secret, recoveryCodes } = await switchOn(person);
  expect(http.mails.at(-1)).toMatchObject({ kind: "second_factor_on", to: emailOf(person) });
  expect(await logIn(person)).toEqual({ outcome: "second_factor_required", cookie: null });
  expect(await logIn(person, "123456")).toEqual({ outcome: "wrong_code", cookie: null });
  const code = toAppCode(secret);
  expect((await logIn(person, code)).outcome).toBe("logged in");
  expect((await logIn(person, code)).outcome).toBe("wrong_code");
  const recovery = recoveryCodes[0] ?? "";
  expect(recoveryCodes).toHaveLength(10);
  expect((await logIn(person, recovery.toUpperCase())).outcome).toBe("logged in");
  expect(http.mails.some(({ kind, to }) => kind === "recovery_code_used" && to === emailOf(person))).toBe(true);
  expect((await logIn(person, recovery)).outcome).toBe("wrong_code");
  const { body } = await ask<SecondFactorView>(person, "GET", path(""));
  expect(body).toMatchObject({ isOn: true, recoveryCodesLeft: 9, isRequired: false });
  // A wrong password reveals nothing about the second factor.
  const wrong = await send(http.app, "POST", "/api/login", { email: emailOf(person), password: "wrong horse", code });
  expect(await wrong.json()).toMatchObject({ code: "invalid_credentials" });
});

test("gives a code to one of many logins at once, and stores neither secret nor recovery codes in clear", async () => {
  const person = await http.addPlayer();
  const { secret, recoveryCodes } = await switchOn(person);
  const code = toAppCode(secret);
  const outcomes = await Promise.all(Array.from({ length: 6 }, async () => (await logIn(person, code)).outcome));
  expect(outcomes.toSorted()).toEqual(["logged in", ...Array.from({ length: 5 }, () => "wrong_code")]);
  const { rows } = await sql<{ text: string }>`
    select (select string_agg(row::text, ' ') from second_factors row) || (select string_agg(row::text, ' ') from recovery_codes row)
      as text`.execute(database.kysely);
  for (const clear of [secret, ...recoveryCodes.map((made) => made.replace("-", ""))])
    expect(rows[0]?.text).not.toContain(clear);
});

test("With login codes on, a withdrawal asks for a code unless one was given in the last 15 minutes [CALL-23 §7 r40]", async () => {
  const person = await http.addPlayer();
  const withdraw = async () => {
    const form = { commandId: "withdraw-1", kobo: 1, feeKobo: 0, accountNumber: "", bankCode: "", rateKobo: 30_600 };
    return (await ask(person, "POST", "withdrawals", form)).body.code;
  };
  const before = await withdraw();
  const { secret } = await switchOn(person);
  expect(await withdraw()).toBe(before);
  http.at.time.advance(15 * MINUTE_MS);
  expect(await withdraw()).toBe("second_factor_required");
  expect((await ask(person, "POST", path("/confirm"), { code: "12345" })).body.code).toBe("wrong_code");
  expect((await ask(person, "POST", path("/confirm"), { code: toAppCode(secret) })).status).toBe(200);
  expect(await withdraw()).toBe(before);
});

test("switches off with password and code, and asks for no code then", async () => {
  const person = await http.addPlayer();
  const { secret } = await switchOn(person);
  const off = (password: string, code: string) => ask(person, "POST", path("/disable"), { password, code });
  expect((await off("wrong horse", toAppCode(secret))).body.code).toBe("wrong_password");
  expect((await off(PASSWORD, "1")).body.code).toBe("wrong_code");
  expect((await off(PASSWORD, toAppCode(secret))).body).toMatchObject({ isOn: false, recoveryCodesLeft: 0 });
  expect((await logIn(person)).outcome).toBe("logged in");
});

// [ROLE-33 §6 r40] A new password ends what someone with the old one had begun: login codes that were not confirmed
// yet can no longer be switched on.
test("a new password voids a secret that was begun under the old one [ROLE-33]", async () => {
  const person = await http.addPlayer();
  const thief = { ...person, cookie: (await logIn(person)).cookie?.split(";")[0] ?? "" };
  const { secret } = (await ask<{ secret: string }>(thief, "POST", path("/begin"), { password: PASSWORD })).body;
  // The thief's request has passed the check of its session when the owner's is carried out.
  const session = await http.accounts.findSession(thief.cookie);
  const newPassword = "battery staple";
  expect(await ask(person, "POST", "account/password", { password: PASSWORD, newPassword })).toMatchObject({
    status: 200,
  });
  const late = { playerId: session!.player.id, token: session!.token, code: toAppCode(secret) };
  expect(await http.accounts.enableSecondFactor(late)).toEqual({ ok: false, refusal: "wrong_code" });
  const login = await send(http.app, "POST", "/api/login", { email: emailOf(person), password: newPassword });
  expect(login.status).toBe(200);
});

test("a password reset removes the second factor of an account that was never verified, and no other [ROLE-22]", async () => {
  const [stranger, verified] = [await http.addPlayer(), await http.addPlayer()];
  await sql`update players set email_verified = (id = ${verified.id})
    where id in (${stranger.id}, ${verified.id})`.execute(database.kysely);
  const outcomes = [];
  for (const person of [stranger, verified]) {
    await switchOn(person);
    expect((await logIn(person)).outcome).toBe("second_factor_required");
    await send(http.app, "POST", "/api/forgot-password", { email: emailOf(person) });
    const mail = http.mails.findLast(({ kind, to }) => kind === "reset_password" && to === emailOf(person));
    const token = /\?token=([\w-]+)/.exec(mail?.text ?? "")?.[1] ?? "";
    expect((await send(http.app, "POST", "/api/reset-password", { token, password: PASSWORD })).status).toBe(200);
    const kinds = http.mails.filter(({ to }) => to === emailOf(person)).map(({ kind }) => kind);
    outcomes.push([(await logIn(person)).outcome, kinds.includes("second_factor_off")]);
  }
  expect(outcomes).toEqual([
    ["logged in", true],
    ["second_factor_required", false],
  ]);
});

// [ROLE-25 §6 r40] Staff who have login codes act only with a code of the last 15 minutes and read with one of the
// last 12 hours. In production staff without login codes are sent to their profile.
test("staff with a second factor act only with a code of the last minutes [ROLE-25]", async () => {
  const admin = await staff.makeAdmin();
  const { secret } = await switchOn(admin);
  const read = async () => (await ask(admin, "GET", "admin/overview")).status;
  const act = async () => (await ask(admin, "POST", "admin/admins/remove", { id: crypto.randomUUID() })).body.code;
  expect([await read(), await act()]).toEqual([200, "unknown_admin"]);
  http.at.time.advance(15 * MINUTE_MS);
  expect([await read(), await act()]).toEqual([200, "second_factor_required"]);
  http.at.time.advance(12 * 60 * MINUTE_MS);
  expect(await read()).toBe(401);
  expect((await ask(admin, "POST", path("/confirm"), { code: toAppCode(secret) })).status).toBe(200);
  expect([await read(), await act()]).toEqual([200, "unknown_admin"]);
});

test("production refuses staff without a second factor, and no other staff [ROLE-25]", async () => {
  const strict = await openTestHttp(database, { requiresStaffCodes: true });
  const overview = async (cookie: string) =>
    ((await (await send(strict.app, "GET", "/api/admin/overview", undefined, { cookie })).json()) as { code?: string })
      .code;
  expect(await overview(staff.ceo.cookie)).toBe("second_factor_missing");
  const { cookie } = await http.addPlayer();
  expect(await overview(cookie)).toBe("access_denied");
  const factor = await send(strict.app, "GET", "/api/account/second-factor", undefined, { cookie: staff.ceo.cookie });
  expect(await factor.json()).toMatchObject({ isOn: false, isRequired: true });
  await strict.close();
});

test("Adding an admin requires the password of the acting staff member [ROLE-26 §6 r40]", async () => {
  const add = async (password: string) =>
    (await ask(staff.ceo, "POST", "admin/admins", { email: "another@example.com", password })).body.code;
  expect(await add("wrong horse")).toBe("wrong_password");
  expect(await add(PASSWORD)).toBeUndefined();
});

test("A session ends 30 days after its login, however often it is used [CALL-24 §7 r40]", async () => {
  const person = await http.addPlayer();
  const isLive = async () => (await ask(person, "GET", "profile")).status === 200;
  const setAge = async (ageMs: number) => {
    const startedAt = new Date(http.at.time.now() - ageMs);
    await sql`update sessions set started_at = ${startedAt} where player_id = ${person.id}`.execute(database.kysely);
  };
  await setAge(30 * DAY_MS - MINUTE_MS);
  expect(await isLive()).toBe(true);
  await setAge(30 * DAY_MS);
  expect(await isLive()).toBe(false);
});
