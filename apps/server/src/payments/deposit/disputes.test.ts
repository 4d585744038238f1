import type { PlayerId } from "@holo/kernel/ids.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@holo/kernel/instant.ts";
import { wholeCoins } from "@holo/kernel/money.ts";
import { expect, test } from "vitest";
import { loadWalletOrigins } from "../../ledger/ledger.ts";
import type { Database } from "../../platform/database/database.ts";
import { openPaymentsForAll } from "../testing/payments-hooks.ts";
import type { TestPayments } from "../testing/test-payments.ts";
import type { TestSandbox } from "../testing/test-sandbox.ts";

/** Disputes with late, reordered or several webhooks. `deposits.test.ts` has them in order. */

let database: Database;
let sandbox: TestSandbox;
let at: TestPayments;

openPaymentsForAll((given) => {
  ({ database, sandbox, at } = given);
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

const impossible = { ok: false, refusal: "correction_impossible" };
const done = { ok: true, value: "done" };

async function receiveWebhook(event: string, reference: string, dispute: object): Promise<void> {
  await sandbox.order("webhooks", { event, data: { transaction: { reference }, ...dispute } });
}

test("polls a lost dispute until the charge is reversed", async () => {
  const reference = await addPaid();
  await setOutcome(reference, "disputed");
  await sandbox.order("faults", { on: "verify", fault: "wrong_status", status: "success", reference, times: 6 });
  await sandbox.order("faults", { on: "list_refunds", fault: "wrong_status", status: "pending", times: 6 });
  await setOutcome(reference, "dispute_accepted");
  await at.advance(0);
  expect(await at.find(reference)).toMatchObject({ status: "review", money: "credited" });
  for (let times = 0; times < 8; times += 1) await at.advance(HOUR_MS);
  expect(await at.find(reference)).toMatchObject({ status: "reversed", money: "taken_back", nextAskAt: null });
});

/** Whether coins of a deposit are marked in this wallet. */
async function isMarked(player: PlayerId): Promise<boolean> {
  const origins = await loadWalletOrigins(database.kysely, player, at.time.now());
  return origins.some((origin) => origin.isMarked);
}

test("marks the coins of a disputed deposit until the dispute is won, and those of a lost one for 72 hours", async () => {
  const [player, other] = [await at.addPlayer(), await at.addPlayer(wholeCoins(20))];
  const [{ reference: won }, { reference: lost }] = [await at.deposit(player), await at.deposit(player)];
  for (const reference of [won, lost]) {
    await setOutcome(reference, "pay");
    await at.lose(player, other, wholeCoins(10));
  }
  expect(await isMarked(other)).toBe(false);
  await receiveWebhook("charge.dispute.create", won, { id: 1 });
  expect(await isMarked(other)).toBe(true);
  expect(await isMarked(player)).toBe(false);
  await receiveWebhook("charge.dispute.resolve", won, { id: 1, resolution: "declined" });
  expect(await isMarked(other)).toBe(false);
  await receiveWebhook("charge.dispute.create", lost, { id: 2 });
  await receiveWebhook("charge.dispute.resolve", lost, { id: 2, resolution: "merchant-accepted" });
  await at.advance(71 * HOUR_MS);
  expect(await isMarked(other)).toBe(true);
  await at.advance(HOUR_MS);
  expect(await isMarked(other)).toBe(false);
});

test("restricts the player until the last of several open disputes has ended [VALID-33]", async () => {
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

test("neither credits nor refunds a held deposit during a dispute", async () => {
  const player = await at.addPlayer();
  const { reference } = await at.deposit(player);
  await sandbox.order("faults", { on: "charge_outcome", fault: "wrong_amount", amount: 400_000, reference });
  await setOutcome(reference, "pay");
  await setOutcome(reference, "disputed");
  expect(await at.correct(reference, "credit")).toEqual(impossible);
  expect(await at.correct(reference, "refund")).toEqual(impossible);
  expect(await at.find(reference)).toMatchObject({ status: "review", money: "none" });
  await setOutcome(reference, "dispute_declined");
  expect(await at.correct(reference, "credit")).toMatchObject({ ok: true });
  expect(await at.find(reference)).toMatchObject({ status: "completed", money: "credited" });
});

test("hands a deposit to staff that the bank took uncredited and gave back [ADMIN-08]", async () => {
  const { reference } = await at.deposit(await at.addPlayer());
  await sandbox.order("faults", { on: "charge_outcome", fault: "wrong_amount", amount: 400_000, reference });
  for (const outcome of ["pay", "disputed", "reversed"]) await setOutcome(reference, outcome);
  await at.advance(HOUR_MS);
  expect(await at.find(reference)).toMatchObject({ status: "reversed", money: "none" });
  await setOutcome(reference, "dispute_declined");
  await at.advance(0);
  expect(await at.find(reference)).toMatchObject({ status: "review", money: "none" });
  const raised = at.alerts.filter((one) => one.reference === reference).map(({ alert }) => alert);
  expect(raised).toEqual(["amount_differs", "deposit_disputed", "money_left"]);
  expect(await at.correct(reference, "credit")).toMatchObject({ ok: true });
});

test("polls a charge that the bank took uncredited and gives back some time after a won dispute", async () => {
  const { reference } = await at.deposit(await at.addPlayer());
  await sandbox.order("faults", { on: "charge_outcome", fault: "wrong_amount", amount: 400_000, reference });
  for (const outcome of ["pay", "disputed", "reversed"]) await setOutcome(reference, outcome);
  await at.advance(HOUR_MS);
  await sandbox.order("faults", { on: "verify", fault: "wrong_status", status: "reversed", times: 3, reference });
  await setOutcome(reference, "dispute_declined");
  await at.advance(0);
  expect(await at.find(reference)).toMatchObject({ status: "reversed", nextAskAt: expect.any(Number) });
  for (let times = 0; times < 3; times += 1) await at.advance(MINUTE_MS);
  expect(await at.find(reference)).toMatchObject({ status: "review", money: "none" });
  expect(await at.correct(reference, "credit")).toMatchObject({ ok: true });
});

async function addHeld(): Promise<string> {
  const { reference } = await at.deposit(await at.addPlayer());
  await sandbox.order("faults", { on: "charge_outcome", fault: "wrong_amount", amount: 400_000, reference });
  await setOutcome(reference, "pay");
  return reference;
}

/** The charge is still a success at the provider: the bank takes the money later. */
async function loseDispute(reference: string, id = 1): Promise<void> {
  await receiveWebhook("charge.dispute.create", reference, { id });
  await receiveWebhook("charge.dispute.resolve", reference, { id, resolution: "merchant-accepted" });
  await at.advance(0);
}

async function reverseUnreported(reference: string): Promise<void> {
  await sandbox.order("faults", { on: "webhook", fault: "lost", reference, times: 9 });
  await setOutcome(reference, "reversed");
  await at.advance(HOUR_MS);
}

test("neither credits nor refunds a held deposit between a lost dispute and its reversal [ADMIN-08]", async () => {
  const reference = await addHeld();
  await loseDispute(reference);
  expect(await at.correct(reference, "credit")).toEqual(impossible);
  expect(await at.correct(reference, "refund")).toEqual(impossible);
  expect(await at.find(reference)).toMatchObject({ status: "review", money: "none" });
  await reverseUnreported(reference);
  expect(await at.find(reference)).toMatchObject({ status: "reversed", money: "none", nextAskAt: null });
});

test("leaves a lost dispute that the bank does not collect for two weeks to staff [ADMIN-08]", async () => {
  const held = await addHeld();
  const credited = await addPaid();
  for (const reference of [held, credited]) await loseDispute(reference);
  const alertsOf = (of: string) => at.alerts.filter((one) => one.reference === of).map(({ alert }) => alert);
  for (let days = 0; days < 13; days += 1) await at.advance(DAY_MS);
  expect([alertsOf(held), alertsOf(credited)]).toEqual([["amount_differs", "deposit_disputed"], ["deposit_disputed"]]);
  expect(await at.correct(held, "credit")).toEqual(impossible);
  for (let days = 0; days < 3; days += 1) await at.advance(DAY_MS);
  expect([alertsOf(held), alertsOf(credited)]).toEqual([
    ["amount_differs", "deposit_disputed"],
    ["deposit_disputed", "dispute_uncollected"],
  ]);
  expect(await at.correct(held, "credit")).toEqual(done);
  expect(await at.find(credited)).toMatchObject({ status: "review", money: "credited" });
  await reverseUnreported(credited);
  expect(await at.find(credited)).toMatchObject({ status: "reversed", money: "taken_back", nextAskAt: null });
});

test("restricts the player after a lost dispute whose start was not reported", async () => {
  const reference = await addPaid();
  await receiveWebhook("charge.dispute.resolve", reference, { id: 1, resolution: "merchant-accepted" });
  await receiveWebhook("charge.dispute.create", reference, { id: 1 });
  await at.advance(0);
  expect(await at.find(reference)).toMatchObject({ status: "review", money: "credited" });
  await reverseUnreported(reference);
  expect(await at.find(reference)).toMatchObject({ status: "reversed", money: "taken_back" });
});

test("stays restricted after a lost dispute although another one is won", async () => {
  const reference = await addPaid();
  await receiveWebhook("charge.dispute.create", reference, { id: 2 });
  await loseDispute(reference);
  await receiveWebhook("charge.dispute.resolve", reference, { id: 2, resolution: "declined" });
  await at.advance(0);
  expect(await at.find(reference)).toMatchObject({ status: "review", nextAskAt: expect.any(Number) });
  await reverseUnreported(reference);
  expect(await at.find(reference)).toMatchObject({ status: "reversed", money: "taken_back" });
});

test("forgets a lost dispute once the bank has taken the money", async () => {
  const reference = await addPaid();
  await loseDispute(reference);
  await receiveWebhook("charge.dispute.create", reference, { id: 2 });
  await setOutcome(reference, "disputed");
  await setOutcome(reference, "reversed");
  await at.advance(MINUTE_MS);
  expect(await at.find(reference)).toMatchObject({ money: "taken_back" });
  await receiveWebhook("charge.dispute.resolve", reference, { id: 2, resolution: "declined" });
  await setOutcome(reference, "dispute_declined");
  await at.advance(HOUR_MS);
  expect(await at.correct(reference, "credit")).toEqual(done);
  expect(await at.find(reference)).toMatchObject({ money: "credited" });
  await receiveWebhook("charge.dispute.create", reference, { id: 3 });
  expect(await at.find(reference)).toMatchObject({ status: "review", reason: expect.stringContaining("disputes") });
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

test("sends no withdrawal during a dispute that was opened after it was accepted [VALID-33]", async () => {
  const { deposit, withdrawal } = await addWaitingWithdrawal();
  await setOutcome(deposit, "disputed");
  for (let times = 0; times < 3; times += 1) await at.advance(10 * MINUTE_MS);
  expect(await sandbox.listTransfers(withdrawal)).toHaveLength(0);
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
  expect(await sandbox.listTransfers(withdrawal)).toHaveLength(0);
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
