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

const event = (name: string, subject: string, detail = "") =>
  sql`insert into audit_events (at, player_id, action, subject, detail) values (5, 'somebody', ${name}, ${subject}, ${detail})`;
const change = (rateKobo: number) => sql`
  insert into setting_changes (at, player_id, command_id, audit_event_id, rate_kobo, fee_bps)
  select 5, 'somebody', 'command-1', max(id), ${rateKobo}, 740 from audit_events`;
const list = (email: string) => sql`
  insert into admin_emails (id, email, created_at, added_by) values (gen_random_uuid(), ${email}, 5, 'somebody')`;
const ban = (playerId: string, reason: string) => sql`
  insert into bans (player_id, at, audit_event_id, reason) select ${playerId}, 5, max(id), ${reason} from audit_events`;
const hold = (playerId: string, reason: string, fromAt = 5) => sql`
  insert into withdrawal_holds (player_id, reason, from_at, audit_event_id)
  select ${playerId}, ${reason}, ${fromAt}, max(id) from audit_events`;
const release = sql`
  update withdrawal_holds set until_at = 5, end_audit_event_id = (select max(id) from audit_events)`;
const holdPayouts = sql`
  insert into payout_holds (cause, from_at, compare_from, audit_event_id) select 'operator', 5, 5, max(id) from audit_events`;
const maintain = (text: string | null) =>
  sql`insert into maintenance_changes (at, audit_event_id, text) select 5, max(id), ${text} from audit_events`;
const SAID = "₦310 for a holocoin, fee 7.4 %; before: ₦306 for a holocoin, fee 7.4 %";

test("holds for staff actions recorded in the audit log", async () => {
  expect(await findAfter()).toBeNull();
  expect(await findAfter(event("settings_changed", "", SAID), change(31_000))).toBeNull();
  expect(await findAfter(event("admin_added", "a@example.com"), list("a@example.com"))).toBeNull();
  expect(await findAfter(event("admin_added", "a@example.com"), event("admin_removed", "a@example.com"))).toBeNull();
  expect(await findAfter(event("player_banned", "player-1", "abuse"), ban("player-1", "abuse"))).toBeNull();
  const held = [event("withdrawals_held", "player-1", "why"), hold("player-1", "why")];
  expect(await findAfter(...held)).toBeNull();
  expect(await findAfter(...held, event("withdrawals_released", "player-1", "clear"), release)).toBeNull();
  expect(await findAfter(event("payouts_held", "operator", "why"), holdPayouts)).toBeNull();
  expect(await findAfter(event("maintenance_begun", "", "soon"), maintain("soon"))).toBeNull();
  expect(await findAfter(event("maintenance_ended", ""), maintain(null))).toBeNull();
});

test.each([
  ["the triggers", [sql`alter table audit_events disable trigger audit_events_append_only`]],
  ["every settings change", [event("settings_changed", "", SAID), change(31_100)]],
  ["every settings change", [event("admin_added", "", SAID), change(31_000)]],
  ["every audit event of a settings change", [event("settings_changed", "", SAID)]],
  ["the listed admin addresses", [list("a@example.com")]],
  ["the listed admin addresses", [event("admin_added", "a@example.com")]],
  [
    "the listed admin addresses",
    [event("admin_added", "a@example.com"), list("a@example.com"), event("admin_removed", "a@example.com")],
  ],
  ["the banned players", [event("reconciled", "player-1"), ban("player-1", "abuse")]],
  ["the banned players", [event("player_banned", "player-1", "ada: abuse")]],
  ["the banned players", [event("player_banned", "player-1", "abuse"), ban("player-1", "other")]],
  ["every hold of withdrawals", [event("withdrawals_held", "player-1", "why")]],
  ["every hold of withdrawals", [event("withdrawals_held", "player-1", "why"), hold("player-1", "other")]],
  ["every hold of withdrawals", [event("withdrawals_held", "player-1", "why"), hold("player-2", "why")]],
  ["every hold of withdrawals", [event("withdrawals_held", "player-1", "why"), hold("player-1", "why"), release]],
  ["every hold of all payouts", [event("payouts_held", "operator", "why")]],
  ["every hold of all payouts", [event("reconciled", "operator"), holdPayouts]],
  ["every maintenance change", [event("maintenance_begun", "", "soon")]],
  ["every maintenance change", [event("maintenance_begun", "", "soon"), maintain("later")]],
  ["every maintenance change", [event("reconciled", ""), maintain(null)]],
  ["every game cancelled by staff", [event("game_cancelled", "00000000-0000-4000-8000-000000000001", "why")]],
  ["every closed report", [event("report_ended", "00000000-0000-4000-8000-000000000001", "acted: why")]],
  ["every payout of an orphaned balance", [event("orphaned_balance_sent", "wdr-0000000000000000", "₦5: why")]],
  [
    "every payout of an orphaned balance",
    [
      sql`
        insert into players (id, email, updated_at) values ('somebody', 'gone-1@left.invalid', to_timestamp(0))`,
      sql`insert into closing_accounts (player_id, at) values ('somebody', 0)`,
      sql`
        insert into payments (id, kind, player_id, command_id, kobo, rate_kobo, coins, status, step, reference, created_at,
          account_number, account_name, bank_code, bank_name)
        values (gen_random_uuid(), 'withdrawal', 'somebody', 'command-1', 500000, 30600, 1, 'processing', 'held', 'wdr-0000000000000000',
          5, '0000000000', '', '057', 'Zenith')`,
    ],
  ],
  ["the owner matches", [sql`update owner_email set email = 'other@example.com'`]],
  [
    "every game's fee",
    [
      sql`
        insert into payments (id, kind, player_id, command_id, kobo, rate_kobo, coins, status, step, reference, created_at)
        values (gen_random_uuid(), 'deposit', 'somebody', 'command-1', 500000, 30500, 1, 'pending', 'open', 'dep-0000000000000000', 5)`,
    ],
  ],
  [
    "every deposit was credited at the rate",
    [
      event("settings_changed", "", SAID),
      change(31_000),
      sql`
        insert into payments (id, kind, player_id, command_id, kobo, rate_kobo, coins, status, step, reference, created_at,
          completed_at, paid_at, in_kobo, kept_kobo, credited_kobo, credit_rate_kobo)
        values (gen_random_uuid(), 'deposit', 'somebody', 'command-1', 500000, 30600, 1, 'completed', 'credited',
          'dep-0000000000000000', 5, 1900000, 1900000, 500000, 500000, 500000, 30600)`,
    ],
  ],
])("reports a violation of: %s", async (name, faults) => {
  expect(await findAfter(...faults)).toContain(name);
});
