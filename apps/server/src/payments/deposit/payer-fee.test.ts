import { MINUTE_MS } from "@holo/kernel/instant.ts";
import { toCoinsIn, toKobo } from "@holo/kernel/money.ts";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import { newId, openTestPayments, type TestPayments } from "../testing/test-payments.ts";
import { startTestSandbox, type TestSandbox } from "../testing/test-sandbox.ts";

let database: Database;
let sandbox: TestSandbox;
let at: TestPayments;

beforeAll(async () => {
  [database, sandbox] = await Promise.all([createTestDatabase(), startTestSandbox()]);
  at = await openTestPayments(database, sandbox, { payerBearsFee: true });
});
beforeEach(() => sandbox.reset());
afterAll(async () => {
  const broken = await at.findBroken();
  await at.close();
  await sandbox.stop();
  await database.close();
  expect(broken).toBeNull();
});

test.each([
  [500_000, 517_767],
  [5_000_000, 5_086_295],
  [100_000_000, 100_200_000],
])("asks the payer of %i kobo for %i and credits the chosen amount", async (kobo, asked) => {
  const player = await at.addPlayer();
  const { reference, payerFeeKobo, coins } = await at.deposit(player, kobo, asked);
  expect(payerFeeKobo).toBe(BigInt(asked - kobo));
  const charge = (await sandbox.state()).transactions.find((found) => found.reference === reference);
  expect(charge?.amount).toBe(asked);
  const before = await at.payments.loadProviderBalance();
  await sandbox.order(`transactions/${reference}`, { outcome: "pay" });
  await sandbox.pass();
  expect(await at.find(reference)).toMatchObject({ status: "completed", money: "credited", feeKobo: null });
  expect(await at.balance(player)).toBe(coins);
  expect((await at.payments.loadProviderBalance())! - before!).toBe(BigInt(kobo));
});

test("refuses a deposit with another fee than the shown one", async () => {
  const player = await at.addPlayer();
  const form = { playerId: player, email: "ada@example.com", kobo: 500_000, rateKobo: at.rateKobo };
  const changed = { ok: false, refusal: "deposit_fee_changed" };
  expect(await at.payments.begin({ ...form, commandId: newId(), payKobo: 500_000 })).toEqual(changed);
  expect(await at.payments.begin({ ...form, commandId: newId(), payKobo: 517_766 })).toEqual(changed);
  const commandId = newId();
  const begun = await at.payments.begin({ ...form, commandId, payKobo: 517_767 });
  expect(begun.ok).toBe(true);
  expect(await at.payments.begin({ ...form, commandId, payKobo: 517_767 })).toMatchObject({ ok: true });
});

test("takes back all coins after a refund of the chosen amount without the payer's fee [WALL-18]", async () => {
  const player = await at.addPlayer();
  const { reference } = await at.deposit(player, 500_000, 517_767);
  await sandbox.order(`transactions/${reference}`, { outcome: "pay" });
  await sandbox.order("settings", { refundSettlesAfterMs: 0 });
  await fetch(`${sandbox.url}/refund`, {
    method: "POST",
    headers: { authorization: `Bearer ${sandbox.secretKey}`, "content-type": "application/json" },
    body: JSON.stringify({ transaction: reference, amount: 500_000 }),
  });
  await sandbox.pass(1);
  await at.advance(MINUTE_MS);
  expect(at.alerts).toEqual([{ alert: "deposit_reversed", reference }]);
  expect(await at.find(reference)).toMatchObject({ status: "reversed", keptKobo: 0n });
  expect(await at.balance(player)).toBe(0n);
  const compared = await at.payments.reconciliation.reconcile();
  expect(compared?.differences.filter((one) => one.reference === reference)).toEqual([]);
});

test("credits another amount less the payer's fee after a review", async () => {
  const player = await at.addPlayer();
  const { reference } = await at.deposit(player, 500_000, 517_767);
  await sandbox.order("faults", { on: "charge_outcome", reference, fault: "wrong_amount", amount: 500_000 });
  await sandbox.order(`transactions/${reference}`, { outcome: "pay" });
  await sandbox.pass();
  expect(await at.find(reference)).toMatchObject({ status: "review", money: "none" });
  const found = await at.findCase(reference);
  expect(found?.corrections.map(({ act, kobo }) => [act, kobo])).toContainEqual(["credit", 482_500n]);
  expect(await at.correct(reference, "credit")).toEqual({ ok: true, value: "done" });
  expect(await at.find(reference)).toMatchObject({ keptKobo: 482_500n, feeKobo: null });
  expect(await at.balance(player)).toBe(toCoinsIn(toKobo(482_500n), at.rateKobo));
});
