import { randomUUID } from "node:crypto";
import type { GameId } from "@holo/kernel/ids.ts";
import { wholeCoins } from "@holo/kernel/money.ts";
import { sql } from "kysely";
import { beforeEach, expect, test } from "vitest";
import { loadWithdrawableRevenue } from "../../ledger/ledger.ts";
import { postStake, postWin } from "../../ledger/testing/game-postings.ts";
import type { Database } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import type { Payment, RevenueForm } from "../payments.ts";
import { openPaymentsForAll } from "../testing/payments-hooks.ts";
import { ACCOUNT, ANYONE, type FoundPayment, newId, type TestPayments } from "../testing/test-payments.ts";
import type { TestSandbox } from "../testing/test-sandbox.ts";

const EARNED = wholeCoins(40);
/** ₦5,000 at 30600, rounded down. */
const TAKEN = 16_339_869n;

let database: Database;
let sandbox: TestSandbox;
let at: TestPayments;

openPaymentsForAll((given) => {
  ({ database, sandbox, at } = given);
});
beforeEach(() => sandbox.reset());

async function earn(): Promise<void> {
  const [winner, loser] = [await at.addPlayer(wholeCoins(100)), await at.addPlayer(wholeCoins(100))];
  const gameId = randomUUID() as GameId;
  await transact(database, async (tx) => {
    const now = at.time.now();
    await postStake(tx, { gameId, seat: 1, playerId: winner, amount: wholeCoins(100), at: now });
    await postStake(tx, { gameId, seat: 2, playerId: loser, amount: wholeCoins(100), at: now });
    const fee = { winnings: wholeCoins(160), platformFee: EARNED, finalHash: "f1" };
    await postWin(tx, { gameId, winnerId: winner, ...fee, at: now });
  });
}

async function addOwner(): Promise<RevenueForm> {
  const playerId = await at.addBanked(wholeCoins(0));
  return { playerId, commandId: newId(), kobo: 500_000, ...ACCOUNT };
}

async function follow({ reference }: Pick<Payment, "reference">): Promise<FoundPayment> {
  for (let i = 0; i < 4; i += 1) {
    await at.advance(5_000);
    await sandbox.pass(5_000);
  }
  return await at.find(reference);
}

// [VALID-28 §5 r10] A withdrawal of revenue must be positive ('Invalid withdrawal amount'), at most the earned
// revenue ('Withdrawal amount exceeds completed games revenue') and to a verified account.
test("refuses to withdraw more than was earned and is not on its way [VALID-28]", async () => {
  const form = await addOwner();
  expect(await at.payments.revenue.withdraw({ ...form, kobo: 0 }, ANYONE)).toEqual({
    ok: false,
    refusal: "bad_revenue_amount",
  });
  expect(await at.payments.revenue.withdraw({ ...form, kobo: -1 }, ANYONE)).toEqual({
    ok: false,
    refusal: "bad_revenue_amount",
  });
  const other = { ...form, accountNumber: "9876543210" };
  expect(await at.payments.revenue.withdraw(other, ANYONE)).toEqual({ ok: false, refusal: "account_not_verified" });
  expect(await at.payments.revenue.withdraw(form, ANYONE)).toEqual({ ok: false, refusal: "above_revenue" });
  await earn();
  const answers = await Promise.all(
    [1, 2, 3, 4].map(() => at.payments.revenue.withdraw({ ...form, commandId: newId() }, ANYONE)),
  );
  expect(answers.map(({ ok }) => ok).sort()).toEqual([false, false, true, true]);
  for (const answer of answers) if (answer.ok) await follow(answer.value);
  expect(await at.findBroken()).toBeNull();
});

test("pays a revenue withdrawal once and returns a failed one", async () => {
  await earn();
  const form = await addOwner();
  const before = await loadWithdrawableRevenue(database.kysely);
  const begun = await at.payments.revenue.withdraw(form, ANYONE);
  if (!begun.ok) throw new Error(begun.refusal);
  expect(await loadWithdrawableRevenue(database.kysely)).toBeLessThanOrEqual(before - TAKEN);
  expect(await at.payments.revenue.withdraw(form, ANYONE)).toMatchObject({ ok: true, value: { id: begun.value.id } });
  expect(await follow(begun.value)).toMatchObject({ status: "completed", money: "paid" });
  const left = await loadWithdrawableRevenue(database.kysely);
  // The platform bears the provider's ₦10 for the transfer.
  expect(left).toBe(before - TAKEN - 32_680n);
  await sandbox.order("faults", { on: "transfer_outcome", fault: "failed" });
  const second = await at.payments.revenue.withdraw({ ...form, commandId: newId() }, ANYONE);
  if (!second.ok) throw new Error(second.refusal);
  expect(await follow(second.value)).toMatchObject({ status: "failed", money: "returned" });
  expect(await loadWithdrawableRevenue(database.kysely)).toBe(left);
  expect(at.pushed.filter(({ playerId }) => playerId === form.playerId)).toEqual([]);
  expect(await at.findBroken()).toBeNull();
});

test.each(["kobo", "rate_kobo"])("the audit compares the %s of its row with the debited revenue", async (column) => {
  await earn();
  const begun = await at.payments.revenue.withdraw(await addOwner(), ANYONE);
  if (!begun.ok) throw new Error(begun.refusal);
  expect(await follow(begun.value)).toMatchObject({ money: "paid" });
  const change = async (by: number) =>
    await sql`
      update payments set ${sql.ref(column)} = ${sql.ref(column)} + ${by} where id = ${begun.value.id}`.execute(
      database.kysely,
    );
  await change(1_000);
  expect(await at.findBroken()).toContain(begun.value.id);
  await change(-1_000);
  expect(await at.findBroken()).toBeNull();
});

// [VALID-34 §5 r34] The CEO's withdrawal is refused where the provider would hold less than players are owed at the
// current exchange rate.
test("never leaves less at the provider than players are owed at the current rate [VALID-34]", async () => {
  await earn();
  const form = await addOwner();
  const held = (await at.payments.loadProviderBalance())!;
  // All players together own more than that once a coin is worth a hundred times as much.
  at.rateKobo = 100 * at.rateKobo;
  const order = { ...form, commandId: newId() };
  expect(await at.payments.revenue.withdraw(order, ANYONE)).toEqual({ ok: false, refusal: "above_provider_cover" });
  const short = (await at.payments.reconciliation.reconcile())?.differences.find(
    ({ type }) => type === "provider_short",
  );
  expect(BigInt(short?.kobo ?? 0)).toBeGreaterThan(0n);
  at.rateKobo = at.rateKobo / 100;
  await sandbox.order("balance", { kobo: Number(held) + Number(short?.kobo) });
  expect(await at.payments.revenue.withdraw({ ...order, commandId: newId() }, ANYONE)).toMatchObject({ ok: true });
  await sandbox.order("faults", { on: "balance", fault: "500" });
  expect(await at.payments.revenue.withdraw({ ...order, commandId: newId() }, ANYONE)).toEqual({
    ok: false,
    refusal: "provider_silent",
  });
});
