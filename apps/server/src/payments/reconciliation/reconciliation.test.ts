import { HOUR_MS, SECOND_MS } from "@holo/kernel/instant.ts";
import { wholeCoins } from "@holo/kernel/money.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import type { Payment } from "../payments.ts";
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
  await sql`delete from payments where money = 'none'`.execute(database.kysely);
});
afterAll(async () => {
  await at.close();
  await sandbox.stop();
  await database.close();
});

/** The differences about these payments: the sandbox forgets between the tests, the database does not. */
async function reconcileAbout(...payments: readonly Payment[]) {
  const result = await at.payments.reconciliation.reconcile();
  const references = payments.map(({ reference }) => reference);
  return result?.differences.filter(({ reference }) => references.includes(reference));
}

test("a deposit that was paid days after everybody had given it up is credited by the comparison", async () => {
  const player = await at.addPlayer();
  const payment = await at.deposit(player);
  await at.advance(25 * HOUR_MS);
  await sandbox.pass(25 * HOUR_MS);
  expect(await at.find(payment.reference)).toMatchObject({ status: "abandoned", nextAttemptAt: null });
  await sandbox.order("faults", { on: "webhook", fault: "lost" });
  await sandbox.order(`transactions/${payment.reference}`, { outcome: "pay" });
  await sandbox.pass();
  expect(await reconcileAbout(payment)).toEqual([]);
  expect(await at.find(payment.reference)).toMatchObject({ status: "completed", money: "credited" });
  expect(await at.payments.reconciliation.loadLast()).toMatchObject({ settled: expect.any(Number) });
  expect(await at.findBroken()).toBeNull();
});

test("a withdrawal that the provider had called failed and that arrived all the same is found", async () => {
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
  expect(await reconcileAbout(payment)).toEqual([{ type: "other_amount", reference, kobo: "500000" }]);
  expect(await at.find(reference)).toMatchObject({ status: "review", money: "lost" });
  expect(await at.findBroken()).toBeNull();
});

test("a deposit that was reversed while nobody was told is taken back", async () => {
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

test("money at the provider that is of no payment, and a payment that the provider has forgotten, are told", async () => {
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
  const differences = (await at.payments.reconciliation.reconcile())?.differences;
  expect(differences).toContainEqual({ type: "unknown_charge", reference: "somebody-elses-charge", kobo: "700000" });
  expect(differences).toContainEqual({ type: "missing_charge", reference: payment.reference, kobo: "500000" });
});

test("a list that cannot be read whole compares nothing", async () => {
  await sandbox.order("faults", { on: "list_transfers", fault: "malformed" });
  expect(await at.payments.reconciliation.reconcile()).toBeNull();
  expect(await at.payments.loadProviderBalance()).toBe(1_000_000_000n);
});

test("whatever is listed on many pages is compared whole", async () => {
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
