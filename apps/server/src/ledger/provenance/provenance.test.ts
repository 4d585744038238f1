import type { GameId, PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import { addMs, HOUR_MS, type Instant } from "@holo/kernel/instant.ts";
import { type Coins, toCoins, wholeCoins } from "@holo/kernel/money.ts";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import {
  loadMarkedWithdrawal,
  loadPaths,
  loadWalletOrigins,
  loadWhereabouts,
  loadWithdrawalOrigins,
} from "../ledger.ts";
import { loadPieces, rebuildFrom } from "../testing/stored-pieces.ts";
import { at, makeTestLedger, naira, newGameId, newPaymentId, type TestLedger, terms } from "../testing/test-ledger.ts";

let database: Database;
let ledger: TestLedger;
let now: Instant;

beforeAll(async () => {
  database = await createTestDatabase();
  ledger = makeTestLedger(database, () => now);
});
beforeEach(() => {
  now = at;
});
afterAll(() => database.close());

const NO_COINS = toCoins(0n);
/** Hundredths of a holocoin. */
const hundredths = (count: number): Coins => toCoins(BigInt(count) * 10_000n);

interface Depositor {
  readonly playerId: PlayerId;
  readonly paymentId: PaymentId;
}

async function addDepositor(coins: number): Promise<Depositor> {
  const depositor = { playerId: await ledger.addPlayer(NO_COINS), paymentId: newPaymentId() };
  await ledger.deposit(depositor.paymentId, depositor.playerId, naira(coins));
  return depositor;
}

async function lose(times: number, loser: Depositor, winner: Depositor): Promise<readonly GameId[]> {
  const games: GameId[] = [];
  for (let game = 0; game < times; game += 1) {
    games.push(await ledger.play(wholeCoins(160), [loser.playerId, winner.playerId], winner.playerId));
  }
  return games;
}

/** What a player holds in all by the depositor whom the coins stem from. */
async function sumByDepositor({ playerId }: Depositor): Promise<ReadonlyMap<PlayerId, bigint>> {
  const origins = await loadWalletOrigins(database.kysely, playerId, now);
  return new Map(
    [...Map.groupBy(origins, ({ origin }) => origin.playerId)].map(([depositor, pieces]) => [
      depositor,
      pieces.reduce((sum, { coins }) => sum + coins, 0n),
    ]),
  );
}

const goneAs = async (kind: string, deposit: Depositor): Promise<bigint> =>
  (await loadWhereabouts(database.kysely, deposit)).gone
    .filter((gone) => gone.kind === kind)
    .reduce((sum, { coins }) => sum + coins, 0n);

test("follows coins over a chain of two to the last hundredth", async () => {
  const [a, b, c] = [await addDepositor(1_000), await addDepositor(200), await addDepositor(200)];
  await lose(4, a, b);
  await lose(4, b, c);
  expect(await sumByDepositor(a)).toEqual(new Map([[a.playerId, hundredths(312_64)]]));
  expect(await sumByDepositor(c)).toEqual(
    new Map([
      [c.playerId, hundredths(200_00)],
      [b.playerId, hundredths(71_04)],
      [a.playerId, hundredths(521_60)],
    ]),
  );
  const origins = await loadWalletOrigins(database.kysely, c.playerId, now);
  const far = origins.filter(({ origin }) => origin.playerId === a.playerId);
  expect(far.map(({ hops, wonFrom }) => [hops, wonFrom?.opponentId])).toEqual(far.map(() => [2, b.playerId]));
  expect(await goneAs("win", a)).toBe(hundredths(165_76));
  const { held, gone } = await loadWhereabouts(database.kysely, a);
  expect([...held, ...gone].reduce((sum, { coins }) => sum + coins, 0n)).toBe(wholeCoins(1_000));
  expect(await ledger.audit()).toBeNull();
});

test("takes a disputed deposit from its owner and marks what others hold of it", async () => {
  const [a, b, x] = [await addDepositor(800), await addDepositor(200), await addDepositor(200)];
  await lose(4, a, b);
  await lose(1, b, x);
  expect(await ledger.balance(b.playerId)).toBe(hundredths(620_80));
  await ledger.reverseDeposit(a.paymentId);
  await ledger.mark(a.paymentId, a.playerId);
  expect(await goneAs("deposit_taken", a)).toBe(hundredths(112_64));
  expect(await ledger.debt(a.playerId)).toBe(hundredths(687_36));
  expect(await goneAs("win", a)).toBe(hundredths(118_40));
  const marked = async ({ playerId }: Depositor) =>
    (await loadWalletOrigins(database.kysely, playerId, now))
      .filter(({ isMarked }) => isMarked)
      .reduce((sum, { coins }) => sum + coins, 0n);
  expect(await marked(b)).toBe(hundredths(420_80));
  expect(await marked(x)).toBe(hundredths(148_16));
  await lose(1, b, x);
  expect(await marked(x)).toBe(hundredths(296_32));
  now = addMs(at, 72 * HOUR_MS);
  expect(await marked(x)).toBe(0n);
  expect(await ledger.audit()).toBeNull();
});

test("withdraws settled and unmarked coins first, the oldest of them first, and returns them to the bottom", async () => {
  const [first, other] = [await addDepositor(200), await addDepositor(400)];
  const { playerId } = first;
  now = addMs(at, HOUR_MS);
  await lose(1, other, first);
  await ledger.markCoins(playerId);
  const [second, late] = [newPaymentId(), newPaymentId()];
  await ledger.deposit(second, playerId, naira(60));
  now = addMs(at, 20 * HOUR_MS);
  await ledger.deposit(late, playerId, naira(100));
  now = addMs(at, 26 * HOUR_MS);
  const withdrawal = newPaymentId();
  await ledger.withdraw(withdrawal, playerId, naira(300));
  const load = async () =>
    (await loadWithdrawalOrigins(database.kysely, withdrawal, now)).map(({ coins, origin, isMarked }) => [
      origin.paymentId,
      coins,
      isMarked,
    ]);
  const taken = [
    [first.paymentId, wholeCoins(200), false],
    [other.paymentId, wholeCoins(40), true],
    [second, wholeCoins(60), false],
  ];
  expect(await load()).toEqual(taken);
  await ledger.giveBack(withdrawal);
  expect(await load()).toEqual(taken);
  const held = await loadWalletOrigins(database.kysely, playerId, now);
  expect(held.map(({ origin, coins }) => [origin.paymentId, coins])).toEqual([
    [late, wholeCoins(100)],
    [other.paymentId, toCoins(hundredths(148_16) - wholeCoins(40))],
    ...taken.map(([payment, coins]) => [payment, coins]).toReversed(),
  ]);
  expect((await loadWhereabouts(database.kysely, first)).gone).toEqual([]);
  expect(await ledger.audit()).toBeNull();
});

test("a draw costs both their newest coins, a void game and an open stake nothing", async () => {
  const [a, b] = [await addDepositor(200), await addDepositor(200)];
  await ledger.play(wholeCoins(60), [a.playerId, b.playerId], null);
  for (const one of [a, b]) {
    expect(await sumByDepositor(one)).toEqual(new Map([[one.playerId, hundredths(195_56)]]));
    expect(await goneAs("draw", one)).toBe(hundredths(4_44));
  }
  const gameId = newGameId();
  await ledger.stake(gameId, 1, a.playerId);
  expect(await sumByDepositor(a)).toEqual(new Map([[a.playerId, hundredths(195_56)]]));
  await ledger.refund(gameId);
  expect(await sumByDepositor(a)).toEqual(new Map([[a.playerId, hundredths(195_56)]]));
  expect(await ledger.audit()).toBeNull();
});

test("a refunded part comes from the deposit's own coins, a repaid debt from the newest, and a won dispute begins anew", async () => {
  const a = await addDepositor(300);
  const second = newPaymentId();
  await ledger.deposit(second, a.playerId, naira(100));
  await ledger.takePart(a.paymentId, naira(50));
  const byPayment = async () =>
    (await loadWalletOrigins(database.kysely, a.playerId, now)).map(({ origin, coins }) => [origin.paymentId, coins]);
  expect(await byPayment()).toEqual([
    [second, wholeCoins(100)],
    [a.paymentId, wholeCoins(250)],
  ]);
  const b = await addDepositor(400);
  await lose(1, a, b);
  await ledger.reverseDeposit(a.paymentId);
  expect(await ledger.debt(a.playerId)).toBe(toCoins(wholeCoins(250) - hundredths(178_16)));
  await ledger.returnDeposit(a.paymentId);
  expect(await ledger.debt(a.playerId)).toBe(0n);
  expect(await goneAs("debt_repayment", a)).toBe(wholeCoins(250) - hundredths(178_16));
  const { held, gone } = await loadWhereabouts(database.kysely, a);
  expect([...held, ...gone].reduce((sum, { coins }) => sum + coins, 0n)).toBe(wholeCoins(600));
  expect(await ledger.audit()).toBeNull();
});

test("walks each piece back to its origin, 64 steps at most", async () => {
  const [a, b] = [await addDepositor(4_000), await addDepositor(4_000)];
  for (let hop = 0; hop < 66; hop += 1) {
    const [loser, winner] = hop % 2 === 0 ? [a, b] : [b, a];
    await ledger.play(toCoins(terms.drawReturn), [loser.playerId, winner.playerId], winner.playerId);
  }
  const origins = await loadWalletOrigins(database.kysely, a.playerId, now);
  const paths = await loadPaths(
    database.kysely,
    origins.map(({ pieceId }) => pieceId),
  );
  expect(paths.map(({ steps }) => steps.length)).toEqual(origins.map(({ hops }) => Math.min(hops, 64) + 1));
  expect(paths.map(({ isWhole }) => isWhole)).toEqual(origins.map(({ hops }) => hops <= 64));
  const deep = paths.find(({ isWhole }) => !isWhole)!;
  expect(deep.steps.slice(0, 3).map(({ playerId, kind }) => [playerId, kind])).toEqual([
    [a.playerId, "win"],
    [b.playerId, "win"],
    [a.playerId, "win"],
  ]);
  expect(paths.find(({ isWhole }) => isWhole)!.steps.at(-1)).toMatchObject({ kind: "deposit" });
});

async function markedOf({ playerId }: Depositor): Promise<bigint> {
  const origins = await loadWalletOrigins(database.kysely, playerId, now);
  return origins.filter(({ isMarked }) => isMarked).reduce((sum, { coins }) => sum + coins, 0n);
}

test("a disputed deposit marks no coins of its depositor, also those that were won back", async () => {
  const [a, b] = [await addDepositor(800), await addDepositor(200)];
  await lose(2, a, b);
  await lose(1, b, a);
  await ledger.mark(a.paymentId, a.playerId);
  const isMarked = async ({ playerId }: Depositor) =>
    (await loadWalletOrigins(database.kysely, playerId, now)).map((piece) => [piece.origin.playerId, piece.isMarked]);
  expect(await isMarked(a)).toEqual((await isMarked(a)).map(([owner]) => [owner, false]));
  expect(await isMarked(b)).toEqual([
    [a.playerId, true],
    [b.playerId, false],
  ]);
  now = addMs(at, 25 * HOUR_MS);
  expect(await markedOf(a)).toBe(0n);
  expect(await markedOf(b)).toBe(hundredths(124_48));
  await ledger.unmark(a.paymentId, a.playerId);
  expect(await markedOf(b)).toBe(0n);
  expect(await ledger.audit()).toBeNull();
});

test("fair play marks coins in one wallet, until an instant or until they are cleared", async () => {
  const [a, b, c] = [await addDepositor(800), await addDepositor(200), await addDepositor(200)];
  await lose(2, a, b);
  await lose(1, a, c);
  await ledger.markCoins(b.playerId, { from: a.playerId, until: addMs(at, 30 * HOUR_MS) });
  now = addMs(at, 25 * HOUR_MS);
  expect(await markedOf(b)).toBe(hundredths(296_32));
  expect(await markedOf(c)).toBe(0n);
  const withdrawal = newPaymentId();
  await ledger.withdraw(withdrawal, b.playerId, naira(200));
  expect((await loadMarkedWithdrawal(database.kysely, withdrawal, now)).coins).toBe(0n);
  const doubted = newPaymentId();
  await ledger.withdraw(doubted, b.playerId, naira(100));
  expect(await loadMarkedWithdrawal(database.kysely, doubted, now)).toEqual({
    coins: wholeCoins(100),
    until: addMs(at, 30 * HOUR_MS),
  });
  await ledger.unmarkCoins(b.playerId);
  expect((await loadMarkedWithdrawal(database.kysely, doubted, now)).coins).toBe(0n);
  expect(await markedOf(b)).toBe(0n);
  expect(await ledger.audit()).toBeNull();
});

test("coins of other games are neither marked nor forfeited, also after they came back", async () => {
  const [a, b] = [await addDepositor(800), await addDepositor(200)];
  await lose(2, a, b);
  now = addMs(at, 25 * HOUR_MS);
  const origins = await loadWalletOrigins(database.kysely, b.playerId, now);
  expect(new Set(origins.flatMap(({ wonFrom }) => wonFrom?.gameId ?? [])).size).toBe(2);
  const returned = newPaymentId();
  await ledger.withdraw(returned, b.playerId, naira(300));
  await ledger.giveBack(returned);
  const games = await lose(1, a, b);
  await ledger.markCoins(b.playerId, { from: a.playerId, games });
  expect(await markedOf(b)).toBe(hundredths(148_16));
  now = addMs(now, 25 * HOUR_MS);
  const unmarked = newPaymentId();
  await ledger.withdraw(unmarked, b.playerId, naira(496));
  expect((await loadMarkedWithdrawal(database.kysely, unmarked, now)).coins).toBe(0n);
  const { given } = await ledger.forfeit(b.playerId, "origin", { from: a.playerId, games });
  expect(given).toEqual([{ playerId: a.playerId, coins: hundredths(148_16) }]);
  expect(await ledger.audit()).toBeNull();
});

test("forfeited coins go back to their depositor over all hops, whose debt they repay", async () => {
  const [a, b, c] = [await addDepositor(1_000), await addDepositor(200), await addDepositor(200)];
  await lose(4, a, b);
  await lose(4, b, c);
  await ledger.reverseDeposit(a.paymentId);
  expect(await ledger.debt(a.playerId)).toBe(hundredths(687_36));
  const { given, wallets } = await ledger.forfeit(c.playerId, "origin", { from: a.playerId });
  expect(given).toEqual([{ playerId: a.playerId, coins: hundredths(521_60) }]);
  expect(new Map(wallets.map(({ playerId, balance }) => [playerId, balance]))).toEqual(
    new Map([
      [a.playerId, 0n],
      [c.playerId, hundredths(271_04)],
    ]),
  );
  expect(await ledger.debt(a.playerId)).toBe(hundredths(165_76));
  expect(await sumByDepositor(c)).toEqual(
    new Map([
      [c.playerId, hundredths(200_00)],
      [b.playerId, hundredths(71_04)],
    ]),
  );
  expect((await ledger.forfeit(c.playerId, "origin", { from: a.playerId })).given).toEqual([]);
  expect(await ledger.audit()).toBeNull();
});

test("or one step back, to those who lost them, and an accepted appeal is paid by the platform", async () => {
  const [a, b, c] = [await addDepositor(1_000), await addDepositor(200), await addDepositor(200)];
  await lose(4, a, b);
  await lose(4, b, c);
  const withdrawal = newPaymentId();
  now = addMs(at, 25 * HOUR_MS);
  await ledger.withdraw(withdrawal, c.playerId, naira(500));
  await ledger.giveBack(withdrawal);
  const back = (await loadWalletOrigins(database.kysely, c.playerId, now)).filter(({ hops }) => hops > 0);
  expect(new Set(back.map(({ wonFrom }) => wonFrom?.opponentId))).toEqual(new Set([b.playerId]));
  const { given } = await ledger.forfeit(c.playerId, "loser");
  expect(given).toEqual([{ playerId: b.playerId, coins: hundredths(592_64) }]);
  expect(await ledger.balance(c.playerId)).toBe(hundredths(200_00));
  const taken = await loadWalletOrigins(database.kysely, b.playerId, now);
  // What they had won from others before is that again.
  const again = taken.filter(({ gainedAt }) => gainedAt === now);
  expect(again.map(({ hops, wonFrom }) => [hops, wonFrom?.opponentId ?? null])).toEqual(
    again.map(({ origin }) => (origin.playerId === a.playerId ? [2, a.playerId] : [1, null])),
  );
  expect(await ledger.forfeitReturn(c.playerId, wholeCoins(100))).toMatchObject({ ok: true });
  expect(await ledger.balance(c.playerId)).toBe(wholeCoins(300));
  expect(await ledger.forfeitReturn(c.playerId, wholeCoins(1_000_000))).toMatchObject({
    refusal: { type: "insufficient_balance" },
  });
  expect(await ledger.audit()).toBeNull();
});

test("coins that a forfeit gave back are of the game that their owner won them in, and go back from there", async () => {
  const [a, b, c] = [await addDepositor(1_000), await addDepositor(200), await addDepositor(200)];
  const games = await lose(1, a, b);
  await lose(1, b, c);
  await ledger.forfeit(c.playerId, "loser", { from: a.playerId });
  const back = (await loadWalletOrigins(database.kysely, b.playerId, now)).filter(
    ({ origin }) => origin.playerId === a.playerId,
  );
  const wonFrom = { gameId: games[0], opponentId: a.playerId };
  expect(back.map((one) => [one.coins, one.wonFrom])).toEqual([[hundredths(148_16), wonFrom]]);
  await ledger.markCoins(b.playerId, { from: a.playerId, games });
  expect(await markedOf(b)).toBe(hundredths(148_16));
  await ledger.unmarkCoins(b.playerId);
  const { given } = await ledger.forfeit(b.playerId, "loser", { from: a.playerId, games });
  expect(given).toEqual([{ playerId: a.playerId, coins: hundredths(148_16) }]);
  expect(await loadPieces(database.kysely)).toEqual(await rebuildFrom(database.kysely));
  expect(await ledger.audit()).toBeNull();
});

test("coins that are staked meanwhile are not forfeited", async () => {
  const [a, b] = [await addDepositor(1_000), await addDepositor(200)];
  await lose(4, a, b);
  await ledger.stake(newGameId(), 1, b.playerId, wholeCoins(600));
  const { given } = await ledger.forfeit(b.playerId, "origin", { from: a.playerId });
  expect(given).toEqual([{ playerId: a.playerId, coins: hundredths(192_64) }]);
  expect(await ledger.balance(b.playerId)).toBe(0n);
  expect(await ledger.audit()).toBeNull();
});
