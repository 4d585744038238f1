import type { PlayerId } from "@holo/kernel/ids.ts";
import { DAY_MS } from "@holo/kernel/instant.ts";
import { toCoins, wholeCoins } from "@holo/kernel/money.ts";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { loadDebt } from "../../ledger/ledger.ts";
import type { Database } from "../../platform/database/database.ts";
import { openPaymentsForAll } from "../testing/payments-hooks.ts";
import { ANYONE, BANK, newId, PASSWORD, type TestPayments } from "../testing/test-payments.ts";
import type { TestSandbox } from "../testing/test-sandbox.ts";
import type { OrphanedBalanceOrder } from "./orphaned-balances.ts";

let database: Database;
let sandbox: TestSandbox;
let at: TestPayments;

openPaymentsForAll((given) => {
  ({ database, sandbox, at } = given);
});

async function closeAccount(playerId: PlayerId): Promise<void> {
  const { kobo, feeKobo } = await at.payments.accountClosing.load(playerId);
  const account = kobo === 0n ? null : { accountNumber: "0123456789", bankCode: BANK };
  if (account !== null) await at.payments.bankAccounts.verify({ playerId, ...account });
  const person = { playerId, username: "ada", email: `${playerId}@example.com`, password: PASSWORD };
  const shown = { kobo: Number(kobo), feeKobo: Number(feeKobo), account };
  const closed = await at.payments.accountClosing.close({ ...person, ...shown, commandId: newId() });
  expect(closed).toMatchObject({ ok: true });
  for (let times = 0; times < 4; times += 1) {
    await at.advance(5_000);
    await sandbox.pass(5_000);
  }
}

async function leave(playerId: PlayerId): Promise<void> {
  await closeAccount(playerId);
  expect(await at.payments.accountDeletion.deleteAccount(playerId, PASSWORD)).toEqual({ ok: true, value: null });
}

test("deletes no account whose refund may still fail", async () => {
  const player = await at.addPlayer();
  const { reference } = await at.deposit(player);
  await closeAccount(player);
  await sandbox.order("settings", { refundSettlesAfterMs: 60_000 });
  await sandbox.order(`transactions/${reference}`, { outcome: "pay" });
  await sandbox.pass();
  await at.advance(0);
  expect(await at.find(reference)).toMatchObject({ status: "reversed", completedAt: null });
  const refused = { ok: false, refusal: "payment_under_way" };
  expect(await at.payments.accountDeletion.deleteAccount(player, PASSWORD)).toEqual(refused);
  await sandbox.pass(60_000);
  await at.advance(60_000);
  expect(await at.find(reference)).toMatchObject({ status: "reversed", completedAt: expect.any(Number) });
  expect(await at.payments.accountDeletion.deleteAccount(player, PASSWORD)).toEqual({ ok: true, value: null });
});

test("keeps no bank account whose check was answered after the deletion", async () => {
  const player = await at.addPlayer();
  await leave(player);
  const checked = await at.payments.bankAccounts.verify({
    playerId: player,
    accountNumber: "0123456789",
    bankCode: BANK,
  });
  expect(checked).toEqual({ ok: false, refusal: "account_check_failed" });
  expect(await at.payments.bankAccounts.list(player)).toEqual([]);
});

test("holds a deposit that is paid after the account's deletion, for staff to refund", async () => {
  const player = await at.addPlayer();
  const { reference } = await at.deposit(player);
  expect(await at.payments.check(player, reference)).toMatchObject({ status: "abandoned" });
  await leave(player);
  await sandbox.order(`transactions/${reference}`, { outcome: "pay" });
  await sandbox.pass();
  await at.advance(60_000);
  expect(await at.find(reference)).toMatchObject({ status: "review", money: "none" });
  expect(await at.balance(player)).toBe(0n);
  expect(at.alerts).toContainEqual({ alert: "account_deleted", reference });
  expect(await at.correct(reference, "credit")).toEqual({ ok: false, refusal: "correction_impossible" });
  await sandbox.order("settings", { refundSettlesAfterMs: 0 });
  expect(await at.correct(reference, "refund")).toEqual({ ok: true, value: "done" });
  await sandbox.pass(1);
  await at.advance(60_000);
  expect(await at.find(reference)).toMatchObject({ status: "reversed", money: "none", nextAskAt: null });
});

test("alerts staff where a withdrawal comes back to a deleted account", async () => {
  const player = await at.addPlayer(wholeCoins(20));
  await leave(player);
  const [sent] = await at.list(player);
  expect(sent).toMatchObject({ status: "completed", money: "paid" });
  const { reference } = sent!;
  await sandbox.order(`transfers/${reference}`, { outcome: "reversed" });
  await sandbox.pass();
  await at.advance(60_000);
  expect(await at.find(reference)).toMatchObject({ status: "reversed", money: "returned" });
  expect(await at.balance(player)).toBeGreaterThan(toCoins(0n));
  expect(at.alerts).toContainEqual({ alert: "orphaned_balance", reference });
});

async function addLeft() {
  const player = await at.addPlayer(wholeCoins(20));
  await leave(player);
  const { reference } = (await at.list(player))[0]!;
  await sandbox.order(`transfers/${reference}`, { outcome: "reversed" });
  await sandbox.pass();
  await at.advance(60_000);
  expect(await at.find(reference)).toMatchObject({ status: "reversed", money: "returned" });
  return { player, reference };
}

async function settle(): Promise<void> {
  for (let times = 0; times < 4; times += 1) {
    await at.advance(5_000);
    await sandbox.pass(5_000);
  }
}

const findWallet = async (player: PlayerId) =>
  (await at.payments.orphanedBalances.list()).find(({ playerId }) => playerId === player);

const send = (player: PlayerId, change: Partial<OrphanedBalanceOrder> = {}) =>
  at.payments.orphanedBalances.send(
    {
      playerId: player,
      commandId: newId(),
      kobo: 611_999,
      account: null,
      verifiedBy: "the-ceo" as PlayerId,
      ...change,
    },
    ANYONE,
  );

describe("an orphaned balance", () => {
  test("is sent to the account of the last payout by the provider's code alone", async () => {
    const { player, reference } = await addLeft();
    const wallet = await findWallet(player);
    expect(wallet).toMatchObject({
      coins: await at.balance(player),
      bankName: (await at.find(reference)).account?.bankName,
    });
    const sent = await send(player, { kobo: Number(wallet!.kobo) });
    expect(sent).toMatchObject({ ok: true, value: { status: "processing", kobo: wallet!.kobo } });
    expect(await findWallet(player)).toBeUndefined();
    await settle();
    const [payment] = await at.list(player);
    expect(payment).toMatchObject({
      status: "completed",
      money: "paid",
      recipientCode: (await at.find(reference)).recipientCode,
    });
    expect(payment?.account).toMatchObject({ accountNumber: "0000000000", accountName: "" });
    expect(await at.balance(player)).toBe(0n);
    const { calls } = await sandbox.state();
    expect(calls.filter(({ body }) => body.includes(payment!.reference))).toHaveLength(1);
  });

  test("is sent once by concurrent and repeated commands", async () => {
    const { player } = await addLeft();
    const kobo = Number((await findWallet(player))!.kobo);
    const commandId = newId();
    const answers = await Promise.all([
      send(player, { kobo, commandId }),
      send(player, { kobo }),
      send(player, { kobo, commandId }),
      send(player, { kobo }),
    ]);
    const sent = answers.filter(({ ok }) => ok).map((answer) => (answer.ok ? answer.value.id : ""));
    expect(new Set(sent).size).toBe(1);
    expect(
      answers.filter(({ ok }) => !ok).every((answer) => !answer.ok && answer.refusal === "nothing_left_behind"),
    ).toBe(true);
    await settle();
    expect((await at.list(player)).filter(({ money }) => money === "paid")).toHaveLength(1);
    expect(await send(player, { kobo })).toEqual({ ok: false, refusal: "nothing_left_behind" });
  });

  test("is sent by the next server where one died after holding it [ADMIN-09]", async () => {
    const { player } = await addLeft();
    const kobo = Number((await findWallet(player))!.kobo);
    await sandbox.order("faults", { on: "transfer", fault: "timeout_after_acceptance" });
    expect(await send(player, { kobo })).toMatchObject({ ok: true });
    at.kill();
    await at.advance(120_000);
    for (let times = 0; times < 3; times += 1) await settle();
    const [payment] = await at.list(player);
    expect(payment).toMatchObject({ status: "completed", money: "paid" });
    const { transfers } = await sandbox.state();
    expect(transfers.filter(({ reference }) => reference === payment!.reference)).toHaveLength(1);
  });

  test("can be sent to a named account after the bank has returned it", async () => {
    const { player } = await addLeft();
    const kobo = Number((await findWallet(player))!.kobo);
    await sandbox.order("faults", { on: "transfer_outcome", fault: "failed" });
    await send(player, { kobo });
    await settle();
    expect(await findWallet(player)).toMatchObject({ kobo: BigInt(kobo) });
    const verifiedBy = await at.addPlayer();
    const account = { accountNumber: "0123456780", bankCode: BANK };
    expect(await send(player, { kobo, account, verifiedBy })).toEqual({ ok: false, refusal: "account_not_verified" });
    expect(await at.payments.bankAccounts.verify({ playerId: verifiedBy, ...account })).toMatchObject({ ok: true });
    expect(await send(player, { kobo, account, verifiedBy })).toMatchObject({ ok: true });
    await settle();
    expect((await at.list(player))[0]).toMatchObject({ status: "completed", money: "paid" });
    const { rows } = await sql`select from bank_accounts where account_number = ${account.accountNumber}`.execute(
      database.kysely,
    );
    expect(rows).toEqual([]);
  });

  test("repays a debt that begins before it is sent, and its rest is left to staff", async () => {
    const player = await at.addPlayer(wholeCoins(20));
    const { reference } = await at.deposit(player);
    await sandbox.order(`transactions/${reference}`, { outcome: "pay" });
    await sandbox.pass();
    await at.advance(DAY_MS);
    await leave(player);
    const [paid] = await at.list(player);
    await sandbox.order(`transfers/${paid!.reference}`, { outcome: "reversed" });
    await sandbox.pass();
    await at.advance(60_000);
    const before = await at.balance(player);
    await sandbox.order("faults", { on: "transfer", fault: "insufficient_balance" });
    expect(await send(player, { kobo: Number((await findWallet(player))!.kobo) })).toMatchObject({ ok: true });
    await at.advance(0);
    await sandbox.order(`transactions/${reference}`, { outcome: "reversed" });
    await sandbox.pass();
    await at.advance(0);
    expect(await at.find(reference)).toMatchObject({ money: "taken_back" });
    expect(await loadDebt(database.kysely, player)).toBeGreaterThan(0n);
    await at.advance(10 * 60_000);
    expect((await at.list(player))[0]).toMatchObject({ status: "abandoned", money: "returned" });
    expect(await loadDebt(database.kysely, player)).toBe(0n);
    expect(await findWallet(player)).toMatchObject({ coins: before - 16_339_870n });
    expect(at.alerts).toContainEqual({ alert: "orphaned_balance", reference: (await at.list(player))[0]!.reference });
  });

  test("is not sent with other figures or for an existing account", async () => {
    const { player } = await addLeft();
    const kobo = Number((await findWallet(player))!.kobo);
    expect(await send(player, { kobo: kobo - 1 })).toEqual({ ok: false, refusal: "figures_changed" });
    const here = await at.addPlayer(wholeCoins(20));
    expect(await findWallet(here)).toBeUndefined();
    expect(await send(here)).toEqual({ ok: false, refusal: "nothing_left_behind" });
    await sql`update payments set recipient_code = null where player_id = ${player}`.execute(database.kysely);
    expect(await send(player, { kobo })).toEqual({ ok: false, refusal: "no_account_kept" });
    expect(await at.balance(player)).toBeGreaterThan(0n);
  });
});

async function refundReturned() {
  await sandbox.order("settings", { refundSettlesAfterMs: 0 });
  const player = await at.addPlayer();
  const { reference } = await at.deposit(player);
  const setOutcome = async (outcome: string) => {
    await sandbox.order(`transactions/${reference}`, { outcome });
    await sandbox.pass(1);
    await at.advance(60_000);
  };
  for (const outcome of ["pay", "disputed", "reversed"]) await setOutcome(outcome);
  expect(await at.find(reference)).toMatchObject({ status: "reversed", money: "taken_back" });
  await leave(player);
  const cover = await at.payments.revenue.loadCover();
  await setOutcome("dispute_declined");
  expect(await at.find(reference)).toMatchObject({ status: "review", money: "taken_back" });
  // The returned money is the payer's, not revenue.
  expect(await at.payments.revenue.loadCover()).toBe(cover);
  expect(await at.balance(player)).toBe(0n);
  expect((await at.findCase(reference))?.corrections.map(({ act }) => act)).toEqual(["refund", "write_off"]);
  expect(await at.correct(reference, "credit")).toEqual({ ok: false, refusal: "correction_impossible" });
  expect(await at.correct(reference, "refund")).toEqual({ ok: true, value: "done" });
  expect(await at.findBroken()).toBeNull();
  await sandbox.pass(1);
  await at.advance(60_000);
  expect(await at.find(reference)).toMatchObject({
    status: "reversed",
    money: "taken_back",
    reason: expect.stringContaining("It was refunded."),
    nextAskAt: null,
  });
  expect(await at.findCase(reference)).toBeNull();
  return reference;
}

test("refunds a deposit that a won dispute returns after the account's deletion", async () => {
  await refundReturned();
});

test("refunds such a deposit only once the bank has returned the money [ADMIN-08]", async () => {
  await sandbox.order("settings", { refundSettlesAfterMs: 0 });
  const player = await at.addPlayer();
  const { reference } = await at.deposit(player);
  const setOutcome = async (outcome: string) => {
    await sandbox.order(`transactions/${reference}`, { outcome });
    await sandbox.pass(1);
    await at.advance(60_000);
  };
  for (const outcome of ["pay", "disputed", "reversed"]) await setOutcome(outcome);
  await leave(player);
  await sandbox.order("faults", { on: "verify", fault: "wrong_status", status: "reversed", reference, times: null });
  await setOutcome("dispute_declined");
  expect(await at.findCase(reference)).toBeNull();
  expect(await at.correct(reference, "refund")).toEqual({ ok: false, refusal: "not_with_staff" });
  await fetch(`${sandbox.url}/_sandbox/faults`, { method: "DELETE" });
  await at.advance(3_600_000);
  expect(await at.findCase(reference)).toMatchObject({ why: "money_left" });
  expect(await at.correct(reference, "refund")).toEqual({ ok: true, value: "done" });
});

test.each(["webhook", "daily comparison"])(
  "returns such a refund to review where the %s reports that it failed after it was finished [ADMIN-45]",
  async (cause) => {
    const reference = await refundReturned();
    const cover = await at.payments.revenue.loadCover();
    await sandbox.order("faults", { on: "verify", fault: "wrong_status", status: "success", reference, times: null });
    await sandbox.order("faults", { on: "list_refunds", fault: "wrong_status", status: "failed", times: null });
    if (cause === "webhook") {
      await sandbox.order("webhooks", { event: "refund.failed", data: { transaction_reference: reference } });
      await sandbox.pass(1);
      await at.advance(0);
    } else await at.payments.reconciliation.reconcile();
    expect(await at.find(reference)).toMatchObject({ status: "review", money: "taken_back" });
    expect(at.alerts).toContainEqual({ alert: "money_left", reference });
    expect((await at.findCase(reference))?.corrections.map(({ act }) => act)).toEqual(["refund", "write_off"]);
    expect(await at.findBroken()).toBeNull();
    // The provider holds the payer's money again.
    expect(await at.payments.revenue.loadCover()).toBe(cover! - 500_000n);
    await sandbox.reset();
  },
);
