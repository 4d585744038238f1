import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { untilOneWaits } from "../testing/lock-waits.ts";
import { createEmptyTestDatabase, createTestDatabase } from "../testing/test-database.ts";
import { openTestLog } from "../testing/test-log.ts";
import { type Database, openDatabase } from "./database.ts";
import { BASELINE, migrate, migrateWithin, NewerSchema } from "./migrations.ts";
import { transact } from "./transaction.ts";

/** A busy machine can let a transaction wait for longer than the server allows. */
const HOLD = "set local idle_in_transaction_session_timeout = 0";

let database: Database;
let folder = "";

beforeEach(async () => {
  database = await createTestDatabase();
  await database.pool.query("drop table kysely_migration, kysely_migration_lock, function_texts");
  folder = mkdtempSync(path.join(tmpdir(), "holo-schema-"));
  for (const name of ["migrations", "functions"]) mkdirSync(path.join(folder, name));
});

afterEach(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

function write(name: string, sql: string, online: readonly string[] = []): void {
  const text = `export const up = ${JSON.stringify(sql)};\nexport const online = ${JSON.stringify(online)};\n`;
  writeFileSync(path.join(folder, "migrations", name), text);
}

describe("the schema", () => {
  it("is created whole, with an index that is built while others write", async () => {
    const connectionString = await createEmptyTestDatabase();
    expect(await migrate(connectionString)).toEqual([BASELINE, "100-payments-by-time"]);
    expect(await migrate(connectionString)).toEqual([]);
    const made = openDatabase({ connectionString, log: openTestLog() });
    const { rows } = await made.pool.query(
      "select indisvalid from pg_index where indexrelid = 'payments_by_time'::regclass",
    );
    expect(rows).toEqual([{ indisvalid: true }]);
    await made.close();
  });

  it("has its functions created again when their text changes, with or without a migration", async () => {
    const answer = async () => (await database.pool.query("select answer() as found")).rows[0].found;
    const change = (body: string) =>
      writeFileSync(
        path.join(folder, "functions/a.sql"),
        `create or replace function answer() returns int language sql as $$ ${body} $$;`,
      );
    change("select 1");
    await migrate(database.connectionString, { folder });
    expect(await answer()).toBe(1);
    change("select max(n) from tried");
    write("001-a.ts", "create table tried (n int); insert into tried values (2)");
    await migrate(database.connectionString, { folder });
    expect(await answer()).toBe(2);
    change("select 3");
    expect(await migrate(database.connectionString, { folder })).toEqual([]);
    expect(await answer()).toBe(3);
  });
});

describe("migrations", () => {
  it("run in the order of their numbers, several statements each, and only once", async () => {
    write("002-b.ts", "insert into tried values (2)");
    write("001-a.ts", "create table tried (n int); insert into tried values (1)");
    expect(await migrate(database.connectionString, { folder })).toEqual([BASELINE, "001-a", "002-b"]);
    expect(await migrate(database.connectionString, { folder })).toEqual([]);
    expect((await database.pool.query("select n from tried")).rows).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it("build indexes while others write, and again if a start was killed meanwhile", async () => {
    write("001-a.ts", "create table tried (n int); insert into tried values (1), (1)");
    await migrate(database.connectionString, { folder });
    const online = "create unique index concurrently if not exists tried_once on tried (n)";
    write("002-b.ts", "alter table tried add column m int", [online]);
    // The rows prevent the index, which stays behind without being valid.
    await expect(migrate(database.connectionString, { folder })).rejects.toThrow("tried_once");
    await database.pool.query("truncate tried");
    const writer = await database.pool.connect();
    await writer.query(`begin; ${HOLD}; insert into tried (n) values (2)`);
    const migrating = migrate(database.connectionString, { folder });
    await untilOneWaits(database);
    await writer.query("insert into tried (n) values (3); commit");
    writer.release();
    await migrating;
    const { rows } = await database.pool.query(
      "select indisvalid from pg_index where indexrelid = 'tried_once'::regclass",
    );
    expect(rows).toEqual([{ indisvalid: true }]);
    expect(await migrate(database.connectionString, { folder })).toEqual([]);
  });

  // [OPS-38 §-] A migration that waits for a table lets the queries of players pass, says which process holds the
  // table, and is applied once, as a whole, when that ends.
  it("let players go on while another transaction holds a table, and end with it [OPS-38]", async () => {
    write("001-a.ts", "create table tried (n int); insert into tried values (1)");
    await migrate(database.connectionString, { folder });
    const dump = await database.pool.connect();
    await dump.query(`set application_name = 'pg_dump'; begin; ${HOLD}; lock table tried in access share mode`);
    const change = "create table also (n int); insert into also values (1); alter table tried add column m int";
    write("002-b.ts", change, ["alter table tried alter column n set not null"]);
    const reported = Promise.withResolvers<string>();
    const migrating = migrate(database.connectionString, { folder, report: reported.resolve });
    let hasEnded = false;
    const ended = migrating.finally(() => {
      hasEnded = true;
    });
    await untilOneWaits(database);
    // The player's query queues behind the migration, which gives way to it.
    const player = await database.pool.connect();
    await player.query("set lock_timeout = 0");
    expect((await player.query("select n from tried")).rows).toEqual([{ n: 1 }]);
    expect(hasEnded).toBe(false);
    expect(await reported.promise).toMatch(/^a migration waits for the end of process \d+ \(pg_dump, user \w+, since /);
    expect((await player.query("select to_regclass('also') as found")).rows).toEqual([{ found: null }]);
    await dump.query("commit; reset application_name");
    for (const client of [dump, player]) client.release(true);
    expect(await ended).toEqual(["002-b"]);
    expect((await database.pool.query("select also.n, m from also, tried")).rows).toEqual([{ n: 1, m: null }]);
  });

  it("stop waiting for locks when the server is stopped", async () => {
    write("001-a.ts", "create table tried (n int)");
    await migrate(database.connectionString, { folder });
    write("002-b.ts", "alter table tried add column m int");
    const holder = await database.pool.connect();
    await holder.query(`begin; ${HOLD}; lock table tried in access share mode`);
    const stopping = new AbortController();
    const report = () => stopping.abort(new Error("it was stopped"));
    await expect(migrate(database.connectionString, { folder, signal: stopping.signal, report })).rejects.toThrow(
      "it was stopped",
    );
    await holder.query("commit");
    holder.release();
  });

  it("run their online statements once in a restore, and no more at the next start", async () => {
    write("001-a.ts", "create table tried (n int)", ["insert into tried values (1)"]);
    write("002-b.ts", "select 1", ["create index concurrently tried_n on tried (n)"]);
    await transact(database, async (tx) => {
      await migrateWithin(tx, [BASELINE, "001-a"], folder);
      await migrateWithin(tx, undefined, folder);
    });
    expect(await migrate(database.connectionString, { folder })).toEqual([]);
    const { rows } = await database.pool.query("select n, to_regclass('tried_n') is not null as has_index from tried");
    expect(rows).toEqual([{ n: 1, has_index: true }]);
  });

  it("run once when two servers start at the same time", async () => {
    write("001-a.ts", "create table tried (n int); select pg_advisory_xact_lock(1)");
    const holder = await database.pool.connect();
    await holder.query("select pg_advisory_lock(1)");
    const applied = Promise.all([
      migrate(database.connectionString, { folder }),
      migrate(database.connectionString, { folder }),
    ]);
    const countWaiting = async () => {
      const { rows } = await holder.query<{ count: number }>(
        `select count(*)::int as count from pg_locks join pg_stat_activity using (pid)
        where not granted and locktype = 'advisory' and datname = current_database()`,
      );
      return rows[0]!.count;
    };
    // One waits within its migration, the other for the lock of all migrations.
    await expect.poll(countWaiting).toBe(2);
    await holder.query("select pg_advisory_unlock(1)");
    holder.release();
    expect((await applied).flat()).toEqual([BASELINE, "001-a"]);
  });

  it("roll back if one of them fails, and name it", async () => {
    write("001-a.ts", "create table tried (n int)");
    write("002-b.ts", "select no_such_column");
    await expect(migrate(database.connectionString, { folder })).rejects.toThrow("could not migrate 002-b");
    expect((await database.pool.query("select to_regclass('tried') as found")).rows).toEqual([{ found: null }]);
  });

  it("refuse the schema of a later release", async () => {
    write("001-a.ts", "select 1");
    write("002-b.ts", "select 1");
    await migrate(database.connectionString, { folder });
    rmSync(path.join(folder, "migrations", "002-b.ts"));
    await expect(migrate(database.connectionString, { folder })).rejects.toThrow(NewerSchema);
    await expect(migrate(database.connectionString, { folder })).rejects.toThrow(/002-b/);
  });

  it("refuse a file with another name pattern", async () => {
    write("1-a.ts", "select 1");
    await expect(migrate(database.connectionString, { folder })).rejects.toThrow(/is not named like/);
  });
});
