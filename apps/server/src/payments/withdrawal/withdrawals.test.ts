import { HOUR_MS, MINUTE_MS, SECOND_MS } from "@holo/kernel/instant.ts";
import { toCoinsOut, toKobo, wholeCoins } from "@holo/kernel/money.ts";
import { sql } from "kysely";
import { beforeEach, expect, test } from "vitest";
import { loadTracesAround } from "../../accounts/accounts.ts";
import type { Database } from "../../platform/database/database.ts";
import type { Payment, WithdrawalForm } from "../payments.ts";
import { openPaymentsForAll } from "../testing/payments-hooks.ts";
import {
  ACCOUNT,
  BANK,
  type FoundPayment,
  makeWithdrawalForm,
  newId,
  openTestPayments,
  RATE_KOBO,
  type TestPayments,
  UNBOUNDED,
} from "../testing/test-payments.ts";
import type { TestSandbox } from "../testing/test-sandbox.ts";

const HC = wholeCoins(500);
const TAKEN = 16_339_869n;

let database: Database;
let sandbox: TestSandbox;
let at: TestPayments;

openPaymentsForAll((given) => {
  ({ database, sandbox, at } = given);
});
beforeEach(async () => {
  at.rateKobo = RATE_KOBO;
  await sandbox.reset();
  await at.receiveWebhooks();
});

async function follow(payment: Pick<Payment, "reference">, forMs = 15 * MINUTE_MS): Promise<FoundPayment> {
  for (let passedMs = 0; passedMs < forMs; passedMs += 5 * SECOND_MS) {
    await at.advance(5 * SECOND_MS);
    await sandbox.pass();
    const now = await at.find(payment.reference);
    if (now.money !== "held") return now;
  }
  return await at.find(payment.reference);
}

test("holds the coins at once, sends once, completes by the provider's report and posts its fee [ENT-13 TRAN-01]", async () => {
  const player = await at.addBanked();
  const payment = await at.withdraw(player);
  expect(payment).toMatchObject({ status: "processing", step: "held", coins: TAKEN });
  expect(await at.balance(player)).toBe(HC - TAKEN);
  expect(await follow(payment)).toMatchObject({ status: "completed", money: "paid", feeKobo: 1_000n });
  expect(await sandbox.listTransfers(payment.reference)).toHaveLength(1);
  expect(await at.balance(player)).toBe(HC - TAKEN);
  expect(await at.findBroken()).toBeNull();
});

test("compensates a withdrawal that comes back by one entry, however often it is reported", async () => {
  await sandbox.order("faults", { on: "transfer_outcome", fault: "reversed", delayMs: 60_000 });
  const player = await at.addBanked();
  const payment = await at.withdraw(player);
  expect(await follow(payment)).toMatchObject({ status: "completed", money: "paid" });
  await sandbox.pass(60_000);
  await at.advance(0);
  expect(await at.find(payment.reference)).toMatchObject({ status: "reversed", money: "returned" });
  expect(await at.balance(player)).toBe(HC);
  const { webhooks } = await sandbox.state();
  for (const { id } of webhooks) await sandbox.order(`webhooks/${id}/replay`, {});
  await at.advance(MINUTE_MS);
  expect(await at.balance(player)).toBe(HC);
  expect(await at.findBroken()).toBeNull();
});

test("asks about a reversal again after the provider did not know the transfer", async () => {
  await sandbox.order("faults", { on: "transfer_outcome", fault: "reversed", delayMs: 60_000 });
  const player = await at.addBanked();
  const payment = await at.withdraw(player);
  expect(await follow(payment)).toMatchObject({ status: "completed", money: "paid" });
  await sandbox.order("faults", { on: "verify_transfer", fault: "not_found" });
  await sandbox.pass(60_000);
  await at.advance(0);
  expect(await at.find(payment.reference)).toMatchObject({ status: "completed", money: "paid" });
  await at.advance(5 * SECOND_MS);
  expect(await at.find(payment.reference)).toMatchObject({ status: "reversed", money: "returned" });
  expect(await at.balance(player)).toBe(HC);
  expect(await at.findBroken()).toBeNull();
});

test("returns the coins of a reversal that is reported before its success", async () => {
  await sandbox.order("faults", { on: "webhook", fault: "lost", times: 2 });
  await sandbox.order("faults", { on: "transfer_outcome", fault: "reversed", delayMs: 1 });
  const player = await at.addBanked();
  const payment = await at.withdraw(player);
  await at.advance(0);
  await sandbox.pass(10);
  expect(await at.find(payment.reference)).toMatchObject({ status: "processing", money: "held" });
  const { webhooks } = await sandbox.state();
  const replay = (name: string) =>
    sandbox.order(`webhooks/${webhooks.find(({ event }) => event === name)!.id}/replay`, {});
  // The first webhook's query gets no immediate answer.
  await sandbox.order("faults", { on: "verify_transfer", fault: "500", reference: payment.reference });
  await replay("transfer.reversed");
  expect(await at.find(payment.reference)).toMatchObject({ status: "processing", money: "held" });
  await replay("transfer.success");
  expect(await at.find(payment.reference)).toMatchObject({ status: "reversed", money: "returned" });
  expect(await at.balance(player)).toBe(HC);
  expect(await at.findBroken()).toBeNull();
});

test("sends a withdrawal once the provider has funds, and stores nothing for each attempt before", async () => {
  await sandbox.order("balance", { kobo: 0 });
  const player = await at.addBanked();
  const payment = await at.withdraw(player);
  const waiting = await follow(payment, 2 * MINUTE_MS);
  expect(waiting).toMatchObject({ status: "pending", money: "held" });
  for (let count = 0; count < 20; count += 1) await at.advance(5 * MINUTE_MS);
  expect(await at.find(payment.reference)).toMatchObject({ lastFact: waiting.lastFact, reason: waiting.reason });
  await sandbox.order("balance", { kobo: 1_000_000_000 });
  expect(await follow(payment)).toMatchObject({ status: "completed", money: "paid" });
  expect(await sandbox.listTransfers(payment.reference)).toHaveLength(1);
});

// [ADMIN-43 §6 r9] A withdrawal that was paid after its coins had been returned is written off by staff, after the
// provider was asked again: the player keeps both, the platform bears the loss.
test("records the platform's loss where a returned withdrawal arrives all the same, until staff write it off [ADMIN-43]", async () => {
  const player = await at.addBanked();
  await sandbox.order("faults", { on: "transfer_outcome", fault: "pending" });
  const payment = await at.withdraw(player);
  const { reference } = payment;
  await sandbox.order("faults", { on: "verify_transfer", fault: "wrong_status", status: "failed", reference });
  expect(await follow(payment)).toMatchObject({ status: "failed", money: "returned" });
  await sandbox.order(`transfers/${payment.reference}`, { outcome: "success" });
  await sandbox.pass();
  await at.advance(0);
  expect(await at.find(payment.reference)).toMatchObject({ status: "review", money: "lost" });
  expect(await at.balance(player)).toBe(HC);
  expect(await at.findBroken()).toBeNull();
  const found = await at.findCase(reference);
  expect(found).toMatchObject({ why: "paid_after_return", residueKobo: -500_000n });
  expect(found?.corrections.map(({ act }) => act)).toEqual(["debit", "write_off"]);
  await sandbox.order("faults", { on: "verify_transfer", fault: "500", reference });
  expect(await at.correct(reference, "write_off")).toEqual({ ok: false, refusal: "provider_silent" });
  await sandbox.order("faults", { on: "verify_transfer", fault: "wrong_status", status: "pending", reference });
  expect(await at.correct(reference, "write_off")).toEqual({ ok: false, refusal: "facts_changed" });
  await at.advance(5 * MINUTE_MS);
  expect(await at.correct(reference, "write_off")).toEqual({ ok: true, value: "done" });
  expect(await at.correct(reference, "write_off")).toEqual({ ok: false, refusal: "not_with_staff" });
  expect(await at.find(reference)).toMatchObject({ status: "failed", money: "lost", nextAskAt: null });
  expect(await at.balance(player)).toBe(HC);
  expect(await at.findBroken()).toBeNull();
  await sandbox.order(`transfers/${reference}`, { outcome: "reversed" });
  await sandbox.pass();
  await at.advance(0);
  expect(await at.find(reference)).toMatchObject({ money: "returned" });
  expect(await at.findBroken()).toBeNull();
});

test("takes the coins again where staff debit a withdrawal that arrived after its return", async () => {
  const player = await at.addBanked();
  await sandbox.order("faults", { on: "transfer_outcome", fault: "pending" });
  const { reference } = await at.withdraw(player);
  await sandbox.order("faults", { on: "verify_transfer", fault: "wrong_status", status: "failed", reference });
  expect(await follow({ reference })).toMatchObject({ status: "failed", money: "returned" });
  await sandbox.order(`transfers/${reference}`, { outcome: "success" });
  await sandbox.pass();
  await at.advance(0);
  expect(await at.correct(reference, "debit")).toEqual({ ok: true, value: "done" });
  expect(await at.find(reference)).toMatchObject({ status: "completed", money: "paid" });
  expect(await at.balance(player)).toBe(HC - toCoinsOut(toKobo(500_000n), RATE_KOBO));
  expect(await at.findBroken()).toBeNull();
});

test("asks about a transfer that a list reports otherwise, and moves nothing by the list [WALL-19]", async () => {
  const player = await at.addBanked();
  const payment = await at.withdraw(player);
  const { reference } = payment;
  expect(await follow(payment)).toMatchObject({ status: "completed", money: "paid" });
  await sandbox.order(`transfers/${reference}`, { outcome: "reversed" });
  await sandbox.pass();
  await at.advance(0);
  expect(await at.find(reference)).toMatchObject({ status: "reversed", money: "returned" });
  await sandbox.order("faults", { on: "list_transfers", fault: "wrong_status", status: "success" });
  await at.payments.reconciliation.reconcile();
  expect(await at.find(reference)).toMatchObject({ status: "reversed", money: "returned" });
  expect(await at.balance(player)).toBe(HC);
  expect(await at.findBroken()).toBeNull();
});

test("withdraws at the shown exchange rate or refuses [ERR-36]", async () => {
  const player = await at.addBanked();
  const form = { ...makeWithdrawalForm(player), rateKobo: RATE_KOBO };
  const refused = { ok: false, refusal: { code: "rate_changed" } };
  expect(await at.payments.withdraw({ ...form, rateKobo: RATE_KOBO - 1 })).toEqual(refused);
  expect(await at.balance(player)).toBe(HC);
  const taken = await at.payments.withdraw(form);
  expect(taken).toMatchObject({ ok: true, value: { coins: TAKEN, rateKobo: RATE_KOBO } });
  at.rateKobo = 2 * RATE_KOBO;
  // The same withdrawal, which may have been sent meanwhile.
  const again = await at.payments.withdraw(form);
  expect(again.ok && again.value.id).toBe(taken.ok && taken.value.id);
  expect(await at.payments.withdraw({ ...form, commandId: newId() })).toEqual(refused);
  expect(await at.balance(player)).toBe(HC - TAKEN);
});

test("takes coins once and repeats the payment for the same command [CALL-05]", async () => {
  const player = await at.addBanked();
  const form = makeWithdrawalForm(player);
  const answers = await Promise.all([1, 2, 3].map(() => at.payments.withdraw(form)));
  const again = await at.payments.withdraw({ ...form, password: null });
  expect(new Set([...answers, again].map((answer) => (answer.ok ? answer.value.id : answer.refusal.code))).size).toBe(
    1,
  );
  expect(again.ok).toBe(true);
  expect(await at.balance(player)).toBe(HC - TAKEN);
  expect(await at.payments.withdraw({ ...form, kobo: 600_000 })).toEqual({
    ok: false,
    refusal: { code: "command_id_reused" },
  });
});

test("never takes more than the withdrawable balance in twenty concurrent withdrawals", async () => {
  const player = await at.addBanked(wholeCoins(100));
  const answers = await Promise.all(Array.from({ length: 20 }, () => at.payments.withdraw(makeWithdrawalForm(player))));
  expect(answers.filter(({ ok }) => ok)).toHaveLength(6);
  expect(await at.balance(player)).toBe(wholeCoins(100) - 6n * TAKEN);
  expect(await at.findBroken()).toBeNull();
});

test("refuses in the documented order without taking coins", async () => {
  const player = await at.addPlayer(HC);
  const askFor = async (change: Partial<WithdrawalForm>) => {
    const answer = await at.payments.withdraw(makeWithdrawalForm(player, change));
    return answer.ok ? null : answer.refusal.code;
  };
  expect(await askFor({ kobo: 499_999 })).toBe("withdrawal_too_small");
  expect(await askFor({ kobo: 100_000_000_001 })).toBe("bad_amount");
  expect(await askFor({ kobo: 100_000_000 })).toBe("insufficient_for_withdrawal");
  expect(await askFor({})).toBe("account_not_verified");
  await at.payments.bankAccounts.verify({ playerId: player, ...ACCOUNT });
  await sql`update players set email_verified = false where id = ${player}`.execute(database.kysely);
  expect(await askFor({})).toBe("email_unverified");
  await sql`update players set email_verified = true where id = ${player}`.execute(database.kysely);
  expect(await askFor({ password: null })).toBe("password_required");
  expect(await askFor({ password: "wrong" })).toBe("wrong_password");
  expect(await at.balance(player)).toBe(HC);
  expect(at.mails.filter(({ to }) => to === `${player}@example.com`)).toHaveLength(0);
});

test("refuses today's deposit and states what is free when", async () => {
  const player = await at.addBanked(wholeCoins(20));
  const { reference } = await at.deposit(player);
  await sandbox.order(`transactions/${reference}`, { outcome: "pay" });
  await sandbox.pass();
  expect(await at.payments.withdraw(makeWithdrawalForm(player, { kobo: 1_000_000 }))).toEqual({
    ok: false,
    refusal: { code: "not_settled", figures: { have: wholeCoins(20), need: 16_339_870n, hours: 24 } },
  });
  await at.advance(24 * 60 * MINUTE_MS);
  // 12.68 of the deposit's 16.34 HC leave: their share of 175, and of 25 for the transfer
  expect((await at.payments.withdraw(makeWithdrawalForm(player, { kobo: 1_000_000, feeKobo: 14_549 }))).ok).toBe(true);
});

// [VALID-30 §5 r12] A withdrawal requires a verified e-mail address, and the password for a new bank account.
test("asks for the password and sends a mail for the first use of an account only [VALID-30]", async () => {
  const player = await at.addBanked();
  const email = `${player}@example.com`;
  await at.payments.withdraw(makeWithdrawalForm(player, { email }));
  await at.payments.withdraw(makeWithdrawalForm(player, { email, password: null }));
  expect(at.mails.filter(({ to }) => to === email)).toEqual([expect.objectContaining({ kind: "new_bank_account" })]);
  expect(await at.balance(player)).toBe(HC - 2n * TAKEN);
  expect(await at.payments.bankAccounts.list(player)).toMatchObject([
    { accountNumber: ACCOUNT.accountNumber, bankName: "Zenith Bank" },
  ]);
});

test("a withdrawal leaves a trace of its bank account, the same for each player who uses it", async () => {
  const accountNumber = "0246813579";
  const [ada, bola] = [await at.addPlayer(HC), await at.addPlayer(HC)];
  const loadUsers = async () => {
    const traces = await loadTracesAround(database.kysely, [ada, bola]);
    return traces.filter(({ kind }) => kind === "bank_account").map(({ playerId }) => playerId);
  };
  for (const playerId of [ada, bola])
    await at.payments.bankAccounts.verify({ playerId, accountNumber, bankCode: BANK });
  // Asking for the holder's name proves nothing: the account is theirs once they withdraw to it.
  await at.withdraw(ada, 500_000, accountNumber);
  expect(await loadUsers()).toEqual([ada]);
  await at.withdraw(bola, 500_000, accountNumber);
  expect(new Set(await loadUsers())).toEqual(new Set([ada, bola]));
  const [one, other] = await loadTracesAround(database.kysely, [ada]);
  expect(one?.keyedHash).toBe(other?.keyedHash);
});

test("refuses withdrawals of players with debts or a disputed deposit", async () => {
  const player = await at.addBanked();
  const { reference } = await at.deposit(player);
  await sandbox.order(`transactions/${reference}`, { outcome: "pay" });
  await sandbox.order(`transactions/${reference}`, { outcome: "disputed" });
  await sandbox.pass();
  expect(await at.payments.withdraw(makeWithdrawalForm(player))).toEqual({
    ok: false,
    refusal: { code: "debts_open" },
  });
});

// [VALID-25 §5] Verifying requires both bank and number: 'Please enter your account number and select a bank'.
test.each([
  ["", BANK, "missing_account_fields"],
  ["012345678", BANK, "missing_account_fields"],
  ["01234567890", BANK, "missing_account_fields"],
  ["०१२३४५६७८९", BANK, "missing_account_fields"],
  [ACCOUNT.accountNumber, "", "missing_account_fields"],
  [ACCOUNT.accountNumber, "nowhere", "unknown_bank_account"],
  ["0123459009", BANK, "unknown_bank_account"],
])("refuses the account %j at %j: %s [VALID-25]", async (accountNumber, bankCode, refusal) => {
  const playerId = await at.addPlayer();
  expect(await at.payments.bankAccounts.verify({ playerId, accountNumber, bankCode })).toEqual({ ok: false, refusal });
});

// [ERR-30 §8] An account unknown to the bank shows 'Unable to verify account'; a bank or server that does not answer
// shows 'Failed to verify account'.
test("tells a silent bank from an unknown account [ERR-30]", async () => {
  const playerId = await at.addPlayer();
  await sandbox.order("faults", { on: "resolve", fault: "500" });
  const asked = { playerId, ...ACCOUNT };
  expect(await at.payments.bankAccounts.verify(asked)).toEqual({ ok: false, refusal: "account_check_failed" });
});

// [ENT-16 §3,7] A bank has a code and a name.
// [CALL-18 §7,8] The list of banks remains available during an outage of the provider.
test("lists the banks of all pages and survives an outage of the provider [ENT-16 CALL-18 ERR-35]", async () => {
  const banks = await at.payments.banks.list();
  expect(banks.length).toBeGreaterThan(20);
  expect(new Set(banks.map(({ code }) => code)).size).toBe(banks.length);
  expect(banks.some(({ name }) => name === "Heritage Bank" || name === "Skye Bank")).toBe(false);
  await sandbox.order("faults", { on: "list_banks", fault: "500" });
  at.time.advance(25 * 60 * MINUTE_MS);
  expect(await at.payments.banks.list()).toEqual(banks);
});

test("sends nothing through a live provider from a database with demo coins", async () => {
  const player = await at.addBanked();
  const live = await openTestPayments(database, { ...sandbox, secretKey: "sk_live_of_tests" });
  const begun = await live.payments.withdraw(makeWithdrawalForm(player));
  if (!begun.ok) throw new Error(begun.refusal.code);
  const { reference } = begun.value;
  await live.advance(10 * SECOND_MS);
  expect(await live.find(reference)).toMatchObject({ status: "pending", money: "held" });
  expect(live.alerts).toEqual([{ alert: "demo_coins", reference }]);
  await live.close();
  expect((await follow(begun.value)).status, "the sandbox pays them").toBe("completed");
});

// [VALID-35 §5 r37] A player can make three withdrawals in 24 hours (a setting), not counting those whose coins came
// back: 'Enough for today', with when the next one is possible.
test("allows three withdrawals in 24 hours, not counting those that came back [VALID-35]", async () => {
  const player = await at.addBanked();
  at.withdrawalsPerDay = 3;
  await sandbox.order("faults", { on: "transfer_outcome", fault: "failed" });
  expect(await follow(await at.withdraw(player))).toMatchObject({ money: "returned" });
  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => at.payments.withdraw(makeWithdrawalForm(player))));
  expect(answers.filter(({ ok }) => ok)).toHaveLength(3);
  expect(answers.find(({ ok }) => !ok)).toEqual({
    ok: false,
    refusal: { code: "withdrawals_used", figures: { count: 3, hours: 24 } },
  });
  await at.advance(23 * 60 * MINUTE_MS);
  expect(await at.payments.withdraw(makeWithdrawalForm(player))).toMatchObject({ refusal: { figures: { hours: 1 } } });
  await at.advance(60 * MINUTE_MS);
  expect(await at.payments.withdraw(makeWithdrawalForm(player))).toMatchObject({ ok: true });
  at.withdrawalsPerDay = UNBOUNDED;
});

// [ERR-39 §8] While the provider's list of banks cannot be reached, verifying an account says so and asks to try
// again.
test("says that the list of banks cannot be reached, not that the account is unknown [ERR-39]", async () => {
  const player = await at.addPlayer();
  await sandbox.order("faults", { on: "list_banks", fault: "500" });
  at.kill();
  const account = { playerId: player, ...ACCOUNT };
  expect(await at.payments.bankAccounts.verify(account)).toEqual({ ok: false, refusal: "banks_unavailable" });
  at.time.advance(MINUTE_MS);
  expect(await at.payments.bankAccounts.verify(account)).toMatchObject({ ok: true });
});

test("tells the player that the outcome of a transfer is not known yet", async () => {
  const player = await at.addBanked();
  await sandbox.order("faults", { on: "transfer", fault: "500" });
  const { reference } = await at.withdraw(player);
  await at.advance(0);
  expect(await at.find(reference)).toMatchObject({
    status: "processing",
    money: "held",
    reason: expect.stringContaining("This can take 15 minutes."),
  });
  expect(await follow({ reference }, 30 * MINUTE_MS)).toMatchObject({ money: "paid", reason: null });
  expect(await sandbox.listTransfers(reference)).toHaveLength(1);
});

/** How staff find it. */
async function loadNotice(reference: string) {
  return {
    isListed: (await at.findCase(reference)) !== null,
    alerts: at.alerts.filter((one) => one.reference === reference).map(({ alert }) => alert),
  };
}

// [ADMIN-41 §2,6 r9] A withdrawal in progress that has had no outcome for a day is listed for staff, who are alerted
// once. Its player reads nothing new.
test.each([
  ["stays pending", null],
  ["cannot be queried", "500"],
  ["is answered in no known form", "malformed"],
  ["is both a duplicate and not found", "not_found"],
])("lists a transfer that %s for a day, and alerts staff once [ADMIN-41]", async (_what, fault) => {
  const player = await at.addBanked();
  await sandbox.order("faults", { on: "transfer_outcome", fault: "pending" });
  if (fault !== null) await sandbox.order("faults", { on: "verify_transfer", fault, times: null });
  const { reference } = await at.withdraw(player);
  await at.advance(0);
  for (let hours = 0; hours < 23; hours += 1) await at.advance(HOUR_MS);
  expect(await loadNotice(reference)).toEqual({ isListed: false, alerts: [] });
  const { reason } = await at.find(reference);
  for (let hours = 0; hours < 6 * 24; hours += 6) await at.advance(6 * HOUR_MS);
  expect(await loadNotice(reference)).toEqual({ isListed: true, alerts: ["transfer_slow"] });
  expect(await at.find(reference)).toMatchObject({ status: "processing", money: "held", reason });
  await fetch(`${sandbox.url}/_sandbox/faults`, { method: "DELETE" });
  await sandbox.order(`transfers/${reference}`, { outcome: "success" });
  await sandbox.pass();
  expect(await at.find(reference)).toMatchObject({ status: "completed", money: "paid" });
  expect(await loadNotice(reference)).toEqual({ isListed: false, alerts: ["transfer_slow"] });
});

test("counts the day of a slow transfer from the end of its wait [ADMIN-41]", async () => {
  await sandbox.order("balance", { kobo: 0 });
  const { reference } = await at.withdraw(await at.addBanked());
  for (let hours = 0; hours < 50; hours += 1) await at.advance(HOUR_MS);
  expect(await loadNotice(reference)).toEqual({ isListed: true, alerts: ["provider_balance"] });
  await sandbox.order("balance", { kobo: 1_000_000_000 });
  await sandbox.order("faults", { on: "transfer_outcome", fault: "pending" });
  for (let hours = 0; hours < 23; hours += 1) await at.advance(HOUR_MS);
  expect(await loadNotice(reference)).toEqual({ isListed: false, alerts: ["provider_balance"] });
  for (let hours = 0; hours < 3; hours += 1) await at.advance(HOUR_MS);
  expect(await loadNotice(reference)).toEqual({ isListed: true, alerts: ["provider_balance", "transfer_slow"] });
});

// [SEC-62 §-] A withdrawal that is sent to two servers at the same moment takes its coins once and is paid once, and
// two servers that find it due order it once.
test("pays each withdrawal once that two servers are sent, and find due, at the same moment [SEC-62]", async () => {
  const other = await openTestPayments(database, sandbox);
  other.time.advance(at.time.now() - other.time.now());
  const servers = [at, other];
  const players = await Promise.all(Array.from({ length: 6 }, () => at.addBanked()));
  const forms = players.map((player) => makeWithdrawalForm(player));
  const answers = await Promise.all(servers.flatMap(({ payments }) => forms.map((form) => payments.withdraw(form))));
  const references = answers.map((answer) => (answer.ok ? answer.value.reference : answer.refusal.code));
  expect(references.slice(players.length)).toEqual(references.slice(0, players.length));
  const loadMoney = async () =>
    await Promise.all([...new Set(references)].map(async (one) => (await at.find(one)).money));
  for (let passedMs = 0; (await loadMoney()).some((money) => money !== "paid"); passedMs += 5 * SECOND_MS) {
    expect(passedMs).toBeLessThan(15 * MINUTE_MS);
    for (const { time } of servers) time.advance(5 * SECOND_MS);
    await Promise.all(servers.map(({ payments }) => payments.runDue()));
    await sandbox.pass();
  }
  for (const reference of references) expect(await sandbox.listTransfers(reference)).toHaveLength(1);
  for (const player of players) expect(await at.balance(player)).toBe(HC - TAKEN);
  const { transfers } = await sandbox.state();
  expect(transfers).toHaveLength(players.length);
  await other.close();
});
