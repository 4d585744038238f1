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

/** What a test breaks stays broken: the audit is at the file's end. */
export function openPaymentsForAll(take: (given: Given) => void): void {
  let given: Given;
  beforeAll(async () => {
    const [database, sandbox] = await Promise.all([createTestDatabase(), startTestSandbox()]);
    given = { database, sandbox, at: await openTestPayments(database, sandbox) };
    take(given);
  });
  // A withdrawal is sent in the background: it would meet the fault that the next test orders.
  afterEach(() => given.at.payments.runDue());
  afterAll(async () => {
    const broken = await given.at.findBroken();
    await given.at.close();
    await given.sandbox.stop();
    await given.database.close();
    expect(broken).toBeNull();
  });
}
