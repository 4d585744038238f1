import { createHmac, randomUUID } from "node:crypto";
import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import { wholeCoins } from "@holo/kernel/money.ts";
import type { ReconciliationView, RevenueView, ReviewEnd, ReviewsView } from "@holo/protocol/admin/money.ts";
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

async function addMismatch(person: TestPerson): Promise<string> {
  const { body } = await ask<{ readonly payment: PaymentView }>(person, "POST", "deposits", {
    commandId: newId(),
    kobo: 500_000,
    payKobo: 500_000,
    rateKobo: 30_600,
  });
  const { reference } = body.payment;
  await sandbox.order("faults", { on: "charge_outcome", reference, fault: "wrong_amount", amount: 400_000 });
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

const end = (person: TestPerson, reference: string, way: ReviewEnd, reason = "It was so paid") =>
  ask<ReviewsView>(person, "POST", "admin/reviews/end", { reference, end: way, kobo: 400_000, reason });

describe("a payment in review", () => {
  test("is shown with the received amount, credited at the deposit's rate and reported to the player", async () => {
    const player = await http.addPlayer();
    const before = await balanceOf(player);
    const reference = await addMismatch(player);
    const settings = { rateKobo: 30_600, feeBps: 740 };
    const change = { rateKobo: 40_000, feeBps: 740, expected: settings, commandId: newId(), password: PASSWORD };
    expect((await ask(ceo, "POST", "admin/settings", change)).status).toBe(200);
    const { body } = await ask<ReviewsView>(admin, "GET", "admin/reviews");
    expect(body.payments.find(({ payment }) => payment.reference === reference)).toMatchObject({
      playerId: player.id,
      username: player.username,
      payment: { status: "review", kobo: 500_000 },
      arrivedKobo: 400_000,
      arrivedCoins: "13071896",
      ends: ["credit", "refund"],
    });
    const ended = await end(admin, reference, "credit", "  The bank kept ₦1,000 ");
    expect(ended.status).toBe(200);
    expect(ended.body.payments.some(({ payment }) => payment.reference === reference)).toBe(false);
    expect((await balanceOf(player)) - before).toBe(13_071_896n);
    expect(await eventsOn(reference)).toEqual([["review_credited", admin.username, "₦4,000: The bank kept ₦1,000"]]);
    const frames = http.at.playerFrames.filter(({ playerId }) => playerId === player.id).map(({ frame }) => frame);
    expect(frames.findLast(({ type }) => type === "payment")).toMatchObject({
      payment: { status: "completed", kobo: 400_000, reason: "We credited the amount we received: ₦4,000." },
    });
    const back = { ...change, rateKobo: 30_600, expected: { ...settings, rateKobo: 40_000 }, commandId: newId() };
    expect((await ask(ceo, "POST", "admin/settings", back)).status).toBe(200);
  });

  test("ends once for simultaneous decisions", async () => {
    const player = await http.addPlayer();
    const before = await balanceOf(player);
    const reference = await addMismatch(player);
    const other = await makeAdmin();
    const answers = await Promise.all([
      end(admin, reference, "credit"),
      end(other, reference, "refund"),
      end(admin, reference, "credit"),
      end(other, reference, "credit"),
      end(admin, reference, "refund"),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    expect(answers.filter(({ status }) => status === 409).map(({ body }) => body.code)).toEqual(
      Array(4).fill("not_in_review"),
    );
    const events = await eventsOn(reference);
    expect(events).toHaveLength(1);
    expect((await balanceOf(player)) - before).toBe(events[0]![0] === "review_credited" ? 13_071_896n : 0n);
  });

  test("requires another person, a reason and the provider's answer", async () => {
    const own = await addMismatch(admin);
    const before = await balanceOf(admin);
    for (const way of ["credit", "refund"] as const) {
      expect((await end(admin, own, way)).body.code).toBe("own_matter");
    }
    expect((await end(ceo, own, "credit", "  ")).body.code).toBe("reason_missing");
    expect((await end(ceo, "dep-of-nobody-at-all", "credit")).body.code).toBe("unknown_payment");
    await sandbox.order("faults", { on: "verify", fault: "500", reference: own });
    expect((await end(ceo, own, "credit")).body.code).toBe("provider_silent");
    await sandbox.order("faults", { on: "refund", fault: "insufficient_balance" });
    expect((await end(ceo, own, "refund")).body.code).toBe("provider_silent");
    expect(await balanceOf(admin)).toBe(before);
    expect((await end(ceo, own, "refund", "Sent twice")).status).toBe(200);
    expect(await eventsOn(own)).toEqual([
      ["review_refunded", ceo.username, "₦4,000: Sent twice"],
      ["review_refunded", ceo.username, "₦4,000: It was so paid"],
    ]);
  });

  test("is denied to an admin who is removed at that moment", async () => {
    const removed = await makeAdmin();
    const reference = await addMismatch(await http.addPlayer());
    await sql`delete from admin_emails where email = ${`${removed.username}@example.com`}`.execute(database.kysely);
    expect((await end(removed, reference, "credit")).body.code).toBe("access_denied");
    expect(await eventsOn(reference)).toEqual([]);
    await sql`
      insert into admin_emails (id, email, created_at, added_by)
      values (${randomUUID()}, ${`${removed.username}@example.com`}, 0, ${ceo.id})`.execute(database.kysely);
  });
});

async function addReversedAgain(person: TestPerson): Promise<string> {
  const { body } = await ask<{ readonly payment: PaymentView }>(person, "POST", "deposits", {
    commandId: newId(),
    kobo: 500_000,
    payKobo: 500_000,
    rateKobo: 30_600,
  });
  const { reference } = body.payment;
  await sandbox.order(`transactions/${reference}`, { outcome: "pay" });
  await ask(person, "POST", "deposits/check", { reference });
  const tell = async (event: string, change: object = {}) => {
    const told = JSON.stringify({ event, data: { id: 1, transaction: { reference }, ...change } });
    const signature = createHmac("sha512", sandbox.secretKey).update(told).digest("hex");
    expect(await http.payments.receive(Buffer.from(told), signature)).toMatchObject({ ok: true });
    await http.payments.runDue();
  };
  await http.payments.runDue();
  await sandbox.order(`transactions/${reference}`, { outcome: "disputed" });
  await tell("charge.dispute.create");
  await sandbox.order(`transactions/${reference}`, { outcome: "reversed" });
  await tell("refund.processed");
  await sandbox.order(`transactions/${reference}`, { outcome: "dispute_declined" });
  await tell("charge.dispute.resolve", { resolution: "declined" });
  await sandbox.order(`transactions/${reference}`, { outcome: "reversed" });
  await tell("refund.processed");
  return reference;
}

describe("a charge that is reversed again after a won dispute", () => {
  const book = (person: TestPerson, reference: string, way: "take" | "bear", kobo: number | null = 500_000) =>
    ask<ReviewsView>(person, "POST", "admin/reviews/end", { reference, end: way, kobo, reason: "Agreed by mail" });

  test("is listed and counted until an admin allocates it, once [ADMIN-08]", async () => {
    const player = await http.addPlayer();
    const before = await balanceOf(player);
    const reference = await addReversedAgain(player);
    const { body } = await ask<ReviewsView>(admin, "GET", "admin/reviews");
    expect(body.payments.find(({ payment }) => payment.reference === reference)).toMatchObject({
      payment: { status: "review" },
      refundedKobo: 500_000,
      refundedCoins: "16339870",
      ends: ["take", "bear"],
    });
    const counted = (await ask<OverviewView>(admin, "GET", "admin/overview")).body.reviews;
    expect(counted).toBe(body.payments.length + body.orphanedBalances.length);
    expect((await book(player, reference, "take")).body.code).toBe("access_denied");
    expect((await book(admin, reference, "take", 499_999)).body.code).toBe("figures_changed");
    const answers = await Promise.all([
      book(admin, reference, "take"),
      book(ceo, reference, "bear"),
      book(admin, reference, "take"),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const events = await eventsOn(reference);
    expect(events).toHaveLength(1);
    expect(events[0]![2]).toBe("₦5,000: Agreed by mail");
    const taken = events[0]![0] === "review_taken" ? 16_339_870n : 0n;
    expect((await balanceOf(player)) - before).toBe(16_339_870n - taken);
    const after = (await ask<OverviewView>(admin, "GET", "admin/overview")).body.reviews;
    expect(after).toBe(counted - 1);
  });
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
    ask<ReviewsView>(person, "POST", "admin/orphaned-balances", {
      commandId: newId(),
      account: null,
      reason: "Came back",
      ...change,
    });

  // [ADMIN-09 §6 r9,12] Coins that arrive for a deleted account are sent once, by an admin to the last paid bank
  // account or by the CEO to another one.
  test("are listed and sent once by an admin to the last paid account [ADMIN-09]", async () => {
    const gone = await addLeft();
    const { body } = await ask<ReviewsView>(admin, "GET", "admin/reviews");
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
    expect((await http.payments.listPayments(gone.id))[0]).toMatchObject({ type: "paid" });
    expect(await balanceOf(gone)).toBe(0n);
    const left = (await ask<ReviewsView>(admin, "GET", "admin/reviews")).body.orphanedBalances;
    expect(left.some(({ playerId }) => playerId === gone.id)).toBe(false);
  });

  test("are sent to another account by the CEO only, with the password [ADMIN-09 ADMIN-47]", async () => {
    const gone = await addLeft();
    const { body } = await ask<ReviewsView>(ceo, "GET", "admin/reviews");
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
    expect(compared).toMatchObject({ status: 200, body: { settled: 1 } });
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
    // The provider holds what all players of this file are owed (ruling 34).
    await sandbox.order("balance", { kobo: 100_000_000_000 });
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
  const { body } = await ask<ReviewsView>(admin, "GET", "admin/reviews");
  const review = body.payments.find(({ payment }) => payment.reference === reference);
  expect(review).toMatchObject({ payment: { status: "review", kobo }, ends: ["count_paid"], arrivedKobo: kobo + 100 });
  const leave = () => ask(player, "POST", "account/delete", { password: PASSWORD });
  expect((await leave()).body.code).toBe("payment_under_way");
  expect((await end(admin, reference, "count_paid")).body.code).toBe("figures_changed");
  const order = { reference, end: "count_paid", kobo: kobo + 100, reason: "The bank's record says so" };
  const answers = await Promise.all([admin, ceo].map((person) => ask(person, "POST", "admin/reviews/end", order)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(await eventsOn(reference)).toEqual([
    ["review_counted_paid", expect.any(String), expect.stringMatching(/^₦.+: The bank's record says so$/)],
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
  const { body } = await ask<ReviewsView>(admin, "GET", "admin/reviews");
  expect(body.payments.find(({ payment }) => payment.reference === reference)).toMatchObject({
    payment: { status: "review" },
    ends: ["write_off"],
  });
  const leave = () => ask(player, "POST", "account/delete", { password: PASSWORD });
  expect((await leave()).body.code).toBe("payment_under_way");
  expect((await end(player, reference, "write_off")).body.code).toBe("access_denied");
  expect((await end(admin, reference, "close")).body.code).toBe("figures_changed");
  const answers = await Promise.all([end(admin, reference, "write_off"), end(ceo, reference, "write_off")]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(await eventsOn(reference)).toEqual([
    ["review_written_off", expect.any(String), expect.stringMatching(/^₦.+: It was so paid$/)],
  ]);
  expect((await leave()).status).toBe(200);
});
