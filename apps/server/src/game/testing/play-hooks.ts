import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import { findBroken, openTestPlay, type TestPlay } from "./test-play.ts";

interface Given {
  readonly database: Database;
  readonly at: TestPlay;
}

/**
 * One database for a test file, and a server's modules of play for each test. What a test breaks
 * stays broken: the audit is at the file's end. `current` are those at the end of a test.
 */
export function openPlayForEach(receive: (given: Given) => void, current: () => TestPlay, connections?: number): void {
  let database: Database;
  beforeAll(async () => {
    database = await createTestDatabase(connections);
  });
  beforeEach(async () => {
    // Each test begins at the same instant: outages of another test would be credited.
    await database.pool.query("delete from outages");
    receive({ database, at: await openTestPlay(database) });
  });
  afterEach(() => current().close());
  afterAll(async () => {
    const broken = await findBroken(database);
    await database.close();
    expect(broken).toBeNull();
  });
}

export function openPlayForAll(take: (given: Given) => void, connections?: number): void {
  let database: Database;
  let at: TestPlay;
  beforeAll(async () => {
    database = await createTestDatabase(connections);
    at = await openTestPlay(database);
    take({ database, at });
  });
  afterAll(async () => {
    await at.close();
    await database.close();
  });
}
