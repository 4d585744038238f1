import type { PlayerId } from "@holo/kernel/ids.ts";
import { HOUR_MS, MINUTE_MS } from "@holo/kernel/instant.ts";
import { wholeCoins } from "@holo/kernel/money.ts";
import { beforeEach, expect, test } from "vitest";
import { lockLimits } from "../../accounts/accounts.ts";
import { recordAuditEvent } from "../../admin/admin.ts";
import type { Database, Tx } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import { untilOneWaits } from "../../platform/testing/lock-waits.ts";
import { endWithdrawalHold, saveWithdrawalHold } from "../payments.ts";
import { openPaymentsForAll } from "../testing/payments-hooks.ts";
import { makeWithdrawalForm, type TestPayments } from "../testing/test-payments.ts";
import type { TestSandbox } from "../testing/test-sandbox.ts";

const HC = wholeCoins(500);

let database: Database;
let sandbox: TestSandbox;
let at: TestPayments;

openPaymentsForAll((given) => {
  ({ database, sandbox, at } = given);
});
beforeEach(() => sandbox.reset());

async function changeHold(tx: Tx, playerId: PlayerId, isHolding: boolean): Promise<void> {
  await lockLimits(tx, playerId);
  const [action, now] = [isHolding ? "withdrawals_held" : "withdrawals_released", at.time.now()] as const;
  const event = { playerId: null, action, subject: playerId, detail: "Your last games", at: now };
  const auditEventId = await recordAuditEvent(tx, event);
  if (isHolding) await saveWithdrawalHold(tx, { playerId, reason: event.detail, auditEventId, at: now });
  else await endWithdrawalHold(tx, { playerId, auditEventId, at: now });
}

async function addAccepted(): Promise<{ readonly player: PlayerId; readonly reference: string }> {
  const player = await at.addPlayer(HC);
  // The provider's first answer is lost, so the withdrawal waits for its next attempt.
  await sandbox.order("faults", { on: "create_recipient", fault: "500" });
  const { reference } = await at.withdraw(player);
  await at.payments.runDue();
  expect(await at.find(reference)).toMatchObject({ money: "held", sentAt: null });
  return { player, reference };
}

// [WALL-09 §2] While staff hold a player's withdrawals none is sent, also none accepted before: it waits with its
// reason and is sent once after the release. If the provider lacks funds or wants a code, staff are alerted.
test("a withdrawal that was accepted before the hold waits with its reason, and is sent once after the release [WALL-09]", async () => {
  const { player, reference } = await addAccepted();
  const before = await at.balance(player);
  await transact(database, (tx) => changeHold(tx, player, true));
  for (let times = 0; times < 3; times += 1) await at.advance(10 * MINUTE_MS);
  expect(await sandbox.listTransfers(reference)).toHaveLength(0);
  expect(await at.find(reference)).toMatchObject({
    status: "pending",
    money: "held",
    reason: expect.stringContaining("Your withdrawals are on hold"),
  });
  expect(await at.balance(player)).toBe(before);
  await transact(database, (tx) => changeHold(tx, player, false));
  await at.advance(0);
  await sandbox.pass(MINUTE_MS);
  await at.advance(MINUTE_MS);
  expect(await at.find(reference)).toMatchObject({ status: "completed", money: "paid", reason: null });
  expect(await sandbox.listTransfers(reference)).toHaveLength(1);
});

test.each([
  [{ on: "transfer", fault: "insufficient_balance", times: null }, "provider_balance"],
  [{ on: "transfer_outcome", fault: "otp" }, "transfer_otp"],
])("a withdrawal that %j stops after a hold alerts staff once: %s [WALL-09]", async (fault, alert) => {
  const { player, reference } = await addAccepted();
  await transact(database, (tx) => changeHold(tx, player, true));
  await at.advance(10 * MINUTE_MS);
  await transact(database, (tx) => changeHold(tx, player, false));
  await sandbox.order("faults", fault);
  await at.advance(0);
  for (let hours = 0; hours < 10; hours += 1) await at.advance(HOUR_MS);
  expect(await at.find(reference)).toMatchObject({ status: "pending", money: "held" });
  expect(at.alerts.filter((one) => one.reference === reference)).toEqual([{ alert, reference }]);
});

test("a hold that begins while a withdrawal is being sent comes before it or after it [WALL-09]", async () => {
  const { player, reference } = await addAccepted();
  await sandbox.reset();
  at.time.advance(10 * MINUTE_MS);
  // The hold has its lock, and the step that would send waits for it.
  const { sending } = await transact(database, async (tx) => {
    await changeHold(tx, player, true);
    const step = at.payments.runDue();
    await untilOneWaits(database);
    return { sending: step };
  });
  await sending;
  expect(await sandbox.listTransfers(reference)).toHaveLength(0);
  expect(await at.find(reference)).toMatchObject({ money: "held", sentAt: null });

  const other = await at.addPlayer(HC);
  const { reference: ordered } = await at.withdraw(other);
  await at.advance(0);
  expect(await sandbox.listTransfers(ordered)).toHaveLength(1);
  at.time.advance(1);
  await transact(database, (tx) => changeHold(tx, other, true));
  await sandbox.pass(MINUTE_MS);
  await at.advance(MINUTE_MS);
  expect(await at.find(ordered)).toMatchObject({ status: "completed", money: "paid" });
});

// [WALL-10 §2] While staff hold a player's withdrawals a new one is refused with 'Withdrawals are on hold', and the
// coins stay in the wallet.
test("refuses new withdrawals and closing during a hold, and takes nothing [WALL-10]", async () => {
  const player = await at.addBanked(HC);
  await transact(database, (tx) => changeHold(tx, player, true));
  const form = makeWithdrawalForm(player);
  expect(await at.payments.withdraw(form)).toEqual({
    ok: false,
    refusal: { code: "withdrawals_held" },
  });
  expect((await at.payments.accountClosing.load(player)).obstacle).toBe("withdrawals_held");
  expect(await at.balance(player)).toBe(HC);
  await transact(database, (tx) => changeHold(tx, player, false));
  expect(await at.payments.withdraw(form)).toMatchObject({ ok: true });
});
