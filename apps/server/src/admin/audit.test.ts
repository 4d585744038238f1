import { type RawBuilder, sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../platform/database/database.ts";
import { audit } from "../platform/database/invariant.ts";
import { createTestDatabase } from "../platform/testing/test-database.ts";
import { makeTestTime } from "../platform/testing/test-time.ts";
import { applyOwnerEmail } from "./admin.ts";
import { adminInvariants } from "./audit.ts";

let database: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  await applyOwnerEmail(database, makeTestTime(), "owner@example.com");
});
afterAll(() => database.close());

/** The audit result after these changes, which are rolled back. */
async function findAfter(...faults: readonly RawBuilder<unknown>[]): Promise<string | null> {
  return await database.kysely
    .transaction()
    .execute(async (tx) => {
      for (const fault of faults) await fault.execute(tx);
      const broken = await audit(tx, adminInvariants);
      throw new Undone(broken === null ? null : `${broken.name}: ${broken.found}`);
    })
    .catch((error: unknown) => {
      if (error instanceof Undone) return error.found;
      throw error;
    });
}

class Undone extends Error {
  readonly found: string | null;
  constructor(found: string | null) {
    super("undone");
    this.found = found;
  }
}

const act = (name: string, subject: string, detail = "") =>
  sql`insert into admin_acts (at, player_id, act, subject, detail) values (5, 'somebody', ${name}, ${subject}, ${detail})`;
const change = (rateKobo: number) => sql`
  insert into setting_changes (at, player_id, command_id, act_id, rate_kobo, fee_bps)
  select 5, 'somebody', 'command-1', max(id), ${rateKobo}, 740 from admin_acts`;
const list = (email: string) => sql`
  insert into admin_emails (id, email, created_at, added_by) values (gen_random_uuid(), ${email}, 5, 'somebody')`;
const block = (playerId: string, reason: string) => sql`
  insert into player_blocks (player_id, at, act_id, reason) select ${playerId}, 5, max(id), ${reason} from admin_acts`;
const turn = (text: string | null) =>
  sql`insert into maintenance_changes (at, act_id, text) select 5, max(id), ${text} from admin_acts`;
const deposit = sql`
  insert into payments (id, kind, player_id, command_id, kobo, rate_kobo, coins, status, money, reference, created_at, updated_at)
  values (gen_random_uuid(), 'deposit', 'somebody', 'command-1', 500000, 30600, 1, 'pending', 'none', 'dep-0000000000000000', 5, 5)`;
const SAID = "₦310 for a holocoin, fee 7.4 %; before: ₦306 for a holocoin, fee 7.4 %";

test("holds for staff actions recorded in the audit log", async () => {
  expect(await findAfter()).toBeNull();
  expect(await findAfter(act("settings_changed", "", SAID), change(31_000))).toBeNull();
  expect(await findAfter(act("admin_added", "a@example.com"), list("a@example.com"))).toBeNull();
  expect(await findAfter(act("admin_added", "a@example.com"), act("admin_removed", "a@example.com"))).toBeNull();
  for (const detail of ["abuse", "ada: abuse"]) {
    expect(await findAfter(act("player_blocked", "player-1", detail), block("player-1", "abuse"))).toBeNull();
  }
  expect(await findAfter(act("maintenance_begun", "", "soon"), turn("soon"))).toBeNull();
  expect(await findAfter(act("maintenance_ended", ""), turn(null))).toBeNull();
});

test.each([
  ["the guards", [sql`alter table admin_acts disable trigger admin_append_only`]],
  ["every change of the settings", [act("settings_changed", "", SAID), change(31_100)]],
  ["every change of the settings", [act("admin_added", "", SAID), change(31_000)]],
  ["every act of changing", [act("settings_changed", "", SAID)]],
  ["the addresses listed", [list("a@example.com")]],
  ["the addresses listed", [act("admin_added", "a@example.com")]],
  [
    "the addresses listed",
    [act("admin_added", "a@example.com"), list("a@example.com"), act("admin_removed", "a@example.com")],
  ],
  ["the players blocked", [act("reconciled", "player-1"), block("player-1", "abuse")]],
  ["the players blocked", [act("player_blocked", "player-1", "ada: abuse")]],
  ["the players blocked", [act("player_blocked", "player-1", "abuse"), block("player-1", "other")]],
  ["every turn of the switch", [act("maintenance_begun", "", "soon")]],
  ["every turn of the switch", [act("maintenance_begun", "", "soon"), turn("later")]],
  ["every turn of the switch", [act("reconciled", ""), turn(null)]],
  ["every game that the house cancelled", [act("game_cancelled", "00000000-0000-4000-8000-000000000001", "why")]],
  ["every report that was ended", [act("report_ended", "00000000-0000-4000-8000-000000000001", "acted: why")]],
  ["whatever of a deposit was booked", [act("review_taken", "dep-0000000000000000", "₦5: why")]],
  [
    "whatever of a deposit was booked",
    [
      deposit,
      act("review_taken", "dep-0000000000000000", "₦5: why"),
      sql`
        insert into ledger_entries (kind, source, at, details, content_hash)
        select 'deposit_sent_back', id || ':5', now(), '{"bearer":"platform"}', repeat('0', 64) from payments`,
    ],
  ],
  ["whatever was sent out for somebody", [act("left_coins_sent", "wdr-0000000000000000", "₦5: why")]],
  [
    "whatever was sent out for somebody",
    [
      sql`
        insert into auth_users (id, name, email, email_verified, created_at, updated_at)
        values ('somebody', 'gone', 'gone-1@left.invalid', false, to_timestamp(0), to_timestamp(0))`,
      sql`insert into closing_accounts (player_id, at) values ('somebody', 0)`,
      sql`
        insert into payments (id, kind, player_id, command_id, kobo, rate_kobo, coins, status, money, reference, created_at, updated_at,
          account_number, account_name, bank_code, bank_name)
        values (gen_random_uuid(), 'withdrawal', 'somebody', 'command-1', 500000, 30600, 1, 'processing', 'held', 'wdr-0000000000000000',
          5, 5, '0000000000', '', '057', 'Zenith')`,
    ],
  ],
  ["the owner is", [sql`update owner_email set email = 'other@example.com'`]],
  [
    "every game's fee",
    [
      sql`
        insert into payments (id, kind, player_id, command_id, kobo, rate_kobo, coins, status, money, reference, created_at, updated_at)
        values (gen_random_uuid(), 'deposit', 'somebody', 'command-1', 500000, 30500, 1, 'pending', 'none', 'dep-0000000000000000', 5, 5)`,
    ],
  ],
])("reports a violation of: %s", async (name, faults) => {
  expect(await findAfter(...faults)).toContain(name);
});
