import { toInstant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import { loadDisputes } from "./dispute-store.ts";
import { REMOVED_BODY } from "./inbox-store.ts";

let database: Database;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const RESOLVED_AT = toInstant(2_000);
const OVER = { hasOpenDispute: false, disputeLostAt: null, disputeWonAt: null };
const LOST = { ...OVER, disputeLostAt: RESOLVED_AT };
const WON = { ...OVER, disputeWonAt: RESOLVED_AT };

test.each<[string, string, object]>([
  ["a declined one", JSON.stringify({ data: { resolution: "declined" } }), WON],
  ["a lost one", JSON.stringify({ data: { resolution: "merchant-accepted" } }), LOST],
  ["one whose text is erased", REMOVED_BODY, OVER],
])("reads the end of a dispute that an older server stored: %s", async (reference, body, expected) => {
  await sql`
    insert into payment_inbox (event, reference, body, received_at, handled_at) values
      ('charge.dispute.create:7', ${reference}, '{}', 1000, 1000),
      ('charge.dispute.resolve:7', ${reference}, ${body}, ${RESOLVED_AT}, ${RESOLVED_AT}),
      ('charge.success', ${reference}, '{}', 1000, 1000)`.execute(database.kysely);
  expect(await loadDisputes(database.kysely, reference)).toEqual(expected);
});
