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
  const { rows } = await sql<{ step: string }>`select distinct step from payments order by step`.execute(
    database.kysely,
  );
  expect(rows.map(({ step }) => step)).toEqual(["closed", "credited", "open", "paid", "returned", "sent"]);
  expect(await findAfter()).toBeNull();
});

const ROW = "each payment's row is what its facts say";
const POSITION = "the ledger holds for each payment exactly what its row implies";
const ENTRY = "no payment is credited or paid out twice, and each credit names the order's player and reference";
const OPEN = "every open payment is asked about again";
const GUARD = "a trigger protects the facts of payments";
const CORRECTION = "every correction is an act of staff with enough confirmations, and every act its fact";
const UNGUARDED = sql`alter table payment_facts disable trigger user`;

const CREDITED_ID = sql`(select id from payments where kept_kobo > 0 limit 1)`;

/** Staff's act about the credited deposit, of which the row and the ledger know nothing more. */
function forgeCorrection(fact: RawBuilder<unknown>): RawBuilder<unknown>[] {
  return [
    sql`insert into audit_events (at, player_id, action, subject, detail) values (0, 'staff-0001', 'payment_written_off', 'x', 'why')`,
    sql`insert into payment_facts (payment_id, number, at, type, kobo, audit_event_id)
      select ${CREDITED_ID}, (select last_fact + 1 from payments where id = ${CREDITED_ID}), 0, 'wrote_off', 0, max(id) from audit_events`,
    sql`update payments set last_fact = last_fact + 1 where id = ${CREDITED_ID}`,
    fact,
  ];
}

test.each<[string, string, RawBuilder<unknown>[]]>([
  ["a switched off guard", GUARD, [UNGUARDED]],
  ["a credited deposit said to be open", ROW, [sql`update payments set step = 'open' where step = 'credited'`]],
  ["a deposit credited in its row alone", ROW, [sql`update payments set in_kobo = 5 where step = 'open'`]],
  ["a transfer said to be back", ROW, [sql`update payments set is_back = true where step = 'paid'`]],
  [
    "one said to be paid whose coins were returned",
    ROW,
    [sql`update payments set step = 'paid' where step = 'returned'`],
  ],
  ["a sum sent in the row alone", ROW, [sql`update payments set sent_kobo = 5 where step = 'sent'`]],
  ["a fact that the row does not count", ROW, [sql`update payments set last_fact = last_fact + 1 where step = 'paid'`]],
  [
    "a credit of another amount",
    POSITION,
    [sql`update payments set rate_kobo = rate_kobo + 1000 where step in ('sent', 'paid')`],
  ],
  ["sent naira of another amount", POSITION, [sql`update payments set kobo = kobo * 10 where step = 'sent'`]],
  [
    "a share of the fees in its row alone",
    POSITION,
    [sql`update payments set payer_fee_kobo = 5000 where step = 'sent'`],
  ],
  ["a payment of another player", POSITION, [sql`update payments set player_id = 'somebody-else' where step = 'sent'`]],
  [
    "credited naira under another reference",
    ENTRY,
    [sql`update payments set reference = reference || '-b' where step = 'credited'`],
  ],
  ["an act without a correction", CORRECTION, forgeCorrection(sql`select 1`)],
  [
    "a correction that its proposer confirmed at once",
    CORRECTION,
    forgeCorrection(sql`insert into payment_corrections (id, payment_id, act, kobo, last_fact, reason, proposed_by, proposed_at,
        confirmed_by, ended_at, outcome, audit_event_id)
      select gen_random_uuid(), id, 'write_off', 0, last_fact - 1, 'why', 'staff-0001', 5, 'staff-0001', 6, 'done',
        (select max(id) from audit_events) from payments where id = ${CREDITED_ID}`),
  ],
  ["a hold that nobody asks about", OPEN, [sql`update payments set next_ask_at = null where step = 'sent'`]],
  ["an open deposit that nobody asks about", OPEN, [sql`update payments set next_ask_at = null where step = 'open'`]],
  [
    "one that was sent during a hold",
    "no transfer was ordered while all payouts were held",
    [sql`insert into payout_holds (cause, from_at, compare_from) values ('restore', 1, 1)`],
  ],
  [
    "a fee that was not booked",
    "the provider's fee is booked for each payment that had one",
    [sql`update payments set fee_kobo = 5 where step = 'open'`],
  ],
  [
    "a fee booked otherwise",
    "the provider's fee is booked for each payment that had one",
    [sql`update payments set fee_kobo = fee_kobo + 1 where fee_kobo is not null`],
  ],
  [
    "a deposit beyond the limit that its player had set",
    "no player was credited more than their own deposit limits",
    [
      sql`insert into player_limits (player_id, kind, value, updated_at) select player_id, 'depositWeek', 999999, created_at - 1
        from payments where step = 'credited'`,
    ],
  ],
  [
    "one beyond a limit that is looser from later on",
    "no player was credited more than their own deposit limits",
    [
      sql`insert into player_limits (player_id, kind, value, next_value, next_at, updated_at)
        select player_id, 'depositDay', 400000, null, created_at + 86400000, created_at - 1 from payments where step = 'credited'`,
    ],
  ],
  [
    "a withdrawal that was sent during a hold by staff",
    "no withdrawal was sent while staff held its player's withdrawals",
    [
      sql`insert into audit_events (at, player_id, action, subject, detail) select 0, null, 'withdrawals_held', player_id, 'why'
        from payments where step = 'paid' limit 1`,
      sql`insert into withdrawal_holds (player_id, reason, from_at, audit_event_id) select subject, detail, at, id from audit_events
        where action = 'withdrawals_held'`,
    ],
  ],
  [
    "marked coins that were sent",
    "no withdrawal was sent while coins that it took were marked, for 72 hours at most (rulings 44 and 52)",
    [
      sql`insert into coin_marks (deposit_id, wallet_id, case_id, gained_in, after_entry, until_at)
        select piece.deposit_id, piece.wallet_id, 'case', array_agg(piece.gained_entry), 0, '2099-01-01'::timestamptz from payments payment
          join ledger_entries entry on entry.kind = 'withdrawal' and entry.source = payment.id::text
          join coin_exits exit on exit.entry_id = entry.id join coin_pieces piece on piece.id = exit.piece_id
        where payment.step = 'paid' group by piece.deposit_id, piece.wallet_id`,
    ],
  ],
  [
    "a part of a withdrawal that goes elsewhere",
    "the part of a withdrawal that waits goes where the rest of it goes",
    [
      sql`update payments set part_of = (select id from payments where step = 'paid' and kind = 'withdrawal'), day_limit = null
        where step = 'sent'`,
    ],
  ],
  [
    "a dispute that restricts nobody",
    "players are restricted exactly by the open disputes of their credited deposits",
    [sql`update payments set status = 'review' where step = 'credited'`],
  ],
  [
    "a restriction without a dispute",
    "players are restricted exactly by the open disputes of their credited deposits",
    [
      sql`insert into deposit_disputes (payment_id, player_id, from_at) select id, player_id, 0 from payments where step = 'credited'`,
    ],
  ],
  [
    "money that was sent during a dispute",
    "no withdrawal was sent during a dispute or before a debt was repaid",
    [
      sql`insert into deposit_disputes (payment_id, player_id, from_at, until_at)
        select id, player_id, 0, 9007199254740991 from payments where step = 'credited'`,
    ],
  ],
  [
    "money that was sent to a player in debt",
    "no withdrawal was sent during a dispute or before a debt was repaid",
    [
      sql`insert into ledger_accounts (kind, owner, opened_at) select 'debts', player_id, now() from payments where step = 'paid'`,
      sql`insert into ledger_entries (kind, source, at, details, content_hash)
        values ('debt_repayment', 'made-up', to_timestamp(0), '{}', repeat('0', 64))`,
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
        where payment.step = 'credited' and entry.kind = 'stake'`,
    ],
  ],
  [
    "a deposit that was credited during a self-exclusion",
    "no deposit was credited to a player who was self-excluded, banned or closing the account",
    [
      sql`insert into self_exclusions (player_id, from_at, until_at)
        select player_id, completed_at - 1, completed_at + 1 from payments where step = 'credited'`,
    ],
  ],
  [
    "a deposit that was credited while its account was closing",
    "no deposit was credited to a player who was self-excluded, banned or closing the account",
    [
      sql`insert into closing_accounts (player_id, at)
        select player_id, completed_at - 1 from payments where step = 'credited'`,
    ],
  ],
  [
    "more withdrawals in a day than were allowed",
    "no player made more withdrawals in 24 hours than were allowed",
    [sql`update payments set day_limit = 1 where kind = 'withdrawal'`],
  ],
  [
    "a deposit that was withdrawn without fees",
    "no player withdrew more coins free of the provider's fees than games paid them",
    [
      sql`alter table ledger_entries disable trigger user`,
      sql`update ledger_entries set kind = 'closing_remainder' where kind = 'opening'`,
    ],
  ],
])("finds %s", async (_what, name, statements) => {
  expect(await findAfter(...statements)).toMatchObject({ name });
});
