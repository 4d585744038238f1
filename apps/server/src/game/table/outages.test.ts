import { addMs } from "@holo/kernel/instant.ts";
import { expect, test } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { openArenaForAll } from "../testing/arena-hooks.ts";
import type { TestArena } from "../testing/test-arena.ts";
import { loadOutages } from "./outages.ts";

let database: Database;
let at: TestArena;

openArenaForAll((given) => {
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
