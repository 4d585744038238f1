import { randomUUID } from "node:crypto";
import type { GameId, PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import { addMs, HOUR_MS, toInstant } from "@holo/kernel/instant.ts";
import { type Coins, toCoins, toCoinsOut, toKobo, wholeCoins } from "@holo/kernel/money.ts";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { ledgerInvariants } from "../../ledger/audit/audit.ts";
import {
  lockWallet,
  openWallet,
  postOpening,
  postPosition,
  postWithdrawal,
  toDepositPosition,
  toWithdrawalPosition,
} from "../../ledger/ledger.ts";
import { postDraw, postRefund, postStake, postWin } from "../../ledger/testing/game-postings.ts";
import { type Database, openDatabase } from "../../platform/database/database.ts";
import { audit } from "../../platform/database/invariant.ts";
import { transact } from "../../platform/database/transaction.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import { openTestLog } from "../../platform/testing/test-log.ts";
import { makeTestTime, type TestTime } from "../../platform/testing/test-time.ts";
import { loadWithdrawable } from "./withdrawable.ts";

const RATE_KOBO = 30_600;
const ENTRY = toCoins(64_440_000n);
const PAYS = {
  winnings: toCoins(120_000_000n),
  drawReturn: toCoins(60_000_000n),
  platformFee: toCoins(8_880_000n),
  finalHash: "f1",
};

let database: Database;
let wide: Database;
let time: TestTime;

beforeAll(async () => {
  database = await createTestDatabase();
  wide = openDatabase({ connectionString: database.connectionString, log: openTestLog(), poolSize: 50 });
  time = makeTestTime(toInstant(Date.UTC(2026, 0, 1)));
});

afterEach(async () => {
  expect(await audit(database.kysely, ledgerInvariants)).toBeNull();
});

afterAll(async () => {
  await wide.close();
  await database.close();
});

const newPaymentId = (): PaymentId => randomUUID() as PaymentId;
const passHours = (hours: number): void => time.advance(hours * HOUR_MS);

async function addPlayer(settled: Coins = toCoins(0n)): Promise<PlayerId> {
  const playerId = randomUUID() as PlayerId;
  await transact(database, async (tx) => {
    await openWallet(tx, playerId, time.now());
    if (settled > 0n) await postOpening(tx, { playerId, amount: settled, at: time.now() });
  });
  return playerId;
}

/** The player has `keptKobo` of the deposit from now on. */
async function keep(paymentId: PaymentId, playerId: PlayerId, keptKobo: bigint, fact = 1): Promise<void> {
  const position = toDepositPosition({ playerId, keptKobo: toKobo(keptKobo), rateKobo: RATE_KOBO });
  const details = { keptKobo: Number(keptKobo) };
  const order = {
    paymentId,
    reference: `holo-${paymentId}`,
    position,
    fact,
    isDeposit: true,
    isCorrection: false,
    details,
  };
  await transact(database, (tx) => postPosition(tx, { ...order, at: time.now() }));
}

async function deposit(playerId: PlayerId, kobo: bigint): Promise<PaymentId> {
  const paymentId = newPaymentId();
  await keep(paymentId, playerId, kobo);
  return paymentId;
}

async function startGame(first: PlayerId): Promise<{ gameId: GameId; rival: PlayerId }> {
  const [gameId, rival] = [randomUUID() as GameId, await addPlayer(wholeCoins(500))];
  for (const [seat, playerId] of [[1, first] as const, [2, rival] as const]) {
    await transact(database, (tx) => postStake(tx, { gameId, seat, playerId, amount: ENTRY, at: time.now() }));
  }
  return { gameId, rival };
}

async function endGame(gameId: GameId, winnerId: PlayerId | null): Promise<void> {
  await transact(database, async (tx) => {
    if (winnerId === null) await postDraw(tx, { ...PAYS, gameId, at: time.now() });
    else await postWin(tx, { ...PAYS, gameId, winnerId, at: time.now() });
  });
}

async function lose(playerId: PlayerId): Promise<void> {
  const { gameId, rival } = await startGame(playerId);
  await endGame(gameId, rival);
}

async function win(playerId: PlayerId): Promise<void> {
  await endGame((await startGame(playerId)).gameId, playerId);
}

const toOrder = (playerId: PlayerId, kobo: bigint) => ({
  playerId,
  kobo: toKobo(kobo),
  payerFeeKobo: toKobo(0n),
  rateKobo: RATE_KOBO,
});

async function withdraw(playerId: PlayerId, kobo: bigint, paymentId = newPaymentId()): Promise<boolean> {
  return await transact(wide, async (tx) => {
    await lockWallet(tx, playerId);
    const { withdrawable } = await loadWithdrawable(tx, playerId, time.now());
    if (toCoinsOut(toKobo(kobo), RATE_KOBO) > withdrawable) return false;
    return (
      await postWithdrawal(tx, {
        ...toOrder(playerId, kobo),
        paymentId,
        reference: `holo-${paymentId}`,
        at: time.now(),
      })
    ).ok;
  });
}

const look = (playerId: PlayerId) => loadWithdrawable(database.kysely, playerId, time.now());
const toNow = (ms: number) => addMs(time.now(), ms);
const micro = (coins: bigint): Coins => toCoins(coins);

// [VALID-26 §5 r8] The withdrawable amount is the balance less deposits and winnings of the last 24 hours, at least
// zero. Losses consume the newest lots first.
test("allows five thousand deposited naira to be withdrawn exactly a day later [VALID-26]", async () => {
  const player = await addPlayer();
  await deposit(player, 500_000n);
  expect(await look(player)).toEqual({
    balance: 16_339_870n,
    withdrawable: 0n,
    frees: [{ at: toNow(24 * HOUR_MS), coins: 16_339_870n }],
  });
  time.advance(24 * HOUR_MS - 1);
  expect(await withdraw(player, 500_000n)).toBe(false);
  time.advance(1);
  expect(await withdraw(player, 500_001n)).toBe(false);
  expect(await withdraw(player, 500_000n)).toBe(true);
  expect(await look(player)).toEqual({ balance: 1n, withdrawable: 1n, frees: [] });
});

test("settled 100, lose 64.44, deposit 100: frees the settled rest and holds the deposit", async () => {
  const player = await addPlayer(wholeCoins(100));
  passHours(48);
  await lose(player);
  passHours(1);
  await deposit(player, 3_060_000n);
  expect(await look(player)).toMatchObject({ balance: 135_560_000n, withdrawable: 35_560_000n });
});

test("settled 184.32, ten games won and lost in a day: holds only the last win", async () => {
  const [winsLast, losesLast] = [await addPlayer(micro(184_320_000n)), await addPlayer(micro(184_320_000n))];
  passHours(30);
  for (let round = 0; round < 5; round += 1) {
    await lose(winsLast);
    await win(losesLast);
    passHours(1);
    await win(winsLast);
    await lose(losesLast);
    passHours(1);
  }
  expect(await look(winsLast)).toMatchObject({ balance: 139_920_000n, withdrawable: 84_360_000n });
  expect(await look(losesLast)).toMatchObject({ balance: 139_920_000n, withdrawable: 139_920_000n, frees: [] });
});

test("settled 200, lose 64.44, win 55.56: holds the win for a day", async () => {
  const player = await addPlayer(wholeCoins(200));
  passHours(30);
  await lose(player);
  await win(player);
  expect(await look(player)).toEqual({
    balance: 191_120_000n,
    withdrawable: 135_560_000n,
    frees: [{ at: toNow(24 * HOUR_MS), coins: 55_560_000n }],
  });
  passHours(24);
  expect(await look(player)).toMatchObject({ withdrawable: 191_120_000n, frees: [] });
});

test("counts a game when it ends, however long it was open", async () => {
  const player = await addPlayer(wholeCoins(100));
  passHours(30);
  const { gameId } = await startGame(player);
  passHours(30);
  await deposit(player, 3_060_000n);
  expect(await look(player)).toMatchObject({ balance: 135_560_000n, withdrawable: 35_560_000n });
  passHours(1);
  await endGame(gameId, player);
  expect(await look(player)).toMatchObject({ balance: 255_560_000n, withdrawable: 100_000_000n });
});

test("lets a lost game consume a deposit that was made while it was open", async () => {
  const player = await addPlayer(wholeCoins(100));
  passHours(30);
  const { gameId, rival } = await startGame(player);
  await deposit(player, 3_060_000n);
  await endGame(gameId, rival);
  expect(await look(player)).toMatchObject({
    balance: 135_560_000n,
    withdrawable: 100_000_000n,
    frees: [{ coins: 35_560_000n }],
  });
});

test("takes the fee of a draw from the newest lot and nothing for a refunded game", async () => {
  const player = await addPlayer(wholeCoins(100));
  passHours(30);
  await deposit(player, 3_060_000n);
  await endGame((await startGame(player)).gameId, null);
  expect(await look(player)).toMatchObject({ balance: 195_560_000n, withdrawable: 100_000_000n });
  const { gameId } = await startGame(player);
  expect(await look(player)).toMatchObject({ balance: 131_120_000n, withdrawable: 35_560_000n });
  await transact(database, (tx) => postRefund(tx, { gameId, at: time.now() }));
  expect(await look(player)).toMatchObject({ balance: 195_560_000n, withdrawable: 100_000_000n });
});

test("stops holding a reversed deposit", async () => {
  const player = await addPlayer(wholeCoins(100));
  passHours(30);
  const taken = await deposit(player, 3_060_000n);
  await deposit(player, 306_000n);
  await keep(taken, player, 0n, 2);
  expect(await look(player)).toMatchObject({ balance: 110_000_000n, withdrawable: 100_000_000n });
});

test("stops holding what repays a debt", async () => {
  const player = await addPlayer();
  const taken = await deposit(player, 3_060_000n);
  await lose(player);
  passHours(30);
  await keep(taken, player, 0n, 2);
  await deposit(player, 3_060_000n);
  expect(await look(player)).toMatchObject({ balance: 35_560_000n, withdrawable: 0n, frees: [{ coins: 35_560_000n }] });
});

test("takes settled coins for a withdrawal and returns them settled", async () => {
  const [player, paymentId] = [await addPlayer(wholeCoins(100)), newPaymentId()];
  passHours(30);
  await deposit(player, 3_060_000n);
  expect(await withdraw(player, 3_060_000n, paymentId)).toBe(true);
  expect(await look(player)).toMatchObject({ balance: 100_000_000n, withdrawable: 0n });
  expect(await withdraw(player, 100n)).toBe(false);
  const position = toWithdrawalPosition({ ...toOrder(player, 3_060_000n), isBack: true, sentKobo: toKobo(0n) });
  const order = {
    paymentId,
    reference: `holo-${paymentId}`,
    position,
    fact: 1,
    isDeposit: false,
    isCorrection: false,
    details: {},
  };
  await transact(database, (tx) => postPosition(tx, { ...order, at: time.now() }));
  expect(await look(player)).toMatchObject({ balance: 200_000_000n, withdrawable: 100_000_000n });
});

test("never takes more than the withdrawable balance in twenty concurrent withdrawals", async () => {
  const player = await addPlayer(wholeCoins(100));
  passHours(30);
  await deposit(player, 30_600_000n);
  const answers = await Promise.all(Array.from({ length: 20 }, () => withdraw(player, 918_000n)));
  expect(answers.filter((accepted) => accepted)).toHaveLength(3);
  expect(await look(player)).toMatchObject({ balance: 1_010_000_000n, withdrawable: 10_000_000n });
});
