import { addMs } from "@holo/kernel/instant.ts";
import { expect, test } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { openPlayForAll } from "../testing/play-hooks.ts";
import type { TestPlay } from "../testing/test-play.ts";
import { loadOutages } from "./outages.ts";

let database: Database;
let at: TestPlay;

openPlayForAll((given) => {
  ({ database, at } = given);
});

test("stores an outage later if the database is away once more when it ends", async () => {
  await database.pool.query("alter table outages rename to outages_away");
  const fromAt = at.time.now();
  at.lose(5_000, "database");
  await at.advance(1_100);
  await database.pool.query("alter table outages_away rename to outages");
  expect(await loadOutages(database.kysely)).toEqual([]);
  await at.advance(1_100);
  expect(await loadOutages(database.kysely)).toEqual([{ fromAt, toAt: addMs(fromAt, 5_000), cause: "database" }]);
});
