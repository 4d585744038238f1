import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database, Queries } from "../../platform/database/database.ts";
import { auditDatabase } from "../../platform/database/invariant.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";

const HOLO = fileURLToPath(new URL("../../holo.ts", import.meta.url));

let database: Database;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.close());

function runAudit(
  databaseUrl = database.connectionString,
  args: readonly string[] = [],
): Promise<{ code: unknown; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const { NODE_COMPILE_CACHE } = process.env;
    execFile(
      process.execPath,
      [HOLO, "audit", ...args],
      { env: { NODE_COMPILE_CACHE, DATABASE_URL: databaseUrl } },
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

test("reports what it checked and exits 0 for a sound database", async () => {
  const { code, stdout } = await runAudit();
  expect(code).toBe(0);
  expect(stdout).toContain("ok: the sum of all accounts is zero\n");
  expect(stdout).toMatch(/all \d+ invariants hold\n$/);
});

test.each([["--help"], ["other-database", "--fix"]])("checks nothing with arguments (%s)", async (...args) => {
  const { code, stdout, stderr } = await runAudit(database.connectionString, args);
  expect(code).toBe(2);
  expect(stdout).toBe("");
  expect(stderr).toBe(`audit takes no arguments, not "${args.join(" ")}": the environment names the database\n`);
});

test("keeps no snapshot between two statements, so that it does not hold back vacuum", async () => {
  let state: unknown;
  const watched = {
    name: "another connection looks at the one that audits",
    async check(queries: Queries) {
      const { rows } = await sql<{ readonly pid: number }>`select pg_backend_pid() as pid`.execute(queries);
      state = (
        await database.pool.query("select state, backend_xmin from pg_stat_activity where pid = $1", [rows[0]!.pid])
      ).rows[0];
      return null;
    },
  };
  expect(await auditDatabase(database, [watched])).toBeNull();
  expect(state).toEqual({ state: "idle", backend_xmin: null });
});

test("names the first broken invariant and exits 1", async () => {
  await database.pool.query("alter table ledger_entries disable trigger ledger_append_only");
  const { code, stdout } = await runAudit();
  await database.pool.query("alter table ledger_entries enable trigger ledger_append_only");
  expect(code).toBe(1);
  expect(stdout).toMatch(/^BROKEN: .*guards.*ledger_entries ledger_append_only is missing or off\n$/);
});

test("fails for a database of another product", async () => {
  const other = new URL(database.connectionString);
  other.pathname = "/postgres";
  const { code, stderr } = await runAudit(other.href);
  expect(code).toBe(1);
  expect(stderr).toMatch(/not an arena/);
});
