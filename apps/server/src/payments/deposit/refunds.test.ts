import type { PlayerId } from "@holo/kernel/ids.ts";
import { MINUTE_MS } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { endDispute, saveDispute } from "../../accounts/accounts.ts";
import { loadDebt } from "../../ledger/ledger.ts";
import type { Database } from "../../platform/database/database.ts";
import type { Review } from "../review/reviews.ts";
import { openPaymentsForAll } from "../testing/payments-hooks.ts";
import { ANYONE, type TestPayments } from "../testing/test-payments.ts";
import type { TestSandbox } from "../testing/test-sandbox.ts";

let database: Database;
let sandbox: TestSandbox;
let at: TestPayments;

/** ₦5,000 at 30600, rounded up, and ₦1,000 of it, rounded down. */
const ALL = 16_339_870n;
const FIFTH = 3_267_973n;

openPaymentsForAll((given) => {
  ({ database, sandbox, at } = given);
});
beforeEach(async () => {
  await sandbox.reset();
  await sandbox.order("settings", { refundSettlesAfterMs: 0 });
});

async function setOutcome(reference: string, outcome: string): Promise<void> {
  await sandbox.order(`transactions/${reference}`, { outcome });
  await sandbox.pass(1);
  await at.advance(MINUTE_MS);
}

async function addPaid() {
  const player = await at.addPlayer();
  const { reference } = await at.deposit(player);
  await setOutcome(reference, "pay");
  expect(await at.find(reference)).toMatchObject({ status: "completed", money: "credited" });
  return { player, reference };
}

async function addReversedAgain() {
  const { player, reference } = await addPaid();
  for (const outcome of ["disputed", "reversed", "dispute_declined"]) await setOutcome(reference, outcome);
  expect(await at.find(reference)).toMatchObject({ status: "completed", money: "restored" });
  await setOutcome(reference, "reversed");
  return { player, reference };
}

async function refund(reference: string, kobo: number): Promise<void> {
  await fetch(`${sandbox.url}/refund`, {
    method: "POST",
    headers: { authorization: `Bearer ${sandbox.secretKey}`, "content-type": "application/json" },
    body: JSON.stringify({ transaction: reference, amount: kobo }),
  });
  await sandbox.pass(1);
  await at.advance(MINUTE_MS);
}

async function findReview(reference: string): Promise<Review | undefined> {
  return (await at.payments.reviews.list()).find(({ payment }) => payment.reference === reference);
}

const book = (reference: string, bearer: "player" | "platform", kobo = 500_000n) =>
  at.payments.reviews.allocate({ reference, bearer, kobo }, ANYONE);

async function readAccounts(player: PlayerId) {
  const { rows } = await sql<{ readonly total: bigint }>`
    select coalesce(sum(posting.amount), 0)::bigint as total from ledger_postings posting
    join ledger_accounts account on account.id = posting.account_id where account.kind = 'provider_loss'`.execute(
    database.kysely,
  );
  return {
    wallet: await at.balance(player),
    debt: await loadDebt(database.kysely, player),
    loss: -(rows[0]?.total ?? 0n),
  };
}

describe("a charge that is reversed again after a won dispute", () => {
  test("is listed with its refund, blocks withdrawals and raises one alert", async () => {
    const { player, reference } = await addReversedAgain();
    expect(await at.find(reference)).toMatchObject({ status: "review", money: "restored", refundedKobo: 500_000n });
    expect(await findReview(reference)).toMatchObject({
      refunded: { kobo: 500_000n, coins: ALL },
      wallet: ALL,
      ends: ["take", "bear"],
    });
    await at.payments.reconciliation.reconcile();
    await at.advance(MINUTE_MS);
    const raised = at.alerts.filter((alert) => alert.reference === reference).map(({ alert }) => alert);
    expect(raised).toEqual(["deposit_disputed", "deposit_reversed", "deposit_reversed_again"]);
    await expect(at.withdraw(player)).rejects.toThrow(/debts_open|not_settled/);
  });

  test("has its coins taken back, with a debt for missing ones", async () => {
    const { player, reference } = await addReversedAgain();
    await sql`update payments set status = 'completed' where reference = ${reference}`.execute(database.kysely);
    await endDispute(database.kysely, (await at.find(reference)).id, at.time.now());
    await at.advance(24 * 60 * MINUTE_MS);
    await at.withdraw(player);
    await at.advance(MINUTE_MS);
    await sql`update payments set status = 'review' where reference = ${reference}`.execute(database.kysely);
    const { id: paymentId } = await at.find(reference);
    await saveDispute(database.kysely, { paymentId, playerId: player, at: at.time.now() });
    const before = await readAccounts(player);
    expect(before).toMatchObject({ wallet: 1n, debt: 0n });
    expect(await book(reference, "player")).toMatchObject({ ok: true, value: { status: "reversed" } });
    expect(await readAccounts(player)).toEqual({ wallet: 0n, debt: ALL - 1n, loss: before.loss });
    expect(await findReview(reference)).toBeUndefined();
    await at.payments.reconciliation.reconcile();
    expect(await at.find(reference)).toMatchObject({ status: "reversed", money: "restored", allocatedKobo: 500_000n });
  });

  test("is the platform's loss where staff decide so", async () => {
    const { player, reference } = await addReversedAgain();
    const before = await readAccounts(player);
    expect(await book(reference, "platform")).toMatchObject({ ok: true, value: { status: "completed", reason: null } });
    expect(await readAccounts(player)).toEqual({ ...before, loss: before.loss + ALL - 1n });
    expect(await findReview(reference)).toBeUndefined();
    for (const { id, body } of (await sandbox.state()).webhooks) {
      if (body.includes(reference)) await sandbox.order(`webhooks/${id}/replay`, {});
    }
    await at.advance(MINUTE_MS);
    expect(await at.find(reference)).toMatchObject({ status: "completed", allocatedKobo: 500_000n });
    expect(await findReview(reference)).toBeUndefined();
  });

  test("is ended once by concurrent decisions", async () => {
    const { player, reference } = await addReversedAgain();
    const { loss } = await readAccounts(player);
    const ended = await Promise.all(
      (["player", "platform", "player", "platform", "player"] as const).map((bearer) => book(reference, bearer)),
    );
    expect(ended.filter(({ ok }) => ok)).toHaveLength(1);
    expect(ended.filter(({ ok }) => !ok)).toEqual(Array(4).fill({ ok: false, refusal: "not_in_review" }));
    const after = await readAccounts(player);
    const isTaken = after.wallet === 0n;
    expect(after).toEqual({ wallet: isTaken ? 0n : ALL, debt: 0n, loss: isTaken ? loss : loss + ALL - 1n });
  });

  test("is not ended without the provider's answer or with other figures", async () => {
    const { player, reference } = await addReversedAgain();
    expect(await book(reference, "player", 499_999n)).toEqual({ ok: false, refusal: "figures_changed" });
    await sandbox.order("faults", { on: "list_refunds", fault: "500" });
    expect(await book(reference, "player")).toEqual({ ok: false, refusal: "provider_silent" });
    expect(await at.balance(player)).toBe(ALL);
    expect(await findReview(reference)).toBeDefined();
  });

  test("is closed by itself where the provider has the money again", async () => {
    const { player, reference } = await addReversedAgain();
    await sandbox.order("faults", { on: "verify", fault: "wrong_status", status: "success", reference });
    await sandbox.order("faults", { on: "list_refunds", fault: "wrong_status", status: "failed" });
    expect(await book(reference, "player")).toEqual({ ok: false, refusal: "figures_changed" });
    expect(await at.find(reference)).toMatchObject({ status: "completed", money: "restored", refundedKobo: 0n });
    expect(await findReview(reference)).toBeUndefined();
    expect(await at.balance(player)).toBe(ALL);
  });
});

/** By the provider, as after a call of the payer's bank. */
async function reversePart(reference: string, amount: number): Promise<void> {
  await sandbox.order(`transactions/${reference}`, { outcome: "reversed", amount });
  await sandbox.pass(1);
  await at.advance(MINUTE_MS);
}

describe("a refunded part of a credited deposit", () => {
  // [WALL-18 §2 r53] A part of a deposit that the provider has refunded is taken back at once, however that is
  // reported, also before the credit. What is missing is a debt; a refund that failed takes nothing.
  test.each(["a webhook", "the daily comparison", "an answer before the credit"])(
    "is taken back at once after %s, and cannot be withdrawn [WALL-18]",
    async (cause) => {
      const player = await at.addPlayer();
      const { reference } = await at.deposit(player, 20_000_000);
      if (cause === "an answer before the credit") {
        await sandbox.order("faults", { on: "webhook", fault: "lost", reference, times: 9 });
        await sandbox.order(`transactions/${reference}`, { outcome: "pay" });
        await reversePart(reference, 15_000_000);
      } else {
        await setOutcome(reference, "pay");
        await at.advance(25 * 60 * MINUTE_MS);
        if (cause !== "a webhook") await sandbox.order("faults", { on: "webhook", fault: "lost", reference, times: 9 });
        await reversePart(reference, 15_000_000);
        if (cause !== "a webhook") await at.payments.reconciliation.reconcile();
      }
      expect(await at.find(reference)).toMatchObject({
        status: "completed",
        money: "credited",
        refundedKobo: 15_000_000n,
        allocatedKobo: 15_000_000n,
        reason: "₦150,000 of this payment was refunded, and its coins were removed.",
      });
      // ₦50,000 at 30600, rounded up.
      expect(await at.balance(player)).toBe(163_398_694n);
      await at.advance(25 * 60 * MINUTE_MS);
      await expect(at.withdraw(player, 15_000_000)).rejects.toThrow("insufficient_for_withdrawal");
      expect(await findReview(reference)).toBeUndefined();
      expect(at.alerts).toContainEqual({ alert: "deposit_refunded", reference });
      expect(await at.findBroken()).toBeNull();
    },
  );

  test("is taken once from several refunds and reports, until all is taken", async () => {
    const { player, reference } = await addPaid();
    await refund(reference, 100_000);
    await sandbox.order("faults", { on: "webhook", fault: "doubled", reference, times: 9 });
    await refund(reference, 50_001);
    expect(await at.balance(player)).toBe(ALL - 4_901_993n);
    for (const { id, body } of (await sandbox.state()).webhooks) {
      if (body.includes(reference)) await sandbox.order(`webhooks/${id}/replay`, {});
    }
    await at.payments.reconciliation.reconcile();
    expect(await at.find(reference)).toMatchObject({
      status: "completed",
      refundedKobo: 150_001n,
      nextAttemptAt: null,
    });
    expect(await at.balance(player)).toBe(ALL - 4_901_993n);
    await reversePart(reference, 249_999);
    await setOutcome(reference, "reversed");
    expect(await at.find(reference)).toMatchObject({ status: "reversed", money: "credited", allocatedKobo: 500_000n });
    expect(await at.balance(player)).toBe(0n);
    expect(await findReview(reference)).toBeUndefined();
    const compared = await at.payments.reconciliation.reconcile();
    expect(compared?.differences.filter((one) => one.reference === reference)).toEqual([]);
  });

  test("is a debt as far as its coins are gone, which holds withdrawals", async () => {
    const { player, reference } = await addPaid();
    await at.advance(25 * 60 * MINUTE_MS);
    const withdrawn = await at.withdraw(player, 500_000);
    const left = await at.balance(player);
    await refund(reference, 100_000);
    expect(await readAccounts(player)).toMatchObject({ wallet: 0n, debt: FIFTH - left });
    expect(await at.find(withdrawn.reference)).toMatchObject({ money: expect.stringMatching(/held|paid/) });
    await expect(at.withdraw(player)).rejects.toThrow(/debts_open|insufficient_for_withdrawal/);
  });

  test("takes nothing while it is open and after it has failed", async () => {
    const { player, reference } = await addPaid();
    await sandbox.order("faults", { on: "refund_outcome", fault: "failed" });
    await refund(reference, 100_000);
    await sandbox.order("faults", { on: "refund_outcome", fault: "pending" });
    await refund(reference, 100_000);
    expect(await at.find(reference)).toMatchObject({ status: "completed", refundedKobo: 0n, reason: null });
    expect(await at.balance(player)).toBe(ALL);
  });

  test("leaves the rest to staff where its bank took that during a dispute", async () => {
    const { player, reference } = await addPaid();
    await refund(reference, 100_000);
    for (const outcome of ["disputed", "reversed"]) await setOutcome(reference, outcome);
    expect(await at.find(reference)).toMatchObject({ status: "review", money: "credited", allocatedKobo: 100_000n });
    expect(await book(reference, "player", 400_000n)).toEqual({ ok: false, refusal: "payment_disputed" });
    await setOutcome(reference, "dispute_declined");
    expect(await book(reference, "player", 400_000n)).toEqual({ ok: false, refusal: "figures_changed" });
    expect(await at.find(reference)).toMatchObject({ status: "completed", refundedKobo: 100_000n });
    expect(await at.balance(player)).toBe(ALL - FIFTH);
  });

  test("is taken again after a won dispute returned the whole", async () => {
    const { player, reference } = await addPaid();
    for (const outcome of ["disputed", "reversed", "dispute_declined"]) await setOutcome(reference, outcome);
    expect(await at.find(reference)).toMatchObject({ status: "completed", money: "restored", nextAttemptAt: null });
    await refund(reference, 100_000);
    expect(await at.balance(player)).toBe(ALL - FIFTH);
  });
});

test("keeps a deposit restricted after a lost dispute until the bank has taken the rest of it", async () => {
  const { player, reference } = await addPaid();
  const event = { transaction: { reference }, id: 1 };
  await sandbox.order("webhooks", { event: "charge.dispute.create", data: event });
  await sandbox.order("webhooks", {
    event: "charge.dispute.resolve",
    data: { ...event, resolution: "merchant-accepted" },
  });
  await refund(reference, 100_000);
  const polled = { status: "review", nextAttemptAt: expect.any(Number) };
  expect(await at.find(reference)).toMatchObject({ ...polled, allocatedKobo: 100_000n });
  expect(await at.balance(player)).toBe(ALL - FIFTH);
  for (let days = 0; days < 14; days += 1) await at.advance(24 * 60 * MINUTE_MS);
  expect(await at.find(reference)).toMatchObject(polled);
  await sandbox.order("faults", { on: "webhook", fault: "lost", reference, times: 9 });
  await sandbox.order(`transactions/${reference}`, { outcome: "reversed" });
  await at.advance(60 * MINUTE_MS);
  expect(await at.find(reference)).toMatchObject({
    status: "reversed",
    refundedKobo: 500_000n,
    allocatedKobo: 500_000n,
  });
  expect(await at.balance(player)).toBe(0n);
});

test("lists a refund that takes a week until it has arrived [ADMIN-08]", async () => {
  const player = await at.addPlayer();
  const { reference } = await at.deposit(player);
  await sandbox.order("faults", { on: "charge_outcome", fault: "wrong_amount", amount: 400_000, reference });
  await setOutcome(reference, "pay");
  await sandbox.order("faults", { on: "refund_outcome", fault: "pending" });
  expect(await at.payments.reviews.refund(reference, ANYONE)).toMatchObject({ ok: true });
  for (let days = 0; days < 6; days += 1) await at.advance(24 * 60 * MINUTE_MS);
  expect(await findReview(reference)).toBeUndefined();
  for (let days = 0; days < 2; days += 1) await at.advance(24 * 60 * MINUTE_MS);
  expect(await findReview(reference)).toMatchObject({ payment: { status: "reversed" }, ends: [] });
  // Its id is beyond the integers that JSON.parse keeps.
  const state = await (await fetch(`${sandbox.url}/_sandbox/state`)).text();
  const [, id] = /"refunds":\[\{[^}]*?"id":"?(\d{16,})/.exec(state) ?? [];
  await sandbox.order(`refunds/${id}`, { outcome: "processed" });
  await sandbox.pass(1);
  await at.advance(60 * MINUTE_MS);
  expect(await at.find(reference)).toMatchObject({ reason: "Your payment was refunded." });
  expect(await findReview(reference)).toBeUndefined();
});

test("lists a withdrawal that waits at the provider until it continues [ADMIN-08]", async () => {
  const { player } = await addPaid();
  await at.advance(24 * 60 * MINUTE_MS);
  await sandbox.order("balance", { kobo: 0 });
  const { reference } = await at.withdraw(player);
  await at.advance(0);
  expect(await findReview(reference)).toMatchObject({ payment: { status: "pending" }, ends: [] });
  await sandbox.order("balance", { kobo: 100_000_000 });
  await at.advance(6 * MINUTE_MS);
  expect(await findReview(reference)).toBeUndefined();
});
