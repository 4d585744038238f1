import { randomUUID } from "node:crypto";
import { type PlayerId, toGameId } from "@holo/kernel/ids.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@holo/kernel/instant.ts";
import { type Coins, toCoins, wholeCoins } from "@holo/kernel/money.ts";
import { toCardRefund } from "@holo/protocol/payments/withdrawal-terms.ts";
import { beforeEach, expect, test } from "vitest";
import { loadUnplayed } from "../../ledger/ledger.ts";
import { postStake } from "../../ledger/testing/game-postings.ts";
import type { Database } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import { toPaymentView } from "../payments.ts";
import { openPaymentsForAll } from "../testing/payments-hooks.ts";
import type { TestPayments } from "../testing/test-payments.ts";
import type { TestSandbox } from "../testing/test-sandbox.ts";

/** A deposit of ₦20,000 costs ₦400. */
const KOBO = 2_000_000;
const REFUND = { kobo: 1_960_000, feeKobo: 40_000 };
const CREDITED = 65_359_478n;

let database: Database;
let sandbox: TestSandbox;
let at: TestPayments;

openPaymentsForAll((given) => {
  ({ database, sandbox, at } = given);
});
beforeEach(() => sandbox.reset());

async function pay(player: PlayerId, outcome: "pay" | "pay_by_card", kobo = KOBO): Promise<string> {
  const { reference } = await at.deposit(player, kobo);
  await sandbox.order(`transactions/${reference}`, { outcome });
  await sandbox.pass();
  return reference;
}

async function addPayer(outcome: "pay" | "pay_by_card" = "pay_by_card", coins = toCoins(0n)) {
  const player = await at.addBanked(coins);
  const reference = await pay(player, outcome);
  await at.advance(DAY_MS);
  return { player, reference, paymentId: (await at.find(reference)).id };
}

async function passBoth(forMs: number, stepMs = HOUR_MS): Promise<void> {
  for (let passedMs = 0; passedMs < forMs; passedMs += stepMs) {
    await at.advance(stepMs);
    await sandbox.pass(stepMs);
  }
}

async function stake(playerId: PlayerId, amount: Coins): Promise<void> {
  await transact(database, async (tx) => {
    const gameId = toGameId(randomUUID());
    expect(await postStake(tx, { gameId, seat: 1, playerId, amount, at: at.time.now() })).toMatchObject({ ok: true });
  });
}

async function listRefunds(reference: string): Promise<readonly number[]> {
  const { refunds } = (await sandbox.order("state")) as {
    refunds: readonly { transactionReference: string; amount: number }[];
  };
  return refunds.filter((one) => one.transactionReference === reference).map(({ amount }) => amount);
}

// [WALL-24 §6 r51] The first withdrawal of coins that were deposited by card and never staked waits 72 hours and is
// shown to staff; it can be cancelled meanwhile. Later ones go at once, as do coins that came by transfer or were staked.
test("the first withdrawal of unplayed coins from a card waits 72 hours, shown to staff [WALL-24]", async () => {
  const { player } = await addPayer();
  const first = await at.withdraw(player);
  expect(first).toMatchObject({ status: "pending", reason: { code: "awaiting_first" } });
  expect(await at.findCase(first.reference)).toMatchObject({ why: "first", corrections: [] });
  const view = toPaymentView(first);
  expect(view).toMatchObject({ isCancellable: true, expectedAt: first.createdAt + 4 * DAY_MS });
  expect(view.reason).toBe("Your first withdrawal of coins you never played waits three days. Your money is safe.");
  await passBoth(71 * HOUR_MS);
  expect(await at.find(first.reference)).toMatchObject({ step: "held", status: "pending" });
  expect(await sandbox.listTransfers(first.reference)).toEqual([]);
  await passBoth(2 * HOUR_MS);
  expect(await at.find(first.reference)).toMatchObject({ step: "paid" });
  expect(await sandbox.listTransfers(first.reference)).toEqual([489_000]);
  const later = await at.withdraw(player);
  await passBoth(2 * MINUTE_MS, MINUTE_MS);
  expect(await at.find(later.reference)).toMatchObject({ step: "paid" });
  expect(await at.findBroken()).toBeNull();
});

test("every withdrawal waits until the first one was paid, and one that was cancelled does not count", async () => {
  const { player } = await addPayer();
  const cancelled = await at.withdraw(player);
  expect(await at.payments.cancel(player, cancelled.reference)).toMatchObject({ ok: true });
  const [one, two] = [await at.withdraw(player), await at.withdraw(player)];
  expect([one.reason?.code, two.reason?.code]).toEqual(["awaiting_first", "awaiting_first"]);
});

test("coins by transfer, staked coins and coins that were won do not wait", async () => {
  const byTransfer = await addPayer("pay");
  const staked = await addPayer("pay_by_card", wholeCoins(100));
  await stake(staked.player, toCoins(CREDITED));
  const played = await addPayer("pay_by_card", wholeCoins(100));
  for (const { player } of [byTransfer, staked, played]) {
    expect(await at.withdraw(player)).toMatchObject({ status: "processing", reason: null });
  }
});

test("a hold that began while it waited is told first, and the 72 hours are kept", async () => {
  const { player } = await addPayer();
  const disputed = await pay(player, "pay");
  const first = await at.withdraw(player);
  await sandbox.order(`transactions/${disputed}`, { outcome: "disputed" });
  await sandbox.pass();
  await passBoth(73 * HOUR_MS);
  expect(await at.find(first.reference)).toMatchObject({
    step: "held",
    reason: expect.stringContaining("Your bank disputes one of your deposits."),
  });
  await sandbox.order(`transactions/${disputed}`, { outcome: "dispute_declined" });
  await sandbox.pass();
  await passBoth(HOUR_MS, 5 * MINUTE_MS);
  expect(await at.find(first.reference)).toMatchObject({ step: "paid" });
  expect(await at.findBroken()).toBeNull();
});

// [WALL-25 §6 r37,51] Instead, the unplayed coins of a deposit go back to its card at once, less the provider's fee
// for the deposit. They leave the wallet with the order, once.
test("unplayed coins go back to the card at once, less the deposit's fee, and once [WALL-25]", async () => {
  const { player, reference, paymentId } = await addPayer();
  const order = { playerId: player, paymentId, ...REFUND };
  for (const shown of [{ kobo: KOBO }, { feeKobo: 0 }]) {
    const refused = await at.payments.refundToCard({ ...order, ...shown });
    expect(refused).toEqual({ ok: false, refusal: "card_refund_changed" });
  }
  const other = await at.addPlayer();
  expect(await at.payments.refundToCard({ ...order, playerId: other })).toMatchObject({ refusal: "unknown_payment" });
  const both = await Promise.all([at.payments.refundToCard(order), at.payments.refundToCard(order)]);
  for (const answer of both) expect(answer).toMatchObject({ ok: true, value: { reference } });
  expect(await at.balance(player)).toBe(0n);
  const [begun] = await at.payments.listPayments(player);
  expect(toPaymentView(begun!)).toMatchObject({
    status: "reversed",
    reason: "Your payment goes back to you. It's being refunded.",
  });
  await passBoth(HOUR_MS, 5 * MINUTE_MS);
  expect(await listRefunds(reference)).toEqual([REFUND.kobo]);
  const [done] = await at.payments.listPayments(player);
  expect(toPaymentView(done!).reason).toBe("Your payment goes back to you. It was refunded.");
  expect(done).toMatchObject({ step: "closed", inKobo: 2_000_000n, backKobo: 1_960_000n, borneFeeKobo: 40_000n });
  expect(await at.payments.refundToCard(order)).toMatchObject({ ok: true });
  expect(await listRefunds(reference)).toEqual([REFUND.kobo]);
  expect(at.alerts.filter((alert) => alert.reference === reference)).toEqual([]);
  expect(await at.findBroken()).toBeNull();
});

test("only what was never staked goes back, and the rest stays credited", async () => {
  const { player, reference, paymentId } = await addPayer();
  await stake(player, wholeCoins(30));
  const [lot] = await loadUnplayed(database.kysely, player, await at.balance(player));
  const refund = toCardRefund(lot!)!;
  const shown = { kobo: Number(refund.kobo), feeKobo: Number(refund.feeKobo) };
  expect(shown).toEqual({ kobo: 1_060_360, feeKobo: 21_640 });
  expect(await at.payments.refundToCard({ playerId: player, paymentId, ...shown })).toMatchObject({ ok: true });
  await passBoth(HOUR_MS, 5 * MINUTE_MS);
  expect(await at.find(reference)).toMatchObject({ step: "credited", keptKobo: 918_000n, backKobo: 1_060_360n });
  expect(await listRefunds(reference)).toEqual([1_060_360]);
  expect(await at.findBroken()).toBeNull();
});

test("no refund to the card where the bank collects the money, withdrawals are held or it came otherwise", async () => {
  const { player, reference, paymentId } = await addPayer();
  const order = { playerId: player, paymentId, ...REFUND };
  await sandbox.order("faults", { on: "verify", fault: "timeout" });
  expect(await at.payments.refundToCard(order)).toEqual({ ok: false, refusal: "provider_silent" });
  await sandbox.order(`transactions/${reference}`, { outcome: "disputed" });
  await sandbox.pass();
  expect(await at.payments.refundToCard(order)).toEqual({ ok: false, refusal: "debts_open" });
  const byTransfer = await addPayer("pay");
  const transferred = { playerId: byTransfer.player, paymentId: byTransfer.paymentId, ...REFUND };
  expect(await at.payments.refundToCard(transferred)).toEqual({ ok: false, refusal: "card_refund_changed" });
  expect(await listRefunds(reference)).toEqual([]);
});

test("a refund to the card that fails goes to staff, who give the money back once", async () => {
  const { player, reference, paymentId } = await addPayer();
  await sandbox.order("faults", { on: "refund_outcome", fault: "failed" });
  expect(await at.payments.refundToCard({ playerId: player, paymentId, ...REFUND })).toMatchObject({ ok: true });
  await passBoth(HOUR_MS, 5 * MINUTE_MS);
  expect(await at.findCase(reference)).toMatchObject({ why: "refund_failed", residueKobo: 1_960_000n });
  expect(await at.correct(reference, "credit")).toMatchObject({ ok: true });
  expect(await at.balance(player)).toBe(64_052_288n);
  expect(await at.findCase(reference)).toBeNull();
  expect(await at.findBroken()).toBeNull();
});
