import { randomUUID } from "node:crypto";
import { toGameId } from "@holo/kernel/ids.ts";
import { wholeCoins } from "@holo/kernel/money.ts";
import { type RawBuilder, sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { postStake } from "../../ledger/testing/game-postings.ts";
import type { Database, Queries } from "../../platform/database/database.ts";
import { audit, type BrokenFinding } from "../../platform/database/invariant.ts";
import { transact } from "../../platform/database/transaction.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import { openTestPayments, type TestPayments } from "../testing/test-payments.ts";
import { startTestSandbox, type TestSandbox } from "../testing/test-sandbox.ts";
import { paymentInvariants } from "./audit.ts";

let database: Database;
let sandbox: TestSandbox;
let at: TestPayments;

beforeAll(async () => {
  [database, sandbox] = await Promise.all([createTestDatabase(), startTestSandbox()]);
  at = await openTestPayments(database, sandbox);
  const player = await at.addPlayer(wholeCoins(500));
  const [credited, takenBack] = [await at.deposit(player), await at.deposit(player), await at.deposit(player)];
  for (const { reference } of [credited, takenBack])
    await sandbox.order(`transactions/${reference}`, { outcome: "pay" });
  await sandbox.pass();
  await sandbox.order(`transactions/${takenBack.reference}`, { outcome: "reversed" });
  for (const fault of ["success", "failed", "reversed", "pending"]) {
    await sandbox.order("faults", { on: "transfer_outcome", fault });
    const { reference } = await at.withdraw(player);
    for (let i = 0; i < 3; i += 1) {
      await at.advance(5_000);
      await sandbox.pass(20_000);
    }
    await at.advance(0);
    await at.find(reference);
  }
  const other = await at.addPlayer(wholeCoins(100));
  const seat = { gameId: toGameId(randomUUID()), seat: 1, playerId: other, amount: wholeCoins(12) } as const;
  await transact(database, (tx) => postStake(tx, { ...seat, at: at.time.now() }));
});
afterAll(async () => {
  await at.close();
  await sandbox.stop();
  await database.close();
});

class Undone extends Error {}

async function findAfter(...statements: readonly RawBuilder<unknown>[]): Promise<BrokenFinding | null> {
  let found: BrokenFinding | null = null;
  await database.kysely
    .transaction()
    .execute(async (tx: Queries) => {
      for (const statement of statements) await statement.execute(tx);
      found = await audit(tx, paymentInvariants);
      throw new Undone();
    })
    .catch((error) => {
      if (!(error instanceof Undone)) throw error;
    });
  return found;
}

test("accepts payments in every state", async () => {
  const { rows } = await sql<{ money: string }>`select distinct money from payments order by money`.execute(
    database.kysely,
  );
  expect(rows.map(({ money }) => money)).toEqual(["credited", "held", "none", "paid", "returned", "taken_back"]);
  expect(await findAfter()).toBeNull();
});

const WHERE = "the coins of each payment are where its row says";
const MATCH = "every deposit and withdrawal entry matches a payment, its player and its amount";
test.each<[string, string, RawBuilder<unknown>[]]>([
  [
    "a credited deposit said to be none",
    WHERE,
    [sql`update payments set money = 'none', status = 'pending', next_attempt_at = 0 where money = 'credited'`],
  ],
  ["a deposit credited in its row alone", WHERE, [sql`update payments set money = 'credited' where money = 'none'`]],
  [
    "a deposit that was taken back said to be there",
    WHERE,
    [sql`update payments set money = 'credited' where money = 'taken_back'`],
  ],
  [
    "a payment out said to be held after it was paid",
    WHERE,
    [sql`update payments set money = 'held', status = 'processing', next_attempt_at = 0 where money = 'paid'`],
  ],
  [
    "one said to be paid whose coins were returned",
    WHERE,
    [sql`update payments set money = 'paid', status = 'completed' where money = 'returned'`],
  ],
  ["one said to be lost", WHERE, [sql`update payments set money = 'lost', status = 'review' where money = 'returned'`]],
  [
    "one that was sent during a hold",
    "no transfer was ordered while all payouts were held",
    [sql`insert into payout_holds (cause, from_at, compare_from) values ('restore', 1, 1)`],
  ],
  ["an entry without its payment", MATCH, [sql`delete from payments where money = 'credited'`]],
  ["a credit of another amount", MATCH, [sql`update payments set coins = coins + 1 where money = 'credited'`]],
  ...(["credited", "held", "paid"] as const).flatMap((money): [string, string, RawBuilder<unknown>[]][] => [
    [`${money} naira of another amount`, MATCH, [sql`update payments set kobo = kobo * 10 where money = ${money}`]],
    [
      `${money} naira at another rate`,
      MATCH,
      [sql`update payments set rate_kobo = rate_kobo + 1 where money = ${money}`],
    ],
    [
      `${money} naira under another reference`,
      MATCH,
      [sql`update payments set reference = reference || '-b' where money = ${money}`],
    ],
  ]),
  ["a payment of another player", MATCH, [sql`update payments set player_id = 'somebody-else' where money = 'held'`]],
  [
    "a fee that was not booked",
    "the provider's fee is booked for each payment that had one",
    [sql`update payments set fee_kobo = 5 where money = 'none'`],
  ],
  [
    "a fee booked otherwise",
    "the provider's fee is booked for each payment that had one",
    [sql`update payments set fee_kobo = fee_kobo + 1 where fee_kobo is not null`],
  ],
  [
    "a hold that nobody looks at",
    "every open payment has a next attempt",
    [sql`update payments set next_attempt_at = null where money = 'held'`],
  ],
  [
    "an open deposit that nobody looks at",
    "every open payment has a next attempt",
    [sql`update payments set next_attempt_at = null where money = 'none'`],
  ],
  [
    "a hold told to be over",
    "an outgoing payment's status matches its coins: open while they are held, ended otherwise",
    [sql`update payments set status = 'reversed' where money = 'held'`],
  ],
  [
    "something booked as gone back in the row alone",
    "the booked refunds of each deposit match its ledger entries",
    [sql`update payments set refunded_kobo = 5, allocated_kobo = 5 where money = 'credited'`],
  ],
  [
    "a deposit on its way back that nobody looks at",
    "every open payment has a next attempt",
    [
      sql`update payments set status = 'reversed', sent_at = 5, completed_at = null, next_attempt_at = null
        where money = 'taken_back'`,
    ],
  ],
  [
    "a deposit beyond the limit that its player had set",
    "no player was credited more than their own deposit limits",
    [
      sql`insert into player_limits (player_id, kind, value, updated_at) select player_id, 'depositWeek', 999999, created_at - 1
        from payments where money = 'credited'`,
    ],
  ],
  [
    "one beyond a limit that is looser from later on",
    "no player was credited more than their own deposit limits",
    [
      sql`insert into player_limits (player_id, kind, value, next_value, next_at, updated_at)
        select player_id, 'depositDay', 400000, null, created_at + 86400000, created_at - 1 from payments where money = 'credited'`,
    ],
  ],
  [
    "a withdrawal that was sent during a hold by staff",
    "no withdrawal was sent while staff held its player's withdrawals",
    [
      sql`insert into audit_events (at, player_id, action, subject, detail) select 0, null, 'withdrawals_held', player_id, 'why'
        from payments where money = 'paid' limit 1`,
      sql`insert into withdrawal_holds (player_id, reason, from_at, audit_event_id) select subject, detail, at, id from audit_events
        where action = 'withdrawals_held'`,
    ],
  ],
  [
    "two players with one bank account who may be paired",
    "two players who confirmed the same bank account are marked as never to be paired",
    [
      sql`insert into bank_accounts select 'somebody-else', bank_code, account_number, bank_name, account_name, verified_at, confirmed_at
        from bank_accounts`,
    ],
  ],
  [
    "a dispute that restricts nobody",
    "players are restricted exactly by the open disputes of their credited deposits",
    [sql`update payments set status = 'review' where money = 'credited'`],
  ],
  [
    "a restriction without a dispute",
    "players are restricted exactly by the open disputes of their credited deposits",
    [
      sql`insert into deposit_disputes (payment_id, player_id, from_at) select id, player_id, 0 from payments where money = 'credited'`,
    ],
  ],
  [
    "money that was sent during a dispute",
    "no withdrawal was sent during a dispute or before a debt was repaid",
    [
      sql`insert into deposit_disputes (payment_id, player_id, from_at, until_at)
        select id, player_id, 0, 9007199254740991 from payments where money = 'credited'`,
    ],
  ],
  [
    "money that was sent to a player in debt",
    "no withdrawal was sent during a dispute or before a debt was repaid",
    [
      sql`insert into ledger_accounts (kind, owner, opened_at) select 'debts', player_id, now() from payments where money = 'paid'`,
      sql`insert into ledger_entries (kind, source, at, details, content_hash)
        values ('deposit_reversal', 'made-up', to_timestamp(0), '{}', repeat('0', 64))`,
      sql`insert into ledger_postings (entry_id, account_id, amount)
        select entry.id, account.id, -5 from ledger_entries entry, ledger_accounts account
        where entry.source = 'made-up' and account.kind = 'debts'`,
    ],
  ],
  [
    "a seat that was taken during a dispute",
    "no player joined a game during a dispute",
    [
      sql`insert into deposit_disputes (payment_id, player_id, from_at, until_at)
        select payment.id, account.owner, 0, 9007199254740991 from payments payment, ledger_entries entry
        join ledger_postings posting on posting.entry_id = entry.id
        join ledger_accounts account on account.id = posting.account_id and account.kind = 'wallet'
        where payment.money = 'credited' and entry.kind = 'stake'`,
    ],
  ],
  [
    "a deposit that was credited during a self-exclusion",
    "no deposit was credited to a player who was self-excluded, banned or closing the account",
    [
      sql`insert into self_exclusions (player_id, from_at, until_at)
        select player_id, completed_at - 1, completed_at + 1 from payments where money = 'credited'`,
    ],
  ],
  [
    "a deposit that was credited while its account was closing",
    "no deposit was credited to a player who was self-excluded, banned or closing the account",
    [
      sql`insert into closing_accounts (player_id, at)
        select player_id, completed_at - 1 from payments where money = 'credited'`,
    ],
  ],
  [
    "more withdrawals in a day than were allowed",
    "no player made more withdrawals in 24 hours than were allowed",
    [sql`update payments set day_limit = 1 where kind = 'withdrawal'`],
  ],
  [
    "a fee of a withdrawal in its row alone",
    "a withdrawal's share of the provider's fees matches its hold",
    [sql`update payments set payer_fee_kobo = 5 where money = 'held'`],
  ],
  [
    "more fees than the provider charged",
    "no player paid more of the provider's fees than it charged for their deposits and transfers",
    [
      sql`update payments set payer_fee_kobo = 99999999 where money = 'paid'`,
      sql`alter table ledger_entries disable trigger user`,
      sql`update ledger_entries set details = jsonb_set(details::jsonb, '{feeKobo}', '99999999')::text
        where kind = 'withdrawal_hold' and source in (select id::text from payments where money = 'paid')`,
    ],
  ],
  [
    "a deposit that was withdrawn without fees",
    "no player withdrew more coins free of the provider's fees than games paid them",
    [
      sql`alter table ledger_entries disable trigger user`,
      sql`update ledger_entries set kind = 'correction' where kind = 'opening'`,
    ],
  ],
  [
    "a webhook of no payment, carried out",
    "every processed webhook belongs to a payment",
    [sql`insert into payment_inbox values ('charge.success', 'nobody', '{}', 0, 0)`],
  ],
])("finds %s", async (_what, name, statements) => {
  expect(await findAfter(...statements)).toMatchObject({ name });
});
