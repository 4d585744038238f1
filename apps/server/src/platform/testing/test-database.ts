import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { type Database, openDatabase } from "../database/database.ts";
import { openTestLog } from "./test-log.ts";

async function createDatabase(clause: (template: string) => string): Promise<string> {
  const template = new URL(inject("templateConnectionString"));
  const name = `test_${randomBytes(8).toString("hex")}`;
  const administration = new URL(template);
  administration.pathname = "/postgres";
  const client = new pg.Client({ connectionString: administration.href });
  await client.connect();
  try {
    await client.query(`create database ${name} ${clause(template.pathname.slice(1))}`);
  } finally {
    await client.end();
  }
  const own = new URL(template);
  own.pathname = `/${name}`;
  return own.href;
}

/** Each connection costs PostgreSQL a process with caches of its own, and most tests need few. */
const CONNECTIONS = 6;
/** As many as a server has, for tests of races. */
export const RACE_CONNECTIONS = 16;

/**
 * A migrated database, cloned from the run's template in about 20 ms: one per test file, or per
 * test that counts rows. Close it in `afterAll`; the run's cluster deletes it.
 */
export async function createTestDatabase(poolSize = CONNECTIONS): Promise<Database> {
  const connectionString = await createDatabase((template) => `template ${template} strategy file_copy`);
  return openDatabase({ connectionString, poolSize, log: openTestLog() });
}

export async function createEmptyTestDatabase(): Promise<string> {
  return await createDatabase(() => "template template0");
}
