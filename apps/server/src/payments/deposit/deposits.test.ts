import type { PlayerId } from "@holo/kernel/ids.ts";
import { DAY_MS, MINUTE_MS } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { loadTraces } from "../../accounts/accounts.ts";
import { loadDebt } from "../../ledger/ledger.ts";
import type { Database } from "../../platform/database/database.ts";
import { openPaymentsForAll } from "../testing/payments-hooks.ts";
import { newId, RATE_KOBO, type TestPayments } from "../testing/test-payments.ts";
import type { TestSandbox } from "../testing/test-sandbox.ts";

/** ₦5,000 at 30600, rounded up. */
const CREDITED = 16_339_870n;

let database: Database;
let sandbox: TestSandbox;
let at: TestPayments;

openPaymentsForAll((given) => {
  ({ database, sandbox, at } = given);
});

// [CALL-11 §7 r9] A deposit opens the address from the provider and is credited once, only after the provider
// confirms it.
test("credits a deposit once by its webhook and posts the provider fee [CALL-11]", async () => {
  const player = await at.addPlayer();
  const { reference, authorizationUrl } = await at.deposit(player);
  expect(authorizationUrl).toMatch(new RegExp(`^${sandbox.url}/checkout/`));
  await sandbox.order(`transactions/${reference}`, { outcome: "pay" });
  await sandbox.pass();
  expect(await at.find(reference)).toMatchObject({ status: "completed", money: "credited", feeKobo: 17_500n });
  expect(await at.balance(player)).toBe(CREDITED);
  const frames = at.pushed.filter(({ playerId }) => playerId === player).map(({ frame }) => frame);
  expect(frames).toEqual([
    { type: "wallet", balance: String(CREDITED), sequence: 1 },
    { type: "payment", payment: expect.objectContaining({ reference, status: "completed", kobo: 500_000 }) },
  ]);
  const { webhooks } = await sandbox.state();
  for (let i = 0; i < 3; i += 1) await sandbox.order(`webhooks/${webhooks.at(-1)!.id}/replay`, {});
  await at.advance(DAY_MS);
  await at.payments.check(player, reference);
  expect(await at.balance(player)).toBe(CREDITED);
  expect(await at.findBroken()).toBeNull();
});

// [WALL-19 §2 r59] A webhook moves no coins: the provider is asked. While it does not answer, the player reads that
// the credit waits.
test("moves nothing by a signed webhook alone, and says that a credit waits for the provider [WALL-19]", async () => {
  const player = await at.addPlayer();
  const { reference } = await at.deposit(player);
  const charge = { id: 1, reference, status: "success", amount: 500_000, currency: "NGN", fees: 17_500 };
  await sandbox.order("webhooks", { event: "charge.success", data: charge });
  expect(await at.find(reference)).toMatchObject({ status: "pending", money: "none" });
  await sandbox.order("faults", { on: "verify", fault: "500", reference });
  await sandbox.order(`transactions/${reference}`, { outcome: "pay" });
  await sandbox.pass();
  expect(await at.find(reference)).toMatchObject({
    status: "pending",
    money: "none",
    reason: expect.stringContaining("your coins arrive as soon as it does"),
  });
  await at.advance(MINUTE_MS);
  expect(await at.find(reference)).toMatchObject({ status: "completed", money: "credited", reason: null });
  expect(await at.balance(player)).toBe(CREDITED);
});

test("credits a deposit with a lost webhook by the player's return or by polling", async () => {
  await sandbox.order("faults", { on: "webhook", fault: "lost", times: 2 });
  const player = await at.addPlayer();
  const [first, second] = [await at.deposit(player), await at.deposit(player)];
  for (const { reference } of [first, second]) {
    await sandbox.order(`transactions/${reference}`, { outcome: "pay" });
    await sandbox.pass();
  }
  expect(await at.balance(player)).toBe(0n);
  expect(await at.payments.check(player, first.reference)).toMatchObject({ status: "completed" });
  expect(await at.balance(player)).toBe(CREDITED);
  await at.advance(MINUTE_MS);
  expect(await at.find(second.reference)).toMatchObject({ status: "completed" });
  expect(await at.balance(player)).toBe(2n * CREDITED);
});

const AMOUNT = { kobo: 500_000, payKobo: 500_000, rateKobo: RATE_KOBO };

// [ERR-36 §8 r4] A deposit or withdrawal happens at the exchange rate that was shown, or not at all.
test("begins a deposit at the shown exchange rate or refuses it [ERR-36]", async () => {
  const player = await at.addPlayer();
  const form = { playerId: player, email: "ada@example.com", commandId: newId(), ...AMOUNT };
  const shownOther = { ...form, commandId: newId(), rateKobo: RATE_KOBO + 1 };
  expect(await at.payments.begin(shownOther)).toEqual({ ok: false, refusal: "rate_changed" });
  const begun = await at.payments.begin(form);
  if (!begun.ok) throw new Error(JSON.stringify(begun.refusal));
  at.rateKobo = 2 * RATE_KOBO;
  // A command keeps its answer, whatever has changed since.
  expect(await at.payments.begin(form)).toEqual(begun);
  expect(await at.payments.begin({ ...form, commandId: newId() })).toEqual({ ok: false, refusal: "rate_changed" });
  await sandbox.order(`transactions/${begun.value.payment.reference}`, { outcome: "pay" });
  await sandbox.pass();
  expect(await at.balance(player)).toBe(CREDITED);
  expect(await at.payments.listPayments(player)).toHaveLength(1);
  at.rateKobo = RATE_KOBO;
});

test("begins one deposit for repeated and concurrent commands", async () => {
  const player = await at.addPlayer();
  const form = { playerId: player, email: "ada@example.com", commandId: newId(), ...AMOUNT };
  const answers = await Promise.all([1, 2, 3].map(() => at.payments.begin(form)));
  const again = await at.payments.begin(form);
  const urls = [...answers, again].map((answer) => (answer.ok ? answer.value.authorizationUrl : answer.refusal));
  expect(new Set(urls).size).toBe(1);
  expect(urls[0]).toContain("/checkout/");
  expect(await at.payments.begin({ ...form, kobo: 600_000 })).toEqual({ ok: false, refusal: "command_id_reused" });
  const { rows } = await sql`select id from payments where player_id = ${player}`.execute(database.kysely);
  expect(rows).toHaveLength(1);
});

test.each([
  [499_999, "deposit_too_small"],
  [0, "deposit_too_small"],
  [-1, "deposit_too_small"],
  [1_000_000_001, "deposit_too_large"],
  [90_000_000_000, "deposit_too_large"],
])("refuses a deposit of %d kobo with %s and writes nothing", async (kobo, refusal) => {
  const playerId = await at.addPlayer();
  const form = { playerId, email: "ada@example.com", commandId: newId(), ...AMOUNT, kobo };
  expect(await at.payments.begin(form)).toEqual({ ok: false, refusal });
  const { rows } = await sql`select id from payments where player_id = ${playerId}`.execute(database.kysely);
  expect(rows).toHaveLength(0);
});

// [VALID-20 §5] A deposit requires a login ('Please log in to make a deposit') and an e-mail address ('No email found
// for your account. Please update your profile.').
// [ERR-28 §8] A deposit that cannot start, also for want of a connection, shows 'Failed to initialize payment'.
test("refuses a deposit without an e-mail address or without a checkout [VALID-20 ERR-28]", async () => {
  const player = await at.addPlayer();
  const form = { playerId: player, email: "ada@example.com", commandId: newId(), ...AMOUNT };
  expect(await at.payments.begin({ ...form, email: "" })).toEqual({ ok: false, refusal: "no_email" });
  await sandbox.order("faults", { on: "initialize", fault: "500" });
  expect(await at.payments.begin(form)).toEqual({ ok: false, refusal: "payments_unavailable" });
  expect(await at.balance(player)).toBe(0n);
});

test("reports an unpaid return from the checkout and still accepts the payment", async () => {
  const player = await at.addPlayer();
  const { reference } = await at.deposit(player);
  expect(await at.payments.check(player, reference)).toMatchObject({ status: "abandoned" });
  expect(await at.payments.check(await at.addPlayer(), reference)).toBeNull();
  await sandbox.order(`transactions/${reference}`, { outcome: "pay" });
  await sandbox.pass();
  expect(await at.find(reference)).toMatchObject({ status: "completed" });
  expect(await at.balance(player)).toBe(CREDITED);
});

test("abandons an unpaid deposit after a day and credits a later payment", async () => {
  const player = await at.addPlayer();
  const { reference } = await at.deposit(player);
  for (let hour = 0; hour < 23; hour += 1) await at.advance(60 * MINUTE_MS);
  expect(await at.find(reference)).toMatchObject({ status: "pending" });
  await at.advance(DAY_MS);
  expect(await at.find(reference)).toMatchObject({ status: "abandoned", nextAskAt: null });
  await sandbox.order(`transactions/${reference}`, { outcome: "pay" });
  await sandbox.pass();
  expect(await at.find(reference)).toMatchObject({ status: "completed" });
});

test("reports the reason of a declined deposit", async () => {
  const player = await at.addPlayer();
  const { reference } = await at.deposit(player);
  await sandbox.order(`transactions/${reference}`, { outcome: "fail" });
  expect(await at.payments.check(player, reference)).toMatchObject({
    status: "failed",
    reason: { code: "declined", kobo: null },
  });
  expect(await at.balance(player)).toBe(0n);
});

test("a payment by card leaves a trace of the card, once, also of one that two players share; a transfer leaves none", async () => {
  const [ada, bola, chi] = [await at.addPlayer(), await at.addPlayer(), await at.addPlayer()];
  const pay = async (player: PlayerId, order: { readonly outcome: string; readonly card?: string }) => {
    const { reference } = await at.deposit(player);
    await sandbox.order(`transactions/${reference}`, order);
    await sandbox.pass();
    return (await loadTraces(database.kysely, player)).map(({ kind, keyedHash, uses }) => ({ kind, keyedHash, uses }));
  };
  expect(await pay(ada, { outcome: "pay" })).toEqual([]);
  const [own] = await pay(ada, { outcome: "pay_by_card" });
  expect(own).toMatchObject({ kind: "card", uses: 1 });
  expect(await pay(ada, { outcome: "pay_by_card" })).toEqual([{ ...own, uses: 2 }]);
  const [shared] = await pay(bola, { outcome: "pay_by_card", card: "of a family" });
  expect(shared?.keyedHash).not.toBe(own?.keyedHash);
  expect(await pay(chi, { outcome: "pay_by_card", card: "of a family" })).toEqual([shared]);
});

test("blocks a disputed deposit, keeps a declined one and takes back an accepted one", async () => {
  const player = await at.addPlayer();
  const [kept, lost] = [await at.deposit(player), await at.deposit(player)];
  for (const { reference } of [kept, lost]) {
    await sandbox.order(`transactions/${reference}`, { outcome: "pay" });
    await sandbox.order(`transactions/${reference}`, { outcome: "disputed" });
    await sandbox.pass();
    expect(await at.find(reference)).toMatchObject({ status: "review", money: "credited" });
  }
  await sandbox.order(`transactions/${kept.reference}`, { outcome: "dispute_declined" });
  await sandbox.order(`transactions/${lost.reference}`, { outcome: "dispute_accepted" });
  await sandbox.pass();
  await at.advance(0);
  expect(await at.find(kept.reference)).toMatchObject({ status: "completed", money: "credited" });
  expect(await at.find(lost.reference)).toMatchObject({ status: "reversed", money: "taken_back" });
  expect(await at.balance(player)).toBe(CREDITED);
});

async function addTaken() {
  const player = await at.addPlayer();
  const { reference } = await at.deposit(player);
  await sandbox.order(`transactions/${reference}`, { outcome: "pay" });
  await sandbox.pass();
  await at.advance(24 * 3_600_000);
  await at.withdraw(player);
  await sandbox.order(`transactions/${reference}`, { outcome: "disputed" });
  await sandbox.order(`transactions/${reference}`, { outcome: "reversed" });
  await sandbox.pass();
  await at.advance(60_000);
  expect(await at.find(reference)).toMatchObject({ status: "reversed", money: "taken_back" });
  return { player, reference };
}

test("leaves a reversed deposit that came back to staff, who credit it once, repaying debts first", async () => {
  const { player, reference } = await addTaken();
  expect(await loadDebt(database.kysely, player)).toBe(16_339_869n);
  await sandbox.order("faults", { on: "verify", fault: "wrong_status", status: "reversed", times: 2, reference });
  await sandbox.order(`transactions/${reference}`, { outcome: "dispute_declined" });
  await sandbox.pass();
  await at.advance(1_000);
  expect(await at.find(reference)).toMatchObject({ status: "reversed", money: "taken_back" });
  for (let i = 0; i < 6; i += 1) await at.advance(60_000);
  expect(await at.find(reference)).toMatchObject({ status: "review", money: "taken_back" });
  expect(await loadDebt(database.kysely, player)).toBe(16_339_869n);
  expect(await at.correct(reference, "credit")).toEqual({ ok: true, value: "done" });
  expect([await at.balance(player), await loadDebt(database.kysely, player)]).toEqual([1n, 0n]);
  for (const { id, body } of (await sandbox.state()).webhooks) {
    if (body.includes(reference)) await sandbox.order(`webhooks/${id}/replay`, {});
  }
  await at.advance(60_000);
  await at.payments.reconciliation.reconcile();
  expect([await at.balance(player), await loadDebt(database.kysely, player)]).toEqual([1n, 0n]);
  expect(await at.find(reference)).toMatchObject({ status: "completed", money: "credited" });
  expect(await at.findBroken()).toBeNull();
});

test("reopens the same checkout until it is paid", async () => {
  const player = await at.addPlayer();
  const { reference } = await at.deposit(player);
  const { authorizationUrl } = await at.find(reference);
  await sandbox.order(`transactions/${reference}`, { outcome: "cancel" });
  expect(await at.payments.check(player, reference)).toMatchObject({ status: "abandoned" });
  const open = await at.payments.reopen({ playerId: player, reference, rateKobo: RATE_KOBO });
  expect(open).toMatchObject({ ok: true, value: { authorizationUrl, payment: { status: "pending", reason: null } } });
  const begun = (await sandbox.state()).calls.filter((call) => call.operation === "initialize");
  expect(begun.filter(({ body }) => body.includes(reference))).toHaveLength(1);
  await sandbox.order(`transactions/${reference}`, { outcome: "pay" });
  await sandbox.pass();
  expect(await at.find(reference)).toMatchObject({ status: "completed", money: "credited" });
  expect(await at.payments.reopen({ playerId: player, reference, rateKobo: RATE_KOBO })).toEqual({
    ok: false,
    refusal: "not_payable",
  });
});

test("credits a reopened deposit that was paid meanwhile, and refuses those of others and given up ones", async () => {
  const player = await at.addPlayer();
  const { reference } = await at.deposit(player);
  expect(await at.payments.reopen({ playerId: await at.addPlayer(), reference, rateKobo: RATE_KOBO })).toEqual({
    ok: false,
    refusal: "unknown_payment",
  });
  expect(
    await at.payments.reopen({ playerId: player, reference: "dep-of-nobody-at-all", rateKobo: RATE_KOBO }),
  ).toEqual({ ok: false, refusal: "unknown_payment" });
  await sandbox.order("faults", { on: "webhook", fault: "lost", reference });
  await sandbox.order(`transactions/${reference}`, { outcome: "pay" });
  await sandbox.pass();
  expect(await at.payments.reopen({ playerId: player, reference, rateKobo: RATE_KOBO })).toEqual({
    ok: false,
    refusal: "not_payable",
  });
  expect(await at.find(reference)).toMatchObject({ status: "completed" });
  const other = await at.deposit(player);
  await at.advance(25 * 60 * MINUTE_MS);
  expect(await at.find(other.reference)).toMatchObject({ status: "abandoned" });
  expect(await at.payments.reopen({ playerId: player, reference: other.reference, rateKobo: RATE_KOBO })).toEqual({
    ok: false,
    refusal: "not_payable",
  });
});

/** Pays at the sandbox after setting its clock to ours. */
async function pay({ reference }: { readonly reference: string }) {
  await sandbox.order("clock", { at: new Date(at.time.now()).toISOString() });
  await sandbox.order(`transactions/${reference}`, { outcome: "pay" });
  await sandbox.pass();
  return await at.find(reference);
}

async function passBoth(ms: number): Promise<void> {
  await at.advance(ms);
  await sandbox.order("clock", { at: new Date(at.time.now()).toISOString() });
}

// [WALL-07 §7 r35] A deposit keeps its exchange rate for 30 minutes and shows until when. A later payment gets the
// rate of its moment: the receipt says so, and the page says so before a payment that it continues if that gives
// fewer coins.
test("keeps the exchange rate for 30 minutes, and gives a later payment the rate of its moment [WALL-07]", async () => {
  const player = await at.addPlayer();
  const [soon, dearer, cheaper] = [await at.deposit(player), await at.deposit(player), await at.deposit(player)];
  at.rateKobo = 2 * RATE_KOBO;
  await passBoth(25 * MINUTE_MS);
  expect(await pay(soon)).toMatchObject({ status: "completed", rateKobo: RATE_KOBO, reason: null });
  await passBoth(10 * MINUTE_MS);
  expect(await pay(dearer)).toMatchObject({
    status: "completed",
    rateKobo: 2 * RATE_KOBO,
    coins: 8_169_935n,
    reason: expect.stringContaining("₦612 for 1 HC. That gave fewer coins."),
  });
  at.rateKobo = RATE_KOBO / 2;
  await passBoth(MINUTE_MS);
  expect(await pay(cheaper)).toMatchObject({
    rateKobo: RATE_KOBO / 2,
    coins: 32_679_739n,
    reason: expect.stringContaining("That gave more coins."),
  });
  expect(await at.balance(player)).toBe(CREDITED + 8_169_935n + 32_679_739n);
});

test("credits a payment once by a webhook that comes 72 hours late, at the rate of its payment", async () => {
  at.rateKobo = RATE_KOBO;
  const player = await at.addPlayer();
  const payment = await at.deposit(player);
  const { reference } = payment;
  await passBoth(25 * 60 * MINUTE_MS);
  expect(await at.find(reference)).toMatchObject({ status: "abandoned", nextAskAt: null });
  await sandbox.order("faults", { on: "webhook", fault: "late", reference, delayMs: 72 * 60 * MINUTE_MS });
  await pay(payment);
  await passBoth(MINUTE_MS);
  at.rateKobo = 2 * RATE_KOBO;
  await passBoth(71 * 60 * MINUTE_MS);
  expect(await at.find(reference)).toMatchObject({ status: "abandoned", money: "none" });
  await passBoth(60 * MINUTE_MS);
  expect(await at.find(reference)).toMatchObject({ status: "completed", rateKobo: RATE_KOBO, coins: CREDITED });
  const { webhooks } = await sandbox.state();
  for (const { id, body } of webhooks) {
    if (body.includes(reference)) await sandbox.order(`webhooks/${id}/replay`, {});
  }
  expect(await at.balance(player)).toBe(CREDITED);
  at.rateKobo = RATE_KOBO;
});

test("opens no late checkout at a rate that the player was not shown", async () => {
  at.rateKobo = RATE_KOBO;
  const player = await at.addPlayer();
  const { reference } = await at.deposit(player);
  at.rateKobo = 2 * RATE_KOBO;
  const order = { playerId: player, reference };
  expect(await at.payments.reopen({ ...order, rateKobo: 2 * RATE_KOBO })).toEqual({
    ok: false,
    refusal: "rate_changed",
  });
  expect(await at.payments.reopen({ ...order, rateKobo: RATE_KOBO })).toMatchObject({ ok: true });
  await passBoth(31 * MINUTE_MS);
  expect(await at.payments.reopen({ ...order, rateKobo: RATE_KOBO })).toEqual({ ok: false, refusal: "rate_changed" });
  expect(await at.payments.reopen({ ...order, rateKobo: 2 * RATE_KOBO })).toMatchObject({ ok: true });
  at.rateKobo = RATE_KOBO;
});

describe("a deposit that arrives for a player who may not deposit", () => {
  // [WALL-08 §7 r36] A deposit that arrives while its player is self-excluded, banned or closing the account goes
  // back by itself, with the reason.
  test.each([
    ["self-excluded", sql`insert into self_exclusions (player_id, from_at, until_at) values`, sql`9007199254740991`],
    ["closing the account", sql`insert into closing_accounts (player_id, at) values`, null],
  ])("goes back by itself: %s [WALL-08]", async (_why, insert, until) => {
    const player = await at.addPlayer();
    const payment = await at.deposit(player);
    at.time.advance(1_000);
    const values = until === null ? sql`(${player}, ${at.time.now()})` : sql`(${player}, ${at.time.now()}, ${until})`;
    await sql`${insert} ${values}`.execute(database.kysely);
    at.time.advance(1_000);
    await sandbox.order("settings", { refundSettlesAfterMs: 60_000 });
    expect(await pay(payment)).toMatchObject({
      status: "reversed",
      money: "none",
      reason: "You couldn't deposit when this arrived. It's being refunded.",
    });
    await sandbox.pass(60_000);
    await at.advance(MINUTE_MS);
    expect(await at.find(payment.reference)).toMatchObject({
      status: "reversed",
      completedAt: expect.any(Number),
      reason: "You couldn't deposit when this arrived. It was refunded.",
    });
    expect(await at.balance(player)).toBe(0n);
    const { refunds } = (await sandbox.state()) as { readonly refunds?: readonly unknown[] };
    expect(JSON.stringify(refunds)).toContain(payment.reference);
  });
});
