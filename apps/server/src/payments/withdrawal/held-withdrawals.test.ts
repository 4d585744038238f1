import type { PlayerId } from "@holo/kernel/ids.ts";
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from "@holo/kernel/instant.ts";
import { type Coins, formatNaira, toCoins, wholeCoins } from "@holo/kernel/money.ts";
import { beforeEach, expect, test } from "vitest";
import {
  type ForfeitReceiver,
  loadDebt,
  loadWalletOrigins,
  loadWithdrawalOrigins,
  lockWallet,
  markCoins,
  postForfeit,
  unmarkCoins,
} from "../../ledger/ledger.ts";
import type { Database } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import { type Payment, type Screen, toPaymentView } from "../payments.ts";
import { openPaymentsForAll } from "../testing/payments-hooks.ts";
import {
  ACCOUNT,
  makeWithdrawalForm,
  newId,
  PASSWORD,
  type TestPayments,
  UNBOUNDED,
} from "../testing/test-payments.ts";
import type { TestSandbox } from "../testing/test-sandbox.ts";

let database: Database;
let sandbox: TestSandbox;
let at: TestPayments;

openPaymentsForAll((given) => {
  ({ database, sandbox, at } = given);
});
beforeEach(async () => {
  await sandbox.reset();
  // No outcome arrives by itself while a test reads what was sent.
  await sandbox.order("settings", { transferSettlesAfterMs: 30_000 });
  at.screen = async () => null;
  at.withdrawalsPerDay = UNBOUNDED;
});

const LOST = wholeCoins(250);
/** What the winner of such a game has more than before. */
const WON = toCoins((LOST * 926n) / 1_000n);

interface Dumped {
  readonly source: PlayerId;
  readonly deposit: string;
  readonly player: PlayerId;
}

async function pay(player: PlayerId, kobo: number, outcome = "pay"): Promise<string> {
  const { reference } = await at.deposit(player, kobo);
  await sandbox.order(`transactions/${reference}`, { outcome });
  await sandbox.pass();
  return reference;
}

/** A player with 500 HC, or these, and 231.50 HC won from a source who deposited ₦100,000. */
async function addDumped(own: Coins = wholeCoins(500)): Promise<Dumped> {
  const [source, player] = [await at.addPlayer(), await at.addBanked(own)];
  const deposit = await pay(source, 10_000_000);
  await at.lose(source, player, LOST);
  await at.advance(25 * HOUR_MS);
  return { source, deposit, player };
}

/** Suspects what stems from the source, of this player alone. */
async function suspect({ player, source }: Pick<Dumped, "player" | "source">): Promise<Screen & { caseId: string }> {
  const origins = await loadWalletOrigins(database.kysely, player, at.time.now());
  const won = origins.filter(({ origin }) => origin.playerId === source);
  const coins = {
    caseId: newId(),
    depositIds: [...new Set(won.map(({ origin }) => origin.pieceId))],
    gameIds: won.flatMap(({ wonFrom }) => wonFrom?.gameId ?? []),
  };
  const screen: Screen = async (playerId, now) => {
    if (playerId !== player) return null;
    return (tx) => markCoins(tx, { ...coins, playerId, until: addMs(now, 72 * HOUR_MS) });
  };
  return Object.assign(screen, { caseId: coins.caseId });
}

async function clear({ player }: Dumped, caseId: string): Promise<void> {
  await transact(database, async (tx) => {
    await lockWallet(tx, player);
    await unmarkCoins(tx, caseId);
    await at.payments.recheckHeld(tx, player, at.time.now());
  });
  await at.advance(0);
}

async function passBoth(forMs: number, stepMs = HOUR_MS): Promise<void> {
  for (let passedMs = 0; passedMs < forMs; passedMs += stepMs) {
    await at.advance(stepMs);
    await sandbox.pass(stepMs);
  }
}

/** Of the newest withdrawal first. */
async function listParts(player: PlayerId): Promise<readonly Payment[]> {
  return (await at.payments.listPayments(player)).filter(({ kind }) => kind === "withdrawal");
}

async function takenOf(payment: Payment, from: PlayerId): Promise<bigint> {
  const origins = await loadWithdrawalOrigins(database.kysely, payment.id, at.time.now());
  return origins.filter(({ origin }) => origin.playerId === from).reduce((sum, { coins }) => sum + coins, 0n);
}

/** All of a balance of 731.50 HC. */
const KOBO = 22_383_900;

test("what nothing doubts is one payment", async () => {
  const { player } = await addDumped();
  const whole = await at.withdraw(player, KOBO);
  expect(await listParts(player)).toMatchObject([{ id: whole.id, partOf: null, status: "processing" }]);
  expect(await at.payments.listHeld(database.kysely, player)).toEqual([]);
});

// [WALL-30 §- r44] Coins in doubt wait as an own payment for at most 72 hours, the rest leaves at once; the player reads
// what is checked and until when, and that playing and depositing go on.
test("coins in doubt wait apart for 72 hours to the millisecond, and the rest leaves at once [WALL-30]", async () => {
  const dumped = await addDumped();
  const { player, source } = dumped;
  at.screen = await suspect(dumped);
  at.withdrawalsPerDay = 1;
  const form = makeWithdrawalForm(player, { kobo: KOBO });
  const answer = await at.payments.withdraw(form);
  if (!answer.ok) throw new Error(answer.refusal.code);
  expect(await at.payments.withdraw(form)).toMatchObject({ ok: true, value: { id: answer.value.id } });
  expect(await at.payments.withdraw({ ...form, kobo: KOBO - 1 })).toMatchObject({
    refusal: { code: "command_id_reused" },
  });
  expect(await at.payments.withdraw({ ...form, commandId: newId() })).toMatchObject({ ok: false });
  const [clean, held] = await listParts(player);
  expect(clean).toMatchObject({ id: answer.value.id, status: "processing", partOf: null });
  expect(held).toMatchObject({ partOf: clean!.id, status: "pending", reason: { code: "awaiting_fair_play" } });
  expect(clean!.kobo + held!.kobo).toBe(BigInt(KOBO));
  expect([await takenOf(clean!, source), await takenOf(held!, source)]).toEqual([0n, WON]);
  expect(held!.coins - WON).toBeLessThan(5_000n);
  expect(await at.balance(player)).toBe(0n);
  const until = addMs(held!.createdAt, 72 * HOUR_MS);
  expect(toPaymentView(held!)).toMatchObject({
    checkedUntil: until,
    expectedAt: until + DAY_MS,
    isCancellable: false,
    reason: `${formatNaira(held!.kobo)} waits while coins from recent games are checked, as happens to honest players too.`,
  });
  expect(await at.payments.listHeld(database.kysely, player)).toEqual([
    { paymentId: held!.id, reference: held!.reference, kobo: held!.kobo, coins: held!.coins, untilAt: until },
  ]);
  expect(at.pushed.filter(({ frame }) => frame.type === "payment" && frame.payment.id === held!.id)).not.toEqual([]);
  expect(await at.payments.cancel(player, held!.reference)).toEqual({ ok: false, refusal: "coins_being_checked" });
  await passBoth(MINUTE_MS, MINUTE_MS);
  expect(await at.find(clean!.reference)).toMatchObject({ step: "paid", sentKobo: clean!.kobo });
  await at.advance(until - at.time.now() - 1);
  expect(await at.find(held!.reference)).toMatchObject({ step: "held", status: "pending" });
  await at.advance(1);
  const reasons = at.pushed.flatMap(({ frame }) =>
    frame.type === "payment" && frame.payment.id === held!.id && frame.payment.status === "processing"
      ? [frame.payment.reason]
      : [],
  );
  expect(reasons).toContain(
    "It's on its way to your bank. All was in order; sorry for the wait. These games aren't checked again.",
  );
  await passBoth(MINUTE_MS, MINUTE_MS);
  expect(await at.find(held!.reference)).toMatchObject({ step: "paid", sentKobo: held!.kobo });
  expect(await at.payments.listHeld(database.kysely, player)).toEqual([]);
  expect(await at.findBroken()).toBeNull();
});

test("all of it waits if all of it is in doubt, or the rest is less than the provider sends", async () => {
  for (const leftKobo of [0, 9_900]) {
    const dumped = await addDumped(wholeCoins(300));
    const { player } = dumped;
    await at.withdraw(player, 300 * 30_600 - leftKobo);
    await passBoth(MINUTE_MS, MINUTE_MS);
    at.screen = await suspect(dumped);
    const all = await at.withdraw(player, 7_083_900 + leftKobo);
    expect(all).toMatchObject({ status: "pending", reason: { code: "awaiting_fair_play" }, partOf: null });
    expect(all.kobo).toBe(BigInt(7_083_900 + leftKobo));
    expect(await listParts(player)).toHaveLength(2);
    at.screen = async () => null;
  }
  expect(await at.findBroken()).toBeNull();
});

test("a cleared one is sent at once, and its coins are not held again", async () => {
  const dumped = await addDumped();
  const suspected = await suspect(dumped);
  at.screen = suspected;
  await at.withdraw(dumped.player, KOBO);
  await passBoth(2 * HOUR_MS);
  at.kill();
  await clear(dumped, suspected.caseId);
  await passBoth(MINUTE_MS, MINUTE_MS);
  expect(await listParts(dumped.player)).toMatchObject([{ step: "paid" }, { step: "paid" }]);
  expect(await at.findBroken()).toBeNull();
});

async function forfeit({ player }: Dumped, caseId: string, to: ForfeitReceiver) {
  return await transact(database, async (tx, afterCommit) => {
    const held = await at.payments.listHeld(tx, player);
    await at.payments.returnHeld(
      tx,
      afterCommit,
      player,
      held.map(({ paymentId }) => paymentId),
    );
    return await postForfeit(tx, { caseId, playerId: player, to, at: at.time.now() });
  });
}

test.each<[ForfeitReceiver]>([["origin"], ["loser"]])(
  "forfeited coins return to the wallet and go from there to those who lost them (%s)",
  async (to) => {
    const dumped = await addDumped();
    const { player, source, deposit } = dumped;
    const suspected = await suspect(dumped);
    at.screen = suspected;
    await at.withdraw(player, KOBO);
    await passBoth(MINUTE_MS, MINUTE_MS);
    await sandbox.order(`transactions/${deposit}`, { outcome: "reversed" });
    await sandbox.pass();
    const owed = await loadDebt(database.kysely, source);
    expect(owed).toBeGreaterThan(0n);
    expect((await forfeit(dumped, suspected.caseId, to)).given).toEqual([{ playerId: source, coins: WON }]);
    const [, held] = await listParts(player);
    expect(held).toMatchObject({ step: "returned", status: "failed", reason: { code: "forfeited" }, isBack: true });
    expect(await at.balance(player)).toBe(held!.coins - WON);
    expect(await loadDebt(database.kysely, source)).toBe(owed - WON);
    await passBoth(73 * HOUR_MS, 24 * HOUR_MS);
    expect(await sandbox.listTransfers(held!.reference)).toEqual([]);
    expect(await at.payments.listHeld(database.kysely, player)).toEqual([]);
    expect(await at.findBroken()).toBeNull();
  },
);

test("what one owes is not repaid from coins that are forfeited, but from the rest", async () => {
  const dumped = await addDumped(wholeCoins(300));
  const [{ player, source }, other] = [dumped, await at.addPlayer()];
  await at.withdraw(player, 300 * 30_600 - 9_180);
  await passBoth(MINUTE_MS, MINUTE_MS);
  const suspected = await suspect(dumped);
  at.screen = suspected;
  await at.withdraw(player, 7_083_900 + 9_180);
  const own = await pay(player, 10_000_000);
  await pay(other, 10_000_000);
  await at.lose(player, other, LOST);
  await sandbox.order(`transactions/${own}`, { outcome: "reversed" });
  await sandbox.pass();
  const owed = await loadDebt(database.kysely, player);
  expect((await forfeit(dumped, suspected.caseId, "origin")).given).toEqual([{ playerId: source, coins: WON }]);
  const [held] = await listParts(player);
  expect(held!.coins).toBeGreaterThan(WON);
  expect(await loadDebt(database.kysely, player)).toBe(owed - (held!.coins - WON));
  expect(await at.balance(player)).toBe(0n);
  expect(await at.findBroken()).toBeNull();
});

test("coins in doubt leave once, whoever decides about them at the same time", async () => {
  const all = await Promise.all(Array.from({ length: 6 }, () => addDumped()));
  const doubted = await Promise.all(all.map(async (dumped) => ({ dumped, suspected: await suspect(dumped) })));
  at.screen = async (playerId, now) =>
    (await doubted.find(({ dumped }) => dumped.player === playerId)?.suspected(playerId, now)) ?? null;
  await Promise.all(
    doubted.map(async ({ dumped, suspected }) => {
      const { player, deposit } = dumped;
      await at.withdraw(player, KOBO);
      const [, held] = await listParts(player);
      await Promise.all([
        sandbox.order(`transactions/${deposit}`, { outcome: "disputed" }),
        forfeit(dumped, suspected.caseId, "origin"),
        clear(dumped, suspected.caseId),
        at.payments.cancel(player, held!.reference),
        at.payments.runDue(),
      ]);
    }),
  );
  await sandbox.pass();
  await passBoth(73 * HOUR_MS, 24 * HOUR_MS);
  for (const { dumped } of doubted) {
    const [clean, held] = await listParts(dumped.player);
    expect(clean).toMatchObject({ step: "paid" });
    expect(["paid", "returned"]).toContain(held!.step);
    expect(await sandbox.listTransfers(held!.reference)).toEqual(held!.step === "returned" ? [] : [Number(held!.kobo)]);
  }
  expect(await at.findBroken()).toBeNull();
});

// [WALL-31 §- r52] Coins that stem from a disputed deposit wait wherever others have them, until the dispute is won or
// for 72 hours.
test("a dispute bars exactly its coins from others, and its end sends them at once [WALL-31]", async () => {
  const { player, source, deposit } = await addDumped();
  await sandbox.order(`transactions/${deposit}`, { outcome: "disputed" });
  await sandbox.pass();
  await at.advance(HOUR_MS);
  await at.withdraw(player, KOBO);
  const [clean, held] = await listParts(player);
  expect([await takenOf(clean!, source), await takenOf(held!, source)]).toEqual([0n, WON]);
  // The mark is an hour old.
  expect(toPaymentView(held!).checkedUntil).toBe(addMs(held!.createdAt, 71 * HOUR_MS));
  await sandbox.order(`transactions/${deposit}`, { outcome: "dispute_declined" });
  await sandbox.pass();
  await passBoth(2 * MINUTE_MS, MINUTE_MS);
  expect(await at.find(held!.reference)).toMatchObject({ step: "paid" });
  expect(await at.findBroken()).toBeNull();
});

test("marks of a lost dispute end after 72 hours, and the coins of an honest winner are sent", async () => {
  const { player, deposit } = await addDumped();
  for (const outcome of ["disputed", "dispute_accepted"]) {
    await sandbox.order(`transactions/${deposit}`, { outcome });
    await sandbox.pass();
  }
  await at.withdraw(player, KOBO);
  const [, held] = await listParts(player);
  await at.advance(toPaymentView(held!).checkedUntil! - at.time.now() - 1);
  expect(await at.find(held!.reference)).toMatchObject({ step: "held" });
  await at.advance(1);
  await passBoth(MINUTE_MS, MINUTE_MS);
  expect(await at.find(held!.reference)).toMatchObject({ step: "paid" });
});

test("the comparison with the provider does not miss what was sent while it ran, after a long wait", async () => {
  const dumped = await addDumped();
  at.screen = await suspect(dumped);
  await at.withdraw(dumped.player, KOBO);
  const [, held] = await listParts(dumped.player);
  const reference = held!.reference;
  await passBoth(72 * HOUR_MS);
  await passBoth(MINUTE_MS, MINUTE_MS);
  expect(await at.find(reference)).toMatchObject({ step: "paid" });
  // The provider's list is older than the transfer.
  await sandbox.reset();
  const listMissing = async () =>
    (await at.payments.reconciliation.reconcile())?.differences.filter((one) => one.reference === reference);
  expect(await listMissing()).toEqual([]);
  await at.advance(10 * MINUTE_MS);
  expect(await listMissing()).toMatchObject([{ type: "missing_transfer" }]);
});

test("a withdrawal that could not be sent for an hour is judged again, and waits as a whole", async () => {
  const dumped = await addDumped();
  const { player } = dumped;
  const screen = await suspect(dumped);
  await sandbox.order("balance", { kobo: 0 });
  const whole = await at.withdraw(player, KOBO);
  await passBoth(30 * MINUTE_MS, 5 * MINUTE_MS);
  expect(await at.find(whole.reference)).toMatchObject({ status: "pending", step: "held" });
  at.screen = screen;
  await passBoth(HOUR_MS, 5 * MINUTE_MS);
  await sandbox.order("balance", { kobo: 1_000_000_000 });
  await passBoth(10 * MINUTE_MS, 5 * MINUTE_MS);
  const [waiting] = await listParts(player);
  expect(waiting).toMatchObject({ step: "held", reason: { code: "awaiting_fair_play" } });
  await passBoth(72 * HOUR_MS);
  expect(await at.find(whole.reference)).toMatchObject({ step: "paid" });
  expect(await at.findBroken()).toBeNull();
});

test("a first withdrawal from a card and coins in doubt wait at the same time (ruling 51)", async () => {
  const [source, player] = [await at.addPlayer(), await at.addBanked(wholeCoins(300))];
  await pay(source, 10_000_000);
  await at.lose(source, player, LOST);
  await pay(player, 2_000_000, "pay_by_card");
  await at.advance(25 * HOUR_MS);
  at.screen = await suspect({ source, player });
  const balance = await at.balance(player);
  await at.withdraw(player, Number((balance * 30_600n) / 1_000_000n));
  const [clean, held] = await listParts(player);
  expect([clean!.reason?.code, held!.reason?.code]).toEqual(["awaiting_first", "awaiting_fair_play"]);
  await passBoth(71 * HOUR_MS);
  for (const part of [clean!, held!]) expect(await at.find(part.reference)).toMatchObject({ step: "held" });
  await passBoth(2 * HOUR_MS);
  for (const part of [clean!, held!]) expect(await at.find(part.reference)).toMatchObject({ step: "paid" });
  expect(await at.findBroken()).toBeNull();
});

test("an account closes with coins in doubt, which are paid later to the same bank account", async () => {
  const dumped = await addDumped(toCoins(500_004_030n));
  const { player } = dumped;
  at.screen = await suspect(dumped);
  const { kobo, feeKobo } = await at.payments.accountClosing.load(player);
  const person = { playerId: player, username: "ada", email: `${player}@example.com`, password: PASSWORD };
  const form = { ...person, commandId: newId(), kobo: Number(kobo), feeKobo: Number(feeKobo), account: ACCOUNT };
  expect(await at.payments.accountClosing.close(form)).toMatchObject({ ok: true, value: { balance: 0n } });
  const [clean, held] = await listParts(player);
  expect(clean!.kobo + held!.kobo).toBe(kobo);
  const remove = () => at.payments.accountDeletion.deleteAccount(player, PASSWORD);
  await passBoth(MINUTE_MS, MINUTE_MS);
  expect(await remove()).toEqual({ ok: false, refusal: "payment_under_way" });
  await passBoth(73 * HOUR_MS);
  expect(await listParts(player)).toMatchObject([{ step: "paid" }, { step: "paid" }]);
  expect(await loadWalletOrigins(database.kysely, player, at.time.now())).toEqual([]);
  expect(await at.findBroken()).toBeNull();
});
