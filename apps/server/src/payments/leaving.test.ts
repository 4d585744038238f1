import { toCoins, wholeCoins } from "@holo/kernel/money.ts";
import { expect, test } from "vitest";
import { openPaymentsForAll } from "./testing/payments-hooks.ts";
import { ANYONE, BANK, newId, PASSWORD, type TestPayments } from "./testing/test-payments.ts";
import type { TestSandbox } from "./testing/test-sandbox.ts";

/** Money that comes for somebody who has left for good. */
let sandbox: TestSandbox;
let at: TestPayments;

openPaymentsForAll((given) => {
  ({ sandbox, at } = given);
});

async function leave(playerId: Awaited<ReturnType<TestPayments["addPlayer"]>>): Promise<void> {
  const { kobo } = await at.payments.closings.load(playerId);
  const account = kobo === 0n ? null : { accountNumber: "0123456789", bankCode: BANK };
  if (account !== null) await at.payments.bankAccounts.verify({ playerId, ...account });
  const person = { playerId, username: "ada", email: `${playerId}@example.com`, password: PASSWORD };
  const closed = await at.payments.closings.close({ ...person, commandId: newId(), kobo: Number(kobo), account });
  expect(closed).toMatchObject({ ok: true });
  for (let times = 0; times < 4; times += 1) {
    await at.pass(5_000);
    await sandbox.pass(5_000);
  }
  expect(await at.payments.leaving.leave(playerId, PASSWORD)).toEqual({ ok: true, value: null });
}

test("a deposit that is paid after its player has left is nobody's coins: people are called, and send it back", async () => {
  const player = await at.addPlayer();
  const { reference } = await at.deposit(player);
  expect(await at.payments.check(player, reference)).toMatchObject({ status: "abandoned" });
  await leave(player);
  await sandbox.order(`transactions/${reference}`, { outcome: "pay" });
  await sandbox.pass();
  await at.pass(60_000);
  expect(await at.find(reference)).toMatchObject({ status: "review", money: "none" });
  expect(await at.balance(player)).toBe(0n);
  expect(at.alerts).toContainEqual({ alert: "deposit_after_leaving", reference });
  expect(await at.payments.reviews.credit(reference, ANYONE)).toEqual({ ok: false, refusal: "not_creditable" });
  await sandbox.order("settings", { refundSettlesAfterMs: 0 });
  expect(await at.payments.reviews.refund(reference, ANYONE)).toMatchObject({ ok: true });
  await sandbox.pass(1);
  await at.pass(60_000);
  expect(await at.find(reference)).toMatchObject({ status: "reversed", money: "none", nextAttemptAt: null });
});

test("people are called where a withdrawal comes back to somebody who has left", async () => {
  const player = await at.addPlayer(wholeCoins(20));
  await leave(player);
  const [sent] = await at.payments.listPayments(player);
  expect(sent).toMatchObject({ status: "completed", money: "paid" });
  const { reference } = sent!;
  await sandbox.order(`transfers/${reference}`, { outcome: "reversed" });
  await sandbox.pass();
  await at.pass(60_000);
  expect(await at.find(reference)).toMatchObject({ status: "reversed", money: "returned" });
  expect(await at.balance(player)).toBeGreaterThan(toCoins(0n));
  expect(at.alerts).toContainEqual({ alert: "coins_of_who_left", reference });
});
