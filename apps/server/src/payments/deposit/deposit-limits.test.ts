import type { PlayerId } from "@holo/kernel/ids.ts";
import { MINUTE_MS } from "@holo/kernel/instant.ts";
import { wholeCoins } from "@holo/kernel/money.ts";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import { untilOneWaits } from "../../platform/testing/lock-waits.ts";
import { openPaymentsForAll } from "../testing/payments-hooks.ts";
import { newId, RATE_KOBO, type TestPayments } from "../testing/test-payments.ts";
import type { TestSandbox } from "../testing/test-sandbox.ts";

const DAY_MS = 24 * 60 * MINUTE_MS;

let database: Database;
let sandbox: TestSandbox;
let at: TestPayments;

openPaymentsForAll((given) => {
  ({ database, sandbox, at } = given);
});

async function limitDay(playerId: PlayerId, kobo: number): Promise<void> {
  await sql`
    insert into player_limits (player_id, kind, value, updated_at)
    values (${playerId}, 'depositDay', ${kobo}, ${at.time.now()})`.execute(database.kysely);
}

const begin = (playerId: PlayerId, kobo = 500_000, commandId = newId()) =>
  at.payments.begin({ playerId, email: "ada@example.com", commandId, kobo, payKobo: kobo, rateKobo: at.rateKobo });

async function countDeposits(playerId: PlayerId): Promise<number> {
  const { rows } = await sql`select from payments where player_id = ${playerId}`.execute(database.kysely);
  return rows.length;
}

test("counts paid and open deposits towards the limit and reports the rest", async () => {
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

test("stops counting failed deposits at once and paid ones after their period", async () => {
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
  await at.advance(DAY_MS);
  expect(await begin(player)).toMatchObject({ ok: true });
});

test("accepts concurrent deposits only up to the limit", async () => {
  const player = await at.addPlayer();
  await limitDay(player, 1_000_000);
  const begun = await Promise.all(Array.from({ length: 8 }, () => begin(player)));
  expect(begun.filter(({ ok }) => ok)).toHaveLength(2);
  expect(await countDeposits(player)).toBe(2);
});

test("repeats the answer to a command at the limit, also concurrently", async () => {
  const player = await at.addPlayer();
  await limitDay(player, 500_000);
  const commandId = newId();
  const answers = await Promise.all([1, 2, 3].map(() => begin(player, 500_000, commandId)));
  answers.push(await begin(player, 500_000, commandId));
  const urls = answers.map((answer) => (answer.ok ? answer.value.authorizationUrl : "refused"));
  expect(new Set(urls).size).toBe(1);
  expect(urls[0]).toContain("/checkout/");
});

test("refuses deposits of a self-excluded player and allows withdrawals", async () => {
  const player = await at.addPlayer(wholeCoins(100));
  const until = at.time.now() + DAY_MS;
  await sql`insert into self_exclusions values (${player}, ${at.time.now()}, ${until})`.execute(database.kysely);
  expect(await begin(player)).toEqual({ ok: false, refusal: { code: "self_excluded", figures: { until } } });
  expect(await countDeposits(player)).toBe(0);
  expect(await at.withdraw(player)).toMatchObject({ kind: "withdrawal", status: "processing" });
  await at.advance(DAY_MS);
  expect(await begin(player)).toMatchObject({ ok: true });
});

test("reopens an abandoned checkout only within the limit", async () => {
  const player = await at.addPlayer();
  await limitDay(player, 500_000);
  const left = await at.deposit(player);
  expect(await at.payments.check(player, left.reference)).toMatchObject({ status: "abandoned" });
  const other = await at.deposit(player);
  const refusal = { code: "limit_reached", figures: { period: "day", limit: 500_000n, left: 0n } };
  expect(await at.payments.reopen({ playerId: player, reference: left.reference, rateKobo: RATE_KOBO })).toEqual({
    ok: false,
    refusal,
  });
  expect(await at.find(left.reference)).toMatchObject({ status: "abandoned" });
  // A counted deposit is not counted twice.
  expect(await at.payments.reopen({ playerId: player, reference: other.reference, rateKobo: RATE_KOBO })).toMatchObject(
    { ok: true },
  );
  expect(await at.payments.check(player, other.reference)).toMatchObject({ status: "abandoned" });
  expect(await at.payments.reopen({ playerId: player, reference: left.reference, rateKobo: RATE_KOBO })).toMatchObject({
    ok: true,
    value: { payment: { status: "pending" } },
  });
});

test("reopens concurrent checkouts only up to the limit", async () => {
  const player = await at.addPlayer();
  await limitDay(player, 500_000);
  const references: string[] = [];
  for (let count = 0; count < 3; count += 1) {
    const { reference } = await at.deposit(player);
    await at.payments.check(player, reference);
    references.push(reference);
  }
  const opened = await Promise.all(
    references.map((reference) => at.payments.reopen({ playerId: player, reference, rateKobo: RATE_KOBO })),
  );
  expect(opened.filter(({ ok }) => ok)).toHaveLength(1);
});

test("keeps the state of a deposit that changes while it is reopened", async () => {
  const player = await at.addPlayer();
  const { reference } = await at.deposit(player);
  // Exhausts the player's rate limit for questions to the provider.
  for (let count = 0; count < 10; count += 1) await at.payments.check(player, reference);
  const reopening = await transact(database, async (tx) => {
    await sql`update payments set status = 'failed', next_ask_at = null where reference = ${reference}`.execute(tx);
    const asked = at.payments.reopen({ playerId: player, reference, rateKobo: RATE_KOBO });
    await untilOneWaits(database);
    return { asked };
  });
  expect(await reopening.asked).toEqual({ ok: false, refusal: "not_payable" });
  expect(await at.find(reference)).toMatchObject({ status: "failed", money: "none" });
});

const pay = async (reference: string) => {
  await sandbox.order(`transactions/${reference}`, { outcome: "pay" });
  await sandbox.pass();
};

/** The refunds of it that were ordered at the provider. */
async function readRefunds(reference: string): Promise<readonly string[]> {
  const { refunds } = (await sandbox.order("state")) as {
    readonly refunds: readonly { readonly transactionReference: string; readonly status: string }[];
  };
  return refunds.filter(({ transactionReference }) => transactionReference === reference).map(({ status }) => status);
}

describe("of an abandoned and a newer checkout that are both paid", () => {
  async function addLeft() {
    const player = await at.addPlayer();
    await limitDay(player, 500_000);
    const left = await at.deposit(player);
    expect(await at.payments.check(player, left.reference)).toMatchObject({ status: "abandoned" });
    const newer = await at.deposit(player);
    return { player, left: left.reference, newer: newer.reference };
  }

  // [VALID-31 §5 r9,27] A player's own deposit limit is checked when money arrives: if two checkouts are paid, the
  // part above the limit is refunded to the payer.
  test.each(["the newer first", "the left one first"])(
    "refunds one of two payments above the limit: %s [VALID-31]",
    async (order) => {
      await sandbox.order("settings", { refundSettlesAfterMs: 60_000 });
      const { player, left, newer } = await addLeft();
      const [first, second] = order === "the newer first" ? [newer, left] : [left, newer];
      await pay(first);
      await pay(second);
      expect(await at.find(first)).toMatchObject({ status: "completed", money: "credited" });
      expect(await at.find(second)).toMatchObject({
        status: "reversed",
        money: "none",
        reason: "This is above your deposit limit. It's being refunded.",
      });
      expect(await at.balance(player)).toBe(16_339_870n);
      expect(await at.findBroken()).toBeNull();
      await sandbox.pass(60_000);
      await at.advance(60_000);
      expect(await at.find(second)).toMatchObject({
        reason: "This is above your deposit limit. It was refunded.",
        nextAskAt: null,
      });
      expect(await readRefunds(second)).toEqual(["processed"]);
      expect(await readRefunds(first)).toEqual([]);
      expect(await at.balance(player)).toBe(16_339_870n);
      expect(await at.findBroken()).toBeNull();
    },
  );

  test("one is credited after concurrent and repeated webhooks [VALID-31]", async () => {
    await sandbox.order("settings", { refundSettlesAfterMs: 0 });
    const { player, left, newer } = await addLeft();
    for (const reference of [left, newer]) {
      await sandbox.order("faults", { on: "webhook", reference, fault: "lost" });
      await sandbox.order(`transactions/${reference}`, { outcome: "pay" });
    }
    await sandbox.pass();
    await Promise.all([left, newer, left, newer, newer].map((reference) => at.payments.check(player, reference)));
    const both = [await at.find(left), await at.find(newer)];
    expect(both.map(({ money }) => money).sort()).toEqual(["credited", "none"]);
    expect(await at.balance(player)).toBe(16_339_870n);
    await at.advance(1_000);
    await sandbox.pass(1);
    const back = both.find(({ money }) => money === "none")!;
    expect(await readRefunds(back.reference)).toEqual(["processed"]);
    expect(await at.findBroken()).toBeNull();
  });

  test("the other is refunded once by the next server where one died before the order", async () => {
    await sandbox.order("settings", { refundSettlesAfterMs: 0 });
    const { left, newer } = await addLeft();
    await pay(newer);
    at.isKilledAt = (stage) => stage === "webhook committed";
    await pay(left);
    at.isKilledAt = () => false;
    expect(await readRefunds(left)).toEqual([]);
    for (let times = 0; times < 16; times += 1) {
      await at.advance(150_000);
      await sandbox.pass(150_000);
    }
    expect(await readRefunds(left)).toEqual(["processed"]);
    expect(await at.find(left)).toMatchObject({ status: "reversed", nextAskAt: null });
  });

  test("the refunded one leaves the limit and is never credited", async () => {
    const { player, left, newer } = await addLeft();
    await pay(newer);
    await pay(left);
    expect(await at.correct(left, "credit")).toEqual({ ok: false, refusal: "not_with_staff" });
    await at.advance(DAY_MS);
    expect(await begin(player)).toMatchObject({ ok: true });
  });
});

test("counts a deposit from its credit, so that an older start does not double a day", async () => {
  const player = await at.addPlayer();
  await limitDay(player, 500_000);
  const { reference } = await at.deposit(player);
  await at.advance(DAY_MS - MINUTE_MS);
  await pay(reference);
  expect(await at.find(reference)).toMatchObject({ status: "completed" });
  await at.advance(2 * MINUTE_MS);
  expect(await begin(player)).toMatchObject({ ok: false, refusal: { code: "limit_reached" } });
  await at.advance(DAY_MS);
  expect(await begin(player)).toMatchObject({ ok: true });
});

test("applies a lowered limit to deposits that began before", async () => {
  const player = await at.addPlayer();
  await limitDay(player, 1_000_000);
  const references = [(await at.deposit(player)).reference, (await at.deposit(player)).reference];
  at.time.advance(1_000);
  await sql`update player_limits set value = 500000, updated_at = ${at.time.now()} where player_id = ${player}`.execute(
    database.kysely,
  );
  at.time.advance(1_000);
  for (const reference of references) await pay(reference);
  expect(await Promise.all(references.map(async (reference) => (await at.find(reference)).money))).toEqual([
    "credited",
    "none",
  ]);
  expect(await at.findBroken()).toBeNull();
});

test("refuses to reopen a checkout whose payment would be refunded", async () => {
  const player = await at.addPlayer();
  await limitDay(player, 1_000_000);
  const [paid, open] = [await at.deposit(player), await at.deposit(player)];
  await pay(paid.reference);
  at.time.advance(1_000);
  await sql`update player_limits set value = 500000, updated_at = ${at.time.now()} where player_id = ${player}`.execute(
    database.kysely,
  );
  const refusal = { code: "limit_reached", figures: { period: "day", limit: 500_000n, left: 0n } };
  expect(await at.payments.reopen({ playerId: player, reference: open.reference, rateKobo: RATE_KOBO })).toEqual({
    ok: false,
    refusal,
  });
});

test("lets staff credit a held deposit only within the limit, else refund it", async () => {
  const player = await at.addPlayer();
  await limitDay(player, 800_000);
  const { reference } = await at.deposit(player);
  await at.payments.check(player, reference);
  const newer = await at.deposit(player);
  await sandbox.order("faults", { on: "charge_outcome", fault: "wrong_amount", amount: 400_000, reference });
  await pay(reference);
  await pay(newer.reference);
  expect(await at.correct(reference, "credit")).toEqual({ ok: false, refusal: "beyond_own_limit" });
  expect(await at.correct(reference, "refund")).toEqual({ ok: true, value: "done" });
  expect(await at.findBroken()).toBeNull();
});

test("holds a disputed deposit above the limit for staff", async () => {
  const player = await at.addPlayer();
  await limitDay(player, 500_000);
  const { reference } = await at.deposit(player);
  await at.payments.check(player, reference);
  await pay((await at.deposit(player)).reference);
  await sandbox.order("faults", { on: "webhook", reference, fault: "lost", times: 1 });
  await pay(reference);
  await sandbox.order(`transactions/${reference}`, { outcome: "disputed" });
  await sandbox.pass();
  await at.payments.check(player, reference);
  expect(await at.find(reference)).toMatchObject({ status: "review", money: "none" });
  expect(at.alerts).toContainEqual({ alert: "above_limit_disputed", reference });
  expect(await readRefunds(reference)).toEqual([]);
});
