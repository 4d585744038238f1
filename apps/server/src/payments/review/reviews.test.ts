import { createHmac } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { openPaymentsForAll } from "../testing/payments-hooks.ts";
import { ANYONE, type TestPayments } from "../testing/test-payments.ts";
import type { TestSandbox } from "../testing/test-sandbox.ts";

let sandbox: TestSandbox;
let at: TestPayments;

openPaymentsForAll((given) => {
  ({ sandbox, at } = given);
});
beforeEach(() => sandbox.reset());

async function addMismatch(change: object = { fault: "wrong_amount", amount: 400_000 }) {
  const player = await at.addPlayer();
  const { reference } = await at.deposit(player);
  await sandbox.order("faults", { on: "charge_outcome", reference, ...change });
  await sandbox.order(`transactions/${reference}`, { outcome: "pay" });
  await sandbox.pass();
  expect(await at.find(reference)).toMatchObject({ status: "review", money: "none" });
  return { player, reference };
}

/** Without what other tests left for review. */
async function listReviews(reference: string) {
  return (await at.payments.reviews.list()).filter(({ payment }) => payment.reference === reference);
}

test("credits another amount once as it arrived", async () => {
  const { player, reference } = await addMismatch();
  expect(await listReviews(reference)).toHaveLength(1);
  expect(await at.payments.reviews.credit(reference, ANYONE, 400_000n)).toMatchObject({
    ok: true,
    value: { status: "completed" },
  });
  // ₦4,000 at 30600, rounded up.
  expect(await at.balance(player)).toBe(13_071_896n);
  expect(await at.find(reference)).toMatchObject({ kobo: 400_000n, coins: 13_071_896n, providerFeeKobo: 16_000n });
  expect(await at.payments.reviews.credit(reference, ANYONE, 400_000n)).toEqual({
    ok: false,
    refusal: "not_in_review",
  });
  expect(await at.payments.reviews.refund(reference, ANYONE)).toEqual({ ok: false, refusal: "not_in_review" });
  expect(await at.findBroken()).toBeNull();
});

test("credits only the sum that staff were shown, and shows a new one", async () => {
  const { player, reference } = await addMismatch();
  const { reviews } = at.payments;
  const readArrived = async () => (await listReviews(reference)).map(({ arrived }) => arrived?.kobo);
  expect(await readArrived()).toEqual([400_000n]);
  await sandbox.order("faults", { on: "verify", fault: "wrong_amount", amount: 450_000, reference });
  expect(await reviews.credit(reference, ANYONE, 400_000n)).toEqual({ ok: false, refusal: "figures_changed" });
  expect(await readArrived()).toEqual([450_000n]);
  expect(await reviews.credit(reference, ANYONE, 450_000n)).toEqual({ ok: false, refusal: "figures_changed" });
  expect(await at.balance(player)).toBe(0n);
  expect(await reviews.credit(reference, ANYONE, 400_000n)).toMatchObject({ ok: true });
  expect(await at.find(reference)).toMatchObject({ status: "completed", kobo: 400_000n });
  expect(await at.findBroken()).toBeNull();
});

test("never credits a refunded deposit, whatever the provider reports", async () => {
  const { player, reference } = await addMismatch();
  await sandbox.order("settings", { refundSettlesAfterMs: 60_000 });
  expect(await at.payments.reviews.refund(reference, ANYONE)).toMatchObject({
    ok: true,
    value: { status: "reversed" },
  });
  expect(await at.payments.reviews.credit(reference, ANYONE, 400_000n)).toEqual({
    ok: false,
    refusal: "not_in_review",
  });
  await at.payments.check(player, reference);
  expect(await at.find(reference)).toMatchObject({ status: "reversed", money: "none" });
  await sandbox.pass(60_000);
  await at.advance(60_000);
  expect(await at.find(reference)).toMatchObject({ status: "reversed", money: "none" });
  expect(await at.balance(player)).toBe(0n);
  expect(await at.findBroken()).toBeNull();
});

async function readRefunds(reference: string): Promise<readonly string[]> {
  const { refunds } = (await sandbox.order("state")) as {
    readonly refunds: readonly { readonly transactionReference: string; readonly status: string }[];
  };
  return refunds.filter(({ transactionReference }) => transactionReference === reference).map(({ status }) => status);
}

async function waitLong(): Promise<void> {
  for (let i = 0; i < 16; i += 1) {
    await sandbox.pass(150_000);
    await at.advance(150_000);
  }
}

const ANSWER_LOST = ["timeout_after_acceptance", "500_after_acceptance", "malformed", "html", "reset_after_acceptance"];

test.each(ANSWER_LOST)(
  "orders a refund once that was accepted with the fault %s, and polls it until it is processed",
  async (fault) => {
    const { player, reference } = await addMismatch();
    await sandbox.order("settings", { refundSettlesAfterMs: 0 });
    await sandbox.order("faults", { on: "webhook", fault: "lost", reference, times: 9 });
    await sandbox.order("faults", { on: "refund", fault });
    expect(await at.payments.reviews.refund(reference, ANYONE)).toMatchObject({
      ok: true,
      value: { status: "reversed" },
    });
    await sandbox.pass(1);
    await at.advance(60_000);
    expect(await at.find(reference)).toMatchObject({
      status: "reversed",
      money: "none",
      reason: "Your payment was refunded.",
      completedAt: at.time.now(),
      nextAttemptAt: null,
    });
    expect(await readRefunds(reference)).toEqual(["processed"]);
    expect(await at.balance(player)).toBe(0n);
    expect(await at.findBroken()).toBeNull();
  },
);

test.each(["timeout", "500", "429", "reset"])(
  "orders a refund again, once, if the order never arrived (%s)",
  async (fault) => {
    const { reference } = await addMismatch();
    await sandbox.order("settings", { refundSettlesAfterMs: 0 });
    await sandbox.order("faults", { on: "refund", fault });
    await at.payments.reviews.refund(reference, ANYONE);
    await at.advance(60_000);
    expect(await at.find(reference)).toMatchObject({ status: "reversed", completedAt: null });
    expect(await at.findBroken()).toBeNull();
    expect(await readRefunds(reference)).toEqual([]);
    await waitLong();
    expect(await at.find(reference)).toMatchObject({ status: "reversed", money: "none", nextAttemptAt: null });
    expect(await readRefunds(reference)).toEqual(["processed"]);
  },
);

test("refunds a deposit by the next server where one died before the order", async () => {
  const { reference } = await addMismatch();
  await sandbox.order("settings", { refundSettlesAfterMs: 0 });
  await sandbox.order("faults", { on: "refund", fault: "timeout" });
  const dying = at.payments.reviews.refund(reference, ANYONE).catch(() => null);
  await expect.poll(async () => (await at.find(reference)).sentAt).not.toBeNull();
  at.kill();
  await dying;
  await waitLong();
  expect(await at.find(reference)).toMatchObject({ status: "reversed", nextAttemptAt: null });
  expect(await readRefunds(reference)).toEqual(["processed"]);
});

test.each(["500", "malformed", "429", "html"])(
  "draws no conclusion from a list of refunds that cannot be read (%s)",
  async (fault) => {
    const { reference } = await addMismatch();
    await sandbox.order("settings", { refundSettlesAfterMs: 0 });
    await sandbox.order("faults", { on: "refund", fault: "timeout_after_acceptance" });
    await sandbox.order("faults", { on: "webhook", fault: "lost", reference, times: 9 });
    await sandbox.order("faults", { on: "list_refunds", fault, times: 3 });
    // Only the list of refunds reports it.
    await sandbox.order("faults", { on: "verify", fault: "wrong_status", status: "success", reference, times: null });
    await at.payments.reviews.refund(reference, ANYONE);
    await at.advance(60_000);
    expect(await at.find(reference)).toMatchObject({ status: "reversed", completedAt: null });
    await waitLong();
    expect((await at.find(reference)).completedAt).not.toBeNull();
    expect(await readRefunds(reference)).toEqual(["processed"]);
  },
);

test("finds a finished refund by the daily reconciliation", async () => {
  const { reference } = await addMismatch();
  await sandbox.order("settings", { refundSettlesAfterMs: 0 });
  await sandbox.order("faults", { on: "webhook", fault: "lost", reference, times: 9 });
  await at.payments.reviews.refund(reference, ANYONE);
  await sandbox.pass(1);
  await at.payments.reconciliation.reconcile();
  expect(await at.find(reference)).toMatchObject({ status: "reversed", nextAttemptAt: null });
  expect((await at.find(reference)).completedAt).not.toBeNull();
});

test("returns a failed refund to review", async () => {
  const { reference } = await addMismatch();
  await sandbox.order("settings", { refundSettlesAfterMs: 0 });
  await sandbox.order("faults", { on: "refund_outcome", fault: "failed" });
  await at.payments.reviews.refund(reference, ANYONE);
  await waitLong();
  expect(await at.find(reference)).toMatchObject({ status: "review", money: "none" });
  await sandbox.order("faults", { on: "refund", fault: "insufficient_balance" });
  expect(await at.payments.reviews.refund(reference, ANYONE)).toEqual({ ok: false, refusal: "provider_silent" });
  expect(await at.find(reference)).toMatchObject({ status: "review", money: "none" });
  expect(await at.payments.reviews.refund(reference, ANYONE)).toMatchObject({ ok: true });
  await waitLong();
  expect(await at.find(reference)).toMatchObject({ status: "reversed", nextAttemptAt: null });
  expect(await readRefunds(reference)).toEqual(["failed", "processed"]);
});

// [ADMIN-45 §2 r9] A refund that fails after it was finished is for staff again: the deposit returns to review, also
// that of a deleted account, and a part that was taken back is a difference in the daily comparison.
test.each(["webhook", "daily comparison"])(
  "returns a finished refund to review where the %s reports its failure [ADMIN-45]",
  async (cause) => {
    const { reference } = await addMismatch();
    await sandbox.order("settings", { refundSettlesAfterMs: 0 });
    await at.payments.reviews.refund(reference, ANYONE);
    await sandbox.pass(1);
    await at.advance(60_000);
    expect(await at.find(reference)).toMatchObject({ status: "reversed", completedAt: expect.any(Number) });
    await sandbox.order("faults", { on: "verify", fault: "wrong_status", status: "success", reference, times: null });
    await sandbox.order("faults", { on: "list_refunds", fault: "wrong_status", status: "failed", times: null });
    if (cause === "webhook") {
      const failed = JSON.stringify({ event: "refund.failed", data: { transaction_reference: reference } });
      const signature = createHmac("sha512", sandbox.secretKey).update(failed).digest("hex");
      expect(await at.payments.receive(Buffer.from(failed), signature)).toMatchObject({ ok: true });
      await at.advance(0);
    } else await at.payments.reconciliation.reconcile();
    expect(await at.find(reference)).toMatchObject({ status: "review", money: "none" });
    expect(await listReviews(reference)).toMatchObject([{ ends: ["credit", "refund"] }]);
    expect(at.alerts.filter((one) => one.reference === reference).at(-1)?.alert).toBe("refund_failed");
    expect(await at.findBroken()).toBeNull();
    await sandbox.reset();
    await sandbox.order("faults", { on: "verify", fault: "500", reference });
    expect(await at.payments.reviews.credit(reference, ANYONE, 400_000n)).toEqual({
      ok: false,
      refusal: "provider_silent",
    });
  },
);

test("credits neither dollars nor unknown payments", async () => {
  const { reference } = await addMismatch({ fault: "wrong_currency" });
  expect(await at.payments.reviews.credit(reference, ANYONE, 400_000n)).toEqual({
    ok: false,
    refusal: "not_creditable",
  });
  expect(await at.payments.reviews.credit("dep-of-nobody-at-all", ANYONE, 400_000n)).toEqual({
    ok: false,
    refusal: "unknown_payment",
  });
  await sandbox.order("faults", { on: "verify", fault: "500", reference });
  expect(await at.payments.reviews.credit(reference, ANYONE, 400_000n)).toEqual({
    ok: false,
    refusal: "provider_silent",
  });
});

test("refuses to credit during a refund at the provider, until it has failed", async () => {
  const { player, reference } = await addMismatch();
  await sandbox.order("faults", { on: "webhook", fault: "lost", reference, times: 9 });
  await sandbox.order("settings", { refundSettlesAfterMs: 60_000 });
  await sandbox.order("faults", { on: "refund_outcome", fault: "failed" });
  await fetch(`${sandbox.url}/refund`, {
    method: "POST",
    headers: { authorization: `Bearer ${sandbox.secretKey}`, "content-type": "application/json" },
    body: JSON.stringify({ transaction: reference }),
  });
  expect(await readRefunds(reference)).toEqual(["pending"]);
  expect(await at.payments.reviews.credit(reference, ANYONE, 400_000n)).toEqual({
    ok: false,
    refusal: "not_creditable",
  });
  await sandbox.order("faults", { on: "list_refunds", fault: "500" });
  expect(await at.payments.reviews.credit(reference, ANYONE, 400_000n)).toEqual({
    ok: false,
    refusal: "provider_silent",
  });
  expect(await at.balance(player)).toBe(0n);
  await sandbox.pass(60_000);
  expect(await readRefunds(reference)).toEqual(["failed"]);
  expect(await at.payments.reviews.credit(reference, ANYONE, 400_000n)).toMatchObject({ ok: true });
});

test("raises one alert for a refund that takes a week, and orders it once", async () => {
  const { reference } = await addMismatch();
  await sandbox.order("faults", { on: "refund_outcome", fault: "pending" });
  await at.payments.reviews.refund(reference, ANYONE);
  const called = () => at.alerts.filter((one) => one.reference === reference && one.alert === "refund_slow").length;
  for (let days = 0; days < 6; days += 1) await at.advance(24 * 3_600_000);
  expect(called()).toBe(0);
  for (let days = 0; days < 4; days += 1) await at.advance(24 * 3_600_000);
  expect(called()).toBe(1);
  expect(await at.find(reference)).toMatchObject({ status: "reversed", money: "none", completedAt: null });
  expect(await at.payments.reviews.refund(reference, ANYONE)).toEqual({ ok: false, refusal: "not_in_review" });
  expect(await readRefunds(reference)).toEqual(["pending"]);
  expect(await at.findBroken()).toBeNull();
});
