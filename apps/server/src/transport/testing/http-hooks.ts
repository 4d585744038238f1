import { afterAll, beforeAll } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import { openTestHttp, type TestHttp } from "./test-http.ts";

export function openHttpForAll(take: (given: { readonly database: Database; readonly http: TestHttp }) => void): void {
  let database: Database;
  let http: TestHttp;
  beforeAll(async () => {
    database = await createTestDatabase();
    http = await openTestHttp(database);
    take({ database, http });
  });
  afterAll(async () => {
    await http.close();
    await database.close();
  });
}
