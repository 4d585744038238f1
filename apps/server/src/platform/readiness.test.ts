import { mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Database, openDatabase } from "./database/database.ts";
import { openMetrics } from "./metrics/metrics.ts";
import { makeReadiness } from "./readiness.ts";
import { createTestDatabase } from "./testing/test-database.ts";
import { openTestLog } from "./testing/test-log.ts";

let database: Database;
let folder: string;

beforeAll(async () => {
  [database, folder] = await Promise.all([createTestDatabase(), mkdtemp(path.join(tmpdir(), "holo-ready-"))]);
});

afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

/** With separate connections, which use the settings of the database. */
function open(folders: readonly string[] = [], needsBackups = false, isServing = () => true) {
  const own = openDatabase({ connectionString: database.connectionString, log: openTestLog() });
  const metrics = openMetrics({ process: false });
  return {
    ...makeReadiness({ pool: own.pool, folders, log: openTestLog(), metrics, needsBackups, isServing }),
    metrics,
    ...own,
  };
}

test("shares one query among a hundred concurrent callers, and queries again later", async () => {
  const { isReady, pool, close } = open();
  expect(await Promise.all(Array.from({ length: 100 }, isReady))).toEqual(Array.from({ length: 100 }, () => true));
  expect(pool.totalCount).toBe(1);
  await close();
  expect(await isReady()).toBe(false);
});

// [OPS-15 §-] The metrics say whether database and disk are usable, and how much space is free, and never that a
// server is ready that `/readyz` calls unready. A full or read-only disk alone does not make the proxy avoid a
// server.
test("says in the metrics, and not to the proxy, that the database has no space to write to [OPS-15]", async () => {
  const name = new URL(database.connectionString).pathname.slice(1);
  // As a full disk does, this limit fails statements that need more space, and no others.
  await database.pool.query(`alter database ${name} set temp_file_limit = 0`);
  const full = open();
  expect(await full.check()).toBe(false);
  expect(await full.metrics.readValue("holo_ready")).toBe(0);
  expect(await full.isReady()).toBe(true);
  await full.close();
  await database.pool.query(`alter database ${name} reset temp_file_limit`);
  const free = open();
  expect(await free.check()).toBe(true);
  await free.close();
});

test("says in the metrics whenever the server is not ready, too [OPS-15]", async () => {
  let isServing = true;
  const { isReady, check, metrics, close } = open([], false, () => isServing);
  const readReady = () => metrics.readValue("holo_ready");
  expect([await check(), await isReady(), await readReady()]).toEqual([true, true, 1]);
  // As without heartbeats, which a read-only database refuses.
  isServing = false;
  expect([await isReady(), await readReady()]).toEqual([false, 0]);
  isServing = true;
  expect(await readReady()).toBe(1);
  await close();
  expect([await isReady(), await readReady()]).toEqual([false, 0]);
});

// [FAULT-05 §-] The metrics say that a folder cannot be written to. Games go on, and the proxy keeps sending players.
test("says in the metrics, and not to the proxy, that a folder cannot be written to, and leaves nothing in it [FAULT-05]", async () => {
  const own = path.join(folder, "data");
  const { isReady, check, metrics, close } = open([own]);
  await writeFile(own, "in the way");
  expect(await check()).toBe(false);
  expect(await metrics.readValue("holo_ready")).toBe(0);
  expect(await isReady()).toBe(true);
  await rename(own, `${own}.away`);
  expect(await check()).toBe(true);
  expect(await metrics.readValue("holo_ready")).toBe(1);
  expect(await metrics.readValue("holo_disk_free_bytes")).toBeGreaterThan(0);
  expect(await readdir(own)).toEqual([]);
  await close();
});

test("says how old the last backup is: of the program that is the most behind, and before the first one [OPS-40]", async () => {
  const [development, production] = [open(), open([], true)];
  const readAges = async () => {
    await Promise.all([development.check(), production.check()]);
    return await Promise.all(
      [development, production].map(({ metrics }) => metrics.readValue("holo_backup_age_seconds")),
    );
  };
  await database.pool.query("update kysely_migration set timestamp = '2000-01-01T00:00:00.000Z'");
  expect(await readAges()).toEqual([0, expect.toSatisfy((seconds: number) => seconds > 8e8)]);
  const hoursAgo = "clock_timestamp() - interval '1 hour' *";
  await database.pool.query(
    `insert into backups values ('holo-arena', ${hoursAgo} 90), ('holo-arena', ${hoursAgo} 40), ('pgbackrest', ${hoursAgo} 1)`,
  );
  const ofArena = expect.toSatisfy((seconds: number) => seconds >= 144_000 && seconds < 324_000);
  expect(await readAges()).toEqual([ofArena, ofArena]);
  await database.pool.query("delete from backups; insert into backups values ('snapshots', 'infinity')");
  expect(await readAges()).toEqual([0, 0]);
  for (const { close } of [development, production]) await close();
});
