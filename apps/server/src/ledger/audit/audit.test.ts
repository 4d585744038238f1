import { toCoins } from "@holo/kernel/money.ts";
import { type RawBuilder, sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import {
  escrowOf,
  formatDetails,
  type JournalEntry,
  platformAccount,
  toContentHash,
  walletOf,
} from "../journal/journal-entry.ts";
import { saveJournalEntry } from "../journal/journal-store.ts";
import { at, makeTestLedger, newGameId, type TestLedger, terms } from "../testing/test-ledger.ts";

let database: Database;
let ledger: TestLedger;

beforeEach(async () => {
  database = await createTestDatabase();
  ledger = makeTestLedger(database);
  const [first, second] = [await ledger.addPlayer(), await ledger.addPlayer()];
  const games = [newGameId(), newGameId(), newGameId(), newGameId()];
  for (const gameId of games) {
    await ledger.stake(gameId, 1, first);
    await ledger.stake(gameId, 2, second);
  }
  const [won, drawn, refunded] = games;
  if (won !== undefined) await ledger.win(won, first);
  if (drawn !== undefined) await ledger.draw(drawn);
  if (refunded !== undefined) await ledger.refund(refunded);
});

afterEach(() => database.close());

/** Writes with every guard off, as only a superuser can. */
async function tamper(...statements: readonly RawBuilder<unknown>[]): Promise<void> {
  await transact(database, async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    for (const statement of statements) await statement.execute(tx);
  });
}

test("finds nothing in an untouched ledger", async () => {
  expect(await ledger.audit()).toBeNull();
});

const first = (kind: string) => sql`(select id from ledger_entries where kind = ${kind} order by id limit 1)`;

test.each<[string, RegExp, readonly RawBuilder<unknown>[]]>([
  ["a disabled trigger", /guards/, [sql`alter table ledger_postings disable trigger ledger_append_only`]],
  ["a dropped trigger", /guards/, [sql`drop trigger ledger_balanced on ledger_entries`]],
  ["a line that is not listed", /postings outside games/, [sql`delete from ledger_player_lines`]],
  [
    "a line of a game that is listed",
    /postings outside games/,
    [
      sql`insert into ledger_player_lines select account_id, entry_id
    from ledger_postings where entry_id = ${first("stake")}`,
    ],
  ],
  ["a wrong kept total", /stored total/, [sql`update ledger_totals set total = total + 1`]],
  ["a missing kept total", /stored total/, [sql`delete from ledger_totals where account_id = 1`]],
  ["postings that may join any entry", /guards/, [sql`alter table ledger_postings disable trigger ledger_joined`]],
  [
    "one posting altered",
    /sums to zero/,
    [sql`update ledger_postings set amount = amount + 1 where entry_id = ${first("win")} and amount > 0`],
  ],
  ["postings deleted", /sums to zero/, [sql`delete from ledger_postings where entry_id = ${first("draw")}`]],
  [
    "an entry deleted under its postings",
    /belongs to an entry/,
    [sql`delete from ledger_entries where id = ${first("win")}`],
  ],
  [
    "an entry posted twice past its key",
    /share a cause/,
    [
      sql`alter table ledger_entries drop constraint ledger_entries_kind_source_key`,
      sql`insert into ledger_entries (kind, source, at, details, content_hash)
        select kind, source, at, details, content_hash from ledger_entries where id = ${first("stake")}`,
      sql`insert into ledger_postings (entry_id, account_id, amount)
        select (select max(id) from ledger_entries), account_id, amount from ledger_postings where entry_id = ${first("stake")}`,
    ],
  ],
  [
    "all amounts of an entry altered in step",
    /was changed/,
    [sql`update ledger_postings set amount = amount * 2 where entry_id = ${first("stake")}`],
  ],
  [
    "the final hash of a game altered",
    /was changed/,
    [sql`update ledger_entries set details = replace(details, 'f1', 'f2') where id = ${first("win")}`],
  ],
  [
    "coins written into a wallet",
    /stored balance/,
    [sql`update ledger_accounts set balance = balance + 1 where kind = 'wallet'`],
  ],
  [
    "a statement's balance altered",
    /stores the balance after it/,
    [sql`update ledger_postings set balance_after = balance_after + 1 where entry_id = ${first("refund")}`],
  ],
  [
    "a balance given to the platform's account",
    /store none/,
    [
      sql`alter table ledger_accounts drop constraint ledger_accounts_sound`,
      sql`update ledger_accounts set balance = 0 where kind = 'rounding'`,
    ],
  ],
])("finds %s", async (_what, name, statements) => {
  await tamper(...statements);
  expect(await ledger.audit()).toEqual({ name: expect.stringMatching(name), found: expect.any(String) });
});

const post = (entry: JournalEntry) => transact(database, (tx) => saveJournalEntry(tx, entry, at));

test("finds an entry between accounts that its kind does not join", async () => {
  const wallet = walletOf(await ledger.addPlayer());
  await post({
    kind: "withdrawal_paid",
    source: "a gift",
    settledGame: null,
    details: {},
    postings: [
      { account: wallet, amount: toCoins(1n) },
      { account: platformAccount("rounding"), amount: toCoins(-1n) },
    ],
  });
  expect((await ledger.audit())?.name).toMatch(/only between the accounts/);
});

test("finds an entry of an unknown kind", async () => {
  const entry = {
    kind: "gift",
    source: "a gift",
    settledGame: null,
    details: {},
    postings: [
      { account: walletOf(await ledger.addPlayer()), amount: toCoins(1n) },
      { account: platformAccount("rounding"), amount: toCoins(-1n) },
    ],
  };
  await sql`alter table ledger_entries drop constraint ledger_entries_sound`.execute(database.kysely);
  await post(entry as unknown as JournalEntry);
  expect((await ledger.audit())?.name).toMatch(/only between the accounts/);
});

test("finds a stake on a settled game", async () => {
  const [gameId, early, late] = [newGameId(), await ledger.addPlayer(), await ledger.addPlayer()];
  await ledger.stake(gameId, 1, early);
  await ledger.refund(gameId);
  await ledger.stake(gameId, 2, late);
  expect((await ledger.audit())?.name).toMatch(/an escrow holds/);
});

test("finds a settlement that pays a player without a stake", async () => {
  const [gameId, player, stranger] = [newGameId(), await ledger.addPlayer(), await ledger.addPlayer()];
  await ledger.stake(gameId, 1, player);
  const entry: JournalEntry = {
    kind: "refund",
    source: gameId,
    settledGame: gameId,
    details: { gameId },
    postings: [
      { account: escrowOf(gameId), amount: toCoins(-terms.entry) },
      { account: walletOf(stranger), amount: terms.entry },
    ],
  };
  await sql`
    with forged as (
      insert into ledger_entries (kind, source, settled_game, at, details, content_hash)
      values ('refund', ${gameId}, ${gameId}, now(), ${formatDetails(entry.details)}, ${toContentHash(entry)}) returning id),
    changed as (
      update ledger_accounts set sequence = sequence + 1,
        balance = balance + case kind when 'wallet' then ${terms.entry}::bigint else -balance end
      where (kind, owner) in (('escrow', ${gameId}), ('wallet', ${stranger})) returning id, kind, balance)
    insert into ledger_postings (entry_id, account_id, amount, balance_after)
    select forged.id, changed.id, case kind when 'wallet' then 1 else -1 end * ${terms.entry}::bigint, changed.balance
    from forged, changed`.execute(database.kysely);
  expect((await ledger.audit())?.name).toMatch(/pays only players with a stake/);
});
