import type { PlayerId } from "@holo/kernel/ids.ts";
import { wholeCoins } from "@holo/kernel/money.ts";
import { sql } from "kysely";
import { beforeEach, expect, test } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import type { Reviews } from "../review/reviews.ts";
import { openPaymentsForAll } from "../testing/payments-hooks.ts";
import { ANYONE, type TestPayments } from "../testing/test-payments.ts";
import type { TestSandbox } from "../testing/test-sandbox.ts";

const HC = wholeCoins(500);
const TAKEN = 16_339_869n;

let database: Database;
let sandbox: TestSandbox;
let at: TestPayments;

openPaymentsForAll((given) => {
  ({ database, sandbox, at } = given);
});
beforeEach(() => sandbox.reset());

type Untrue = Readonly<Record<string, string | number>>;

const clearFaults = () => fetch(`${sandbox.url}/_sandbox/faults`, { method: "DELETE" });

async function answerWith(reference: string, fault: Untrue): Promise<void> {
  await clearFaults();
  for (const on of [
    { on: "verify_transfer", ...fault },
    { on: "webhook", fault: "lost" },
  ]) {
    await sandbox.order("faults", { reference, times: null, ...on });
  }
}

/** A withdrawal of ₦5,000 that is in review, because the provider reports it otherwise. */
async function addDiffering(fault: Untrue, outcome = "success"): Promise<{ player: PlayerId; reference: string }> {
  const player = await at.addBanked(HC);
  const { reference } = await at.withdraw(player);
  await answerWith(reference, fault);
  await sandbox.order("faults", { on: "transfer_outcome", fault: outcome });
  for (let times = 0; times < 3; times += 1) {
    await at.advance(5_000);
    await sandbox.pass();
  }
  expect(await at.find(reference)).toMatchObject({ status: "review", money: "held" });
  return { player, reference };
}

async function listOne(reference: string) {
  return (await at.payments.reviews.list()).filter(({ payment }) => payment.reference === reference);
}

function end(order: Parameters<Reviews["endTransfer"]>[0]) {
  return at.payments.reviews.endTransfer(order, ANYONE);
}

async function askAgain(reference: string): Promise<void> {
  await sql`update payments set next_attempt_at = 0 where reference = ${reference}`.execute(database.kysely);
  await at.advance(0);
}

/** Of the payment's journal entries, by account. */
async function loadMoved(reference: string): Promise<Readonly<Record<string, bigint>>> {
  const { rows } = await sql<{ kind: string; amount: bigint }>`
    select account.kind, sum(posting.amount)::bigint as amount
    from payments payment
    join ledger_entries entry on split_part(entry.source, ':', 1) = payment.id::text and entry.kind <> 'provider_fee'
    join ledger_postings posting on posting.entry_id = entry.id
    join ledger_accounts account on account.id = posting.account_id
    where payment.reference = ${reference} group by account.kind having sum(posting.amount) <> 0`.execute(
    database.kysely,
  );
  return Object.fromEntries(rows.map(({ kind, amount }) => [kind, amount]));
}

// [ADMIN-46 §6 r9] A withdrawal whose transfer differs from its order is ended by staff, who see both sums, after the
// provider was asked again: one of more counts as paid, one of less gives all coins back. The platform bears the
// difference.
test("counts a transfer of more than was ordered as paid, and the excess as the platform's loss, until it comes back [ADMIN-46]", async () => {
  const { player, reference } = await addDiffering({ fault: "wrong_amount", amount: 530_600 });
  expect(await listOne(reference)).toMatchObject([{ ends: ["count_paid"], sentKobo: 530_600n }]);
  const order = { reference, end: "count_paid", kobo: 530_600n } as const;
  expect(await end({ ...order, kobo: 500_000n })).toEqual({ ok: false, refusal: "figures_changed" });
  expect(await end({ ...order, end: "give_back" })).toEqual({ ok: false, refusal: "figures_changed" });
  expect(await end({ ...order, end: "close" })).toEqual({ ok: false, refusal: "figures_changed" });
  expect(await at.find(reference)).toMatchObject({ status: "review", money: "held" });
  expect(await end(order)).toMatchObject({ ok: true, value: { status: "completed", reason: null } });
  expect(await end(order)).toEqual({ ok: false, refusal: "not_in_review" });
  expect(await at.balance(player)).toBe(HC - TAKEN);
  expect(await loadMoved(reference)).toEqual({
    wallet: -TAKEN,
    deposit_clearing: TAKEN + 1_000_000n,
    provider_loss: -1_000_000n,
  });
  expect(await at.findBroken()).toBeNull();
  await sandbox.order(`transfers/${reference}`, { outcome: "reversed" });
  await askAgain(reference);
  expect(await at.find(reference)).toMatchObject({ status: "reversed", money: "returned" });
  expect(await at.balance(player)).toBe(HC);
  expect(await loadMoved(reference)).toEqual({});
  expect(await at.findBroken()).toBeNull();
});

test("returns the coins of a transfer of less than was ordered, which the platform bears, until it comes back [ADMIN-46]", async () => {
  const { player, reference } = await addDiffering({ fault: "wrong_amount", amount: 30_600 });
  expect(await listOne(reference)).toMatchObject([{ ends: ["give_back"], sentKobo: 30_600n }]);
  const order = { reference, end: "give_back", kobo: 30_600n } as const;
  expect(await end({ ...order, kobo: 0n })).toEqual({ ok: false, refusal: "figures_changed" });
  expect(await end(order)).toMatchObject({ ok: true, value: { status: "completed", reason: { code: "paid_less" } } });
  expect(await at.balance(player)).toBe(HC);
  expect(await loadMoved(reference)).toEqual({ deposit_clearing: 1_000_000n, provider_loss: -1_000_000n });
  expect(await listOne(reference)).toEqual([]);
  await sandbox.order(`transfers/${reference}`, { outcome: "reversed" });
  await askAgain(reference);
  expect(await at.find(reference)).toMatchObject({ status: "reversed", money: "returned" });
  expect(await at.balance(player)).toBe(HC);
  expect(await loadMoved(reference)).toEqual({});
  expect(await at.findBroken()).toBeNull();
});

test("returns the coins of another transfer that failed, after the provider was asked again [ADMIN-46]", async () => {
  const { player, reference } = await addDiffering({ fault: "wrong_currency" }, "failed");
  expect(await listOne(reference)).toMatchObject([{ ends: ["give_back"], sentKobo: null }]);
  const order = { reference, end: "give_back" } as const;
  await answerWith(reference, { fault: "500" });
  expect(await end(order)).toEqual({ ok: false, refusal: "provider_silent" });
  await answerWith(reference, { fault: "wrong_currency" });
  expect(await end(order)).toMatchObject({ ok: true, value: { status: "failed" } });
  expect(await at.balance(player)).toBe(HC);
  expect(await loadMoved(reference)).toEqual({});
});

test.each<readonly [string, Untrue, string]>([
  ["another currency", { fault: "wrong_currency" }, "success"],
  ["an open transfer", { fault: "wrong_amount" }, "pending"],
])("changes nothing while the provider reports %s [ADMIN-46]", async (_what, fault, outcome) => {
  const { player, reference } = await addDiffering(fault, outcome);
  expect(await listOne(reference)).toMatchObject([{ ends: [], sentKobo: null }]);
  for (const way of ["count_paid", "give_back"] as const) {
    expect(await end({ reference, end: way })).toEqual({ ok: false, refusal: "transfer_unconfirmed" });
  }
  expect(await at.find(reference)).toMatchObject({ status: "review", money: "held" });
  // Once the provider reports what was ordered, nothing is left to decide.
  await clearFaults();
  if (outcome === "pending") await sandbox.order(`transfers/${reference}`, { outcome: "success" });
  await sandbox.pass();
  await end({ reference, end: "give_back" });
  expect(await at.find(reference)).toMatchObject({ status: "completed", money: "paid" });
  expect(await at.balance(player)).toBe(HC - TAKEN);
  expect(await at.findBroken()).toBeNull();
});

test("takes the loss of a smaller transfer back when the provider reports the ordered sum as returned [ADMIN-46]", async () => {
  const { player, reference } = await addDiffering({ fault: "wrong_amount", amount: 30_600 });
  expect(await end({ reference, end: "give_back", kobo: 30_600n })).toMatchObject({ ok: true });
  // The provider corrects its report: it sent the whole sum.
  await clearFaults();
  const compared = await at.payments.reconciliation.reconcile();
  const difference = { type: "other_amount", reference, kobo: "500000" };
  expect(compared?.differences.filter((one) => one.reference === reference)).toEqual([difference]);
  await sandbox.order(`transfers/${reference}`, { outcome: "reversed" });
  await askAgain(reference);
  expect(await at.find(reference)).toMatchObject({ status: "reversed", money: "returned" });
  expect(await at.balance(player)).toBe(HC);
  expect(await loadMoved(reference)).toEqual({});
  expect(await at.findBroken()).toBeNull();
});

test("books what the provider sent after a failure, also if it was not what was ordered, until it comes back [ADMIN-46]", async () => {
  const player = await at.addPlayer(HC);
  const { reference } = await at.withdraw(player);
  await answerWith(reference, { fault: "wrong_status" });
  for (let times = 0; times < 3; times += 1) {
    await at.advance(5_000);
    await sandbox.pass();
  }
  expect(await at.find(reference)).toMatchObject({ status: "failed", money: "returned" });
  await answerWith(reference, { fault: "wrong_amount", amount: 30_600 });
  await askAgain(reference);
  expect(await at.find(reference)).toMatchObject({ status: "review", money: "lost" });
  expect(await listOne(reference)).toMatchObject([{ ends: ["write_off"], sentKobo: 30_600n }]);
  expect(at.alerts.filter((one) => one.reference === reference)).toMatchObject([{ alert: "transfer_after_return" }]);
  expect(await loadMoved(reference)).toEqual({ deposit_clearing: 1_000_000n, provider_loss: -1_000_000n });
  expect(await at.findBroken()).toBeNull();
  await sandbox.order(`transfers/${reference}`, { outcome: "reversed" });
  await askAgain(reference);
  expect(await at.find(reference)).toMatchObject({ status: "reversed", money: "returned" });
  expect(await at.balance(player)).toBe(HC);
  expect(await loadMoved(reference)).toEqual({});
  expect(await at.findBroken()).toBeNull();
});
