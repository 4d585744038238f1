import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase } from "../testing/test-database.ts";
import type { Database } from "./database.ts";

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
});
