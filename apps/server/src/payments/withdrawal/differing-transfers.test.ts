import type { PlayerId } from "@holo/kernel/ids.ts";
import { wholeCoins } from "@holo/kernel/money.ts";
import { sql } from "kysely";
import { beforeEach, expect, test } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { openPaymentsForAll } from "../testing/payments-hooks.ts";
import type { TestPayments } from "../testing/test-payments.ts";
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
  expect(await at.find(reference)).toMatchObject({ step: "with_staff", status: "review", isBack: false });
  return { player, reference };
}

const done = { ok: true, value: "done" };
const offered = async (reference: string) =>
  (await at.findCase(reference))?.corrections.map(({ act, kobo }) => `${act} ${kobo}`);

async function askAgain(reference: string): Promise<void> {
  await sql`update payments set next_ask_at = 0 where reference = ${reference}`.execute(database.kysely);
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

// [ADMIN-46 §6 r9] A withdrawal whose transfer differs from its order is with staff, who see what left and what
// no one has: an excess is written off, coins that were not sent go back. The platform bears each difference.
test("books what was sent beyond the order as the platform's loss, which staff write off [ADMIN-46]", async () => {
  const { player, reference } = await addDiffering({ fault: "wrong_amount", amount: 530_600 });
  expect(await at.findCase(reference)).toMatchObject({ why: "transfer_differs", residueKobo: -30_600n });
  expect(await offered(reference)).toEqual(["credit 500000", "write_off 30600"]);
  expect(await loadMoved(reference)).toEqual({
    wallet: -TAKEN,
    deposit_clearing: TAKEN + 1_000_000n,
    provider_loss: -1_000_000n,
  });
  expect(await at.correct(reference, "write_off")).toEqual(done);
  expect(await at.find(reference)).toMatchObject({ status: "completed", money: "paid" });
  expect(await at.balance(player)).toBe(HC - TAKEN);
  await sandbox.order(`transfers/${reference}`, { outcome: "reversed" });
  await answerWith(reference, { fault: "wrong_amount", amount: 500_000 });
  await askAgain(reference);
  expect(await at.find(reference)).toMatchObject({ status: "reversed", money: "returned" });
  expect(await loadMoved(reference)).toEqual({});
  expect(await at.balance(player)).toBe(HC);
  expect(await at.findBroken()).toBeNull();
});

test("gives the coins of a transfer of less than was ordered back, and writes off what was sent [ADMIN-46]", async () => {
  const { player, reference } = await addDiffering({ fault: "wrong_amount", amount: 30_600 });
  expect(await at.findCase(reference)).toMatchObject({ residueKobo: 469_400n });
  expect(await offered(reference)).toEqual(["credit 500000"]);
  expect(await at.correct(reference, "credit")).toEqual(done);
  expect(await at.balance(player)).toBe(HC);
  expect(await loadMoved(reference)).toEqual({ deposit_clearing: 1_000_000n, provider_loss: -1_000_000n });
  expect(await offered(reference)).toEqual(["debit 500000", "write_off 30600"]);
  expect(await at.correct(reference, "write_off")).toEqual(done);
  expect(await at.findCase(reference)).toBeNull();
  expect(await at.findBroken()).toBeNull();
});

test("gives the coins of another transfer that failed back, after the provider was asked again [ADMIN-46]", async () => {
  const { player, reference } = await addDiffering({ fault: "wrong_currency" }, "failed");
  await answerWith(reference, { fault: "500" });
  expect(await at.correct(reference, "credit")).toEqual({ ok: false, refusal: "provider_silent" });
  await answerWith(reference, { fault: "wrong_currency" });
  expect(await at.correct(reference, "credit")).toEqual(done);
  expect(await at.balance(player)).toBe(HC);
  expect(await loadMoved(reference)).toEqual({});
});

test("closes by itself once the provider reports what was ordered [ADMIN-46]", async () => {
  const { player, reference } = await addDiffering({ fault: "wrong_amount" });
  await clearFaults();
  await askAgain(reference);
  expect(await at.find(reference)).toMatchObject({ status: "completed", money: "paid" });
  expect(await at.balance(player)).toBe(HC - TAKEN);
  expect(await at.findBroken()).toBeNull();
});

test("is with staff for a status that nobody knows, and leaves them once it is known", async () => {
  const { player, reference } = await addDiffering({ fault: "wrong_status", status: "in_orbit" });
  expect(await at.findCase(reference)).toMatchObject({ why: "unreadable", residueKobo: null, corrections: [] });
  await clearFaults();
  await askAgain(reference);
  expect(await at.find(reference)).toMatchObject({ status: "completed", money: "paid" });
  expect(await at.balance(player)).toBe(HC - TAKEN);
});
