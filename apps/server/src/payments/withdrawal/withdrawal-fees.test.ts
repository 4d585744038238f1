import { randomUUID } from "node:crypto";
import { type PlayerId, toGameId } from "@holo/kernel/ids.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "@holo/kernel/instant.ts";
import { type Coins, toCoins, wholeCoins } from "@holo/kernel/money.ts";
import { sql } from "kysely";
import { beforeEach, expect, test } from "vitest";
import { loadStatement, loadUnplayed } from "../../ledger/ledger.ts";
import { postRefund, postStake } from "../../ledger/testing/game-postings.ts";
import type { Database } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import { untilOneWaits } from "../../platform/testing/lock-waits.ts";
import { type Payment, toPaymentView, type WithdrawalForm } from "../payments.ts";
import { openPaymentsForAll } from "../testing/payments-hooks.ts";
import { ACCOUNT, makeWithdrawalForm, newId, PASSWORD, type TestPayments } from "../testing/test-payments.ts";
import type { TestSandbox } from "../testing/test-sandbox.ts";

/** A deposit of ₦20,000 costs ₦400, and a transfer of up to ₦50,000 ₦25. */
const KOBO = 2_000_000;
const FEE_KOBO = 42_500;
/** ₦20,000 at 30600, rounded up, and what a withdrawal of it leaves. */
const CREDITED = 65_359_478n;
const LEFT = 1n;

let database: Database;
let sandbox: TestSandbox;
let at: TestPayments;

openPaymentsForAll((given) => {
  ({ database, sandbox, at } = given);
});
beforeEach(() => sandbox.reset());

async function payDeposit(player: PlayerId, kobo = KOBO): Promise<string> {
  const { reference } = await at.deposit(player, kobo);
  await sandbox.order(`transactions/${reference}`, { outcome: "pay" });
  await sandbox.pass();
  return reference;
}

async function addDepositor(played: Coins = toCoins(0n)): Promise<PlayerId> {
  const player = await at.addBanked(played);
  await payDeposit(player);
  await at.advance(DAY_MS);
  return player;
}

function withdraw(playerId: PlayerId, change: Partial<WithdrawalForm> = {}) {
  return at.payments.withdraw(makeWithdrawalForm(playerId, { kobo: KOBO, feeKobo: FEE_KOBO, ...change }));
}

async function addWithdrawal(): Promise<{ readonly player: PlayerId; readonly payment: Payment }> {
  const player = await addDepositor();
  const withdrawn = await withdraw(player);
  if (!withdrawn.ok) throw new Error(withdrawn.refusal.code);
  expect(await at.balance(player)).toBe(LEFT);
  return { player, payment: withdrawn.value };
}

/** Runs both clocks for this long. */
async function passBoth(forMs: number, stepMs = MINUTE_MS): Promise<void> {
  for (let passedMs = 0; passedMs < forMs; passedMs += stepMs) {
    await at.advance(stepMs);
    await sandbox.pass(stepMs);
  }
  await at.advance(0);
}

async function listKinds(player: PlayerId): Promise<readonly string[]> {
  const rows = await loadStatement(database.kysely, player, { before: null, kind: null, limit: 50 });
  return rows.map(({ kind }) => kind).filter((kind) => kind.startsWith("withdrawal"));
}

const stake = (player: PlayerId, amount: Coins, gameId = toGameId(randomUUID())) =>
  transact(database, async (tx) => {
    const posted = await postStake(tx, { gameId, seat: 1, playerId: player, amount, at: at.time.now() });
    return posted.ok ? gameId : null;
  });

// [VALID-36 §5 r37] Coins that were deposited and never staked are withdrawn less the provider's fees, which the
// dialog shows; at other fees nothing is taken. Played coins leave first, without fees.
test("coins that were never staked are withdrawn less the provider's fees of both ways [VALID-36]", async () => {
  const player = await addDepositor();
  for (const feeKobo of [0, FEE_KOBO - 1, FEE_KOBO + 1]) {
    expect(await withdraw(player, { feeKobo })).toEqual({ ok: false, refusal: { code: "withdrawal_fee_changed" } });
  }
  expect(await at.balance(player)).toBe(CREDITED);
  const form = { commandId: newId() };
  const taken = await withdraw(player, form);
  if (!taken.ok) throw new Error(taken.refusal.code);
  expect(taken.value).toMatchObject({ kobo: 1_957_500n, payerFeeKobo: 42_500n });
  expect(toPaymentView(taken.value)).toMatchObject({ kobo: 1_957_500, payerFeeKobo: 42_500, coins: "65359477" });
  expect(await withdraw(player, form)).toMatchObject({ ok: true, value: { id: taken.value.id } });
  expect(await at.balance(player)).toBe(LEFT);
  await passBoth(MINUTE_MS);
  expect(await at.find(taken.value.reference)).toMatchObject({ money: "paid", feeKobo: 2_500n });
  expect(await sandbox.listTransfers(taken.value.reference)).toEqual([1_957_500]);
  expect(await listKinds(player)).toEqual(["withdrawal"]);
  const { rows } = await sql<{ fees: bigint }>`
    select sum(posting.amount)::bigint as fees from ledger_postings posting
    join ledger_accounts account on account.id = posting.account_id and account.kind = 'provider_fees'
    join ledger_entries entry on entry.id = posting.entry_id
    where entry.details::jsonb ->> 'paymentId' in (
      select id::text from payments where player_id = ${player})`.execute(database.kysely);
  expect(rows[0]!.fees).toBeGreaterThanOrEqual(-2n);
  expect(rows[0]!.fees).toBeLessThanOrEqual(0n);
  // The sandbox has forgotten the payments of earlier tests.
  const own = (await at.list(player)).map(({ reference }) => reference);
  expect(own).not.toEqual([]);
  const { differences } = (await at.payments.reconciliation.reconcile())!;
  expect(differences.filter(({ reference }) => own.includes(reference))).toEqual([]);
});

test("coins that were played leave first and bear no fees", async () => {
  const player = await addDepositor(wholeCoins(100));
  expect(await withdraw(player, { feeKobo: 0 })).toMatchObject({ ok: true, value: { kobo: 2_000_000n } });
  // 34.64 of these 65.36 HC were played
  const rest = await loadUnplayed(database.kysely, player, await at.balance(player));
  expect(rest).toMatchObject([{ coins: CREDITED, creditedCoins: CREDITED, feeKobo: 40_000n }]);
  expect(await withdraw(player, { feeKobo: FEE_KOBO })).toMatchObject({ refusal: { code: "withdrawal_fee_changed" } });
  expect(await withdraw(player, { feeKobo: 19_974 })).toMatchObject({ ok: true });
});

test.each([
  ["refused", { on: "transfer_outcome", fault: "failed" }, "failed", MINUTE_MS],
  [
    "sent back after its success",
    { on: "transfer_outcome", fault: "reversed", delayMs: 60_000 },
    "reversed",
    9 * MINUTE_MS,
  ],
])("returns coins and fee once where the transfer is %s", async (_what, fault, status, forMs) => {
  await sandbox.order("faults", fault);
  const { player, payment } = await addWithdrawal();
  await passBoth(forMs, 30 * SECOND_MS);
  expect(await at.find(payment.reference)).toMatchObject({ status, money: "returned" });
  const { webhooks } = await sandbox.state();
  for (const { id } of webhooks) await sandbox.order(`webhooks/${id}/replay`, {});
  await at.advance(HOUR_MS);
  expect(await at.balance(player)).toBe(CREDITED);
  expect((await listKinds(player)).toSorted()).toEqual(["withdrawal", "withdrawal_return"]);
  // They were never staked, so the next withdrawal bears the fees again.
  expect(await withdraw(player, { feeKobo: 0 })).toMatchObject({ refusal: { code: "withdrawal_fee_changed" } });
  expect(await withdraw(player)).toMatchObject({ ok: true });
});

test("bears the fee once where the outcome of the transfer is unknown, and where it is sent again", async () => {
  for (const fault of ["500", "500_after_acceptance", "timeout_after_acceptance"]) {
    await sandbox.order("faults", { on: "transfer", fault });
    const { player, payment } = await addWithdrawal();
    await passBoth(30 * MINUTE_MS);
    expect(await at.find(payment.reference), fault).toMatchObject({ money: "paid" });
    expect(await sandbox.listTransfers(payment.reference)).toEqual([1_957_500]);
    expect(await at.balance(player)).toBe(LEFT);
    expect(await listKinds(player)).toEqual(["withdrawal"]);
  }
});

test("keeps the fee returned where a returned withdrawal arrives all the same", async () => {
  await sandbox.order("faults", { on: "transfer_outcome", fault: "pending" });
  const { player, payment } = await addWithdrawal();
  const { reference } = payment;
  await sandbox.order("faults", { on: "verify_transfer", fault: "wrong_status", status: "failed", reference });
  await passBoth(MINUTE_MS, 5 * SECOND_MS);
  expect(await at.find(reference)).toMatchObject({ money: "returned" });
  await sandbox.order(`transfers/${reference}`, { outcome: "success" });
  await sandbox.pass();
  await at.advance(0);
  expect(await at.find(reference)).toMatchObject({ status: "review", money: "lost" });
  expect(await at.balance(player)).toBe(CREDITED);
});

// [CALL-12 §7 r9] A withdrawal takes its coins when it is accepted and returns them if it fails. A report that is 72
// hours late completes it once. One that its bank returns weeks later comes back even if that is not reported.
test("completes once by a webhook that comes 72 hours late, with coins and fee exact [CALL-12]", async () => {
  await sandbox.order("faults", { on: "transfer_outcome", fault: "pending" });
  const { player, payment } = await addWithdrawal();
  const { reference } = payment;
  await at.advance(0);
  await sandbox.order("faults", { on: "webhook", fault: "late", reference, delayMs: 72 * HOUR_MS });
  await sandbox.order("faults", { on: "verify_transfer", fault: "500", reference, times: null });
  await sandbox.order(`transfers/${reference}`, { outcome: "success" });
  await passBoth(71 * HOUR_MS, HOUR_MS);
  expect(await at.find(reference)).toMatchObject({ status: "processing", money: "held" });
  await fetch(`${sandbox.url}/_sandbox/faults`, { method: "DELETE" });
  await passBoth(2 * HOUR_MS, HOUR_MS);
  expect(await at.find(reference)).toMatchObject({ status: "completed", money: "paid", feeKobo: 2_500n });
  const { webhooks } = await sandbox.state();
  for (const { id, body } of webhooks) {
    if (body.includes(reference)) await sandbox.order(`webhooks/${id}/replay`, {});
  }
  await at.advance(HOUR_MS);
  expect(await at.balance(player)).toBe(LEFT);
  expect(await sandbox.listTransfers(reference)).toEqual([1_957_500]);
});

test("accepts one of two withdrawals from two tabs at once, and bears its fee once", async () => {
  const player = await addDepositor();
  const answers = await Promise.all([1, 2, 3, 4].map(() => withdraw(player)));
  expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
  expect(await at.balance(player)).toBe(LEFT);
  const half = await addDepositor();
  const halves = await Promise.all([1, 2].map(() => withdraw(half, { kobo: KOBO / 2, feeKobo: 22_500 })));
  expect(halves.filter(({ ok }) => ok)).toHaveLength(2);
  expect(await at.balance(half)).toBe(2n);
  // Both tabs show coins that were played; only one of them gets these.
  const both = await addDepositor(wholeCoins(70));
  const free = await Promise.all([1, 2].map(() => withdraw(both, { feeKobo: 0 })));
  expect(free.filter(({ ok }) => ok)).toHaveLength(1);
  expect(free.find(({ ok }) => !ok)).toEqual({ ok: false, refusal: { code: "withdrawal_fee_changed" } });
});

test("decides on a stake that is taken at the same moment, under the wallet's lock", async () => {
  const player = await addDepositor();
  let answer: ReturnType<typeof withdraw> | null = null;
  await transact(database, async (tx) => {
    const order = { gameId: toGameId(randomUUID()), seat: 1, playerId: player, amount: wholeCoins(20) } as const;
    expect((await postStake(tx, { ...order, at: at.time.now() })).ok).toBe(true);
    answer = withdraw(player, { kobo: 1_224_000, feeKobo: 26_980 });
    await untilOneWaits(database);
  });
  // Staked coins could not be withdrawn, so the fees of these 40 HC are those shown.
  expect(await answer).toMatchObject({ ok: true });
  expect(await at.balance(player)).toBe(CREDITED - wholeCoins(60));
  const racing = await addDepositor();
  const [staked, taken] = await Promise.all([stake(racing, wholeCoins(20)), withdraw(racing)]);
  expect([staked !== null, taken.ok].filter(Boolean)).toHaveLength(1);
});

test("counts a refunded stake as never staked, also where it is refunded between two withdrawals", async () => {
  const player = await addDepositor();
  const gameId = await stake(player, wholeCoins(40));
  // While the game is open these coins are staked; the other 25.36 are not.
  const part = { kobo: 700_000 };
  expect(await withdraw(player, { ...part, feeKobo: 0 })).toMatchObject({ ok: false });
  const share = 14_000 + 2_500;
  expect(await withdraw(player, { ...part, feeKobo: share })).toMatchObject({ ok: true });
  await transact(database, (tx) => postRefund(tx, { gameId: gameId!, at: at.time.now() }));
  expect(await withdraw(player, { kobo: 1_000_000, feeKobo: 0 })).toMatchObject({ ok: false });
  expect(await withdraw(player, { kobo: 1_000_000, feeKobo: 22_500 })).toMatchObject({ ok: true });
});

test("sends a withdrawal with its fee once where the server is killed between booking and sending", async () => {
  const { player, payment } = await addWithdrawal();
  at.kill();
  // The interrupted step keeps its claim for a while, which a busy machine ends late.
  const follow = async () => {
    await passBoth(MINUTE_MS);
    return await at.find(payment.reference);
  };
  await expect.poll(follow).toMatchObject({ money: "paid" });
  expect(await sandbox.listTransfers(payment.reference)).toEqual([1_957_500]);
  expect(await at.balance(player)).toBe(LEFT);
  expect(await listKinds(player)).toEqual(["withdrawal"]);
});

// [CALL-25 §7 r9,33] A player cancels a withdrawal that waits, also while a debt is open: the coins come back to the
// wallet and repay the debt. One that the bank may have is not cancelled.
test("a player in debt cancels a withdrawal that waits, and its coins repay the debt once [CALL-25]", async () => {
  const player = await at.addBanked(wholeCoins(0));
  const reversed = await payDeposit(player, 500_000);
  await payDeposit(player);
  await at.advance(DAY_MS);
  await sandbox.order("faults", { on: "create_recipient", fault: "500" });
  const taken = await withdraw(player, { kobo: 2_400_000, feeKobo: 17_500 + 38_000 + 2_500 });
  if (!taken.ok) throw new Error(taken.refusal.code);
  const { reference } = taken.value;
  await at.payments.runDue();
  expect(await at.payments.cancel(player, reference)).toEqual({ ok: false, refusal: "not_cancellable" });
  await sandbox.order(`transactions/${reversed}`, { outcome: "reversed" });
  await sandbox.pass();
  await passBoth(10 * MINUTE_MS);
  expect(await at.find(reference)).toMatchObject({ status: "pending", money: "held", sentAt: null });
  const [waiting] = await at.payments.listPayments(player);
  expect(toPaymentView(waiting!)).toMatchObject({ isCancellable: true });
  expect(await at.payments.cancel(await at.addPlayer(), reference)).toEqual({ ok: false, refusal: "unknown_payment" });
  await sandbox.order("faults", { on: "verify_transfer", fault: "500", reference });
  expect(await at.payments.cancel(player, reference)).toEqual({ ok: false, refusal: "provider_silent" });
  const answers = await Promise.all([1, 2, 3].map(() => at.payments.cancel(player, reference)));
  expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
  expect(await at.find(reference)).toMatchObject({
    status: "abandoned",
    money: "returned",
    reason: "You cancelled this withdrawal. Your coins are back in your wallet.",
  });
  expect(await at.balance(player)).toBe(CREDITED);
  await passBoth(10 * MINUTE_MS);
  expect(await sandbox.listTransfers(reference)).toEqual([]);
  expect(await withdraw(player)).toMatchObject({ ok: true });
});

test("never cancels a withdrawal that the provider knows", async () => {
  await sandbox.order("faults", { on: "transfer_outcome", fault: "otp" });
  const { player, payment } = await addWithdrawal();
  await passBoth(MINUTE_MS);
  expect(await at.find(payment.reference)).toMatchObject({ status: "pending", money: "held" });
  expect(await at.payments.cancel(player, payment.reference)).toEqual({ ok: false, refusal: "not_cancellable" });
});

test("closing an account pays out what was never staked less its fees [VALID-36]", async () => {
  const player = await addDepositor();
  const terms = await at.payments.accountClosing.load(player);
  expect(terms).toMatchObject({ kobo: 1_957_500n, feeKobo: 42_500n });
  const form = {
    playerId: player,
    username: "ada",
    email: "ada@example.com",
    kobo: 1_957_500,
    account: ACCOUNT,
    password: PASSWORD,
  };
  for (const feeKobo of [0, 42_499]) {
    const closed = await at.payments.accountClosing.close({ ...form, commandId: newId(), feeKobo });
    expect(closed.ok).toBe(false);
  }
  expect(await at.payments.accountClosing.close({ ...form, commandId: newId(), feeKobo: FEE_KOBO })).toMatchObject({
    ok: true,
    value: { balance: 0n },
  });
});
