import { wholeCoins } from "@holo/kernel/money.ts";
import { type RawBuilder, sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database, Queries } from "../../platform/database/database.ts";
import { audit, type BrokenFinding } from "../../platform/database/invariant.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import { makeTestLedger, naira, newPaymentId } from "../testing/test-ledger.ts";
import { provenanceInvariants } from "./provenance-audit.ts";

let database: Database;

/**
 * A forfeit gives back what D won from C and lost to E. A loses twice to B, who then deposits and
 * withdraws three times; the second withdrawal comes back. What B won is marked and leaves last.
 */
beforeAll(async () => {
  database = await createTestDatabase();
  const ledger = makeTestLedger(database);
  const [c, d, e] = [await ledger.addPlayer(), await ledger.addPlayer(), await ledger.addPlayer()];
  await ledger.play(wholeCoins(100), [c, d], d);
  await ledger.play(wholeCoins(100), [d, e], e);
  await ledger.forfeit(e, "loser", { from: c });
  const [a, b] = [await ledger.addPlayer(wholeCoins(0)), await ledger.addPlayer(wholeCoins(120))];
  const [older, newer] = [newPaymentId(), newPaymentId()];
  for (const paymentId of [older, newer]) await ledger.deposit(paymentId, a, naira(200));
  for (let game = 0; game < 2; game += 1) await ledger.play(wholeCoins(100), [a, b], b);
  await ledger.deposit(newPaymentId(), b, naira(200));
  await ledger.mark(newer, a);
  await ledger.withdraw(newPaymentId(), b, naira(350));
  const returned = newPaymentId();
  await ledger.withdraw(returned, b, naira(100));
  await ledger.giveBack(returned);
  await ledger.withdraw(newPaymentId(), b, naira(10));
});
afterAll(() => database.close());

class Undone extends Error {}

/** Writes with every guard off, as only a superuser can, and undoes it. */
async function auditAfter(...statements: readonly RawBuilder<unknown>[]): Promise<BrokenFinding | null> {
  let found: BrokenFinding | null = null;
  const work = async (tx: Queries) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    for (const statement of statements) await statement.execute(tx);
    found = await audit(tx, provenanceInvariants);
    throw new Undone();
  };
  await expect(database.kysely.transaction().execute(work)).rejects.toThrow(Undone);
  return found;
}

const WON = sql`(select max(id) from coin_pieces where hops = 1 and rank > 0)`;
const BACK = sql`(select min(id) from coin_pieces where rank = 0)`;
const FIRST_WITHDRAWAL = sql`(select min(id) from ledger_entries where kind = 'withdrawal')`;
const LAST_WITHDRAWAL = sql`(select max(id) from ledger_entries where kind = 'withdrawal')`;
const TEN = 10_000_000;

test("finds nothing in untouched pieces", async () => {
  expect(await auditAfter()).toBeNull();
});

test.each<[string, RegExp, readonly RawBuilder<unknown>[]]>([
  [
    "another origin",
    /origin/,
    [sql`update coin_pieces set deposit_id = (select min(id) from coin_pieces) where id = ${WON}`],
  ],
  [
    "coins that came back and say that they are newer",
    /origin/,
    [sql`update coin_pieces set gained_entry = 0 where rank = 0`],
  ],
  [
    "coins that a forfeit gave back and say that they are newer",
    /origin/,
    [sql`update coin_pieces set gained_entry = entry_id where rank > gained_entry`],
  ],
  ["a hop too many", /origin/, [sql`update coin_pieces set hops = hops + 1 where id = ${WON}`]],
  ["a missing exit", /left, went to others/, [sql`delete from coin_exits where entry_id = ${FIRST_WITHDRAWAL}`]],
  ["a missing piece", /left, went to others/, [sql`delete from coin_pieces where id = ${WON}`]],
  [
    "coins that are spent and still there",
    /left, went to others/,
    [sql`update coin_pieces set left_coins = left_coins + 1 where id = ${WON}`],
  ],
  [
    "a piece in another wallet",
    /add up to its balance/,
    [
      sql`update coin_pieces set wallet_id = (select wallet_id from coin_pieces where id = ${WON})
        where parent_id is null and not is_spent`,
    ],
  ],
  [
    "an exit by another entry",
    /of an entry/,
    [sql`update coin_exits set entry_id = ${LAST_WITHDRAWAL} where entry_id = ${FIRST_WITHDRAWAL}`],
  ],
  [
    "coins that came back from another piece",
    /come back/,
    [
      sql`update coin_pieces set parent_id = ${WON}, gained_entry = (select entry_id from coin_pieces where id = ${WON}) where rank = 0`,
    ],
  ],
  [
    "a withdrawal of newer coins first",
    /sampled/,
    [
      sql`update coin_exits set piece_id = ${WON} where entry_id = ${LAST_WITHDRAWAL}`,
      sql`update coin_pieces set left_coins = left_coins + ${TEN} where id = ${BACK}`,
      sql`update coin_pieces set left_coins = left_coins - ${TEN} where id = ${WON}`,
    ],
  ],
  ["a mark that a withdrawal knew", /sampled/, [sql`delete from coin_marks where wallet_id is null`]],
  ["a mark that a forfeit knew", /sampled/, [sql`delete from coin_marks where wallet_id is not null`]],
])("finds %s", async (_what, name, statements) => {
  expect(await auditAfter(...statements)).toEqual({ name: expect.stringMatching(name), found: expect.any(String) });
});
