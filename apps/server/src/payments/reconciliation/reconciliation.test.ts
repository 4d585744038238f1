import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "@holo/kernel/instant.ts";
import { wholeCoins } from "@holo/kernel/money.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import { listFiring, readScrape } from "../../platform/testing/alert-rules.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import { type Payment, savePayoutHold } from "../payments.ts";
import { openTestPayments, type TestPayments } from "../testing/test-payments.ts";
import { startTestSandbox, type TestSandbox } from "../testing/test-sandbox.ts";

const HC = wholeCoins(500);

let database: Database;
let sandbox: TestSandbox;
let at: TestPayments;

beforeAll(async () => {
  [database, sandbox] = await Promise.all([createTestDatabase(), startTestSandbox()]);
  at = await openTestPayments(database, sandbox);
});
beforeEach(async () => {
  await sandbox.reset();
  await sql`delete from payments where last_fact = 0`.execute(database.kysely);
});
afterAll(async () => {
  await at.close();
  await sandbox.stop();
  await database.close();
});

/** Only the differences of these payments: the database keeps those of earlier tests. */
async function reconcileAbout(...payments: readonly Payment[]) {
  const result = await at.payments.reconciliation.reconcile();
  const references = payments.map(({ reference }) => reference);
  return result?.differences.filter(({ reference }) => references.includes(reference));
}

test("credits a deposit that was paid days after it was given up", async () => {
  const player = await at.addPlayer();
  const payment = await at.deposit(player);
  await at.advance(25 * HOUR_MS);
  await sandbox.pass(25 * HOUR_MS);
  expect(await at.find(payment.reference)).toMatchObject({ status: "abandoned", nextAskAt: null });
  await sandbox.order("faults", { on: "webhook", fault: "lost" });
  await sandbox.order(`transactions/${payment.reference}`, { outcome: "pay" });
  await sandbox.pass();
  expect(await reconcileAbout(payment)).toEqual([]);
  expect(await at.find(payment.reference)).toMatchObject({ status: "completed", money: "credited" });
  expect(await at.payments.reconciliation.loadLast()).toMatchObject({ asked: expect.any(Number) });
  expect(await at.findBroken()).toBeNull();
});

test("finds a failed withdrawal that arrived all the same", async () => {
  const player = await at.addPlayer(HC);
  const payment = await at.withdraw(player);
  const { reference } = payment;
  await sandbox.order("faults", { on: "webhook", fault: "lost", reference });
  await sandbox.order("faults", { on: "verify_transfer", fault: "wrong_status", reference });
  for (let i = 0; i < 5; i += 1) {
    await at.advance(5 * SECOND_MS);
    await sandbox.pass(5 * SECOND_MS);
  }
  expect(await at.find(reference)).toMatchObject({ status: "failed", money: "returned" });
  expect(await reconcileAbout(payment)).toEqual([]);
  expect(await at.find(reference)).toMatchObject({ status: "review", money: "lost" });
  expect(await at.findBroken()).toBeNull();
});

test("takes back a deposit whose reversal was not reported", async () => {
  const player = await at.addPlayer();
  const payment = await at.deposit(player);
  await sandbox.order(`transactions/${payment.reference}`, { outcome: "pay" });
  await sandbox.pass();
  await sandbox.order("faults", { on: "webhook", fault: "lost", times: 5 });
  await sandbox.order(`transactions/${payment.reference}`, { outcome: "reversed" });
  await sandbox.pass();
  expect(await reconcileAbout(payment)).toEqual([]);
  expect(await at.find(payment.reference)).toMatchObject({ status: "reversed", money: "taken_back" });
  expect(await at.balance(player)).toBe(0n);
});

test("finds money that the bank took uncredited and gave back without a report", async () => {
  const payment = await at.deposit(await at.addPlayer());
  const { reference } = payment;
  await sandbox.order("faults", { on: "charge_outcome", fault: "wrong_amount", amount: 400_000, reference });
  for (const outcome of ["pay", "disputed", "reversed"]) await sandbox.order(`transactions/${reference}`, { outcome });
  await sandbox.pass();
  await at.advance(HOUR_MS);
  expect(await at.find(reference)).toMatchObject({ status: "reversed", money: "none" });
  await sandbox.order("faults", { on: "webhook", fault: "lost", reference, times: 5 });
  await sandbox.order(`transactions/${reference}`, { outcome: "dispute_declined" });
  await sandbox.pass();
  expect(await reconcileAbout(payment)).toEqual([]);
  expect(await at.find(reference)).toMatchObject({ status: "review", money: "none" });
});

test("finds that the bank reversed a held deposit without a report", async () => {
  const payment = await at.deposit(await at.addPlayer());
  const { reference } = payment;
  await sandbox.order("faults", { on: "charge_outcome", fault: "wrong_amount", amount: 400_000, reference });
  await sandbox.order(`transactions/${reference}`, { outcome: "pay" });
  await sandbox.pass();
  await at.payments.runDue();
  expect(await at.find(reference)).toMatchObject({ status: "review", money: "none" });
  await sandbox.order("faults", { on: "webhook", fault: "lost", reference, times: 5 });
  await sandbox.order(`transactions/${reference}`, { outcome: "reversed" });
  await sandbox.pass();
  expect(await reconcileAbout(payment)).toEqual([]);
  expect(await at.find(reference)).toMatchObject({ status: "reversed", money: "none" });
});

test("reports unknown money at the provider and payments missing there, and fires an alert", async () => {
  const player = await at.addPlayer();
  const payment = await at.deposit(player);
  await sandbox.order(`transactions/${payment.reference}`, { outcome: "pay" });
  await sandbox.pass();
  await sandbox.reset();
  await at.advance(HOUR_MS);
  await fetch(`${sandbox.url}/transaction/initialize`, {
    method: "POST",
    headers: { authorization: `Bearer ${sandbox.secretKey}`, "content-type": "application/json" },
    body: JSON.stringify({ amount: "700000", email: "else@example.com", reference: "somebody-elses-charge" }),
  });
  await sandbox.order("faults", { on: "webhook", fault: "lost" });
  await sandbox.order("transactions/somebody-elses-charge", { outcome: "pay" });
  const before = readScrape(await at.loadMetrics());
  const differences = (await at.payments.reconciliation.reconcile())?.differences;
  expect(listFiring(before, readScrape(await at.loadMetrics()))).toEqual(["HoloBooksDiffer"]);
  expect(differences).toContainEqual({ type: "unknown_charge", reference: "somebody-elses-charge", kobo: "700000" });
  expect(differences).toContainEqual({ type: "missing_charge", reference: payment.reference, kobo: "500000" });
});

test("waits with a deposit that was credited after its list was read", async () => {
  const payment = await at.deposit(await at.addPlayer());
  await at.advance(20 * MINUTE_MS);
  await sandbox.pass(20 * MINUTE_MS);
  await sandbox.order(`transactions/${payment.reference}`, { outcome: "pay" });
  await sandbox.pass();
  expect(await at.find(payment.reference)).toMatchObject({ money: "credited" });
  await sandbox.order("faults", { on: "list_transactions", fault: "wrong_status", status: "ongoing", times: 9 });
  expect(await reconcileAbout(payment)).toEqual([]);
  await at.advance(10 * MINUTE_MS);
  expect(await reconcileAbout(payment)).toMatchObject([{ type: "missing_charge" }]);
});

test("reports the differences of the last comparison on every server, also after a restart", async () => {
  const payment = await at.deposit(await at.addPlayer());
  await sandbox.order(`transactions/${payment.reference}`, { outcome: "pay" });
  await sandbox.pass();
  await sandbox.reset();
  await at.advance(HOUR_MS);
  const count = async () => (await at.payments.reconciliation.reconcile())?.differences.length ?? 0;
  const before = await count();
  expect(before).toBeGreaterThan(0);
  const other = await openTestPayments(database, sandbox, { isPolling: true });
  const readGauge = async () => readScrape(await other.loadMetrics()).values.get("holo_reconciliation_differences");
  await expect.poll(readGauge).toBe(before);
  other.time.advance(at.time.now() - other.time.now());
  await sql`alter table payment_facts disable trigger user`.execute(database.kysely);
  await sql`delete from payment_facts where payment_id = ${payment.id}`.execute(database.kysely);
  await sql`delete from payments where reference = ${payment.reference}`.execute(database.kysely);
  expect(await count()).toBe(before - 1);
  const readLater = async () => {
    await other.advance(MINUTE_MS);
    return await readGauge();
  };
  await expect.poll(readLater).toBe(before - 1);
  await other.close();
  await at.receiveWebhooks();
});

test("compares nothing where a list is incomplete", async () => {
  await sandbox.order("faults", { on: "list_transfers", fault: "malformed" });
  expect(await at.payments.reconciliation.reconcile()).toBeNull();
  expect(await at.payments.loadProviderBalance()).toBe(1_000_000_000n);
});

test("fires an alert where no comparison was complete for 30 hours, as it fails or hangs [OPS-21]", async () => {
  await sandbox.order("settings", { holdMs: DAY_MS });
  const polling = await openTestPayments(database, sandbox, { isPolling: true });
  polling.time.advance(at.time.now() - polling.time.now());
  const compare = async () => {
    await at.payments.reconciliation.reconcile();
    await at.payments.runDue();
    await polling.advance(MINUTE_MS);
    return isOverdue();
  };
  const isOverdue = async () => {
    const scrape = readScrape(await polling.loadMetrics());
    return listFiring(scrape, scrape).includes("HoloComparisonOverdue");
  };
  const countTries = async () => {
    await polling.advance(MINUTE_MS);
    return (await sandbox.state()).calls.filter(({ operation }) => operation === "list_refunds").length;
  };
  for (const fault of ["500", "timeout"]) {
    await expect.poll(compare).toBe(false);
    await sandbox.order("faults", { on: "list_refunds", fault, times: null });
    const tries = await countTries();
    for (const one of [at, polling]) one.time.advance(DAY_MS);
    await expect.poll(countTries).toBeGreaterThan(tries);
    expect(await isOverdue()).toBe(false);
    for (const one of [at, polling]) one.time.advance(8 * HOUR_MS);
    expect(await isOverdue()).toBe(true);
    await fetch(`${sandbox.url}/_sandbox/faults`, { method: "DELETE" });
  }
  await polling.close();
  await at.receiveWebhooks();
});

test("compares lists of many pages", async () => {
  const player = await at.addPlayer();
  const { reference } = await at.deposit(player);
  await sandbox.order("faults", { on: "webhook", fault: "lost", reference });
  await sandbox.order(`transactions/${reference}`, { outcome: "pay" });
  for (let i = 0; i < 120; i += 1) {
    await fetch(`${sandbox.url}/transaction/initialize`, {
      method: "POST",
      headers: { authorization: `Bearer ${sandbox.secretKey}`, "content-type": "application/json" },
      body: JSON.stringify({ amount: "500000", email: "else@example.com", reference: `other-charge-number-${i}` }),
    });
  }
  await sandbox.pass();
  await at.payments.reconciliation.reconcile();
  expect(await at.find(reference)).toMatchObject({ status: "completed" });
});

test("takes back a partial refund whose webhook was lost, also of a charge before the compared period", async () => {
  const player = await at.addPlayer();
  const payment = await at.deposit(player);
  const { reference } = payment;
  await sandbox.order(`transactions/${reference}`, { outcome: "pay" });
  await sandbox.pass();
  await sandbox.order("settings", { refundSettlesAfterMs: 0 });
  const refund = async (amount: number) => {
    await sandbox.order("faults", { on: "webhook", fault: "lost", times: 3 });
    await fetch(`${sandbox.url}/refund`, {
      method: "POST",
      headers: { authorization: `Bearer ${sandbox.secretKey}`, "content-type": "application/json" },
      body: JSON.stringify({ transaction: reference, amount }),
    });
    await sandbox.pass(1);
  };
  await refund(100_000);
  await at.payments.reconciliation.reconcile();
  expect(await at.find(reference)).toMatchObject({ status: "completed", backKobo: 100_000n });
  expect(at.alerts.filter((one) => one.reference === reference)).toEqual([{ alert: "deposit_refunded", reference }]);
  const month = 30 * 24 * HOUR_MS;
  await sandbox.pass(month);
  await at.advance(month);
  await refund(50_000);
  await at.payments.reconciliation.reconcile();
  expect(await at.find(reference)).toMatchObject({ backKobo: 150_000n });
});

// [ADMIN-45 §2 r9] A refund that fails after it was finished is for staff again, also that of a deleted account or
// of a part that was taken back.
test("hands a part of a deposit that was taken back and whose refund failed afterwards to staff [ADMIN-45]", async () => {
  const player = await at.addPlayer();
  const { reference } = await at.deposit(player);
  await sandbox.order(`transactions/${reference}`, { outcome: "pay" });
  await sandbox.pass();
  await sandbox.order("settings", { refundSettlesAfterMs: 0 });
  await fetch(`${sandbox.url}/refund`, {
    method: "POST",
    headers: { authorization: `Bearer ${sandbox.secretKey}`, "content-type": "application/json" },
    body: JSON.stringify({ transaction: reference, amount: 100_000 }),
  });
  await sandbox.pass(1);
  await at.payments.reconciliation.reconcile();
  expect(await at.find(reference)).toMatchObject({ backKobo: 100_000n, keptKobo: 400_000n });
  await sandbox.order("faults", { on: "list_refunds", fault: "wrong_status", status: "failed", times: 9 });
  await at.payments.reconciliation.reconcile();
  expect(await at.findCase(reference)).toMatchObject({ why: "money_left", residueKobo: 100_000n });
});

test("reports a refund of money that is unknown", async () => {
  await fetch(`${sandbox.url}/transaction/initialize`, {
    method: "POST",
    headers: { authorization: `Bearer ${sandbox.secretKey}`, "content-type": "application/json" },
    body: JSON.stringify({ amount: "700000", email: "else@example.com", reference: "unknown-charge-to-refund" }),
  });
  await sandbox.order("transactions/unknown-charge-to-refund", { outcome: "pay" });
  await sandbox.order("transactions/unknown-charge-to-refund", { outcome: "reversed" });
  const differences = (await at.payments.reconciliation.reconcile())?.differences;
  expect(differences).toContainEqual({ type: "unknown_refund", reference: "unknown-charge-to-refund", kobo: "700000" });
});

async function passDays(days: number): Promise<void> {
  await at.advance(days * DAY_MS);
  await sandbox.pass(days * DAY_MS);
}

async function addPaidWithdrawal(): Promise<string> {
  const { reference } = await at.withdraw(await at.addPlayer(HC));
  for (let i = 0; i < 4; i += 1) {
    await at.advance(5 * SECOND_MS);
    await sandbox.pass(5 * SECOND_MS);
  }
  expect(await at.find(reference)).toMatchObject({ money: "paid" });
  return reference;
}

async function returnUnreported(reference: string): Promise<void> {
  await sandbox.order("faults", { on: "webhook", fault: "lost", reference, times: 9 });
  await sandbox.order(`transfers/${reference}`, { outcome: "reversed" });
  await sandbox.pass();
}

async function reconcileMoney(reference: string): Promise<string> {
  await at.payments.reconciliation.reconcile();
  return (await at.find(reference)).money;
}

test("finds a transfer that its bank returned unreported after the compared period [CALL-12]", async () => {
  const reference = await addPaidWithdrawal();
  await passDays(20);
  await returnUnreported(reference);
  expect(await reconcileMoney(reference)).toBe("returned");
  const { status, playerId } = await at.find(reference);
  expect(status).toBe("reversed");
  expect(await at.balance(playerId)).toBe(HC);
  expect(at.alerts.filter((one) => one.reference === reference)).toEqual([{ alert: "transfer_reversed", reference }]);
});

test("compares transfers of 120 days once a week", async () => {
  const reference = await addPaidWithdrawal();
  await passDays(20);
  expect(await reconcileMoney(reference)).toBe("paid");
  await returnUnreported(reference);
  await passDays(5);
  expect(await reconcileMoney(reference)).toBe("paid");
  await passDays(3);
  expect(await reconcileMoney(reference)).toBe("returned");
});

test("verifies paid transfers again after payouts were held", async () => {
  const reference = await addPaidWithdrawal();
  await passDays(20);
  expect(await reconcileMoney(reference)).toBe("paid");
  await returnUnreported(reference);
  await at.advance(MINUTE_MS);
  await transact(database, (tx) => savePayoutHold(tx, { cause: "restore", at: at.time.now() }));
  await at.advance(2 * MINUTE_MS);
  expect(await reconcileMoney(reference)).toBe("returned");
});

test("goes on with the next transfer where one cannot be asked about", async () => {
  const [reference, next] = [await addPaidWithdrawal(), await addPaidWithdrawal()];
  await passDays(20);
  for (const one of [reference, next]) await returnUnreported(one);
  await sandbox.order("faults", { on: "verify_transfer", fault: "500", reference, times: null });
  expect(await reconcileMoney(next)).toBe("returned");
  expect(await at.find(reference)).toMatchObject({ money: "paid" });
});
