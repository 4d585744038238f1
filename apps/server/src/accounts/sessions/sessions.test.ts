import type { PlayerId } from "@holo/kernel/ids.ts";
import { MINUTE_MS, SECOND_MS } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import type { Tx } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import { untilOneWaits } from "../../platform/testing/lock-waits.ts";
import type { Accounts } from "../accounts.ts";
import { lockAccount } from "../email/email-links-store.ts";
import { removeSessions } from "../sessions/sessions-store.ts";
import { client, type Device, NEW, OLD, OwnAccounts, type Person, refused } from "../testing/own-accounts.ts";

const own = new OwnAccounts();
const { another, enter, isAlive, logIn } = own;

describe("sessions", () => {
  test("are listed with browser and last use, the current one first, without token", async () => {
    const person = await enter();
    const phone = await logIn(
      person.email,
      OLD,
      "Mozilla/5.0 (Linux; Android 10; K) Chrome/141.0.0.0 Mobile Safari/537.36",
    );
    if (typeof phone === "string") throw new Error(phone);
    const listed = await own.accounts.listSessions({ playerId: person.id, token: phone.token });
    expect(listed.map(({ isCurrent }) => isCurrent)).toEqual([true, false]);
    expect(listed[0]?.userAgent).toContain("Android");
    for (const { token } of [phone, person.device]) expect(JSON.stringify(listed)).not.toContain(token);
  });

  test("record their last use by a request or an open socket", async () => {
    const person = await enter();
    const phone = await another(person);
    const seen = async () => {
      const listed = await own.accounts.listSessions({ playerId: person.id, token: phone.token });
      return listed.map(({ seenAt }) => seenAt);
    };
    own.time.advance(20 * MINUTE_MS);
    await own.accounts.findSession(phone.cookie);
    expect((await seen())[0]).toBe(own.time.now());
    expect((await seen())[1]).toBeLessThan(own.time.now() - 10 * MINUTE_MS);
    await own.accounts.recordSeen([person.device.token]);
    expect(await seen()).toEqual([own.time.now(), own.time.now()]);
  });

  test("end one at a time or all together, but only the player's own", async () => {
    const [person, other] = [await enter(), await enter()];
    const phone = await another(person);
    const idOf = async (token: string, playerId = person.id) =>
      (await own.accounts.listSessions({ playerId, token })).find(({ isCurrent }) => isCurrent)!.id;
    await own.accounts.endSession(person.id, await idOf(other.device.token, other.id));
    expect(await isAlive(other.device)).toBe(true);
    await own.accounts.endSession(person.id, await idOf(phone.token));
    expect([await isAlive(person.device), await isAlive(phone)]).toEqual([true, false]);
    const tablet = await another(person);
    await own.accounts.endAllSessions(person.id);
    expect([await isAlive(person.device), await isAlive(tablet)]).toEqual([false, false]);
    expect(await isAlive(other.device)).toBe(true);
    expect(new Set(own.ended)).toEqual(new Set([person.id]));
  });
});

describe("a socket's session", () => {
  const player = async ({ cookie }: Device) => (await own.accounts.findPlayerSession(cookie))?.player.id ?? null;
  const remove = async ({ token }: Device) =>
    await sql`delete from sessions where token = ${token}`.execute(own.database.kysely);

  test("comes from memory for half a minute, but not beyond its expiry", async () => {
    const person = await enter();
    const phone = await another(person);
    expect(await player(person.device)).toBe(person.id);
    await remove(person.device);
    expect(await player(person.device)).toBe(person.id);
    own.time.advance(30 * SECOND_MS);
    expect(await player(person.device)).toBeNull();
    await sql`
      update sessions set expires_at = ${new Date(own.time.now() + SECOND_MS)} where token = ${phone.token}`.execute(
      own.database.kysely,
    );
    expect(await player(phone)).toBe(person.id);
    own.time.advance(SECOND_MS);
    expect(await player(phone)).toBeNull();
    expect(await player({ cookie: "holo_session=forged", token: "" })).toBeNull();
  });

  test.each<[string, (person: Person, phone: Device) => Promise<unknown>]>([
    ["a logout", (_, phone) => own.accounts.logout(phone.cookie)],
    [
      "the end of one session",
      async ({ id }, { token }) => {
        const [current] = await own.accounts.listSessions({ playerId: id, token });
        await own.accounts.endSession(id, current!.id);
      },
    ],
    ["the end of all sessions", ({ id }) => own.accounts.endAllSessions(id)],
    [
      "a new password",
      ({ id, device }) =>
        own.accounts.changePassword({ playerId: id, token: device.token, password: OLD, newPassword: NEW }),
    ],
    [
      "a password reset",
      async ({ email }) => {
        await own.accounts.sendResetLink(email, client);
        await own.accounts.resetPassword({ token: own.readToken("reset_password"), password: NEW }, client);
      },
    ],
    [
      "the deletion of the account",
      ({ id }) => transact(own.database, (tx, afterCommit) => own.accounts.removePlayer(tx, id, afterCommit)),
    ],
    [
      "a deletion in the database that the regular check finds",
      async (_, phone) => {
        await remove(phone);
        await own.accounts.checkSessions([phone.token]);
      },
    ],
  ])("leaves memory at once after %s", async (_what, end) => {
    const person = await enter();
    const phone = await another(person);
    expect([await player(person.device), await player(phone)]).toEqual([person.id, person.id]);
    await end(person, phone);
    expect(await player(phone)).toBeNull();
    const isAliveInDatabase = await isAlive(person.device);
    expect(await player(person.device)).toBe(isAliveInDatabase ? person.id : null);
  });
});

test.each([
  [
    "a password",
    (tx: Tx, id: PlayerId) => sql`update passwords set hash = 'another' where player_id = ${id}`.execute(tx),
  ],
  [
    "an address",
    (tx: Tx, id: PlayerId) => sql`update players set email = ${`moved-${id}@example.com`} where id = ${id}`.execute(tx),
  ],
])("refuse a login by %s that changes during the login", async (_what, change) => {
  const { id, email } = await enter();
  const logins: ReturnType<Accounts["login"]>[] = [];
  await transact(own.database, async (tx) => {
    await lockAccount(tx, id);
    await change(tx, id);
    await removeSessions(tx, id, null);
    logins.push(own.accounts.login({ email, password: OLD }, client));
    await untilOneWaits(own.database);
  });
  expect(await Promise.all(logins)).toEqual([refused("invalid_credentials")]);
  const { rows } = await sql`select from sessions where player_id = ${id}`.execute(own.database.kysely);
  expect(rows).toHaveLength(0);
});

test("deletes expired sessions, and links a month after they expired", async () => {
  const { id } = await enter();
  const count = async () => {
    const { rows } = await sql<{ readonly sessions: number; readonly links: number }>`
      select (select count(*)::int from sessions where player_id = ${id}) as sessions,
        (select count(*)::int from email_links where player_id = ${id}) as links`.execute(own.database.kysely);
    return rows[0];
  };
  const endAgo = async (sessionMs: number, linkMs: number) => {
    const at = (ms: number) => sql`${new Date(own.time.now() - ms)}::timestamptz`;
    await sql`update sessions set expires_at = ${at(sessionMs)} where player_id = ${id}`.execute(own.database.kysely);
    await sql`update email_links set expires_at = ${at(linkMs)} where player_id = ${id}`.execute(own.database.kysely);
    await own.accounts.removeExpiredData();
    return await count();
  };
  expect(await endAgo(-1_000, 29 * 24 * 60 * MINUTE_MS)).toEqual({ sessions: 1, links: 1 });
  expect(await endAgo(1_000, 31 * 24 * 60 * MINUTE_MS)).toEqual({ sessions: 0, links: 0 });
});
