import type { PlayerId } from "@holo/kernel/ids.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@holo/kernel/instant.ts";
import { expect, test } from "vitest";
import { openPaymentsForAll } from "../testing/payments-hooks.ts";
import { ANYONE, type TestPayments } from "../testing/test-payments.ts";
import type { TestSandbox } from "../testing/test-sandbox.ts";

/** Disputes with late, reordered or several webhooks. `deposits.test.ts` has them in order. */

let sandbox: TestSandbox;
let at: TestPayments;

openPaymentsForAll((given) => {
  ({ sandbox, at } = given);
});

async function addPaid(fault: object | null = null): Promise<string> {
  const { reference } = await at.deposit(await at.addPlayer());
  if (fault !== null) await sandbox.order("faults", { on: "webhook", reference, ...fault });
  await sandbox.order(`transactions/${reference}`, { outcome: "pay" });
  await sandbox.pass();
  return reference;
}

async function setOutcome(reference: string, outcome: string): Promise<void> {
  await sandbox.order(`transactions/${reference}`, { outcome });
  await sandbox.pass();
}

async function receiveWebhook(event: string, reference: string, dispute: object): Promise<void> {
  await sandbox.order("webhooks", { event, data: { transaction: { reference }, ...dispute } });
}

test("polls a lost dispute until the charge is reversed", async () => {
  const reference = await addPaid();
  await setOutcome(reference, "disputed");
  await sandbox.order("faults", { on: "verify", fault: "wrong_status", status: "success", reference, times: 4 });
  await setOutcome(reference, "dispute_accepted");
  await at.advance(0);
  expect(await at.find(reference)).toMatchObject({ status: "review", money: "credited" });
  for (let times = 0; times < 8; times += 1) await at.advance(HOUR_MS);
  expect(await at.find(reference)).toMatchObject({ status: "reversed", money: "taken_back", nextAttemptAt: null });
});

test("ignores the start of a dispute that arrives after its end", async () => {
  const reference = await addPaid();
  await sandbox.order("faults", { on: "webhook", fault: "late", reference, delayMs: 10 * MINUTE_MS });
  await setOutcome(reference, "disputed");
  await setOutcome(reference, "dispute_declined");
  await sandbox.pass(10 * MINUTE_MS);
  const { webhooks } = await sandbox.state();
  expect(webhooks.filter(({ body }) => body.includes(reference)).map(({ event, status }) => [event, status])).toEqual([
    ["charge.success", "delivered"],
    ["charge.dispute.create", "delivered"],
    ["charge.dispute.resolve", "delivered"],
  ]);
  await at.advance(0);
  expect(await at.find(reference)).toMatchObject({ status: "completed", money: "credited" });
});

test("tracks several disputes of a charge until each has ended", async () => {
  const reference = await addPaid();
  await receiveWebhook("charge.dispute.create", reference, { id: 1 });
  await receiveWebhook("charge.dispute.resolve", reference, { id: 1, resolution: "declined" });
  await at.advance(0);
  expect(await at.find(reference)).toMatchObject({ status: "completed" });
  await receiveWebhook("charge.dispute.create", reference, { id: 2 });
  expect(await at.find(reference)).toMatchObject({ status: "review", money: "credited" });
  // A repeated webhook of the first dispute does not affect the second.
  await receiveWebhook("charge.dispute.resolve", reference, { id: 1, resolution: "declined" });
  await receiveWebhook("charge.dispute.remind", reference, { id: 1 });
  expect(await at.find(reference)).toMatchObject({ status: "review", money: "credited" });
  await receiveWebhook("charge.dispute.resolve", reference, { id: 2, resolution: "declined" });
  expect(await at.find(reference)).toMatchObject({ status: "completed", money: "credited" });
});

test("restricts the player until the last of several open disputes has ended [VALID-33c]", async () => {
  const player = await at.addPlayer();
  const { reference } = await at.deposit(player, 1_000_000);
  await setOutcome(reference, "pay");
  await at.advance(DAY_MS);
  await receiveWebhook("charge.dispute.create", reference, { id: 1 });
  await receiveWebhook("charge.dispute.create", reference, { id: 2 });
  await receiveWebhook("charge.dispute.resolve", reference, { id: 1, resolution: "declined" });
  expect(await at.find(reference)).toMatchObject({ status: "review", money: "credited" });
  await expect(at.withdraw(player)).rejects.toThrow("debts_open");
  await receiveWebhook("charge.dispute.resolve", reference, { id: 2, resolution: "declined" });
  expect(await at.find(reference)).toMatchObject({ status: "completed", money: "credited" });
  expect(await at.withdraw(player)).toMatchObject({ status: "processing" });
});

test("blocks coins that are credited after their dispute has started", async () => {
  const reference = await addPaid({ fault: "lost" });
  await setOutcome(reference, "disputed");
  await at.advance(HOUR_MS);
  expect(await at.find(reference)).toMatchObject({ status: "review", money: "credited" });
  await setOutcome(reference, "dispute_declined");
  expect(await at.find(reference)).toMatchObject({ status: "completed", money: "credited" });
});

test("alerts staff about a partial refund of a credited deposit", async () => {
  const reference = await addPaid();
  await sandbox.order("settings", { refundSettlesAfterMs: 0 });
  await fetch(`${sandbox.url}/refund`, {
    method: "POST",
    headers: { authorization: `Bearer ${sandbox.secretKey}`, "content-type": "application/json" },
    body: JSON.stringify({ transaction: reference, amount: 100_000 }),
  });
  await sandbox.pass(1);
  await at.advance(MINUTE_MS);
  expect(await at.find(reference)).toMatchObject({ status: "completed", money: "credited" });
  expect(at.alerts.filter((one) => one.reference === reference)).toEqual([{ alert: "deposit_refunded", reference }]);
});

test("neither credits nor refunds a held deposit during a dispute", async () => {
  const player = await at.addPlayer();
  const { reference } = await at.deposit(player);
  await sandbox.order("faults", { on: "charge_outcome", fault: "wrong_amount", amount: 400_000, reference });
  await setOutcome(reference, "pay");
  await setOutcome(reference, "disputed");
  for (const end of ["credit", "refund"] as const) {
    expect(await at.payments.reviews[end](reference, ANYONE)).toEqual({ ok: false, refusal: "payment_disputed" });
  }
  expect(await at.find(reference)).toMatchObject({ status: "review", money: "none" });
  await setOutcome(reference, "dispute_declined");
  expect(await at.payments.reviews.credit(reference, ANYONE)).toMatchObject({ ok: true });
  expect(await at.find(reference)).toMatchObject({ status: "completed", money: "credited" });
});

test("returns a deposit to staff that the bank took uncredited and gave back [ADMIN-08f]", async () => {
  const { reference } = await at.deposit(await at.addPlayer());
  await sandbox.order("faults", { on: "charge_outcome", fault: "wrong_amount", amount: 400_000, reference });
  for (const outcome of ["pay", "disputed", "reversed"]) await setOutcome(reference, outcome);
  await at.advance(HOUR_MS);
  expect(await at.find(reference)).toMatchObject({ status: "reversed", money: "none" });
  await setOutcome(reference, "dispute_declined");
  await at.advance(0);
  expect(await at.find(reference)).toMatchObject({ status: "review", money: "none" });
  const raised = at.alerts.filter((one) => one.reference === reference).map(({ alert }) => alert);
  expect(raised).toEqual(["deposit_differs", "deposit_given_back"]);
  expect(await at.payments.reviews.credit(reference, ANYONE, 400_000n)).toMatchObject({ ok: true });
});

async function addWaitingWithdrawal(): Promise<{ player: PlayerId; deposit: string; withdrawal: string }> {
  const player = await at.addPlayer();
  const { reference: deposit } = await at.deposit(player, 1_000_000);
  await setOutcome(deposit, "pay");
  await at.advance(DAY_MS);
  await sandbox.order("faults", { on: "transfer", fault: "insufficient_balance" });
  const { reference: withdrawal } = await at.withdraw(player);
  await at.advance(0);
  expect(await at.find(withdrawal)).toMatchObject({ status: "pending", money: "held" });
  return { player, deposit, withdrawal };
}

async function countTransfers(reference: string): Promise<number> {
  const { transfers } = await sandbox.state();
  return transfers.filter((transfer) => transfer.reference === reference).length;
}

test("sends no withdrawal during a dispute that was opened after it was accepted [VALID-33b]", async () => {
  const { deposit, withdrawal } = await addWaitingWithdrawal();
  await setOutcome(deposit, "disputed");
  for (let times = 0; times < 3; times += 1) await at.advance(10 * MINUTE_MS);
  expect(await countTransfers(withdrawal)).toBe(0);
  expect(await at.find(withdrawal)).toMatchObject({
    status: "pending",
    money: "held",
    reason: expect.stringContaining("disputes one of your deposits"),
  });
  await setOutcome(deposit, "dispute_declined");
  await at.advance(10 * MINUTE_MS);
  await sandbox.pass(MINUTE_MS);
  await at.advance(MINUTE_MS);
  expect(await at.find(withdrawal)).toMatchObject({ status: "completed", money: "paid", reason: null });
});

test("sends no withdrawal before its player's debt is repaid by a deposit", async () => {
  const { player, deposit, withdrawal } = await addWaitingWithdrawal();
  await setOutcome(deposit, "reversed");
  await at.advance(10 * MINUTE_MS);
  expect(await at.find(deposit)).toMatchObject({ money: "taken_back" });
  expect(await countTransfers(withdrawal)).toBe(0);
  expect(await at.find(withdrawal)).toMatchObject({
    status: "pending",
    money: "held",
    reason: expect.stringContaining("owe"),
  });
  const { reference: second } = await at.deposit(player, 1_000_000);
  await setOutcome(second, "pay");
  await at.advance(10 * MINUTE_MS);
  await sandbox.pass(MINUTE_MS);
  await at.advance(MINUTE_MS);
  expect(await at.find(withdrawal)).toMatchObject({ status: "completed", money: "paid" });
});
