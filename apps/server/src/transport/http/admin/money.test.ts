import { randomUUID } from "node:crypto";
import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import { wholeCoins } from "@holo/kernel/money.ts";
import type { CorrectionAct, PaymentCasesView, ReconciliationView, RevenueView } from "@holo/protocol/admin/money.ts";
import type { OverviewView } from "@holo/protocol/admin/overview.ts";
import type { AuditEventsView, AuditEventType } from "@holo/protocol/admin/staff.ts";
import type { PaymentView } from "@holo/protocol/payments/payments.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { lockLimits } from "../../../accounts/accounts.ts";
import { adminInvariants } from "../../../admin/audit.ts";
import { ledgerInvariants } from "../../../ledger/audit/audit.ts";
import { loadWallet, lockWallet } from "../../../ledger/ledger.ts";
import { postStake, postWin } from "../../../ledger/testing/game-postings.ts";
import { paymentInvariants } from "../../../payments/audit/audit.ts";
import { savePayoutHold } from "../../../payments/payments.ts";
import type { Database } from "../../../platform/database/database.ts";
import { audit } from "../../../platform/database/invariant.ts";
import { transact } from "../../../platform/database/transaction.ts";
import { untilSomeWait } from "../../../platform/testing/lock-waits.ts";
import { createTestDatabase } from "../../../platform/testing/test-database.ts";
import { newId } from "../../testing/test-games.ts";
import { openTestHttp, PASSWORD, type TestHttp, type TestPerson } from "../../testing/test-http.ts";
import { startTestSandbox, type TestSandbox } from "../../testing/test-provider.ts";
import { openTestStaff, type TestStaff } from "../../testing/test-staff.ts";

const ACCOUNT = { accountNumber: "0123456789", bankCode: "057" };
/** ₦5,000 at 30600, rounded down. */
const TAKEN = "16339869";

let database: Database;
let sandbox: TestSandbox;
let http: TestHttp;
let ceo: TestStaff["ceo"];
let ask: TestStaff["ask"];
let makeAdmin: TestStaff["makeAdmin"];
let whilePasswordChanges: TestStaff["whilePasswordChanges"];
let admin: TestPerson;

beforeAll(async () => {
  [database, sandbox] = await Promise.all([createTestDatabase(), startTestSandbox()]);
  http = await openTestHttp(database, { provider: { url: sandbox.url, secretKey: sandbox.secretKey } });
  await sandbox.order("clock", { at: new Date(http.at.time.now()).toISOString() });
  ({ ceo, ask, makeAdmin, whilePasswordChanges } = await openTestStaff(http, database));
  admin = await makeAdmin();
});
beforeEach(() => sandbox.reset());
afterAll(async () => {
  const broken = await audit(database.kysely, [...ledgerInvariants, ...paymentInvariants, ...adminInvariants]);
  await http.close();
  await sandbox.stop();
  await database.close();
  expect(broken).toBeNull();
});

async function addMismatch(person: TestPerson, amount = 400_000): Promise<string> {
  const { body } = await ask<{ readonly payment: PaymentView }>(person, "POST", "deposits", {
    commandId: newId(),
    kobo: 500_000,
    payKobo: 500_000,
    rateKobo: 30_600,
  });
  const { reference } = body.payment;
  await sandbox.order("faults", { on: "charge_outcome", reference, fault: "wrong_amount", amount });
  await sandbox.order(`transactions/${reference}`, { outcome: "pay" });
  await ask(person, "POST", "deposits/check", { reference });
  return reference;
}

async function balanceOf({ id }: TestPerson): Promise<bigint> {
  return (await loadWallet(database.kysely, id))?.balance ?? -1n;
}

async function eventsOn(subject: string): Promise<readonly (readonly [AuditEventType, string | null, string])[]> {
  const { body } = await ask<AuditEventsView>(admin, "GET", "admin/audit-events");
  return body.events
    .filter((done) => done.subject === subject)
    .map((done) => [done.action, done.username, done.detail]);
}

async function findCase(reference: string) {
  const { cases } = (await ask<PaymentCasesView>(ceo, "GET", "admin/payments")).body;
  return cases.find(({ payment }) => payment.reference === reference);
}

/** After looking at it. */
async function correct(person: TestPerson, reference: string, act: CorrectionAct, reason = "It was so paid") {
  const found = await findCase(reference);
  const kobo = found?.corrections.find((one) => one.act === act)?.kobo ?? 0;
  const order = { reference, act, kobo, lastFact: found?.lastFact ?? 0, reason };
  return await ask<PaymentCasesView & { readonly isProposed: boolean }>(
    person,
    "POST",
    "admin/payments/correct",
    order,
  );
}

describe("a payment with staff", () => {
  test("is shown with its facts, credited at the deposit's rate and reported to the player", async () => {
    const player = await http.addPlayer();
    const before = await balanceOf(player);
    const reference = await addMismatch(player);
    const settings = { rateKobo: 30_600, feeBps: 740 };
    const change = { rateKobo: 40_000, feeBps: 740, expected: settings, commandId: newId(), password: PASSWORD };
    expect((await ask(ceo, "POST", "admin/settings", change)).status).toBe(200);
    expect(await findCase(reference)).toMatchObject({
      playerId: player.id,
      username: player.username,
      why: "amount_differs",
      residueKobo: 400_000,
      facts: [{ type: "charge", outcome: "other_sum", kobo: 400_000 }, { type: "to_staff" }],
      corrections: [
        { act: "credit", kobo: 400_000 },
        { act: "refund", kobo: 400_000 },
        { act: "write_off", kobo: 400_000 },
      ],
    });
    const ended = await correct(admin, reference, "credit", "  The bank kept ₦1,000 ");
    expect(ended).toMatchObject({ status: 200, body: { isProposed: false } });
    expect(await findCase(reference)).toBeUndefined();
    expect((await balanceOf(player)) - before).toBe(13_071_896n);
    expect(await eventsOn(reference)).toEqual([["payment_credited", admin.username, "₦4,000: The bank kept ₦1,000"]]);
    const frames = http.at.playerFrames.filter(({ playerId }) => playerId === player.id).map(({ frame }) => frame);
    expect(frames.findLast(({ type }) => type === "payment")).toMatchObject({
      payment: { status: "completed", kobo: 400_000, reason: "We credited the amount we received: ₦4,000." },
    });
    const back = { ...change, rateKobo: 30_600, expected: { ...settings, rateKobo: 40_000 }, commandId: newId() };
    expect((await ask(ceo, "POST", "admin/settings", back)).status).toBe(200);
  });

  test("is corrected once by simultaneous orders", async () => {
    const player = await http.addPlayer();
    const before = await balanceOf(player);
    const reference = await addMismatch(player);
    const other = await makeAdmin();
    const answers = await Promise.all([
      correct(admin, reference, "credit"),
      correct(other, reference, "credit"),
      correct(admin, reference, "credit"),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(await eventsOn(reference)).toHaveLength(1);
    expect((await balanceOf(player)) - before).toBe(13_071_896n);
  });

  test("requires another person, a reason and the provider's answer", async () => {
    const own = await addMismatch(admin);
    const before = await balanceOf(admin);
    for (const act of ["credit", "refund"] as const) {
      expect((await correct(admin, own, act)).body.code).toBe("own_matter");
    }
    expect((await correct(ceo, own, "credit", "  ")).body.code).toBe("reason_missing");
    expect((await correct(ceo, "dep-of-nobody-at-all", "credit")).body.code).toBe("unknown_payment");
    await sandbox.order("faults", { on: "verify", fault: "500", reference: own });
    expect((await correct(ceo, own, "credit")).body.code).toBe("provider_silent");
    expect(await balanceOf(admin)).toBe(before);
    expect((await correct(ceo, own, "refund", "Sent twice")).status).toBe(200);
    expect(await eventsOn(own)).toEqual([["payment_refunded", ceo.username, "₦4,000: Sent twice"]]);
  });

  test("is denied to an admin who is removed at that moment", async () => {
    const removed = await makeAdmin();
    const reference = await addMismatch(await http.addPlayer());
    await sql`delete from admin_emails where email = ${`${removed.username}@example.com`}`.execute(database.kysely);
    expect((await correct(removed, reference, "credit")).body.code).toBe("access_denied");
    expect(await eventsOn(reference)).toEqual([]);
    await sql`
      insert into admin_emails (id, email, created_at, added_by)
      values (${randomUUID()}, ${`${removed.username}@example.com`}, 0, ${ceo.id})`.execute(database.kysely);
  });

  // [ADMIN-51 §6 r58] Corrections above a sum a day wait for a second member of staff. A fact that comes meanwhile
  // voids them.
  test("waits for a second member above the sum of a day, and is void once a fact comes [ADMIN-51]", async () => {
    const member = await makeAdmin();
    const [large, again] = [await http.addPlayer(), await http.addPlayer()];
    const before = await balanceOf(large);
    const reference = await addMismatch(large, 6_000_000);
    expect((await correct(member, reference, "credit")).body).toMatchObject({ isProposed: true });
    expect(await balanceOf(large)).toBe(before);
    const proposal = (await findCase(reference))?.proposal;
    expect(proposal).toMatchObject({ act: "credit", kobo: 6_000_000, username: member.username });
    const confirm = (person: TestPerson, id = proposal?.id) => ask(person, "POST", "admin/payments/confirm", { id });
    expect((await confirm(member)).body.code).toBe("second_member_needed");
    expect((await confirm(large)).body.code).toBe("access_denied");
    expect((await confirm(ceo)).status).toBe(200);
    expect((await balanceOf(large)) - before).toBe(196_078_432n);
    expect((await confirm(admin)).body.code).toBe("unknown_payment");
    // The day's sum counts what was proposed, so a smaller one waits too.
    const small = await addMismatch(again);
    expect((await correct(member, small, "credit")).body).toMatchObject({ isProposed: true });
    const waiting = (await findCase(small))?.proposal?.id;
    await sandbox.order(`transactions/${small}`, { outcome: "reversed" });
    expect((await confirm(ceo, waiting)).body.code).toMatch(/facts_changed|not_with_staff/);
    expect(await findCase(small)).toBeUndefined();
  });
});

// [ADMIN-52 §6 r60] Staff answer an open dispute with evidence, through the provider; its deadline is shown. It moves
// no coins.
test("a dispute is answered with evidence while it is open [ADMIN-52]", async () => {
  const player = await http.addPlayer();
  const { body } = await ask<{ readonly payment: PaymentView }>(player, "POST", "deposits", {
    commandId: newId(),
    kobo: 500_000,
    payKobo: 500_000,
    rateKobo: 30_600,
  });
  const { reference } = body.payment;
  await sandbox.order(`transactions/${reference}`, { outcome: "pay" });
  await ask(player, "POST", "deposits/check", { reference });
  await sandbox.order(`transactions/${reference}`, { outcome: "disputed" });
  await ask(admin, "POST", "admin/reconcile", {});
  const [dispute] = (await findCase(reference))?.disputes ?? [];
  expect(dispute).toMatchObject({ stage: "open", evidence: expect.stringContaining(reference) });
  const before = await balanceOf(player);
  const reply = (person: TestPerson, evidence: string) =>
    ask(person, "POST", "admin/payments/dispute", { reference, disputeId: dispute?.id, evidence });
  expect((await reply(player, "mine")).body.code).toBe("access_denied");
  expect((await reply(admin, "  ")).body.code).toBe("reason_missing");
  expect((await reply(admin, "The coins were staked in three games")).status).toBe(200);
  expect(await balanceOf(player)).toBe(before);
  expect((await eventsOn(reference))[0]).toEqual([
    "dispute_answered",
    admin.username,
    "₦5,000: The coins were staked in three games",
  ]);
  await sandbox.order(`transactions/${reference}`, { outcome: "dispute_declined" });
  await ask(admin, "POST", "admin/reconcile", {});
  expect((await reply(admin, "Once more")).body.code).toBe("dispute_over");
});

async function settle(): Promise<void> {
  for (let times = 0; times < 4; times += 1) {
    http.at.time.advance(5_000);
    await http.payments.runDue();
    await sandbox.pass(5_000);
  }
}

describe("coins of a deleted player", () => {
  async function addLeft(): Promise<TestPerson> {
    const person = await http.addPlayer();
    await sql`update players set email_verified = true where id = ${person.id}`.execute(database.kysely);
    const account = { accountNumber: "0123456789", bankCode: "057" };
    await ask(person, "POST", "accounts/verify", account);
    const terms = await ask<{ readonly kobo: number }>(person, "GET", "closing");
    const closing = { commandId: newId(), kobo: terms.body.kobo, feeKobo: 0, account, password: PASSWORD };
    expect((await ask(person, "POST", "closing", closing)).status).toBe(200);
    await settle();
    expect((await ask(person, "POST", "account/delete", { password: PASSWORD })).status).toBe(200);
    const [sent] = await http.payments.listPayments(person.id);
    await sandbox.order(`transfers/${sent!.reference}`, { outcome: "reversed" });
    await ask(admin, "POST", "admin/reconcile", {});
    await settle();
    return person;
  }

  const send = (person: TestPerson, change: object) =>
    ask<PaymentCasesView>(person, "POST", "admin/orphaned-balances", {
      commandId: newId(),
      account: null,
      reason: "Came back",
      ...change,
    });

  // [ADMIN-09 §6 r9,12] Coins that arrive for a deleted account are sent once, by an admin to the last paid bank
  // account or by the CEO to another one.
  test("are listed and sent once by an admin to the last paid account [ADMIN-09]", async () => {
    const gone = await addLeft();
    const { body } = await ask<PaymentCasesView>(admin, "GET", "admin/payments");
    const wallet = body.orphanedBalances.find(({ playerId }) => playerId === gone.id)!;
    expect(wallet).toMatchObject({ username: expect.stringMatching(/^gone-/), bankName: expect.any(String) });
    const order = { playerId: gone.id, kobo: wallet.kobo };
    expect((await send(await http.addPlayer(), order)).body.code).toBe("access_denied");
    expect((await send(admin, { ...order, reason: " " })).body.code).toBe("reason_missing");
    expect((await send(admin, { ...order, kobo: wallet.kobo - 1 })).body.code).toBe("figures_changed");
    const commandId = newId();
    const answers = await Promise.all([
      send(admin, { ...order, commandId }),
      send(admin, { ...order, commandId }),
      send(ceo, order),
    ]);
    const [payment] = await http.payments.listPayments(gone.id);
    const events = await eventsOn(payment!.reference);
    expect(events).toEqual([
      [
        "orphaned_balance_sent",
        expect.any(String),
        expect.stringMatching(/where they were paid last, at .+: Came back$/),
      ],
    ]);
    expect(
      answers.filter(({ status }) => status === 409).every(({ body: { code } }) => code === "nothing_left_behind"),
    ).toBe(true);
    await settle();
    expect((await http.payments.listPayments(gone.id))[0]).toMatchObject({ step: "paid" });
    expect(await balanceOf(gone)).toBe(0n);
    const left = (await ask<PaymentCasesView>(admin, "GET", "admin/payments")).body.orphanedBalances;
    expect(left.some(({ playerId }) => playerId === gone.id)).toBe(false);
  });

  test("are sent to another account by the CEO only, with the password [ADMIN-09 ADMIN-47]", async () => {
    const gone = await addLeft();
    const { body } = await ask<PaymentCasesView>(ceo, "GET", "admin/payments");
    const { kobo } = body.orphanedBalances.find(({ playerId }) => playerId === gone.id)!;
    const account = { accountNumber: "0123456780", bankCode: "057" };
    const order = { playerId: gone.id, kobo, account, password: PASSWORD };
    expect((await send(admin, order)).body.code).toBe("access_denied");
    expect((await send(ceo, { ...order, password: "guess" })).body.code).toBe("wrong_password");
    expect((await send(ceo, order)).body.code).toBe("account_not_verified");
    await ask(ceo, "POST", "accounts/verify", account);
    const stale = await whilePasswordChanges(
      (tx) => lockWallet(tx, gone.id as PlayerId),
      () => send(ceo, order),
    );
    expect(stale.body.code).toBe("wrong_password");
    expect((await send(ceo, order)).status).toBe(200);
    await settle();
    expect(await balanceOf(gone)).toBe(0n);
  });
});

describe("reconciliation", () => {
  test("runs on request, writes an audit event, and reports a silent provider", async () => {
    const player = await http.addPlayer();
    const { body } = await ask<{ readonly payment: PaymentView }>(player, "POST", "deposits", {
      commandId: newId(),
      kobo: 500_000,
      payKobo: 500_000,
      rateKobo: 30_600,
    });
    await sandbox.order(`transactions/${body.payment.reference}`, { outcome: "pay" });
    const compared = await ask<ReconciliationView>(admin, "POST", "admin/reconcile", {});
    expect(compared).toMatchObject({ status: 200, body: { asked: 1 } });
    expect(await balanceOf(player)).toBe(wholeCoins(5_000) + 16_339_870n);
    expect((await eventsOn("provider"))[0]).toEqual(["reconciled", admin.username, ""]);
    await sandbox.order("faults", { on: "list_transactions", fault: "500" });
    expect((await ask(admin, "POST", "admin/reconcile", {})).body.code).toBe("provider_silent");
  });
});

// [ADMIN-12 §2] While all withdrawals wait for a comparison, the administration says why, and staff release them with
// a reason that the audit log keeps.
test("a hold of all payouts is shown, and released once, by an admin with a reason [ADMIN-12 ADMIN-44]", async () => {
  const at = http.at.time.now();
  const release = (person: TestPerson, reason: string, fromAt: number = at) =>
    ask(person, "POST", "admin/payouts/release", { reason, fromAt });
  const loadHold = async () => (await ask<OverviewView>(admin, "GET", "admin/overview")).body.payoutHold;
  expect(await loadHold()).toBeNull();
  expect((await release(admin, "Settled")).body.code).toBe("hold_unchanged");
  await transact(database, (tx) => savePayoutHold(tx, { cause: "restore", at }));
  expect(await loadHold()).toEqual({ cause: "restore", fromAt: at });
  expect((await release(admin, " ")).body.code).toBe("reason_missing");
  expect((await release(await http.addPlayer(), "Mine")).body.code).toBe("access_denied");
  // A page that still shows an earlier hold does not release this one.
  expect((await release(admin, "Settled", at - 1)).body.code).toBe("hold_changed");
  const answers = await Promise.all([release(admin, "Settled"), release(ceo, "Settled")]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(await loadHold()).toBeNull();
  expect(await eventsOn("restore")).toEqual([["payouts_released", expect.any(String), "Settled"]]);
});

describe("revenue", () => {
  async function earn(): Promise<void> {
    const [winner, loser] = [await http.addPlayer(), await http.addPlayer()];
    const gameId = randomUUID() as GameId;
    await transact(database, async (tx) => {
      const at = http.at.time.now();
      const stake = { gameId, amount: wholeCoins(100), at };
      await postStake(tx, { ...stake, seat: 1, playerId: winner.id as PlayerId });
      await postStake(tx, { ...stake, seat: 2, playerId: loser.id as PlayerId });
      const fee = { winnings: wholeCoins(160), platformFee: wholeCoins(40), finalHash: "f1" };
      await postWin(tx, { gameId, winnerId: winner.id as PlayerId, ...fee, at });
    });
  }

  const withdraw = (change: object = {}) =>
    ask<PaymentView>(ceo, "POST", "admin/revenue", {
      commandId: newId(),
      kobo: 500_000,
      ...ACCOUNT,
      password: PASSWORD,
      ...change,
    });

  // [ROLE-08 §6 r10] The CEO sees the Admin Wallet and can withdraw the platform's revenue.
  test("is withdrawn once, by the CEO with the password, to a verified account [ROLE-08 ADMIN-47]", async () => {
    expect((await withdraw({ password: "guess" })).body.code).toBe("wrong_password");
    expect((await withdraw({ kobo: 0 })).body).toMatchObject({ text: "Invalid withdrawal amount" });
    expect((await withdraw({ kobo: -5 })).body).toMatchObject({ text: "Invalid withdrawal amount" });
    expect((await withdraw()).body.code).toBe("account_not_verified");
    await ask(ceo, "POST", "accounts/verify", ACCOUNT);
    expect((await withdraw({ kobo: 100_000_000 })).body).toMatchObject({
      text: "Withdrawal amount exceeds completed games revenue",
    });
    await earn();
    // The provider holds far more than players are owed (ruling 34), and than one payment may be.
    await sandbox.order("balance", { kobo: 9_000_000_000_000 });
    const before = (await ask<RevenueView>(ceo, "GET", "admin/revenue")).body;
    const stale = await whilePasswordChanges((tx) => lockLimits(tx, ceo.id as PlayerId), withdraw);
    expect(stale.body.code).toBe("wrong_password");
    const commandId = newId();
    const sent = await Promise.all([1, 2, 3].map(() => withdraw({ commandId })));
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(sent.map(({ body }) => body.id)).size).toBe(1);
    expect((await withdraw({ commandId, kobo: 600_000 })).body.code).toBe("command_id_reused");
    const after = (await ask<RevenueView>(ceo, "GET", "admin/revenue")).body;
    expect(after).toMatchObject({ earned: "40000000", onTheWay: TAKEN, withdrawn: "0" });
    expect(BigInt(after.left)).toBe(BigInt(before.left) - BigInt(TAKEN));
    expect(after.payments).toMatchObject([{ reference: sent[0]!.body.reference, status: "processing", kobo: 500_000 }]);
    expect(await eventsOn(sent[0]!.body.reference)).toEqual([
      ["revenue_withdrawn", ceo.username, expect.stringMatching(/^₦5,000 to .+ at .+$/)],
    ]);
    for (let i = 0; i < 4; i += 1) {
      http.at.time.advance(5_000);
      await http.payments.runDue();
      await sandbox.pass(5_000);
    }
    const paid = (await ask<RevenueView>(ceo, "GET", "admin/revenue")).body;
    expect(paid).toMatchObject({ onTheWay: "0", withdrawn: TAKEN, payments: [{ status: "completed" }] });
  });
});

test("a withdrawal that the provider reports otherwise is ended by staff, and blocks no deletion then [ADMIN-46]", async () => {
  const player = await http.addPlayer();
  await sql`update players set email_verified = true where id = ${player.id}`.execute(database.kysely);
  await ask(player, "POST", "accounts/verify", ACCOUNT);
  const { kobo } = (await ask<{ readonly kobo: number }>(player, "GET", "closing")).body;
  await sandbox.order("faults", { on: "webhook", fault: "lost", times: null });
  await sandbox.order("faults", { on: "verify_transfer", fault: "wrong_amount", amount: kobo + 100, times: null });
  const closing = { commandId: newId(), kobo, feeKobo: 0, account: ACCOUNT, password: PASSWORD };
  expect((await ask(player, "POST", "closing", closing)).status).toBe(200);
  await settle();
  const { reference } = (await http.payments.listPayments(player.id))[0]!;
  const { body } = await ask<PaymentCasesView>(admin, "GET", "admin/payments");
  expect(body.cases.find(({ payment }) => payment.reference === reference)).toMatchObject({ residueKobo: -100 });
  const leave = () => ask(player, "POST", "account/delete", { password: PASSWORD });
  expect((await leave()).body.code).toBe("payment_under_way");
  const answers = await Promise.all([admin, ceo].map((person) => correct(person, reference, "write_off")));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(await eventsOn(reference)).toEqual([
    ["payment_written_off", expect.any(String), expect.stringMatching(/^₦.+: It was so paid$/)],
  ]);
  // The second decision asked the provider before the first was committed, so it is asked again.
  await settle();
  expect((await leave()).status).toBe(200);
});

test("a withdrawal that arrived after its return is written off once by staff, and blocks no deletion then [ADMIN-43]", async () => {
  const player = await http.addPlayer();
  await sql`update players set email_verified = true where id = ${player.id}`.execute(database.kysely);
  await ask(player, "POST", "accounts/verify", ACCOUNT);
  const close = async () => {
    const { kobo } = (await ask<{ readonly kobo: number }>(player, "GET", "closing")).body;
    const closing = { commandId: newId(), kobo, feeKobo: 0, account: ACCOUNT, password: PASSWORD };
    expect((await ask(player, "POST", "closing", closing)).status).toBe(200);
    await settle();
  };
  await sandbox.order("faults", { on: "verify_transfer", fault: "wrong_status", status: "failed" });
  await close();
  const { reference } = (await http.payments.listPayments(player.id))[0]!;
  await ask(admin, "POST", "admin/reconcile", {});
  await close();
  const { body } = await ask<PaymentCasesView>(admin, "GET", "admin/payments");
  const acts = body.cases.find(({ payment }) => payment.reference === reference)?.corrections.map(({ act }) => act);
  expect(acts).toEqual(["debit", "write_off"]);
  const leave = () => ask(player, "POST", "account/delete", { password: PASSWORD });
  expect((await leave()).body.code).toBe("payment_under_way");
  expect((await correct(player, reference, "write_off")).body.code).toBe("access_denied");
  // Above the sum of a day it waits for the CEO.
  expect((await correct(admin, reference, "write_off")).body).toMatchObject({ isProposed: true });
  const id = (await findCase(reference))?.proposal?.id;
  const confirm = () => ask(ceo, "POST", "admin/payments/confirm", { id });
  // Both have read the proposal: to a request that comes after its end it is unknown.
  const { answers } = await transact(database, async (tx) => {
    await lockLimits(tx, player.id as PlayerId);
    const answers = Promise.all([confirm(), confirm()]);
    await untilSomeWait(database, 2);
    return { answers };
  });
  expect((await answers).map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(await eventsOn(reference)).toEqual([
    ["payment_written_off", ceo.username, expect.stringMatching(/^₦.+: confirmed: It was so paid$/)],
  ]);
  expect((await leave()).status).toBe(200);
});
