import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase } from "../testing/test-database.ts";
import type { Database } from "./database.ts";
import { transact } from "./transaction.ts";

let database: Database;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.close());

test("prepares marked statements once under their name, and no others", async () => {
  await transact(database, async (tx) => {
    for (const value of [1, 2, 3]) {
      const marked = await sql<{ doubled: number }>`/* prepared double */ select ${value}::int * 2 as doubled`.execute(
        tx,
      );
      expect(marked.rows).toEqual([{ doubled: value * 2 }]);
      const plain = await sql<{ tripled: number }>`select ${value}::int * 3 as tripled`.execute(tx);
      expect(plain.rows).toEqual([{ tripled: value * 3 }]);
    }
    const { rows } = await sql<{ name: string; plans: bigint }>`
      select name, generic_plans + custom_plans as plans from pg_prepared_statements`.execute(tx);
    expect(rows).toEqual([{ name: "double", plans: 3n }]);
  });
});

test("reports the failure of a prepared statement, which works the next time", async () => {
  const divide = (by: number) =>
    sql<{ share: number }>`/* prepared divide */ select 6 / ${by}::int as share`.execute(database.kysely);
  await expect(divide(0)).rejects.toThrow(/division by zero/);
  expect((await divide(3)).rows).toEqual([{ share: 2 }]);
});
