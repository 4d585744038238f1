import { randomBytes } from "node:crypto";
import { MINUTE_MS } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { spyOnSleep } from "../../platform/testing/spy-on-sleep.ts";
import { DEVELOPMENT_RATE_LIMITS, PRODUCTION_RATE_LIMITS } from "../accounts.ts";
import { client, done, NEW, OLD, OwnAccounts, refused } from "../testing/own-accounts.ts";
import { PUBLIC_URL } from "../testing/test-accounts.ts";

const own = new OwnAccounts();
const { another, enter, isAlive, isKnown, readToken } = own;

describe("a password reset", () => {
  const reset = (password = NEW, token = readToken("reset_password")) =>
    own.accounts.resetPassword({ token, password }, client);

  // [CALL-03 §7] A new password takes effect at once and ends every session.
  test("sets a new password by a mailed link, ends every session and notifies the owner [CALL-03]", async () => {
    const person = await enter();
    const phone = await another(person);
    expect(await own.accounts.sendResetLink(` ${person.email.toUpperCase()} `, client)).toEqual(done);
    expect(own.mails).toHaveLength(1);
    expect(own.mails[0]).toMatchObject({ to: person.email, expiresAt: own.time.now() + 10 * MINUTE_MS });
    expect(own.mails[0]?.text).toContain("for 10 minutes");
    expect(await isAlive(phone)).toBe(true);
    expect(await reset()).toMatchObject({ ok: true });
    expect([await isAlive(person.device), await isAlive(phone)]).toEqual([false, false]);
    expect(own.ended).toEqual([person.id]);
    expect(own.mails.at(-1)).toMatchObject({ kind: "password_changed", to: person.email });
    expect(own.mails.at(-1)?.text).toContain(`${PUBLIC_URL}/forgot-password`);
    expect([await isKnown(person.email, OLD), await isKnown(person.email, NEW)]).toEqual([false, true]);
  });

  test("reveals neither by answer nor by timing whether an address has an account", async () => {
    const person = await enter();
    const delaysMs: (number | undefined)[] = [];
    const moment = Promise.withResolvers<void>();
    spyOnSleep((ms) => {
      delaysMs.push(ms);
      return moment.promise;
    });
    let answered = 0;
    const asked = [person.email, "nobody@example.com"].map(async (email) => {
      expect(await own.accounts.sendResetLink(email, client)).toEqual(done);
      answered += 1;
    });
    await expect.poll(() => own.mails.map(({ to }) => to)).toEqual([person.email]);
    // Both wait for the same moment, well after either is done.
    expect(answered).toBe(0);
    moment.resolve();
    await Promise.all(asked);
    expect(delaysMs).toEqual([250, 250]);
  });

  // [FORGOT-02 §2 r24] The mailed link opens a form that asks for the new password twice. The link works once, for
  // ten minutes.
  test("accepts only the newest link, once, for ten minutes [FORGOT-02]", async () => {
    const person = await enter();
    await own.accounts.sendResetLink(person.email, client);
    const first = readToken("reset_password");
    await own.accounts.sendResetLink(person.email, client);
    const second = readToken("reset_password");
    expect(await reset(NEW, first)).toEqual(refused("unusable_reset_link"));
    own.time.advance(10 * MINUTE_MS - 1);
    expect(await reset(NEW, second)).toMatchObject({ ok: true });
    expect(await reset("another one", second)).toEqual(refused("unusable_reset_link"));
    await own.accounts.sendResetLink(person.email, client);
    own.time.advance(10 * MINUTE_MS);
    expect(await reset("another one")).toEqual(refused("unusable_reset_link"));
    expect(await isKnown(person.email, NEW)).toBe(true);
  });

  test("sets one password if a link is followed many times at once", async () => {
    const person = await enter();
    await own.accounts.sendResetLink(person.email, client);
    const token = readToken("reset_password");
    const passwords = Array.from({ length: 6 }, (_, i) => `${NEW} ${i}`);
    const answers = await Promise.all(
      passwords.map((password) => own.accounts.resetPassword({ token, password }, client)),
    );
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    const known = [];
    for (const password of passwords) known.push(await isKnown(person.email, password));
    expect(known).toEqual(answers.map(({ ok }) => ok));
  });

  test("refuses forged tokens, tokens of other links and hashes from the database", async () => {
    const person = await enter();
    await own.accounts.resendVerification(person.id);
    const other = readToken("verify_email");
    await own.accounts.sendResetLink(person.email, client);
    const token = readToken("reset_password");
    const { rows } = await sql<{ readonly token_hash: string }>`
      select token_hash from email_links where player_id = ${person.id} and purpose = 'reset'`.execute(
      own.database.kysely,
    );
    const forged = ["", token.slice(1), `${token}A`, randomBytes(32).toString("base64url"), rows[0]!.token_hash, other];
    for (const one of forged) expect(await reset(NEW, one), one).toEqual(refused("unusable_reset_link"));
    expect(await own.accounts.verifyEmail(token)).toEqual(refused("unusable_link"));
    const kept = await sql<{ readonly row: string }>`select email_links::text as row from email_links`.execute(
      own.database.kysely,
    );
    expect(kept.rows.map(({ row }) => row).join()).not.toContain(token);
    expect(await reset()).toMatchObject({ ok: true });
  });

  test("refuses an invalid password without spending the link", async () => {
    const person = await enter();
    await own.accounts.sendResetLink(person.email, client);
    expect(await reset("short")).toEqual(refused("short_password"));
    expect(await reset("x".repeat(129))).toEqual(refused("long_password"));
    expect(await reset("password1")).toEqual(refused("common_password"));
    expect(await reset()).toMatchObject({ ok: true });
  });

  test("voids the link when the address changes", async () => {
    const person = await enter();
    await own.accounts.sendResetLink(person.email, client);
    await sql`update players set email = 'moved-on@example.com' where id = ${person.id}`.execute(own.database.kysely);
    expect(await reset()).toEqual(refused("unusable_reset_link"));
  });

  // [ROLE-36 §6 r24] However many reset links others asked for, the newest mailed one is valid; a request above the
  // limit gets the same answer and no mail.
  test("limits links per requested address, known or not, alike, and leaves the newest one valid [ROLE-36]", async () => {
    const person = await enter();
    const limited = own.open({
      ...PRODUCTION_RATE_LIMITS,
      resetPerAccount: { burst: 2, refillMs: MINUTE_MS },
      mailPerAddress: { burst: 5, refillMs: MINUTE_MS },
    });
    for (const email of [person.email, "nobody-2@example.com"]) {
      for (let i = 0; i < 3; i += 1) {
        expect(await limited.sendResetLink(email, { address: `198.51.100.${i}` })).toEqual(done);
      }
    }
    expect(own.mails.map(({ to }) => to)).toEqual([person.email, person.email]);
    const form = { token: readToken("reset_password"), password: NEW };
    expect(await limited.resetPassword(form, client)).toMatchObject({ ok: true });
    for (let i = 0; i < 5; i += 1) {
      expect((await limited.sendResetLink(`nobody-${i + 3}@example.com`, client)).ok).toBe(true);
    }
    expect(await limited.sendResetLink("nobody-9@example.com", client)).toEqual(refused("too_many_requests"));
  });

  // [ROLE-31 §6] After a password reset its device logs in at every server, whatever others guess at the account and
  // however many sessions they began, and causes no mail about a new device.
  test("admits the owner on the device of the reset at every server, despite others' guesses [ROLE-31]", async () => {
    const person = await enter();
    const three = { burst: 3, refillMs: MINUTE_MS };
    const rates = { ...DEVELOPMENT_RATE_LIMITS, loginPerAccount: three, sessionsPerAccount: three };
    const servers = [own.open(rates), own.open(rates)] as const;
    const guess = { email: person.email, password: "a guess" };
    for (const server of servers) {
      // A thief of the old password begins as many sessions as they can.
      for (let logins = 0; logins < 3; logins += 1) await server.login({ ...guess, password: OLD }, client);
      for (let guesses = 0; guesses < 3; guesses += 1)
        await server.login(guess, { ...client, address: `198.51.100.${guesses}` });
    }
    const home = { ...client, address: "203.0.113.7" };
    const right = { email: person.email, password: NEW };
    await servers[0].sendResetLink(person.email, home);
    const set = await servers[0].resetPassword({ token: readToken("reset_password"), password: NEW }, home);
    const cookie = set.ok ? set.value.join().split(";")[0] : undefined;
    const moved = { ...home, address: "203.0.113.8" };
    for (const server of servers) {
      expect(await server.login(right, moved)).toEqual(refused("too_many_requests"));
      expect(await server.login(right, { ...moved, cookie })).toMatchObject({ ok: true });
    }
    expect(own.mails.findLast(({ kind }) => kind !== "reset_password")?.kind).toBe("password_changed");
  });

  test("requires a valid address", async () => {
    expect(await own.accounts.sendResetLink("  ", client)).toEqual(refused("missing_email"));
    expect(await own.accounts.sendResetLink("ada", client)).toEqual(refused("bad_email"));
  });
});

describe("a password change", () => {
  test("requires the current password, keeps this session and ends the others", async () => {
    const person = await enter();
    const phone = await another(person);
    const order = { playerId: person.id, token: person.device.token, newPassword: NEW };
    expect(await own.accounts.changePassword({ ...order, password: "a guess" })).toEqual(refused("wrong_password"));
    expect(await own.accounts.changePassword({ ...order, password: OLD, newPassword: "123" })).toEqual(
      refused("short_password"),
    );
    expect([await isAlive(phone), own.ended]).toEqual([true, []]);
    expect(await own.accounts.changePassword({ ...order, password: OLD })).toEqual(done);
    expect([await isAlive(person.device), await isAlive(phone)]).toEqual([true, false]);
    expect(own.ended).toEqual([person.id]);
    expect([await isKnown(person.email, OLD), await isKnown(person.email, NEW)]).toEqual([false, true]);
    expect(own.mails.map(({ kind, to }) => [kind, to])).toEqual([["password_changed", person.email]]);
  });

  // [ROLE-37 §6] A new password forgets wrong passwords that were typed before, and its device stays known.
  test("keeps its device known, and forgets guesses of the earlier password [ROLE-37]", async () => {
    const { id, email } = await enter();
    const limited = own.open({ ...DEVELOPMENT_RATE_LIMITS, loginPerAccount: { burst: 3, refillMs: MINUTE_MS } });
    const entered = await limited.login({ email, password: OLD }, client);
    if (!entered.ok) throw new Error(entered.refusal);
    const cookie = entered.value.setCookies.map((one) => one.split(";")[0]).join("; ");
    const order = { playerId: id, token: entered.value.session.token, password: OLD, newPassword: NEW, cookie };
    for (let i = 0; i < 2; i += 1) await limited.confirmPassword(id, "a guess");
    expect(await limited.changePassword(order)).toEqual(done);
    for (let i = 0; i < 3; i += 1) {
      expect(await limited.confirmPassword(id, OLD)).toEqual(refused("wrong_password"));
      await limited.login({ email, password: OLD }, { ...client, address: `198.51.100.${i}` });
    }
    const moved = { ...client, address: "203.0.113.9" };
    expect(await limited.login({ email, password: NEW }, moved)).toEqual(refused("too_many_requests"));
    expect(await limited.login({ email, password: NEW }, { ...moved, cookie })).toMatchObject({ ok: true });
  });

  test("limits guesses of the current password", async () => {
    const person = await enter();
    const limited = own.open({ ...PRODUCTION_RATE_LIMITS, loginPerAccount: { burst: 3, refillMs: MINUTE_MS } });
    const order = { playerId: person.id, token: person.device.token, newPassword: NEW };
    for (let i = 0; i < 3; i += 1) await limited.changePassword({ ...order, password: `guess ${i}` });
    expect(await limited.changePassword({ ...order, password: OLD })).toEqual(refused("too_many_requests"));
  });

  test("voids reset and email change links requested before", async () => {
    const person = await enter();
    const asked = { playerId: person.id, password: OLD, email: `thief-${person.email}` };
    await own.accounts.requestEmailChange(asked);
    await own.accounts.sendResetLink(person.email, client);
    const [change, reset] = [readToken("new_email"), readToken("reset_password")];
    const order = { playerId: person.id, token: person.device.token, password: OLD, newPassword: NEW };
    expect(await own.accounts.changePassword(order)).toEqual(done);
    expect(await own.accounts.verifyEmail(change)).toEqual(refused("unusable_link"));
    expect(await own.accounts.resetPassword({ token: reset, password: "a third one" }, client)).toEqual(
      refused("unusable_reset_link"),
    );
  });
});
