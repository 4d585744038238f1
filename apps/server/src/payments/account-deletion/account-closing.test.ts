import type { PlayerId } from "@holo/kernel/ids.ts";
import { DAY_MS } from "@holo/kernel/instant.ts";
import { toCoins, wholeCoins } from "@holo/kernel/money.ts";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { loadPlatformFigures } from "../../ledger/ledger.ts";
import type { Database } from "../../platform/database/database.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import type { ClosingForm } from "../payments.ts";
import { ACCOUNT, newId, openTestPayments, PASSWORD, type TestPayments } from "../testing/test-payments.ts";
import { startTestSandbox, type TestSandbox } from "../testing/test-sandbox.ts";

const LITTLE = toCoins(4_030n);
const CLOSING = { ok: false, refusal: { code: "account_closing", figures: {} } };

let database: Database;
let sandbox: TestSandbox;
let at: TestPayments;

beforeAll(async () => {
  [database, sandbox] = await Promise.all([createTestDatabase(), startTestSandbox()]);
  at = await openTestPayments(database, sandbox);
});
beforeEach(() => sandbox.reset());
afterAll(async () => {
  const broken = await at.findBroken();
  await at.close();
  await sandbox.stop();
  await database.close();
  expect(broken).toBeNull();
});

async function formOf(playerId: PlayerId, change: Partial<ClosingForm> = {}): Promise<ClosingForm> {
  const { kobo, feeKobo } = await at.payments.accountClosing.load(playerId);
  const account = kobo > 0n ? ACCOUNT : null;
  const person = { playerId, username: "ada", email: `${playerId}@example.com` };
  return {
    ...person,
    commandId: newId(),
    kobo: Number(kobo),
    feeKobo: Number(feeKobo),
    account,
    password: PASSWORD,
    ...change,
  };
}

async function follow(): Promise<void> {
  for (let i = 0; i < 4; i += 1) {
    await at.advance(5_000);
    await sandbox.pass(5_000);
  }
}

async function sent(playerId: PlayerId) {
  return (await at.list(playerId)).map(({ kobo, status, money }) => ({ kobo, status, money }));
}

test("pays out the whole balance and posts the last part of a kobo to rounding", async () => {
  const player = await at.addBanked(LITTLE);
  expect(await at.payments.accountClosing.load(player)).toEqual({
    closingAt: null,
    balance: LITTLE,
    kobo: 123n,
    feeKobo: 0n,
    isFirstFromCard: false,
    remainder: 11n,
    obstacle: null,
  });
  const before = await loadPlatformFigures(database.kysely);
  const form = await formOf(player);
  const closed = await at.payments.accountClosing.close(form);
  expect(closed).toMatchObject({ ok: true, value: { closingAt: at.time.now(), balance: 0n, kobo: 0n, remainder: 0n } });
  expect(await at.payments.accountClosing.close(form)).toMatchObject({ ok: true });
  await follow();
  expect(await sent(player)).toEqual([{ kobo: 123n, status: "completed", money: "paid" }]);
  expect((await loadPlatformFigures(database.kysely)).rounding - before.rounding).toBe(11n);
  expect(at.pushed.findLast((one) => one.playerId === player && one.frame.type === "wallet")?.frame).toMatchObject({
    balance: "0",
  });
});

test("allows a closing account no deposit, and pays out later credits", async () => {
  const player = await at.addBanked(wholeCoins(20));
  await sandbox.order("faults", { on: "transfer_outcome", fault: "failed" });
  expect(await at.payments.accountClosing.close(await formOf(player))).toMatchObject({ ok: true });
  const amount = { kobo: 500_000, payKobo: 500_000, rateKobo: at.rateKobo };
  const deposit = { playerId: player, email: "a@example.com", commandId: newId(), ...amount };
  expect(await at.payments.begin(deposit)).toEqual(CLOSING);
  await follow();
  expect(await at.balance(player)).toBe(wholeCoins(20));
  const { closingAt } = await at.payments.accountClosing.load(player);
  expect(await at.payments.accountClosing.close(await formOf(player))).toMatchObject({
    ok: true,
    value: { closingAt },
  });
  await follow();
  expect((await sent(player)).map(({ status }) => status).sort()).toEqual(["completed", "failed"]);
  expect(await at.balance(player)).toBe(0n);
});

test("closes an account without a payout and without a bank", async () => {
  for (const coins of [toCoins(0n), toCoins(20n)]) {
    const player = await at.addPlayer(coins);
    expect(await at.payments.accountClosing.close(await formOf(player, { password: "" }))).toMatchObject({
      refusal: { code: "password_required_to_close" },
    });
    expect(await at.payments.accountClosing.close(await formOf(player, { password: "guess" }))).toMatchObject({
      refusal: { code: "wrong_password" },
    });
    const form = await formOf(player);
    expect(await at.payments.accountClosing.close(form)).toMatchObject({ ok: true, value: { balance: 0n } });
    expect(await at.payments.accountClosing.close(form)).toMatchObject({ ok: true, value: { balance: 0n } });
    expect(await sent(player)).toEqual([]);
  }
});

test("closes an empty account where a holocoin costs more than ₦10,000", async () => {
  const player = await at.addPlayer(toCoins(0n));
  const rateKobo = at.rateKobo;
  at.rateKobo = 1_500_000;
  expect(await at.payments.accountClosing.load(player)).toMatchObject({ kobo: 0n, remainder: 0n });
  expect(await at.payments.accountClosing.close(await formOf(player))).toMatchObject({ ok: true });
  expect(await sent(player)).toEqual([]);
  at.rateKobo = rateKobo;
});

test("refuses to close with a partial amount, an open game, held coins or a wrong password", async () => {
  const player = await at.addBanked(LITTLE);
  const close = async (change: Partial<ClosingForm>) => {
    const closed = await at.payments.accountClosing.close(await formOf(player, change));
    return closed.ok ? null : closed.refusal.code;
  };
  expect(await close({ kobo: 122 })).toBe("balance_changed");
  expect(await close({ kobo: 124 })).toBe("insufficient_for_withdrawal");
  expect(await close({ kobo: 0, account: null })).toBe("balance_changed");
  expect(await close({ kobo: -1 })).toBe("bad_amount");
  expect(await close({ account: null })).toBe("account_not_verified");
  expect(await close({ account: { ...ACCOUNT, accountNumber: "9876543210" } })).toBe("account_not_verified");
  expect(await close({ password: "" })).toBe("password_required_to_close");
  expect(await close({ password: "guess" })).toBe("wrong_password");
  at.playing.add(player);
  expect(await at.payments.accountClosing.load(player)).toMatchObject({ obstacle: "game_to_finish" });
  expect(await close({})).toBe("game_to_finish");
  at.playing.delete(player);
  const { reference } = await at.deposit(player);
  await sandbox.order(`transactions/${reference}`, { outcome: "pay" });
  await sandbox.pass();
  expect(await at.payments.accountClosing.load(player)).toMatchObject({ obstacle: "not_settled", closingAt: null });
  expect(await close({})).toBe("not_settled");
  expect(await close({ kobo: 123, feeKobo: 0 })).toBe("not_settled_to_close");
  await at.advance(DAY_MS);
  await sandbox.order(`transactions/${reference}`, { outcome: "disputed" });
  await sandbox.pass();
  expect(await at.payments.accountClosing.load(player)).toMatchObject({ obstacle: "debts_open" });
  expect(await close({})).toBe("debts_open");
  await sandbox.order(`transactions/${reference}`, { outcome: "dispute_declined" });
  await sandbox.pass();
  expect(await close({})).toBeNull();
});

test("never takes more than the balance when closings and withdrawals are concurrent", async () => {
  const player = await at.addBanked(wholeCoins(40));
  const [form, other] = [await formOf(player), await formOf(player)];
  await Promise.all([
    at.payments.accountClosing.close(form),
    at.payments.accountClosing.close(form),
    at.payments.accountClosing.close(other),
    at.withdraw(player).catch(() => null),
  ]);
  await follow();
  const total = (await sent(player)).reduce((sum, { kobo }) => sum + kobo, 0n);
  expect([await at.balance(player), total <= 1_224_000n, total >= 500_000n]).toEqual([expect.any(BigInt), true, true]);
  expect(await at.findBroken()).toBeNull();
});
