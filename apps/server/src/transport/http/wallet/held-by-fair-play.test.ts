import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import { HOUR_MS } from "@holo/kernel/instant.ts";
import { toCoins, toKoboOut } from "@holo/kernel/money.ts";
import type { FairPlayCaseView, ListedFairPlayCaseView } from "@holo/protocol/admin/fair-play-cases.ts";
import type { OwnFairPlayView } from "@holo/protocol/fair-play.ts";
import type { PaymentView } from "@holo/protocol/payments/payments.ts";
import type { WalletView } from "@holo/protocol/payments/wallet.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { adminInvariants } from "../../../admin/audit.ts";
import { fairPlayInvariants } from "../../../fairplay/audit.ts";
import { ledgerInvariants } from "../../../ledger/audit/audit.ts";
import { loadWallet, loadWalletOrigins, lockWallet } from "../../../ledger/ledger.ts";
import { paymentInvariants } from "../../../payments/audit/audit.ts";
import type { Database } from "../../../platform/database/database.ts";
import { audit } from "../../../platform/database/invariant.ts";
import { transact } from "../../../platform/database/transaction.ts";
import { untilSomeWait } from "../../../platform/testing/lock-waits.ts";
import { createTestDatabase } from "../../../platform/testing/test-database.ts";
import { idOf, newId, playGame } from "../../testing/test-games.ts";
import { openTestHttp, PASSWORD, type TestHttp, type TestPerson } from "../../testing/test-http.ts";
import { startTestSandbox, type TestSandbox } from "../../testing/test-provider.ts";
import { openTestStaff, type TestStaff } from "../../testing/test-staff.ts";

/** Cases with withdrawals, by staff and player. Those without: admin/fair-play-cases.test.ts. */

const ACCOUNT = { accountNumber: "0123456789", bankCode: "057" };
const RATE_KOBO = 30_600;

let database: Database;
let sandbox: TestSandbox;
let http: TestHttp;
let staff: TestStaff;
let admin: TestPerson;
let second: TestPerson;
let third: TestPerson;

beforeAll(async () => {
  [database, sandbox] = await Promise.all([createTestDatabase(), startTestSandbox()]);
  http = await openTestHttp(database, { provider: { url: sandbox.url, secretKey: sandbox.secretKey } });
  await sandbox.order("clock", { at: new Date(http.at.time.now()).toISOString() });
  staff = await openTestStaff(http, database);
  [admin, second, third] = [await staff.makeAdmin(), await staff.makeAdmin(), await staff.makeAdmin()];
});
// Sessions end before these tests do.
beforeEach(logInAgain);
afterAll(async () => {
  expect(await findBroken()).toBeNull();
  await http.close();
  await sandbox.stop();
  await database.close();
});

const logIn = async (person: TestPerson) => ({ ...person, cookie: await http.logIn(person.username) });
async function logInAgain(): Promise<void> {
  [admin, second, third] = [await logIn(admin), await logIn(second), await logIn(third)];
}

const findBroken = () =>
  audit(database.kysely, [...ledgerInvariants, ...paymentInvariants, ...adminInvariants, ...fairPlayInvariants]);

/** Both clocks, and what is due. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= HOUR_MS) {
    http.at.time.advance(Math.min(left, HOUR_MS));
    await sandbox.pass(Math.min(left, HOUR_MS));
    await http.payments.runDue();
  }
}

interface Held {
  readonly id: string;
  readonly loser: TestPerson;
  readonly winner: TestPerson;
  readonly won: bigint;
  readonly parts: readonly PaymentView[];
}

async function withdrawAll(person: TestPerson): Promise<readonly PaymentView[]> {
  await staff.setVerified(person);
  await staff.ask(person, "POST", "accounts/verify", ACCOUNT);
  const { withdrawable } = (await staff.ask<WalletView>(person, "GET", "wallet")).body;
  const kobo = Number(toKoboOut(toCoins(BigInt(withdrawable)), RATE_KOBO));
  const order = { commandId: newId(), kobo, feeKobo: 0, rateKobo: RATE_KOBO, ...ACCOUNT, password: PASSWORD };
  const { status } = await staff.ask<PaymentView>(person, "POST", "withdrawals", order);
  expect(status).toBe(200);
  await http.payments.runDue();
  return await listParts(person);
}

/** The part that left at once, then the one that waits. */
async function listParts(person: TestPerson): Promise<readonly PaymentView[]> {
  const { payments } = (await staff.ask<WalletView>(person, "GET", "wallet")).body;
  return payments
    .filter(({ kind }) => kind === "withdrawal")
    .toSorted((one, other) => Number(other.kobo) - Number(one.kobo));
}

interface Suspected {
  /** The player's newest case. */
  readonly id: string;
  readonly won: bigint;
}

/** What the winner has of the loser's coins is found to come from these games. */
async function suspect(loser: TestPerson, winner: TestPerson, gameIds: readonly GameId[]): Promise<Suspected> {
  const [playerId, now] = [idOf(winner), http.at.time.now()];
  const origins = await loadWalletOrigins(database.kysely, playerId, now);
  const dumped = origins.filter(({ hops, origin }) => hops > 0 && origin.playerId === loser.id);
  const won = toCoins(dumped.reduce((sum, { coins }) => sum + coins, 0n));
  const pieces = dumped.map(({ coins, origin, wonFrom }) => {
    return { depositId: origin.pieceId, gameId: wonFrom?.gameId ?? null, coins: Number(coins) };
  });
  const flow = {
    ...({ kind: "flow", decision: "hold", bits: 13, signals: [], gameIds } as const),
    ...{ sourceIds: [idOf(loser)], playerIds: [playerId], won: pieces },
  };
  const screening = http.fairPlay.toScreening({ playerId, flows: [flow], cluster: [], version: 1 });
  await transact(database, async (tx, afterCommit) => {
    await lockWallet(tx, playerId);
    await screening(tx, afterCommit, now);
  });
  const { rows } = await sql<{ readonly id: string }>`
    select id from fair_play_cases where player_id = ${playerId} order by opened_at desc limit 1`.execute(
    database.kysely,
  );
  return { id: rows[0]!.id, won };
}

/** All is withdrawn, coins from a thrown game among it, which are suspected. */
async function holdWithdrawal(): Promise<Held> {
  const [loser, winner] = [await http.addPlayer(), await http.addPlayer()];
  const { gameId } = await playGame(http.at, { white: loser, black: winner });
  await pass(25 * HOUR_MS);
  const suspected = await suspect(loser, winner, [gameId]);
  return { ...suspected, loser, winner, parts: await withdrawAll(winner) };
}

/** A credited deposit of ₦100,000: its reference. */
async function deposit(person: TestPerson): Promise<string> {
  const kobo = 10_000_000;
  const order = { commandId: newId(), kobo, payKobo: kobo, rateKobo: RATE_KOBO };
  const { body } = await staff.ask<{ readonly payment: PaymentView }>(person, "POST", "deposits", order);
  const { reference } = body.payment;
  await sandbox.order(`transactions/${reference}`, { outcome: "pay" });
  await staff.ask(person, "POST", "deposits/check", { reference });
  return reference;
}

/** `disputed`, or how that ends. */
async function dispute(reference: string, outcome = "disputed"): Promise<void> {
  await sandbox.order(`transactions/${reference}`, { outcome });
  await staff.ask(admin, "POST", "admin/reconcile", {});
}

async function forfeit(id: string) {
  const proposed = await act(admin, "propose", { id, reason: "Thrown" });
  return await act(second, "confirm", { id, proposalId: proposed.body.proposal!.id });
}

const act = (person: TestPerson, name: string, body: unknown) =>
  staff.ask<FairPlayCaseView>(person, "POST", `admin/fair-play/${name}`, body);
const load = async (id: string) =>
  (await staff.ask<FairPlayCaseView>(admin, "GET", `admin/fair-play/cases/${id}`)).body;
const loadOwn = async (person: TestPerson) => (await staff.ask<OwnFairPlayView>(person, "GET", "fair-play")).body;
const balanceOf = async ({ id }: TestPerson) => (await loadWallet(database.kysely, id as PlayerId))?.balance ?? -1n;
const write = (person: TestPerson, paymentId: string, text: string) =>
  staff.ask<OwnFairPlayView>(person, "POST", "fair-play/messages", { paymentId, text });

// [FAIR-01 §6 r44] Of a withdrawal with suspicious coins the rest leaves at once. Its player sees what waits and until
// when, can add up to ten messages to the check, and cannot cancel that part.
test("the rest leaves at once; the player sees what waits and until when, and adds something [FAIR-01]", async () => {
  const { id, winner, parts } = await holdWithdrawal();
  expect(parts.map(({ status }) => status)).toEqual(["processing", "pending"]);
  const held = parts[1]!;
  const { untilAt, held: shown } = await load(id);
  expect(shown).toEqual([
    {
      player: { id: winner.id, username: winner.username },
      ...{ paymentId: held.id, reference: held.reference, kobo: held.kobo, coins: expect.any(String), untilAt },
    },
  ]);
  expect(await loadOwn(winner)).toMatchObject({
    held: [{ paymentId: held.id, kobo: held.kobo, untilAt, messages: [], canWrite: true }],
    cases: [{ id, state: "open", untilAt }],
  });
  const other = await http.addPlayer();
  expect((await write(other, held.id, "Mine")).body.code).toBe("unknown_payment");
  expect((await write(winner, held.id, " ")).body.code).toBe("fair_play_text_missing");
  expect((await write(winner, held.id, "We play\nevery night.")).body).toMatchObject({
    held: [{ messages: [{ text: "We play\nevery night." }] }],
  });
  expect((await load(id)).acts).toMatchObject([{ type: "message", username: winner.username }]);
  for (let count = 1; count < 10; count += 1) await write(winner, held.id, "More");
  expect((await write(winner, held.id, "More")).body.code).toBe("fair_play_messages_full");
  const cancel = await staff.ask(winner, "POST", "withdrawals/cancel", { reference: held.reference });
  expect(cancel.body.code).toBe("coins_being_checked");
});

// [FAIR-02 §6 r44] What waits is sent by itself after 72 hours unless two members of staff decided otherwise: a proposal
// of one lapses.
test("is sent by itself after 72 hours, and never held again [FAIR-02]", async () => {
  const { id, winner } = await holdWithdrawal();
  const proposed = await act(admin, "propose", { id, reason: "Thrown" });
  await pass(71 * HOUR_MS);
  expect((await listParts(winner)).map(({ status }) => status)).toEqual(["completed", "pending"]);
  await pass(2 * HOUR_MS);
  await http.fairPlay.keepUp();
  expect((await listParts(winner)).map(({ status }) => status)).toEqual(["completed", "completed"]);
  const confirmation = { id, proposalId: proposed.body.proposal!.id };
  expect((await act(second, "confirm", confirmation)).body.code).toBe("case_over");
  expect(await load(id)).toMatchObject({ state: "released", held: [], forfeit: { coins: "0", to: [] } });
  expect(await loadOwn(winner)).toMatchObject({ held: [], cases: [{ id, state: "released" }] });
});

// [FAIR-03 §6 r44] One member of staff clears a case, with a reason: its coins are sent at once.
test("is sent at once after one member cleared it [FAIR-03]", async () => {
  const { id, winner } = await holdWithdrawal();
  expect((await act(admin, "clear", { id, reason: "Friends" })).body.held).toEqual([]);
  await http.payments.runDue();
  expect((await listParts(winner)).map(({ status }) => status)).toEqual(["processing", "processing"]);
  await pass(2 * HOUR_MS);
  expect((await listParts(winner)).map(({ status }) => status)).toEqual(["completed", "completed"]);
});

// [FAIR-04 §6 r44] One member proposes a forfeit and another confirms it before the hold ends: the coins go back to those
// who lost them. Both sides are told, without signals or names.
test("goes back to who lost it once two members agree, in one step, and then never leaves [FAIR-04]", async () => {
  const { id, loser, winner, won, parts } = await holdWithdrawal();
  const before = await balanceOf(loser);
  const proposed = await act(admin, "propose", { id, reason: "Thrown" });
  expect(proposed.body.forfeit).toMatchObject({ coins: String(won), to: [{ player: { id: loser.id } }] });
  const confirmation = { id, proposalId: proposed.body.proposal!.id };
  const answers = await Promise.all([act(second, "confirm", confirmation), act(third, "confirm", confirmation)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect((await balanceOf(loser)) - before).toBe(won);
  // What is less than a kobo stays.
  expect(await balanceOf(winner)).toBeLessThan(1_000n);
  await pass(73 * HOUR_MS);
  expect((await listParts(winner)).map(({ status }) => status)).toEqual(["completed", "failed"]);
  const told = http.at.playerFrames.findLast(
    ({ playerId, frame }) => playerId === winner.id && frame.type === "notice",
  );
  const naira = (parts[1]!.kobo / 100).toLocaleString("en-US", { minimumFractionDigits: 0 });
  expect(told?.frame).toMatchObject({ text: expect.stringContaining(`Two people decided that ₦${naira}`) });
  expect(await findBroken()).toBeNull();
});

/** What was won can be withdrawn afterwards. */
async function settle(person: TestPerson): Promise<TestPerson> {
  await pass(25 * HOUR_MS);
  await logInAgain();
  return await logIn(person);
}

test("takes the withdrawals that have its coins, whatever they wait for, and no others [FAIR-04]", async () => {
  const [loser, source, other] = [await http.addPlayer(), await http.addPlayer(), await http.addPlayer()];
  let winner = await http.addPlayer();
  const reference = await deposit(source);
  await playGame(http.at, { white: source, black: winner });
  winner = await settle(winner);
  await dispute(reference);
  // What was won today stays, to play on.
  const winToday = () => playGame(http.at, { white: other, black: winner });
  await winToday();
  await winToday();
  const disputed = (await withdrawAll(winner))[1]!;
  const first = await playGame(http.at, { white: loser, black: winner });
  winner = await settle(winner);
  await sandbox.order("balance", { kobo: 0 });
  await winToday();
  await winToday();
  const [accepted] = (await withdrawAll(winner)).filter(({ reason }) => reason?.includes("Waiting for our bank"));
  const next = await playGame(http.at, { white: loser, black: winner });
  winner = await settle(winner);
  const { id, won } = await suspect(loser, winner, [first.gameId, next.gameId]);
  const before = await balanceOf(loser);
  expect(await load(id)).toMatchObject({ held: [{ paymentId: accepted!.id }], forfeit: { coins: String(2n * won) } });
  expect((await forfeit(id)).body).toMatchObject({ state: "forfeited", held: [] });
  expect((await balanceOf(loser)) - before).toBe(2n * won);
  const parts = new Map((await listParts(winner)).map(({ id: partId, status }) => [partId, status]));
  expect([parts.get(accepted!.id), parts.get(disputed.id)]).toEqual(["failed", "pending"]);
  await sandbox.order("balance", { kobo: 100_000_000_000 });
});

test.each([
  ["forfeit", "failed"],
  ["clear", "processing"],
] as const)("decides also about what is withdrawn meanwhile (%s)", async (decision, status) => {
  const loser = await http.addPlayer();
  let winner = await http.addPlayer();
  const { gameId } = await playGame(http.at, { white: loser, black: winner });
  winner = await settle(winner);
  const { id } = await suspect(loser, winner, [gameId]);
  const decide = () => (decision === "forfeit" ? forfeit(id) : act(admin, "clear", { id, reason: "Friends" }));
  const answers = await transact(database, async (tx) => {
    await lockWallet(tx, idOf(winner));
    const asked = withdrawAll(winner);
    await untilSomeWait(database, 1);
    const decided = decide();
    await untilSomeWait(database, 2);
    return { asked, decided };
  });
  await answers.asked;
  expect((await answers.decided).status).toBe(200);
  await http.payments.runDue();
  expect((await listParts(winner))[1]).toMatchObject({ status });
});

test("leaves alone what was found in order before [FAIR-04]", async () => {
  const loser = await http.addPlayer();
  let winner = await http.addPlayer();
  const { gameId } = await playGame(http.at, { white: loser, black: winner });
  winner = await settle(winner);
  const cleared = await suspect(loser, winner, [gameId]);
  expect((await act(admin, "clear", { id: cleared.id, reason: "Friends" })).status).toBe(200);
  const next = await playGame(http.at, { white: loser, black: winner });
  winner = await settle(winner);
  const { id } = await suspect(loser, winner, [next.gameId]);
  const [, held] = await withdrawAll(winner);
  expect(held!.kobo).toBe(Number(toKoboOut(toCoins(cleared.won), RATE_KOBO)));
  expect((await load(id)).forfeit.coins).toBe(String(cleared.won));
  expect((await forfeit(id)).body).toMatchObject({
    acts: [{ type: "proposed" }, { given: [{ coins: String(cleared.won) }] }],
  });
});

test("leaves alone what only a dispute holds", async () => {
  const [source, winner] = [await http.addPlayer(), await http.addPlayer()];
  const reference = await deposit(source);
  const [{ gameId: first }, { gameId: next }] = [
    await playGame(http.at, { white: source, black: winner }),
    await playGame(http.at, { white: source, black: winner }),
  ];
  const { id: cleared, won } = await suspect(source, winner, [first]);
  expect((await act(admin, "clear", { id: cleared, reason: "Friends" })).status).toBe(200);
  http.at.time.advance(HOUR_MS);
  const { id } = await suspect(source, winner, [next]);
  await dispute(reference);
  expect((await load(id)).forfeit.coins).toBe(String(won / 2n));
});

// [FAIR-06 §6 r52] A disputed deposit opens a case: staff see who has its coins and what was paid out already. It never
// forfeits, and ends with a won dispute.
test("a disputed deposit opens a case that shows where its coins are and what was paid; it never forfeits [FAIR-06]", async () => {
  const [source, winner, paid] = [await http.addPlayer(), await http.addPlayer(), await http.addPlayer()];
  const lucky = await http.addPlayer();
  const reference = await deposit(source);
  for (const black of [winner, paid, lucky]) await playGame(http.at, { white: source, black });
  await pass(25 * HOUR_MS);
  await withdrawAll(paid);
  await pass(HOUR_MS);
  await dispute(reference);
  const { cases } = (await staff.ask<{ cases: ListedFairPlayCaseView[] }>(admin, "GET", "admin/fair-play?state=open"))
    .body;
  const { id } = cases.find(({ player, kind }) => player.id === source.id && kind === "dispute")!;
  const { disputed, refusals, untilAt } = await load(id);
  expect(disputed).toMatchObject({ reference, kobo: 10_000_000 });
  const placesIn = (view: Pick<FairPlayCaseView, "disputed">) =>
    new Set(view.disputed?.whereabouts.places.map(({ player, place }) => `${place} ${player.id}`));
  const inWallets = [source, winner, lucky].map((person) => `wallet ${person.id}`);
  expect(placesIn({ disputed })).toEqual(new Set([...inWallets, `paid ${paid.id}`]));
  expect(refusals).toMatchObject({ clear: null, propose: "never_forfeited" });
  // The honest winner's withdrawal waits, and they may add something.
  const held = (await withdrawAll(winner))[1]!;
  const waiting = await load(id);
  expect(waiting.held).toMatchObject([{ player: { id: winner.id }, paymentId: held.id, untilAt }]);
  expect(placesIn(waiting)).toContain(`waiting ${winner.id}`);
  expect(await loadOwn(winner)).toMatchObject({ held: [{ paymentId: held.id, untilAt, canWrite: true }], cases: [] });
  expect((await write(winner, held.id, "I don't know them.")).status).toBe(200);
  expect((await loadOwn(source)).cases).toEqual([]);
  expect((await act(admin, "clear", { id, reason: "The bank took it back" })).status).toBe(200);
  await http.payments.runDue();
  expect((await listParts(winner)).map(({ status }) => status)).toEqual(["processing", "processing"]);
  // A member of staff who gets some of the coins does not see the case from then on.
  expect((await act(third, "note", { id, reason: "None of mine" })).status).toBe(200);
  await playGame(http.at, { white: lucky, black: third });
  expect((await act(third, "note", { id, reason: "Mine" })).body.code).toBe("unknown_case");
});

test("a won dispute ends its case [FAIR-06]", async () => {
  const source = await http.addPlayer();
  const reference = await deposit(source);
  await dispute(reference);
  const loadState = async () => {
    const { rows } = await sql<{ readonly id: string }>`
      select id from fair_play_cases where player_id = ${source.id}`.execute(database.kysely);
    return (await load(rows[0]!.id)).state;
  };
  expect(await loadState()).toBe("open");
  await dispute(reference, "dispute_declined");
  expect(await loadState()).toBe("closed");
});
