import { addMs, DAY_MS, toInstant } from "@holo/kernel/instant.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../platform/database/database.ts";
import { createTestDatabase } from "../platform/testing/test-database.ts";
import { removeOldRecords } from "./upkeep.ts";

let database: Database;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

// [OPS-14 §-] Start commands and old boots are deleted after
// `RETENTION_DAYS`; what is still needed stays.
test("deletes old commands, texts of webhooks and boots, and keeps what is still needed [OPS-14]", async () => {
  const now = toInstant(Date.UTC(2026, 0, 1));
  const [old, recent] = [addMs(now, -31 * DAY_MS), addMs(now, -29 * DAY_MS)];
  const { pool } = database;
  await pool.query(
    `insert into game_commands (player_id, command_id, content, game_id, at)
     select 'player-' || n, 'command-' || n, 'create', gen_random_uuid(), case when n <= 5001 then $1 else $2 end::bigint
     from generate_series(1, 5003) as n`,
    [old, recent],
  );
  const boot = `insert into servers (server_id, process, place, name, started_at, serving_at, ended_at, last_beat_at, end_cause)
    values (gen_random_uuid(), gen_random_uuid(), 'a machine', $1, $2, $3, $4, $4, 'stopped')`;
  for (const [name, days, serves] of [
    ["long ago", 90, true],
    ["last service", 60, true],
    ["never served", 50, false],
  ] as const) {
    const at = addMs(now, -days * DAY_MS);
    await pool.query(boot, [name, new Date(at), serves ? new Date(at) : null, at]);
  }
  for (let turn = 0; turn < 2; turn += 1) {
    await removeOldRecords({ database, time: { now: () => now } as never }, 30);
    const commands = await pool.query("select count(*)::int as left, min(at)::float8 as oldest from game_commands");
    expect(commands.rows[0]).toEqual({ left: 2, oldest: recent });
    const servers = await pool.query("select name from servers order by name");
    expect(servers.rows.map(({ name }) => name)).toEqual(["last service", "never served"]);
  }
});
