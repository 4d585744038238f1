import { afterAll, afterEach, beforeAll, expect } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import { openTestPayments, type TestPayments } from "./test-payments.ts";
import { startTestSandbox, type TestSandbox } from "./test-sandbox.ts";

interface Given {
  readonly database: Database;
  readonly sandbox: TestSandbox;
  readonly at: TestPayments;
}

export function openPaymentsForAll(take: (given: Given) => void): void {
  let given: Given;
  beforeAll(async () => {
    const [database, sandbox] = await Promise.all([createTestDatabase(), startTestSandbox()]);
    given = { database, sandbox, at: await openTestPayments(database, sandbox) };
    take(given);
  });
  afterEach(async () => expect(await given.at.findBroken()).toBeNull());
  afterAll(async () => {
    await given.at.close();
    await given.sandbox.stop();
    await given.database.close();
  });
}
