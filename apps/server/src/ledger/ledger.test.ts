import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import { type Coins, toCoins, wholeCoins, ZERO_COINS } from "@holo/kernel/money.ts";
import { type RawBuilder, sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../platform/database/database.ts";
import { transact } from "../platform/database/transaction.ts";
import { createTestDatabase } from "../platform/testing/test-database.ts";
import {
  loadEscrowBalance,
  loadGameEntries,
  loadPlatformFigures,
  loadWallet,
  loadWallets,
  openWallet,
  postOpening,
  updateTotals,
} from "./ledger.ts";
import { at, makeTestLedger, newGameId, type TestLedger, terms } from "./testing/test-ledger.ts";

let database: Database;
let ledger: TestLedger;

beforeAll(async () => {
  database = await createTestDatabase();
  ledger = makeTestLedger(database);
});

afterEach(async () => {
  expect(await ledger.audit()).toBeNull();
});

afterAll(() => database.close());

async function addGame(): Promise<{ gameId: GameId; first: PlayerId; second: PlayerId }> {
  const [gameId, first, second] = [newGameId(), await ledger.addPlayer(), await ledger.addPlayer()];
  await ledger.stake(gameId, 1, first);
  await ledger.stake(gameId, 2, second);
  return { gameId, first, second };
}

const conflict = { ok: false, refusal: { type: "entry_conflict" } };
const left = toCoins(wholeCoins(500) - terms.entry);

test("opens a wallet once, at zero", async () => {
  const player = await ledger.addPlayer(ZERO_COINS);
  await transact(database, (tx) => openWallet(tx, player, at));
  expect(await loadWallet(database.kysely, player)).toEqual({ playerId: player, balance: 0n, sequence: 0 });
  expect(await loadWallet(database.kysely, "no-such-player" as PlayerId)).toBeNull();
});

test("moves the buy-in from wallet to escrow and returns the new balance", async () => {
  const [gameId, player] = [newGameId(), await ledger.addPlayer()];
  expect(await loadEscrowBalance(database.kysely, gameId)).toBe(0n);
  const posted = await ledger.stake(gameId, 1, player);
  expect(posted).toEqual({
    ok: true,
    value: { replayed: false, wallets: [{ playerId: player, balance: left, sequence: 2 }] },
  });
  expect(await loadEscrowBalance(database.kysely, gameId)).toBe(terms.entry);
});

test("refuses a stake above the balance and states both amounts", async () => {
  const player = await ledger.addPlayer(wholeCoins(64));
  expect(await ledger.stake(newGameId(), 1, player)).toEqual({
    ok: false,
    refusal: { type: "insufficient_balance", have: wholeCoins(64), need: terms.entry },
  });
  expect(await ledger.balance(player)).toBe(wholeCoins(64));
});

test("accepts a stake of the whole balance", async () => {
  const player = await ledger.addPlayer(terms.entry);
  expect((await ledger.stake(newGameId(), 1, player)).ok).toBe(true);
  expect(await ledger.balance(player)).toBe(0n);
});

test("ignores a repeated stake, even with an empty wallet, and refuses another one on the same seat", async () => {
  const [gameId, player, other] = [newGameId(), await ledger.addPlayer(terms.entry), await ledger.addPlayer()];
  await ledger.stake(gameId, 1, player);
  expect(await ledger.stake(gameId, 1, player)).toMatchObject({ ok: true, value: { replayed: true } });
  expect(await ledger.stake(gameId, 1, other)).toEqual(conflict);
  expect(await ledger.stake(gameId, 1, other, toCoins(1n))).toEqual(conflict);
  expect(await loadEscrowBalance(database.kysely, gameId)).toBe(terms.entry);
});

// [CONST-03 §9 r4] The winner receives both stakes. In a draw each player receives their own stake.
test("pays the winner twice the stake total and the platform both fees [CONST-03]", async () => {
  const { gameId, first, second } = await addGame();
  const before = await loadPlatformFigures(database.kysely);
  const won = await ledger.win(gameId, second);
  const balance = toCoins(left + terms.winnings);
  expect(won).toEqual({ ok: true, value: { replayed: false, wallets: [{ playerId: second, balance, sequence: 3 }] } });
  expect(await ledger.balance(first)).toBe(left);
  expect(await loadEscrowBalance(database.kysely, gameId)).toBe(0n);
  const after = await loadPlatformFigures(database.kysely);
  expect(after.revenue - before.revenue).toBe(terms.platformFee);
  expect(before.escrow - after.escrow).toBe(toCoins(2n * terms.entry));
});

test("returns the stake total to each player after a draw", async () => {
  const { gameId, first, second } = await addGame();
  expect((await ledger.draw(gameId)).ok).toBe(true);
  const wallets = await loadWallets(database.kysely, [first, second]);
  expect(wallets.map(({ balance }) => balance)).toEqual([
    toCoins(left + terms.drawReturn),
    toCoins(left + terms.drawReturn),
  ]);
});

// [STATE-07 §4 r4] A cancelled game refunds both players completely, including the fee.
test("refunds each buy-in with its fee, from one seat or two [STATE-07]", async () => {
  const { gameId, first, second } = await addGame();
  expect(await ledger.refund(gameId)).toMatchObject({ ok: true, value: { wallets: [{ balance: 500_000_000n }, {}] } });
  expect([await ledger.balance(first), await ledger.balance(second)]).toEqual([wholeCoins(500), wholeCoins(500)]);
  const [waiting, alone] = [newGameId(), await ledger.addPlayer()];
  await ledger.stake(waiting, 1, alone);
  expect((await ledger.refund(waiting)).ok).toBe(true);
  expect(await ledger.balance(alone)).toBe(wholeCoins(500));
});

describe("a settled game", () => {
  type Settle = (gameId: GameId, winner: PlayerId) => Promise<unknown>;
  const settlements: Record<string, Settle> = {
    win: (gameId, winner) => ledger.win(gameId, winner),
    draw: (gameId) => ledger.draw(gameId),
    refund: (gameId) => ledger.refund(gameId),
  };
  for (const [first, settleFirst] of Object.entries(settlements)) {
    for (const [then, settleThen] of Object.entries(settlements)) {
      test(`after a ${first} answers a ${then} with ${first === then ? "success and no effect" : "a refusal"}`, async () => {
        const { gameId, second } = await addGame();
        await settleFirst(gameId, second);
        const balance = await ledger.balance(second);
        const again = await settleThen(gameId, second);
        if (first === then)
          expect(again).toMatchObject({ ok: true, value: { replayed: true, wallets: expect.anything() } });
        else expect(again).toEqual(conflict);
        expect(await ledger.balance(second)).toBe(balance);
      });
    }
  }

  test("keeps its winner and its final hash", async () => {
    const { gameId, first, second } = await addGame();
    await ledger.win(gameId, second, "aa");
    expect(await ledger.win(gameId, first, "aa")).toEqual(conflict);
    expect(await ledger.win(gameId, second, "bb")).toEqual(conflict);
  });
});

test("asserts that a win covers the whole escrow of two stakes and goes to a player of the game", async () => {
  const { gameId, first } = await addGame();
  await expect(ledger.win(gameId, await ledger.addPlayer())).rejects.toThrow(/did not stake/);
  const [waiting, alone] = [newGameId(), first];
  await ledger.stake(waiting, 1, alone);
  await expect(ledger.win(waiting, alone)).rejects.toThrow(/without a loser/);
  await expect(ledger.draw(waiting)).rejects.toThrow(/pays/);
  await expect(ledger.win(newGameId(), alone)).rejects.toThrow(/no escrow/);
  await ledger.refund(waiting);
});

test("asserts that an amount is positive and bounded", async () => {
  const player = await ledger.addPlayer();
  for (const amount of [0n, -1n, 9_000_000_000_000_001n]) {
    await expect(ledger.stake(newGameId(), 1, player, amount as Coins)).rejects.toThrow(
      /BrokenInvariant|stake of|bounds/,
    );
  }
  expect(await ledger.balance(player)).toBe(wholeCoins(500));
});

test("throws for a player without a wallet and opens no escrow", async () => {
  const gameId = newGameId();
  await expect(ledger.stake(gameId, 1, "nobody-here" as PlayerId)).rejects.toThrow(/not open/);
  const { rows } = await sql`select from ledger_accounts where owner = ${gameId}`.execute(database.kysely);
  expect(rows).toEqual([]);
});

test("lists the entries of a game as they were posted", async () => {
  const { gameId, first, second } = await addGame();
  await addGame();
  const wallet = (owner: PlayerId) => ({ kind: "wallet", owner });
  const escrow = { kind: "escrow", owner: gameId };
  const staked = [first, second].map((player) => ({
    id: expect.any(BigInt),
    kind: "stake",
    at,
    postings: [
      { account: wallet(player), amount: toCoins(-terms.entry) },
      { account: escrow, amount: terms.entry },
    ],
  }));
  expect(await loadGameEntries(database.kysely, gameId)).toEqual(staked);
  await ledger.win(gameId, second);
  const [, , won, ...more] = await loadGameEntries(database.kysely, gameId);
  expect(won).toMatchObject({ kind: "win", at });
  expect(won?.postings).toEqual([
    { account: escrow, amount: toCoins(-2n * terms.entry) },
    { account: { kind: "revenue", owner: "" }, amount: terms.platformFee },
    { account: wallet(second), amount: terms.winnings },
  ]);
  expect(more).toEqual([]);
  expect(await loadGameEntries(database.kysely, newGameId())).toEqual([]);
});

test("refuses an opening with another amount", async () => {
  const player = await ledger.addPlayer();
  const again = await transact(database, (tx) => postOpening(tx, { playerId: player, amount: wholeCoins(1), at }));
  expect(again).toEqual(conflict);
});

describe("the database itself", () => {
  test.each([
    "update ledger_postings set amount = amount",
    "delete from ledger_postings",
    "truncate ledger_postings",
    "update ledger_entries set source = source",
    "delete from ledger_entries where false",
    "truncate ledger_entries cascade",
    "delete from ledger_accounts where false",
    "truncate ledger_accounts cascade",
    "update ledger_accounts set owner = owner",
  ])("refuses: %s", async (statement) => {
    await expect(database.pool.query(statement)).rejects.toThrow(/append only/);
  });

  test("refuses a wallet below zero", async () => {
    const player = await ledger.addPlayer(toCoins(1n));
    await expect(
      sql`update ledger_accounts set balance = -1 where owner = ${player}`.execute(database.kysely),
    ).rejects.toThrow(/ledger_accounts_sound/);
  });

  const insertEntry = sql<{ id: bigint }>`
    insert into ledger_entries (kind, source, at, details, content_hash)
    values ('correction', 'test', now(), '{}', ${"0".repeat(64)}) returning id`;

  test.each([
    [
      "a kind of account nobody knows",
      sql`insert into ledger_accounts (kind, owner, opened_at) values ('gifts', '', now())`,
    ],
    [
      "a wallet of nobody",
      sql`insert into ledger_accounts (kind, owner, balance, opened_at) values ('wallet', '', 0, now())`,
    ],
    [
      "a wallet without a balance",
      sql`insert into ledger_accounts (kind, owner, opened_at) values ('wallet', 'player', now())`,
    ],
    ["a balance of the platform's", sql`update ledger_accounts set balance = 0 where kind = 'revenue'`],
    ["a balance beyond all bounds", sql`update ledger_accounts set balance = 9000000000000001 where kind = 'wallet'`],
    ["a kind of entry nobody knows", sql`update ledger_entries set kind = 'gift'`],
    ["an entry without a cause", sql`update ledger_entries set source = ''`],
    ["a hash that is none", sql`update ledger_entries set content_hash = ${"x".repeat(64)}`],
    ["a hash cut short", sql`update ledger_entries set content_hash = ${"0".repeat(63)}`],
    ["a settlement of no game", sql`update ledger_entries set kind = 'win'`],
    ["a game settled by an opening", sql`update ledger_entries set settled_game = 'game'`],
  ])("refuses %s, even with its triggers off", async (_what, statement) => {
    await ledger.addPlayer();
    const written = transact(database, async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx);
      await statement.execute(tx);
    });
    await expect(written).rejects.toThrow(/ledger_(accounts|entries)_sound/);
  });

  test("refuses a posting that joins an entry of another transaction, or none", async () => {
    await ledger.addPlayer();
    const join = (entryId: RawBuilder<unknown>) =>
      sql`insert into ledger_postings (entry_id, account_id, amount)
        select ${entryId}, id, case kind when 'revenue' then 1 else -1 end from ledger_accounts
        where kind in ('revenue', 'rounding')`.execute(database.kysely);
    await expect(join(sql`(select max(id) from ledger_entries)`)).rejects.toThrow(/cannot join entry/);
    await expect(join(sql`(select max(id) + 1 from ledger_entries)`)).rejects.toThrow(/cannot join entry/);
  });

  test("refuses at commit an entry that does not sum to zero, or has no postings", async () => {
    await expect(transact(database, (tx) => insertEntry.execute(tx))).rejects.toThrow(/does not balance: 0 postings/);
    const unbalanced = transact(database, async (tx) => {
      const { rows } = await insertEntry.execute(tx);
      await sql`insert into ledger_postings (entry_id, account_id, amount)
        select ${rows[0]?.id}, id, 1 from ledger_accounts where kind in ('revenue', 'rounding')`.execute(tx);
    });
    await expect(unbalanced).rejects.toThrow(/does not balance: 2 postings, sum 2/);
  });
});

// [OPS-13 §-] Figures of the platform are the same whether its postings were added up before or are added when read.
test("keeps totals of the platform's accounts, and adds what came later [OPS-13]", async () => {
  const before = await loadPlatformFigures(database.kysely);
  const lag = () =>
    sql<{ readonly postings: number }>`
      select count(*)::int as postings from ledger_totals kept
      join ledger_postings posting on posting.account_id = kept.account_id and posting.entry_id > kept.entry_id`
      .execute(database.kysely)
      .then(({ rows }) => rows[0]!.postings);
  const played = async (): Promise<void> => {
    const { gameId, first } = await addGame();
    await ledger.win(gameId, first);
  };
  await played();
  expect(await lag()).toBeGreaterThan(0);
  await Promise.all([updateTotals(database), updateTotals(database), played()]);
  await updateTotals(database);
  expect(await lag()).toBe(0);
  await played();
  const after = await loadPlatformFigures(database.kysely);
  expect(after.revenue - before.revenue).toBe(3n * terms.platformFee);
});
