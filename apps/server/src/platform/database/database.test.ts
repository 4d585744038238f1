import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase } from "../testing/test-database.ts";
import { openTestLog } from "../testing/test-log.ts";
import { type Database, openDatabase } from "./database.ts";

let database: Database;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.close());

describe("a database connection", () => {
  it("reads int8 and int8 arrays as bigint, beyond what a number can hold", async () => {
    const { rows } = await sql<{ one: bigint; many: readonly (bigint | null)[]; none: readonly bigint[] }>`
      select 9007199254740993::int8 as one, array[9007199254740993, null, -1]::int8[] as many, '{}'::int8[] as none
    `.execute(database.kysely);
    expect(rows[0]).toEqual({ one: 9007199254740993n, many: [9007199254740993n, null, -1n], none: [] });
  });

  it("accepts bigint and Date as parameters", async () => {
    const at = new Date("2026-03-01T12:00:00.123Z");
    const { rows } = await database.pool.query("select $1::int8 as amount, $2::timestamptz as at", [-5n, at]);
    expect(rows).toEqual([{ amount: -5n, at }]);
  });

  it("commits to disk, bounds every wait and uses UTC", async () => {
    const names = ["synchronous_commit", "lock_timeout", "statement_timeout", "TimeZone"];
    const { rows } = await database.pool.query(
      "select current_setting(name) as setting from unnest($1::text[]) with ordinality as n (name, i) order by i",
      [names],
    );
    expect(rows.map((row) => row.setting)).toEqual(["on", "5s", "10s", "UTC"]);
  });

  const URLS: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ["no parameters", {}],
    ["options", { options: "-c search_path=public -c synchronous_commit=off -c TimeZone=Asia/Tokyo" }],
    ["limits", { options: "-c lock_timeout=1 -c statement_timeout=1", lock_timeout: "1", statement_timeout: "1" }],
    ["other limits", { idle_in_transaction_session_timeout: "1", query_timeout: "1", sslmode: "disable" }],
  ];

  it.each(URLS)("keeps its settings whatever the database's defaults are and with %s in the URL", async (_, given) => {
    const url = new URL(database.connectionString);
    const name = url.pathname.slice(1);
    for (const [key, value] of Object.entries(given)) url.searchParams.set(key, value);
    await database.pool.query(`alter database ${name} set synchronous_commit = off`);
    await database.pool.query(`alter database ${name} set statement_timeout = '7s'`);
    const load = async (limits: { readonly statementTimeoutMs?: number; readonly lockTimeoutMs?: number }) => {
      const own = openDatabase({ connectionString: url.href, log: openTestLog(), poolSize: 1, ...limits });
      const names = ["synchronous_commit", "TimeZone", "lock_timeout", "statement_timeout"];
      names.push("idle_in_transaction_session_timeout", "search_path");
      try {
        const { rows } = await own.pool.query(
          "select current_setting(name) as setting, pg_sleep(0.01) from unnest($1::text[]) with ordinality as n (name, i) order by i",
          [names],
        );
        return rows.map((row) => row.setting);
      } finally {
        await own.close();
      }
    };
    const path = given.options?.includes("search_path") ? "public" : '"$user", public';
    const rest = ["15s", path];
    expect(await load({})).toEqual(["on", "UTC", "5s", "10s", ...rest]);
    expect(await load({ statementTimeoutMs: 0, lockTimeoutMs: 0 })).toEqual(["on", "UTC", "0", "0", ...rest]);
  });
});
