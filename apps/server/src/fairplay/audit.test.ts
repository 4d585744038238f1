import { toInstant } from "@holo/kernel/instant.ts";
import { playerIdOf } from "@holo/kernel/testing/test-ids.ts";
import { type RawBuilder, sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addEndedGames } from "../game/testing/ended-games.ts";
import type { Database } from "../platform/database/database.ts";
import { audit } from "../platform/database/invariant.ts";
import { createTestDatabase } from "../platform/testing/test-database.ts";
import { fairPlayInvariants } from "./audit.ts";

let database: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  const [white, black] = [playerIdOf("1"), playerIdOf("2")];
  await addEndedGames(database, [{ white, black, winner: white, at: toInstant(7) }]);
});
afterAll(() => database.close());

class Undone extends Error {
  readonly found: string | null;
  constructor(found: string | null) {
    super("undone");
    this.found = found;
  }
}

async function findAfter(...steps: readonly RawBuilder<unknown>[]): Promise<string | null> {
  return await database.kysely
    .transaction()
    .execute(async (tx) => {
      for (const step of steps) await step.execute(tx);
      const broken = await audit(tx, fairPlayInvariants);
      throw new Undone(broken?.name ?? null);
    })
    .catch((error: unknown) => {
      if (error instanceof Undone) return error.found;
      throw error;
    });
}

const ID = "11111111-1111-4111-8111-111111111111";
const open = (state: string, endedAt: number | null = 8, untilAt = 9) => sql`
  insert into fair_play_cases (id, player_id, kind, state, opened_at, until_at, ended_at, coins, deposit_ids, game_ids, concerned, finding)
  values (${ID}, 'player-x', 'flow', ${state}, 5, ${untilAt}, ${endedAt}, 5, '{1}', '{}', '{player-x,member-x}',
    '{"flows":[],"edges":[],"cluster":[],"version":1}')`;
const dropChecks = sql`
  alter table fair_play_cases drop constraint fair_play_cases_check`;
const silent = (type: string, at = 8) =>
  sql`insert into fair_play_acts (case_id, type, at) values (${ID}, ${type}, ${at})`;
/** With its audit event. */
const act = (type: string, action: string, by: string, figures: object = {}) => sql`
  with event as (insert into audit_events (at, player_id, action, subject, detail) values (8, ${by}, ${action}, ${ID}, '…') returning id)
  insert into fair_play_acts (case_id, type, by_id, at, text, figures, audit_event_id)
  select ${ID}, ${type}, ${by}, 8, '…', ${JSON.stringify(figures)}::text::jsonb, event.id from event`;
const cleared = (by: string) => act("cleared", "fair_play_cleared", by);
const proposed = (by: string) => act("proposed", "forfeit_proposed", by);
const confirmed = (by: string, figures: object = {}) => act("forfeited", "coins_forfeited", by, figures);
const openWallet = sql`insert into ledger_accounts (kind, owner, balance, opened_at) values ('wallet', 'player-x', 0, 'epoch')`;
const mark = (depositId: number, ms: number) => sql`
  insert into coin_marks (deposit_id, wallet_id, case_id, gained_in, after_entry, until_at)
  select ${depositId}, id, ${ID}, '{}', 0, to_timestamp(${ms} / 1000.0) from ledger_accounts where owner = 'player-x'`;

test("holds for what people decided and the audit log says", async () => {
  expect(await findAfter()).toBeNull();
  expect(await findAfter(open("open", null))).toBeNull();
  expect(await findAfter(open("released"), silent("released"))).toBeNull();
  expect(await findAfter(open("cleared"), cleared("member-a"))).toBeNull();
  expect(await findAfter(open("forfeited"), proposed("member-a"), confirmed("member-b"))).toBeNull();
  expect(await findAfter(openWallet, open("open", null), mark(1, 9))).toBeNull();
});

test.each([
  ["the triggers", [sql`alter table fair_play_acts disable trigger fair_play_acts_append_only`]],
  ["no case holds", [dropChecks, open("open", null, 300_000_000)]],
  ["coins are held in a wallet", [openWallet, mark(1, 9)]],
  ["coins are held in a wallet", [openWallet, open("open", null), mark(2, 9)]],
  ["coins are held in a wallet", [openWallet, open("open", null), mark(1, 10)]],
  ["every case is in the state", [open("cleared")]],
  ["every case is in the state", [open("released"), silent("released", 7)]],
  ["every staked game", [sql`delete from game_screenings`]],
  ["two different members", [open("forfeited"), proposed("member-a"), confirmed("member-a")]],
  ["two different members", [open("forfeited"), confirmed("member-a")]],
  ["two different members", [open("cleared"), cleared("member-x")]],
  ["every decision", [open("cleared"), act("cleared", "forfeit_proposed", "member-a")]],
  [
    "every decision",
    [sql`insert into audit_events (at, action, subject, detail) values (8, 'coins_forfeited', 'x', '')`],
  ],
  [
    "every forfeit in the ledger",
    [open("forfeited"), proposed("member-a"), confirmed("member-b", { given: [{ playerId: "player-y", coins: "5" }] })],
  ],
  [
    "every accepted appeal",
    [
      open("forfeited"),
      proposed("member-a"),
      confirmed("member-b"),
      act("appeal_answered", "appeal_answered", "member-c", { isAccepted: true }),
    ],
  ],
] as const)("finds that not: %s", async (name, steps) => {
  expect(await findAfter(...steps)).toMatch(new RegExp(`^${name}`));
});
