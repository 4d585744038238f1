import { toCoins, wholeCoins } from "@holo/kernel/money.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Database, openDatabase } from "../platform/database/database.ts";
import { createTestDatabase, RACE_CONNECTIONS } from "../platform/testing/test-database.ts";
import { openTestLog } from "../platform/testing/test-log.ts";
import { loadEscrowBalance } from "./ledger.ts";
import { makeTestLedger, naira, newGameId, newPaymentId, type TestLedger, terms } from "./testing/test-ledger.ts";

let database: Database;
let wide: Database;
let ledger: TestLedger;

beforeAll(async () => {
  database = await createTestDatabase(RACE_CONNECTIONS);
  wide = openDatabase({ connectionString: database.connectionString, log: openTestLog(), poolSize: 50 });
  ledger = makeTestLedger(wide);
});

afterAll(async () => {
  await wide.close();
  await database.close();
});

const times = <Value>(count: number, work: (i: number) => Promise<Value>): Promise<Value[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => work(i)));

test("accepts only the covered ones of fifty concurrent stakes from one wallet", async () => {
  const player = await ledger.addPlayer();
  const answers = await times(50, () => ledger.stake(newGameId(), 1, player));
  expect(answers.filter(({ ok }) => ok)).toHaveLength(7);
  expect(await ledger.balance(player)).toBe(toCoins(wholeCoins(500) - 7n * terms.entry));
  expect(await ledger.audit()).toBeNull();
});

test("applies a stake once when it arrives twenty times at once", async () => {
  const [gameId, player] = [newGameId(), await ledger.addPlayer()];
  const answers = await times(20, () => ledger.stake(gameId, 1, player));
  expect(answers.filter((answer) => answer.ok && !answer.value.replayed)).toHaveLength(1);
  expect(answers.filter((answer) => answer.ok && answer.value.replayed)).toHaveLength(19);
  expect(await loadEscrowBalance(wide.kysely, gameId)).toBe(terms.entry);
  expect(await ledger.audit()).toBeNull();
});

test("settles a game once when win, draw and refund arrive at once", async () => {
  for (let round = 0; round < 10; round += 1) {
    const [gameId, first, second] = [newGameId(), await ledger.addPlayer(), await ledger.addPlayer()];
    await ledger.stake(gameId, 1, first);
    await ledger.stake(gameId, 2, second);
    const answers = await times(12, async (i) => {
      if (i % 3 === 0) return ledger.win(gameId, first);
      return i % 3 === 1 ? ledger.draw(gameId) : ledger.refund(gameId);
    });
    expect(answers.filter((answer) => answer.ok && !answer.value.replayed)).toHaveLength(1);
    expect(answers.filter((answer) => answer.ok && answer.value.replayed)).toHaveLength(3);
    expect(answers.filter(({ ok }) => !ok)).toHaveLength(8);
    expect(await loadEscrowBalance(wide.kysely, gameId)).toBe(0n);
  }
  expect(await ledger.audit()).toBeNull();
});

test("resolves the deadlocks of players who meet in many games at once", async () => {
  const players = await times(4, () => ledger.addPlayer(wholeCoins(100_000)));
  await times(60, async (i) => {
    const [first, second] = [players[i % 4], players[(i + 1 + (i % 3)) % 4]];
    if (first === undefined || second === undefined) throw new Error("no such player");
    const gameId = newGameId();
    await ledger.stake(gameId, 1, first);
    await ledger.stake(gameId, 2, second);
    await (i % 2 === 0 ? ledger.draw(gameId) : ledger.refund(gameId));
  });
  expect(await ledger.audit()).toBeNull();
});

test("counts both seats of new games that are staked at once", async () => {
  const [first, second] = [await ledger.addPlayer(wholeCoins(10_000)), await ledger.addPlayer(wholeCoins(10_000))];
  const games = Array.from({ length: 30 }, newGameId);
  await Promise.all(games.flatMap((gameId) => [ledger.stake(gameId, 1, first), ledger.stake(gameId, 2, second)]));
  for (const gameId of games) expect(await loadEscrowBalance(wide.kysely, gameId)).toBe(toCoins(2n * terms.entry));
  expect(await ledger.audit()).toBeNull();
});

test("accepts only the covered ones of fifty concurrent withdrawals from one wallet", async () => {
  const player = await ledger.addPlayer(wholeCoins(100));
  const answers = await times(50, () => ledger.withdraw(newPaymentId(), player, naira(30)));
  expect(answers.filter(({ ok }) => ok)).toHaveLength(3);
  expect(await ledger.balance(player)).toBe(wholeCoins(10));
  expect(await ledger.audit()).toBeNull();
});

test("reverses a deposit once while its coins are staked, withdrawn and won", async () => {
  for (let round = 0; round < 8; round += 1) {
    const [paymentId, gameId, player] = [newPaymentId(), newGameId(), await ledger.addPlayer(wholeCoins(10))];
    await ledger.deposit(paymentId, player, naira(100));
    await ledger.stake(gameId, 1, player);
    await ledger.stake(gameId, 2, await ledger.addPlayer());
    const withdrawals = Array.from({ length: 4 }, newPaymentId);
    const answers: { readonly ok: boolean }[] = [];
    await Promise.all([
      ledger.reverseDeposit(paymentId),
      ledger.win(gameId, player),
      ...withdrawals.map(async (id) => void answers.push(await ledger.withdraw(id, player, naira(20)))),
      ledger.deposit(newPaymentId(), player, naira(5)),
    ]);
    expect(await ledger.audit()).toBeNull();
    const [balance = 0n, debt] = [await ledger.balance(player), await ledger.debt(player)];
    const held = BigInt(answers.filter(({ ok }) => ok).length) * wholeCoins(20);
    expect(balance - debt + held).toBe(wholeCoins(15) + terms.winnings - terms.entry);
  }
});
