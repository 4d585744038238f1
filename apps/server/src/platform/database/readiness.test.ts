import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase } from "../testing/test-database.ts";
import { openTestLog } from "../testing/test-log.ts";
import { type Database, makeReadiness, openDatabase } from "./database.ts";

let database: Database;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.close());

test("shares one query among a hundred concurrent checks, and queries again later", async () => {
  const other = openDatabase({ connectionString: database.connectionString, log: openTestLog() });
  const isReady = makeReadiness(other);
  expect(await Promise.all(Array.from({ length: 100 }, isReady))).toEqual(Array.from({ length: 100 }, () => true));
  expect(other.pool.totalCount).toBe(1);
  await other.close();
  expect(await isReady()).toBe(false);
});
