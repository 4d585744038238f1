import { toCoins, wholeCoins } from "@holo/kernel/money.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { createTestDatabase, RACE_CONNECTIONS } from "../../platform/testing/test-database.ts";
import { loadPieces, rebuildFrom } from "../testing/stored-pieces.ts";
import { makeTestLedger, naira, newGameId, newPaymentId, type TestLedger, terms } from "../testing/test-ledger.ts";

let database: Database;
let ledger: TestLedger;

beforeAll(async () => {
  database = await createTestDatabase(RACE_CONNECTIONS);
  ledger = makeTestLedger(database);
});
afterAll(() => database.close());

const times = <Value>(count: number, work: (i: number) => Promise<Value>): Promise<Value[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => work(i)));

test("the order of entries is the order of each wallet, whatever is settled, paid in or out at once", async () => {
  const players = await times(4, () => ledger.addPlayer(toCoins(0n)));
  const deposits = await times(12, async (i) => {
    const deposit = { paymentId: newPaymentId(), playerId: players[i % 4]! };
    await ledger.deposit(deposit.paymentId, deposit.playerId, naira(400));
    return deposit;
  });
  const games = await times(24, async (i) => {
    const [gameId, first, second] = [newGameId(), players[i % 4]!, players[(i + 1 + (i % 3)) % 4]!];
    await ledger.stake(gameId, 1, first);
    await ledger.stake(gameId, 2, second);
    return { gameId, first, second };
  });
  await Promise.all([
    ...games.map(({ gameId, first, second }, i) =>
      i % 6 === 5 ? ledger.draw(gameId) : ledger.win(gameId, i % 2 === 0 ? first : second),
    ),
    times(8, (i) => ledger.withdraw(newPaymentId(), players[i % 4]!, naira(15))),
    times(4, (i) => ledger.deposit(newPaymentId(), players[i]!, naira(30))),
    times(4, (i) => ledger.reverseDeposit(deposits[i]!.paymentId)),
    times(4, (i) => ledger.mark(deposits[4 + i]!.paymentId, deposits[4 + i]!.playerId)),
    times(4, (i) => ledger.markCoins(players[i]!)),
    times(8, (i) => ledger.forfeit(players[i % 4]!, i % 2 === 0 ? "origin" : "loser", { from: players[(i + 1) % 4]! })),
  ]);
  expect(await loadPieces(database.kysely)).toEqual(await rebuildFrom(database.kysely));
  expect(await ledger.audit()).toBeNull();
});

test("two games that one wallet loses and wins at once move its pieces once each", async () => {
  for (let round = 0; round < 6; round += 1) {
    const [a, b, c] = await Promise.all([wholeCoins(100), wholeCoins(200), wholeCoins(100)].map(ledger.addPlayer));
    const [lost, won] = [newGameId(), newGameId()];
    for (const [gameId, one, other] of [
      [lost, a!, b!],
      [won, b!, c!],
    ] as const) {
      await ledger.stake(gameId, 1, one);
      await ledger.stake(gameId, 2, other);
    }
    await Promise.all([ledger.win(lost, a!), ledger.win(won, b!)]);
    expect(await ledger.balance(b!)).toBe(toCoins(wholeCoins(200) + terms.winnings - 2n * terms.entry));
  }
  expect(await loadPieces(database.kysely)).toEqual(await rebuildFrom(database.kysely));
  expect(await ledger.audit()).toBeNull();
});
