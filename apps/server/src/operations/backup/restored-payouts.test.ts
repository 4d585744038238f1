import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "@holo/kernel/instant.ts";
import { wholeCoins } from "@holo/kernel/money.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { recordAuditEvent } from "../../admin/admin.ts";
import { endPayoutHold, loadPayoutHold } from "../../payments/payments.ts";
import { openTestPayments, type TestPayments } from "../../payments/testing/test-payments.ts";
import { startTestSandbox, type TestSandbox } from "../../payments/testing/test-sandbox.ts";
import { type Database, openDatabase } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import { createEmptyTestDatabase, createTestDatabase } from "../../platform/testing/test-database.ts";
import { openTestLog } from "../../platform/testing/test-log.ts";
import { readStorageConfig } from "../storage.ts";
import { takeBackup } from "./backup.ts";
import { restoreBackup } from "./restore.ts";

const log = openTestLog();
const report = (): void => {};

let root: string;
let sandbox: TestSandbox;
let source: Database;

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), "holo-payouts-"));
  await mkdir(path.join(root, "data"));
  await writeFile(path.join(root, "data/auth-secret"), "the secret of the arena that is backed up");
  [sandbox, source] = await Promise.all([startTestSandbox(), createTestDatabase()]);
});

afterAll(async () => {
  await sandbox.stop();
  await source.close();
  await rm(root, { recursive: true, force: true });
});

async function backUp(name: string, { connectionString }: Database = source): Promise<string> {
  const folder = path.join(root, name);
  const config = readStorageConfig({ DATABASE_URL: connectionString, DATA_DIR: path.join(root, "data") });
  await takeBackup(config, folder, { log, release: "1.0.0", report });
  return folder;
}

async function restore(backup: string): Promise<Database> {
  const connectionString = await createEmptyTestDatabase();
  const config = readStorageConfig({ DATABASE_URL: connectionString, DATA_DIR: `${backup}-restored` });
  expect((await restoreBackup(config, backup, { log, report })).broken).toBeNull();
  return openDatabase({ connectionString, log });
}

async function settle(at: TestPayments): Promise<void> {
  for (let times = 0; times < 3; times += 1) {
    await at.advance(10 * MINUTE_MS);
    await sandbox.pass(SECOND_MS);
  }
}

/** A busy machine delivers a webhook late. */
async function settleToCompletion(at: TestPayments, reference: string): Promise<void> {
  const follow = async () => {
    await settle(at);
    return await at.find(reference);
  };
  await expect.poll(follow).toMatchObject({ status: "completed", reason: null });
}

async function countTransfers(): Promise<number> {
  return (await sandbox.state()).transfers.length;
}

async function findUnknown(at: TestPayments): Promise<readonly string[]> {
  const { differences } = (await at.payments.reconciliation.reconcile())!;
  return differences
    .filter(({ type }) => type.startsWith("unknown"))
    .map(({ type, reference }) => `${type} ${reference}`);
}

async function callProvider(operation: string, order: object): Promise<Readonly<Record<string, unknown>>> {
  const headers = { authorization: `Bearer ${sandbox.secretKey}`, "content-type": "application/json" };
  const answer = await fetch(`${sandbox.url}/${operation}`, { method: "POST", headers, body: JSON.stringify(order) });
  const { data } = (await answer.json()) as { readonly data: Readonly<Record<string, unknown>> };
  return data;
}

const WAITING = {
  status: "pending",
  money: "held",
  sentAt: null,
  reason: expect.stringContaining("checking our records"),
};

// [OPS-17 §-] After a restore, or on another PostgreSQL, withdrawals wait until a comparison with the provider finds
// no unknown transfer, or staff release them. None is paid twice, and deposits paid since are reported.
test("after a restore nothing is paid twice: withdrawals wait until nothing unknown was sent, or staff release them [OPS-17]", async () => {
  await sandbox.reset();
  const before = await openTestPayments(source, sandbox);
  const [player, payer] = [await before.addPlayer(wholeCoins(500)), await before.addPlayer()];
  const backup = await backUp("paid-since");
  const { reference: paid } = await before.withdraw(player);
  // Before the clock moves: a later restore's hold begins by the machine's clock.
  await expect.poll(() => before.find(paid)).toMatchObject({ sentAt: expect.any(Number) });
  const { reference: deposited } = await before.deposit(payer);
  await sandbox.order(`transactions/${deposited}`, { outcome: "pay" });
  for (const sent of [paid, deposited]) await settleToCompletion(before, sent);
  await before.close();

  const restored = await restore(backup);
  const at = await openTestPayments(restored, sandbox);
  // The backup is older than the period that is compared daily.
  at.time.advance(20 * DAY_MS);
  expect(await at.balance(player)).toBe(wholeCoins(500));
  const { reference } = await at.withdraw(player);
  await settle(at);
  expect(await countTransfers()).toBe(1);
  expect(await at.find(reference)).toMatchObject(WAITING);

  expect(await findUnknown(at)).toEqual([`unknown_charge ${deposited}`, `unknown_transfer ${paid}`]);
  await settle(at);
  expect(await at.find(reference)).toMatchObject(WAITING);
  await transact(restored, async (tx) => {
    const event = { playerId: null, action: "payouts_released", subject: "restore", detail: "Found" } as const;
    const auditEventId = await recordAuditEvent(tx, { ...event, at: at.time.now() });
    await endPayoutHold(tx, (await loadPayoutHold(tx))!, { at: at.time.now(), auditEventId });
  });
  await settleToCompletion(at, reference);
  expect(await countTransfers()).toBe(2);
  await at.close();
  await restored.close();
});

test("a comparison that finds nothing unknown sends what waits; one that could still be sent counts [OPS-17]", async () => {
  await sandbox.reset();
  const before = await openTestPayments(source, sandbox);
  const player = await before.addPlayer(wholeCoins(500));
  await before.close();
  const restored = await restore(await backUp("nothing-since"));
  const at = await openTestPayments(restored, sandbox);
  const { reference } = await at.withdraw(player);
  // An earlier order may still reach the provider.
  expect(await findUnknown(at)).toEqual([]);
  await at.advance(SECOND_MS);
  expect(await at.find(reference)).toMatchObject(WAITING);
  await at.advance(10 * MINUTE_MS);
  // A transfer that is still to be confirmed counts as sent.
  await sandbox.order("settings", { transferSettlesAfterMs: DAY_MS });
  const account = { type: "nuban", name: "Ada", account_number: "0123456789", bank_code: "057", currency: "NGN" };
  const { recipient_code: recipient } = await callProvider("transferrecipient", account);
  await callProvider("transfer", { source: "balance", amount: 500_000, recipient, reference: "by-somebody-else" });
  expect(await findUnknown(at)).toEqual(["unknown_transfer by-somebody-else"]);
  await sandbox.reset();
  await sandbox.order("settings", { transferSettlesAfterMs: 0 });
  expect(await findUnknown(at)).toEqual([]);
  await settleToCompletion(at, reference);
  await at.close();
  await restored.close();
});

test("a database that runs on another PostgreSQL than before sends nothing until the comparison [OPS-17]", async () => {
  await sandbox.reset();
  const at = await openTestPayments(source, sandbox);
  const player = await at.addPlayer(wholeCoins(500));
  const { reference: first } = await at.withdraw(player);
  await settleToCompletion(at, first);
  await sql`update payout_guard set database_identity = '7300000000000000000 00000001 5'`.execute(source.kysely);
  const { reference } = await at.withdraw(player);
  await settle(at);
  expect(await at.find(reference)).toMatchObject(WAITING);
  expect(await findUnknown(at)).toEqual([]);
  await settleToCompletion(at, reference);
  const { rows } = await sql`select cause, ended_by from payout_holds`.execute(source.kysely);
  expect(rows).toEqual([{ cause: "database_changed", ended_by: "reconciliation" }]);
  await at.close();
});

test("the first comparison after a restore finds changes of old deposits since the backup [OPS-17]", async () => {
  await sandbox.reset();
  const lost = await createTestDatabase();
  const before = await openTestPayments(lost, sandbox);
  before.time.advance(-40 * DAY_MS);
  await sandbox.order("clock", { at: new Date(before.time.now()).toISOString() });
  const player = await before.addPlayer();
  const follow = (at: TestPayments, reference: string) => async () => {
    await at.advance(0);
    await sandbox.pass();
    return await at.find(reference);
  };
  const setOutcomes = async (reference: string, ...outcomes: readonly string[]) => {
    for (const outcome of outcomes) {
      await sandbox.order(`transactions/${reference}`, { outcome });
      await sandbox.pass();
      await before.advance(0);
    }
  };
  const add = async () => (await before.deposit(player)).reference;
  const [reversed, won, disputed, held, late] = [await add(), await add(), await add(), await add(), await add()];
  await sandbox.order("faults", { on: "charge_outcome", fault: "wrong_amount", amount: 400_000, reference: held });
  for (const reference of [reversed, disputed, held]) await setOutcomes(reference, "pay");
  await setOutcomes(won, "pay", "disputed", "reversed");
  await expect.poll(follow(before, disputed)).toMatchObject({ money: "credited" });
  await expect.poll(follow(before, won)).toMatchObject({ money: "taken_back" });
  await expect.poll(follow(before, held)).toMatchObject({ status: "review" });
  // More than one page of the provider's list.
  for (let count = 0; count < 110; count += 1) {
    const charge = { amount: "500000", email: "else@example.com", reference: `of-another-shop-${count}` };
    await callProvider("transaction/initialize", charge);
  }
  await before.advance(40 * DAY_MS);
  await sandbox.pass(40 * DAY_MS);
  expect(await before.find(late)).toMatchObject({ status: "abandoned", nextAskAt: null });
  const backup = await backUp("old-deposits", lost);
  for (const reference of [reversed, held]) await setOutcomes(reference, "reversed");
  await setOutcomes(late, "pay");
  await setOutcomes(won, "dispute_declined");
  await setOutcomes(disputed, "disputed");
  await expect.poll(follow(before, late)).toMatchObject({ money: "credited" });
  await expect.poll(follow(before, won)).toMatchObject({ status: "review", money: "taken_back" });
  await before.close();
  await lost.close();

  const restored = await restore(backup);
  const at = await openTestPayments(restored, sandbox);
  await at.advance(2 * MINUTE_MS);
  expect(await at.find(late)).toMatchObject({ money: "none" });
  const countCalls = async () =>
    (await sandbox.state()).calls.filter(({ operation }) => operation === "list_transactions").length;
  // A list that ends early counts for nothing, and is read again.
  await sandbox.order("faults", { on: "list_transactions", fault: "slow", delayMs: 1, times: 1 });
  await sandbox.order("faults", { on: "list_transactions", fault: "500" });
  expect(await at.payments.reconciliation.reconcile()).toBeNull();
  expect(await loadPayoutHold(restored.kysely)).not.toBeNull();
  const calls = await countCalls();
  const { differences } = (await at.payments.reconciliation.reconcile())!;
  expect(await countCalls()).toBe(calls + 2);
  const own = [reversed, won, disputed, held, late];
  expect(differences.filter(({ reference }) => own.includes(reference))).toEqual([]);
  expect(await loadPayoutHold(restored.kysely)).toBeNull();
  await expect.poll(follow(at, reversed)).toMatchObject({ status: "reversed", money: "taken_back" });
  await expect.poll(follow(at, held)).toMatchObject({ status: "reversed", money: "none" });
  await expect.poll(follow(at, late)).toMatchObject({ status: "completed", money: "credited" });
  await expect.poll(follow(at, won)).toMatchObject({ status: "review", money: "taken_back" });
  await expect.poll(follow(at, disputed)).toMatchObject({ status: "review", money: "credited" });
  expect(await at.findBroken()).toBeNull();
  await at.close();
  await restored.close();
});
