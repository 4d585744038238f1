import { MINUTE_MS } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { transact } from "../../platform/database/transaction.ts";
import { makeQueueMail } from "../../platform/mail/outbox.ts";
import { DEVELOPMENT_RATE_LIMITS, isEmailVerified, loadRole, saveOwner } from "../accounts.ts";
import { client, done, NEW, OLD, OwnAccounts, type Person, refused } from "../testing/own-accounts.ts";
import { openTestAccounts } from "../testing/test-accounts.ts";

const own = new OwnAccounts();
const { another, enter, isAlive, isKnown, readToken } = own;

describe("an email change", () => {
  const ask = (person: Person, email: string, password = OLD) =>
    own.accounts.requestEmailChange({ playerId: person.id, password, email });

  test("takes effect with its link: verifies, ends other sessions and notifies the old address", async () => {
    const person = await enter();
    const phone = await another(person);
    const newEmail = `new-${person.email}`;
    expect(await ask(person, ` ${newEmail.toUpperCase()}`)).toEqual(done);
    expect(own.mails.map(({ kind, to }) => [kind, to])).toEqual([
      ["new_email", newEmail],
      ["email_change_asked", person.email],
    ]);
    expect(own.mails[1]?.text).not.toContain("token=");
    expect([await isKnown(person.email, OLD), await isKnown(newEmail, OLD)]).toEqual([true, false]);
    const token = readToken("new_email");
    expect(await own.accounts.verifyEmail(token, person.device.cookie)).toEqual(done);
    expect([await isAlive(person.device), await isAlive(phone)]).toEqual([true, false]);
    expect(own.ended).toEqual([person.id]);
    expect(await isEmailVerified(own.database.kysely, person.id)).toBe(true);
    expect([await isKnown(person.email, OLD), await isKnown(newEmail, OLD)]).toEqual([false, true]);
    expect(own.mails.findLast(({ kind }) => kind !== "new_device")).toMatchObject({
      kind: "email_changed",
      to: person.email,
    });
    expect(await own.accounts.verifyEmail(token)).toEqual(done);
    expect(await isAlive(person.device)).toBe(true);
  });

  // [ROLE-27 §6 r24] The link to a new email address works only in a session of its account, so a mistyped address
  // gives the account to no one. Without one the page asks to log in and offers it.
  test("requires a session of the account, so that a mistyped address gives it to no one [ROLE-27]", async () => {
    const [person, other] = [await enter(), await enter()];
    const phone = await another(person);
    const mistyped = `new-${person.email}`;
    await ask(person, mistyped);
    const token = readToken("new_email");
    for (const cookie of [undefined, other.device.cookie]) {
      expect(await own.accounts.verifyEmail(token, cookie)).toEqual(refused("link_login_required"));
    }
    await own.accounts.sendResetLink(mistyped, client);
    expect(own.mails.some(({ kind }) => kind === "reset_password")).toBe(false);
    expect([await isKnown(mistyped, OLD), await isAlive(person.device)]).toEqual([false, true]);
    expect(await own.accounts.verifyEmail(token, phone.cookie)).toEqual(done);
    expect([await isAlive(person.device), await isAlive(phone)]).toEqual([false, true]);
  });

  test("answers a taken address alike and notifies its owner", async () => {
    const [person, other] = [await enter(), await enter()];
    const free = await ask(person, `free-${person.email}`);
    const earlier = readToken("new_email");
    own.mails = [];
    expect(await ask(person, other.email)).toEqual(free);
    expect(own.mails.map(({ kind, to }) => [kind, to])).toEqual([
      ["known_new_address", other.email],
      ["email_change_asked", person.email],
    ]);
    // As for a free address, the previous link is void.
    expect(await own.accounts.verifyEmail(earlier, person.device.cookie)).toEqual(refused("unusable_link"));
    expect(await isKnown(other.email, OLD)).toBe(true);
  });

  test("refuses an address taken in the meantime", async () => {
    const person = await enter();
    const newEmail = `contested-${person.email}`;
    await ask(person, newEmail);
    const token = readToken("new_email");
    await own.accounts.register({ username: "contender", email: newEmail, password: OLD }, client);
    expect(await own.accounts.verifyEmail(token, person.device.cookie)).toEqual(refused("unusable_link"));
    expect(await isKnown(person.email, OLD)).toBe(true);
  });

  test("gives an address to one of two links opened at once", async () => {
    const [first, second] = [await enter(), await enter()];
    await ask(first, "wanted@example.com");
    const firstToken = readToken("new_email");
    await ask(second, "wanted@example.com");
    const secondToken = readToken("new_email");
    const answers = await Promise.all([
      own.accounts.verifyEmail(firstToken, first.device.cookie),
      own.accounts.verifyEmail(secondToken, second.device.cookie),
    ]);
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
  });

  test("limits mails per new address over all accounts", async () => {
    const [asker, second, owner] = [await enter(), await enter(), await enter()];
    const rates = { ...DEVELOPMENT_RATE_LIMITS, changePerEmail: { burst: 3, refillMs: MINUTE_MS } };
    for (const [email, most] of [
      ["stranger@example.org", 3],
      [owner.email, 3],
    ] as const) {
      const limited = own.open(rates);
      own.mails = [];
      const answers = [];
      for (const { id } of [asker, second, asker, second]) {
        answers.push(await limited.requestEmailChange({ playerId: id, password: OLD, email }));
      }
      expect(answers).toEqual([done, done, done, refused("too_many_requests")]);
      expect(own.mails.filter(({ to }) => to === email)).toHaveLength(most);
    }
  });

  test("limits mails per canonical email over its spellings", async () => {
    const person = await enter();
    const limited = own.open({ ...DEVELOPMENT_RATE_LIMITS, changePerEmail: { burst: 2, refillMs: MINUTE_MS } });
    const answers = [];
    for (const email of ["stranger@gmail.com", "stran.ger@gmail.com", "stranger+1@gmail.com"]) {
      answers.push(await limited.requestEmailChange({ playerId: person.id, password: OLD, email }));
    }
    expect(answers).toEqual([done, done, refused("too_many_requests")]);
  });

  test("requires the current password and a different valid address", async () => {
    const person = await enter();
    expect(await ask(person, "")).toEqual(refused("missing_email"));
    expect(await ask(person, "nowhere")).toEqual(refused("bad_email"));
    expect(await ask(person, "free@example.com", "a guess")).toEqual(refused("wrong_password"));
    expect(await ask(person, person.email)).toEqual(refused("email_unchanged"));
    expect(own.mails).toEqual([]);
  });

  test("voids links to the previous address", async () => {
    const person = await enter();
    await own.accounts.resendVerification(person.id);
    await own.accounts.sendResetLink(person.email, client);
    const [verify, reset] = [readToken("verify_email"), readToken("reset_password")];
    await ask(person, `new-${person.email}`);
    expect(await own.accounts.verifyEmail(readToken("new_email"), person.device.cookie)).toEqual(done);
    expect(await own.accounts.verifyEmail(verify)).toEqual(refused("unusable_link"));
    expect(await own.accounts.resetPassword({ token: reset, password: NEW }, client)).toEqual(
      refused("unusable_reset_link"),
    );
  });

  // [ROLE-30 §6] Deleting an account also deletes the record of its mails, those to earlier and mistyped addresses
  // included.
  test("leaves no mail to an earlier or mistyped address once the account is deleted [ROLE-30]", async () => {
    const [person, other] = [await enter(), await enter()];
    const { database, time } = own;
    const queueMail = makeQueueMail("a secret of at least thirty-two characters", time);
    const accounts = openTestAccounts({
      database,
      time,
      queueMail: async (tx, mail) => {
        own.mails.push(mail);
        await queueMail(tx, mail);
      },
    });
    const change = (email: string) => accounts.requestEmailChange({ playerId: person.id, password: OLD, email });
    expect(await change(`typo-${person.email}`)).toEqual(done);
    expect(await change(`new-${person.email}`)).toEqual(done);
    expect(await accounts.verifyEmail(readToken("new_email"), person.device.cookie)).toEqual(done);
    await accounts.sendResetLink(other.email, client);
    await transact(database, (tx, afterCommit) => accounts.removePlayer(tx, person.id, afterCommit));
    const { rows } = await sql<{ readonly recipient: string }>`select recipient from outbox`.execute(database.kysely);
    expect(rows).toEqual([{ recipient: other.email }]);
  });

  test("leaves the role with the address", async () => {
    const person = await enter();
    await own.accounts.resendVerification(person.id);
    await own.accounts.verifyEmail(readToken("verify_email"), person.device.cookie);
    await saveOwner(own.database.kysely, person.email, own.time.now());
    expect(await loadRole(own.database.kysely, person.id)).toBe("ceo");
    await ask(person, `new-${person.email}`);
    expect(await loadRole(own.database.kysely, person.id)).toBe("ceo");
    await own.accounts.verifyEmail(readToken("new_email"), person.device.cookie);
    expect(await loadRole(own.database.kysely, person.id)).toBeNull();
    expect((await own.accounts.findSession(person.device.cookie))?.role).toBeNull();
  });

  // [ROLE-21 §6 r25] An address that grants a role is verified only in a session of its own account, so a click
  // cannot make a stranger's account an admin.
  test("requires a session of the account for a link to an address with a role [ROLE-21]", async () => {
    const [stranger, victim] = [await enter(), await enter()];
    const wanted = `boss-${victim.email}`;
    await saveOwner(own.database.kysely, wanted, own.time.now());
    await ask(stranger, wanted);
    const change = readToken("new_email");
    for (const cookie of [undefined, victim.device.cookie]) {
      expect(await own.accounts.verifyEmail(change, cookie)).toEqual(refused("link_login_required"));
    }
    await saveOwner(own.database.kysely, stranger.email, own.time.now());
    await own.accounts.resendVerification(stranger.id);
    const verify = readToken("verify_email");
    expect(await own.accounts.verifyEmail(verify)).toEqual(refused("link_login_required"));
    expect(await loadRole(own.database.kysely, stranger.id)).toBeNull();
    expect(await own.accounts.verifyEmail(verify, stranger.device.cookie)).toEqual(done);
    expect(await loadRole(own.database.kysely, stranger.id)).toBe("ceo");
    await saveOwner(own.database.kysely, "nobody@example.org", own.time.now());
  });

  test("grants an address's role only after the address is verified", async () => {
    const person = await enter();
    await saveOwner(own.database.kysely, `boss-${person.email}`, own.time.now());
    await ask(person, `boss-${person.email}`);
    expect(await loadRole(own.database.kysely, person.id)).toBeNull();
    await own.accounts.verifyEmail(readToken("new_email"), person.device.cookie);
    expect(await loadRole(own.database.kysely, person.id)).toBe("ceo");
  });
});
