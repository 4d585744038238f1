import { toInstant } from "@holo/kernel/instant.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { addTestPlayers, type TestPlayer } from "../accounts/testing/test-players.ts";
import { adminInvariants } from "../admin/audit.ts";
import { loadAuditEvents } from "../admin/audit-log/audit-log.ts";
import { parseConfig } from "../config.ts";
import { loadPayoutHold } from "../payments/payments.ts";
import type { Database } from "../platform/database/database.ts";
import { audit } from "../platform/database/invariant.ts";
import { makeSeal } from "../platform/mail/seal.ts";
import { createTestDatabase } from "../platform/testing/test-database.ts";
import { openTestLog } from "../platform/testing/test-log.ts";
import { claimSecret } from "../wiring/external-services.ts";
import { runAdminCommand } from "./admin-commands.ts";
import { loadSecret } from "./storage.ts";

const SECRET = "a secret of tests, long enough to be one";
const REASON = ["--because", "passport seen, ticket 17"];
let database: Database;
let ada: TestPlayer;
let owner: TestPlayer;

beforeAll(async () => {
  database = await createTestDatabase();
  [ada, owner] = (await addTestPlayers(database, ["Ada", "owner"], SECRET)) as [TestPlayer, TestPlayer];
  await database.pool.query("insert into owner_email (email, updated_at) values ('owner@example.com', 1)");
});

afterAll(() => database.close());

async function run(...args: readonly string[]): Promise<string> {
  const lines: string[] = [];
  const config = parseConfig({
    DATABASE_URL: database.connectionString,
    AUTH_SECRET: SECRET,
    SMTP_URL: "smtp://mailer:hunter2@mail.example.com",
    PAYSTACK_SECRET_KEY: "sk_test_hunter2",
    FILES_URL: "s3://AKIAhunter2:hunter2@bucket?region=af-south-1",
  });
  if (!config.ok) throw new Error(config.refusal.join());
  await runAdminCommand(args, config.value, { log: openTestLog(), print: (line) => lines.push(line) });
  return lines.join("\n");
}

async function loadEvents() {
  const { events } = await loadAuditEvents(database.kysely, null, null);
  return events.map(({ username, action, subject, detail }) => ({ username, action, subject, detail }));
}

// [OPS-08 §-] The operator's commands verify the owner, end sessions and login codes, have the provider asked, hold
// payouts, forget the secret and print the configuration. Each change needs a reason and is an audit event.
it("verifies the owner's account once, with an audit event [OPS-08]", async () => {
  await expect(run("verify-owner", "ada@example.com", ...REASON)).rejects.toThrow(/not the owner's address/);
  expect(await run("verify-owner", "Owner@example.com", ...REASON)).toMatch(/is the CEO's now/);
  expect(await run("verify-owner", "owner@example.com", ...REASON)).toMatch(/verified already/);
  const role = await database.pool.query("select role from user_roles where user_id = $1 and role = 'ceo'", [owner.id]);
  expect(role.rowCount).toBe(1);
  expect(await loadEvents()).toEqual([
    { username: null, action: "owner_verified", subject: owner.id, detail: "owner: passport seen, ticket 17" },
  ]);
});

it("lists and ends the sessions of a player, found by name, address or id [OPS-08]", async () => {
  expect(await run("sessions", "ada")).toMatch(/^since .*\n1 session$/);
  expect(await run("end-sessions", ada.id, ...REASON)).toMatch(/^1 session ended/);
  expect(await run("end-sessions", "ADA@example.com", ...REASON)).toBe("there was no session");
  expect(await run("sessions", "Ada")).toBe("0 sessions");
  expect(await run("sessions", "owner")).toMatch(/1 session$/);
  expect((await loadEvents()).map(({ action }) => action)).toEqual(["sessions_ended", "owner_verified"]);
});

it("switches login codes off once, and mails the player [OPS-08]", async () => {
  await database.pool.query("insert into second_factors values ($1, 'x', $2)", [ada.id, new Date(toInstant(1))]);
  await database.pool.query("insert into recovery_codes values ($1, 'hash')", [ada.id]);
  expect(await run("end-second-factor", "Ada", ...REASON)).toMatch(/a mail tells the player/);
  expect(await run("end-second-factor", "Ada", ...REASON)).toMatch(/off already/);
  const left = await database.pool.query(
    "select player_id from second_factors union all select player_id from recovery_codes",
  );
  expect(left.rowCount).toBe(0);
  const { rows } = await database.pool.query("select id, recipient, sealed_body from outbox");
  expect(rows.map(({ recipient }) => recipient)).toEqual(["ada@example.com"]);
  expect(makeSeal(SECRET, "holo outbox").open(rows[0].sealed_body, rows[0].id)).toContain("Ada");
  expect((await loadEvents())[0]).toMatchObject({ action: "second_factor_removed", subject: ada.id });
});

it("has the provider asked about a payment, as its webhook would [OPS-08]", async () => {
  const reference = "dep-0123456789abcdef";
  await expect(run("ask", reference, ...REASON)).rejects.toThrow(/no such payment/);
  await database.pool.query(
    `insert into payments (id, kind, player_id, command_id, kobo, rate_kobo, coins, status, step, reference, created_at)
     values (gen_random_uuid(), 'deposit', $1, 'asked-about', 306000, 30600, 10000000, 'failed', 'open', $2, 1)`,
    [ada.id, reference],
  );
  expect(await run("ask", reference, ...REASON)).toBe("a server asks within a second");
  const { rows } = await database.pool.query("select next_ask_at from payments where reference = $1", [reference]);
  expect(rows[0].next_ask_at).not.toBeNull();
  expect((await loadEvents())[0]).toMatchObject({ action: "payment_asked", subject: reference });
});

it("holds all payouts, each time for a comparison of its own [OPS-08]", async () => {
  await expect(run("hold-payouts")).rejects.toThrow(/use: hold-payouts --because TEXT/);
  await expect(run("hold-payouts", "Ada", ...REASON)).rejects.toThrow(/use: hold-payouts/);
  expect(await run("hold-payouts", ...REASON)).toMatch(/^no withdrawal is sent until/);
  const first = await loadPayoutHold(database.kysely);
  expect(first).toMatchObject({ cause: "operator" });
  await run("hold-payouts", ...REASON);
  const second = await loadPayoutHold(database.kysely);
  expect(second!.id).not.toBe(first!.id);
  expect(second!.compareFrom).toBe(first!.compareFrom);
  expect((await loadEvents()).slice(0, 2).map(({ action }) => action)).toEqual(["payouts_held", "payouts_held"]);
  const invariants = adminInvariants.filter(({ name }) => name.includes("hold of all payouts"));
  expect(await audit(database.kysely, invariants)).toBeNull();
});

// [OPS-51 §-] A server with another AUTH_SECRET than the database's does not start and says what to do. The operator
// can change the secret on purpose.
it("starts no server with another secret, until the operator forgets the known one [OPS-51]", async () => {
  const start = (authSecret: string) => claimSecret(database, { authSecret, dataDir: "" });
  const other = "another secret, long enough to be one";
  await expect(run("forget-secret")).rejects.toThrow(/use: forget-secret --because TEXT/);
  expect(await run("forget-secret", ...REASON)).toBe("no secret was known");
  await start(SECRET);
  await start(SECRET);
  await expect(start(other)).rejects.toThrow(/^AUTH_SECRET .* Set the one that the server had before; .*admin\.md/);
  await expect(loadSecret(database, { authSecret: other, dataDir: "" })).rejects.toThrow(/not the secret of this/);
  const { rows } = await database.pool.query("select fingerprint from auth_secret");
  expect(rows).toEqual([{ fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
  expect(await run("forget-secret", ...REASON)).toMatch(/^the next server to start/);
  expect((await loadEvents())[0]).toMatchObject({ action: "secret_forgotten" });
  await start(other);
  await expect(start(SECRET)).rejects.toThrow(/not the secret of this database/);
  await run("forget-secret", ...REASON);
});

it("rebuilds the ratings, and keeps the reason only if one was wrong [RATE-02]", async () => {
  const before = await loadEvents();
  expect(await run("rebuild-ratings", ...REASON)).toBe("0 games rated again: every rating was right");
  expect(await loadEvents()).toEqual(before);
  await database.pool.query("insert into ratings values ('player-gone', 'chess', 'free', 1600, 90, 0.06, 3, 0)");
  expect(await run("rebuild-ratings", ...REASON)).toBe("0 games rated again: 1 row corrected");
  expect((await loadEvents())[0]).toMatchObject({ action: "ratings_rebuilt" });
});

it("prints the configuration without a secret [OPS-08]", async () => {
  const printed = await run("config");
  expect(JSON.parse(printed)).toMatchObject({
    port: 3000,
    authSecret: "(set)",
    smtpUrl: "smtp://(set)@mail.example.com",
    paystack: { secretKey: "(set)", url: "https://api.paystack.co" },
    files: { bucket: "bucket", accessKeyId: "(set)", secretAccessKey: "(set)" },
  });
  expect(printed).not.toMatch(/hunter2|a secret of tests/);
});

it.each([
  [[], /the commands are/],
  [["constructor", "Ada"], /the commands are/],
  [["end-sessions"], /use: end-sessions PLAYER --because TEXT/],
  [["end-sessions", "Ada"], /use: end-sessions PLAYER --because TEXT/],
  [["end-sessions", "Ada", "--because", "x"], /one line of 5 to 300 characters/],
  [["end-sessions", "Ada", "--because", "two\nlines here"], /one line of 5 to 300 characters/],
  [["end-sessions", "nemo", ...REASON], /there is no player nemo/],
  [["sessions", "Ada", "Bola"], /use: sessions PLAYER/],
])("refuses %j and changes nothing [OPS-08]", async (args, words) => {
  const before = await loadEvents();
  await expect(run(...args)).rejects.toThrow(words);
  expect(await loadEvents()).toEqual(before);
});
