import type { PlayerId } from "@holo/kernel/ids.ts";
import { MINUTE_MS } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { loadDebt } from "../../ledger/ledger.ts";
import type { Database } from "../../platform/database/database.ts";
import { openPaymentsForAll } from "../testing/payments-hooks.ts";
import type { TestPayments } from "../testing/test-payments.ts";
import type { TestSandbox } from "../testing/test-sandbox.ts";

let database: Database;
let sandbox: TestSandbox;
let at: TestPayments;

/** ₦5,000 at 30600, rounded up, and what ₦1,000 less of it is. */
const ALL = 16_339_870n;
const FIFTH = 3_267_974n;

openPaymentsForAll((given) => {
  ({ database, sandbox, at } = given);
});
beforeEach(async () => {
  await sandbox.reset();
  await sandbox.order("settings", { refundSettlesAfterMs: 0 });
});

async function setOutcome(reference: string, outcome: string): Promise<void> {
  await sandbox.order(`transactions/${reference}`, { outcome });
  await sandbox.pass(1);
  await at.advance(MINUTE_MS);
}

async function addPaid() {
  const player = await at.addPlayer();
  const { reference } = await at.deposit(player);
  await setOutcome(reference, "pay");
  expect(await at.find(reference)).toMatchObject({ status: "completed", money: "credited" });
  return { player, reference };
}

/** The bank took it during a dispute and gave it back. */
async function addCameBack() {
  const { player, reference } = await addPaid();
  for (const outcome of ["disputed", "reversed", "dispute_declined"]) await setOutcome(reference, outcome);
  expect(await at.find(reference)).toMatchObject({ status: "review", money: "taken_back" });
  return { player, reference };
}

async function refund(reference: string, kobo: number): Promise<void> {
  await fetch(`${sandbox.url}/refund`, {
    method: "POST",
    headers: { authorization: `Bearer ${sandbox.secretKey}`, "content-type": "application/json" },
    body: JSON.stringify({ transaction: reference, amount: kobo }),
  });
  await sandbox.pass(1);
  await at.advance(MINUTE_MS);
}

const done = { ok: true, value: "done" };

async function readAccounts(player: PlayerId) {
  const { rows } = await sql<{ readonly total: bigint }>`
    select coalesce(sum(posting.amount), 0)::bigint as total from ledger_postings posting
    join ledger_accounts account on account.id = posting.account_id where account.kind = 'provider_loss'`.execute(
    database.kysely,
  );
  return {
    wallet: await at.balance(player),
    debt: await loadDebt(database.kysely, player),
    loss: -(rows[0]?.total ?? 0n),
  };
}

describe("a charge that comes back after a won dispute", () => {
  test("is with staff, who credit it again once", async () => {
    const { player, reference } = await addCameBack();
    expect(await at.findCase(reference)).toMatchObject({ why: "money_left", residueKobo: 500_000n, wallet: 0n });
    await at.payments.reconciliation.reconcile();
    const raised = at.alerts.filter((alert) => alert.reference === reference).map(({ alert }) => alert);
    expect(raised).toEqual(["deposit_disputed", "deposit_reversed", "money_left"]);
    const ended = await Promise.all(Array.from({ length: 4 }, () => at.correct(reference, "credit")));
    expect(ended.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await at.balance(player)).toBe(ALL);
    expect(await at.findCase(reference)).toBeNull();
  });

  test("is not corrected without the provider's answer or after a new fact", async () => {
    const { player, reference } = await addCameBack();
    await sandbox.order("faults", { on: "list_refunds", fault: "500" });
    expect(await at.correct(reference, "credit")).toEqual({ ok: false, refusal: "provider_silent" });
    await sandbox.order("faults", { on: "verify", fault: "wrong_status", status: "reversed", reference });
    expect(await at.correct(reference, "credit")).toEqual({ ok: false, refusal: "facts_changed" });
    expect(await at.balance(player)).toBe(0n);
  });
});

/** By the provider, as after a call of the payer's bank. */
async function reversePart(reference: string, amount: number): Promise<void> {
  await sandbox.order(`transactions/${reference}`, { outcome: "reversed", amount });
  await sandbox.pass(1);
  await at.advance(MINUTE_MS);
}

describe("a refunded part of a credited deposit", () => {
  // [WALL-18 §2 r53] A part of a deposit that the provider has refunded is taken back at once, however that is
  // reported. What is missing is a debt; a refund that failed takes nothing.
  test.each(["a webhook", "the daily comparison"])(
    "is taken back at once after %s, and cannot be withdrawn [WALL-18]",
    async (cause) => {
      const player = await at.addPlayer();
      const { reference } = await at.deposit(player, 20_000_000);
      await setOutcome(reference, "pay");
      await at.advance(25 * 60 * MINUTE_MS);
      if (cause !== "a webhook") await sandbox.order("faults", { on: "webhook", fault: "lost", reference, times: 9 });
      await reversePart(reference, 15_000_000);
      if (cause !== "a webhook") await at.payments.reconciliation.reconcile();
      expect(await at.find(reference)).toMatchObject({
        status: "completed",
        money: "credited",
        backKobo: 15_000_000n,
        keptKobo: 5_000_000n,
        reason: "₦150,000 of this payment was refunded, and its coins were removed.",
      });
      // ₦50,000 at 30600, rounded up.
      expect(await at.balance(player)).toBe(163_398_693n);
      await at.advance(25 * 60 * MINUTE_MS);
      await expect(at.withdraw(player, 15_000_000)).rejects.toThrow("insufficient_for_withdrawal");
      expect(await at.findCase(reference)).toBeNull();
      expect(at.alerts).toContainEqual({ alert: "deposit_refunded", reference });
      expect(await at.findBroken()).toBeNull();
    },
  );

  test("is taken once from several refunds and reports, until all is taken", async () => {
    const { player, reference } = await addPaid();
    await refund(reference, 100_000);
    await sandbox.order("faults", { on: "webhook", fault: "doubled", reference, times: 9 });
    await refund(reference, 50_001);
    expect(await at.balance(player)).toBe(ALL - 4_901_994n);
    for (const { id, body } of (await sandbox.state()).webhooks) {
      if (body.includes(reference)) await sandbox.order(`webhooks/${id}/replay`, {});
    }
    await at.payments.reconciliation.reconcile();
    expect(await at.find(reference)).toMatchObject({
      status: "completed",
      backKobo: 150_001n,
      nextAskAt: null,
    });
    expect(await at.balance(player)).toBe(ALL - 4_901_994n);
    await reversePart(reference, 249_999);
    await setOutcome(reference, "reversed");
    expect(await at.find(reference)).toMatchObject({ status: "reversed", money: "taken_back", keptKobo: 0n });
    expect(await at.balance(player)).toBe(0n);
    expect(await at.findCase(reference)).toBeNull();
    const compared = await at.payments.reconciliation.reconcile();
    expect(compared?.differences.filter((one) => one.reference === reference)).toEqual([]);
  });

  test("is a debt as far as its coins are gone, which holds withdrawals", async () => {
    const { player, reference } = await addPaid();
    await at.advance(25 * 60 * MINUTE_MS);
    const withdrawn = await at.withdraw(player, 500_000);
    const left = await at.balance(player);
    await refund(reference, 100_000);
    expect(await readAccounts(player)).toMatchObject({ wallet: 0n, debt: FIFTH - left });
    expect(await at.find(withdrawn.reference)).toMatchObject({ money: expect.stringMatching(/held|paid/) });
    await expect(at.withdraw(player)).rejects.toThrow(/debts_open|insufficient_for_withdrawal/);
  });
});

test("keeps a deposit restricted after a lost dispute until the bank has taken the rest of it", async () => {
  const { player, reference } = await addPaid();
  const event = { transaction: { reference }, id: 1 };
  await sandbox.order("webhooks", { event: "charge.dispute.create", data: event });
  await sandbox.order("webhooks", {
    event: "charge.dispute.resolve",
    data: { ...event, resolution: "merchant-accepted" },
  });
  await refund(reference, 100_000);
  const polled = { status: "review", nextAskAt: expect.any(Number) };
  expect(await at.find(reference)).toMatchObject({ ...polled, keptKobo: 400_000n });
  expect(await at.balance(player)).toBe(ALL - FIFTH);
  for (let days = 0; days < 14; days += 1) await at.advance(24 * 60 * MINUTE_MS);
  expect(await at.find(reference)).toMatchObject(polled);
  await sandbox.order("faults", { on: "webhook", fault: "lost", reference, times: 9 });
  await sandbox.order(`transactions/${reference}`, { outcome: "reversed" });
  await at.advance(60 * MINUTE_MS);
  expect(await at.find(reference)).toMatchObject({
    status: "reversed",
    backKobo: 500_000n,
    keptKobo: 0n,
  });
  expect(await at.balance(player)).toBe(0n);
});

test("lists a refund that takes a week until it has arrived [ADMIN-08]", async () => {
  const player = await at.addPlayer();
  const { reference } = await at.deposit(player);
  await sandbox.order("faults", { on: "charge_outcome", fault: "wrong_amount", amount: 400_000, reference });
  await setOutcome(reference, "pay");
  await sandbox.order("faults", { on: "refund_outcome", fault: "pending" });
  expect(await at.correct(reference, "refund")).toEqual(done);
  for (let days = 0; days < 6; days += 1) await at.advance(24 * 60 * MINUTE_MS);
  expect(await at.findCase(reference)).toMatchObject({ why: "amount_differs", corrections: [{ act: "write_off" }] });
  for (let days = 0; days < 2; days += 1) await at.advance(24 * 60 * MINUTE_MS);
  expect(await at.findCase(reference)).toMatchObject({ why: "refund_slow", payment: { status: "review" } });
  // Its id is beyond the integers that JSON.parse keeps.
  const state = await (await fetch(`${sandbox.url}/_sandbox/state`)).text();
  const [, id] = /"refunds":\[\{[^}]*?"id":"?(\d{16,})/.exec(state) ?? [];
  await sandbox.order(`refunds/${id}`, { outcome: "processed" });
  await sandbox.pass(1);
  await at.advance(60 * MINUTE_MS);
  expect(await at.find(reference)).toMatchObject({ reason: expect.stringContaining("It was refunded.") });
  expect(await at.findCase(reference)).toBeNull();
});

test("lists a withdrawal that waits at the provider until it continues [ADMIN-08]", async () => {
  const { player } = await addPaid();
  await at.advance(24 * 60 * MINUTE_MS);
  await sandbox.order("balance", { kobo: 0 });
  const { reference } = await at.withdraw(player);
  await at.advance(0);
  expect(await at.findCase(reference)).toMatchObject({ payment: { status: "pending" }, corrections: [] });
  await sandbox.order("balance", { kobo: 100_000_000 });
  await at.advance(6 * MINUTE_MS);
  expect(await at.findCase(reference)).toBeNull();
});
