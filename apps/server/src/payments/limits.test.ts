import type { PlayerId } from "@holo/kernel/ids.ts";
import { MINUTE_MS } from "@holo/kernel/instant.ts";
import { wholeCoins } from "@holo/kernel/money.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../platform/database.ts";
import { createTestDatabase } from "../platform/testing/test-database.ts";
import { transact } from "../platform/transaction.ts";
import { newId, openTestPayments, type TestPayments } from "./testing/test-payments.ts";
import { startTestSandbox, type TestSandbox } from "./testing/test-sandbox.ts";

const DAY_MS = 24 * 60 * MINUTE_MS;

let database: Database;
let sandbox: TestSandbox;
let at: TestPayments;

beforeAll(async () => {
  [database, sandbox] = await Promise.all([createTestDatabase(), startTestSandbox()]);
  at = await openTestPayments(database, sandbox);
});
afterAll(async () => {
  await at.close();
  await sandbox.stop();
  await database.close();
});

async function limitDay(playerId: PlayerId, kobo: number): Promise<void> {
  await sql`
    insert into player_limits (player_id, kind, value, updated_at)
    values (${playerId}, 'depositDay', ${kobo}, ${at.time.now()})`.execute(database.kysely);
}

const begin = (playerId: PlayerId, kobo = 500_000, commandId = newId()) =>
  at.payments.begin({ playerId, email: "ada@example.com", commandId, kobo });

async function countDeposits(playerId: PlayerId): Promise<number> {
  const { rows } = await sql`select from payments where player_id = ${playerId}`.execute(database.kysely);
  return rows.length;
}

test("deposits paid and under way count towards the player's limit, and what is left is told", async () => {
  const player = await at.addPlayer();
  await limitDay(player, 1_200_000);
  const { reference } = await at.deposit(player);
  await sandbox.order(`transactions/${reference}`, { outcome: "pay" });
  await sandbox.pass();
  expect(await at.find(reference)).toMatchObject({ status: "completed" });
  await at.deposit(player);
  const refusal = {
    code: "limit_reached",
    figures: { period: "day", limit: 1_200_000n, left: 200_000n },
  };
  expect(await begin(player)).toEqual({ ok: false, refusal });
  expect(await countDeposits(player)).toBe(2);
});

test("a deposit that came to nothing counts no more, and a day later neither does one that was paid", async () => {
  const player = await at.addPlayer();
  await limitDay(player, 500_000);
  const failed = await at.deposit(player);
  await sandbox.order(`transactions/${failed.reference}`, { outcome: "fail" });
  await at.payments.check(player, failed.reference);
  expect(await at.find(failed.reference)).toMatchObject({ status: "failed" });
  const paid = await at.deposit(player);
  await sandbox.order(`transactions/${paid.reference}`, { outcome: "pay" });
  await sandbox.pass();
  expect(await begin(player)).toMatchObject({ ok: false, refusal: { code: "limit_reached" } });
  await at.pass(DAY_MS);
  expect(await begin(player)).toMatchObject({ ok: true });
});

test("of deposits begun at once no more pass than the limit holds", async () => {
  const player = await at.addPlayer();
  await limitDay(player, 1_000_000);
  const begun = await Promise.all(Array.from({ length: 8 }, () => begin(player)));
  expect(begun.filter(({ ok }) => ok)).toHaveLength(2);
  expect(await countDeposits(player)).toBe(2);
});

test("the same command gets its answer again at the limit, however much at once it comes", async () => {
  const player = await at.addPlayer();
  await limitDay(player, 500_000);
  const commandId = newId();
  const answers = await Promise.all([1, 2, 3].map(() => begin(player, 500_000, commandId)));
  answers.push(await begin(player, 500_000, commandId));
  const urls = answers.map((answer) => (answer.ok ? answer.value.authorizationUrl : "refused"));
  expect(new Set(urls).size).toBe(1);
  expect(urls[0]).toContain("/checkout/");
});

test("who has excluded themselves deposits nothing and withdraws as ever", async () => {
  const player = await at.addPlayer(wholeCoins(100));
  const until = at.time.now() + DAY_MS;
  await sql`insert into self_exclusions values (${player}, ${at.time.now()}, ${until})`.execute(database.kysely);
  expect(await begin(player)).toEqual({ ok: false, refusal: { code: "self_excluded", figures: { until } } });
  expect(await countDeposits(player)).toBe(0);
  expect(await at.withdraw(player)).toMatchObject({ kind: "withdrawal", status: "processing" });
  await at.pass(DAY_MS);
  expect(await begin(player)).toMatchObject({ ok: true });
});

test("a checkout that counts no more is opened again only within the limit", async () => {
  const player = await at.addPlayer();
  await limitDay(player, 500_000);
  const left = await at.deposit(player);
  expect(await at.payments.check(player, left.reference)).toMatchObject({ status: "abandoned" });
  const other = await at.deposit(player);
  const refusal = { code: "limit_reached", figures: { period: "day", limit: 500_000n, left: 0n } };
  expect(await at.payments.reopen(player, left.reference)).toEqual({ ok: false, refusal });
  expect(await at.find(left.reference)).toMatchObject({ status: "abandoned" });
  // One that counts is not counted twice.
  expect(await at.payments.reopen(player, other.reference)).toMatchObject({ ok: true });
  expect(await at.payments.check(player, other.reference)).toMatchObject({ status: "abandoned" });
  expect(await at.payments.reopen(player, left.reference)).toMatchObject({
    ok: true,
    value: { payment: { status: "pending" } },
  });
});

test("of two checkouts that are opened again at once no more pass than the limit holds", async () => {
  const player = await at.addPlayer();
  await limitDay(player, 500_000);
  const references: string[] = [];
  for (let count = 0; count < 3; count += 1) {
    const { reference } = await at.deposit(player);
    await at.payments.check(player, reference);
    references.push(reference);
  }
  const opened = await Promise.all(references.map((reference) => at.payments.reopen(player, reference)));
  expect(opened.filter(({ ok }) => ok)).toHaveLength(1);
});

test("opening a checkout again says nothing over what came of it in the same moment", async () => {
  const player = await at.addPlayer();
  const { reference } = await at.deposit(player);
  // Until the provider is not asked any more for this player's sake.
  for (let count = 0; count < 10; count += 1) await at.payments.check(player, reference);
  const reopening = await transact(database, async (tx) => {
    await sql`update payments set status = 'review', reason = 'differs', next_attempt_at = null where reference = ${reference}`.execute(
      tx,
    );
    const asked = at.payments.reopen(player, reference);
    await expect
      .poll(
        async () => {
          const { rows } =
            await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
              database.kysely,
            );
          return rows.length;
        },
        { timeout: 10_000 },
      )
      .toBe(1);
    return { asked };
  });
  expect(await reopening.asked).toEqual({ ok: false, refusal: "not_payable" });
  expect(await at.find(reference)).toMatchObject({ status: "review", reason: "differs" });
});
