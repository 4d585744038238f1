import { randomUUID } from "node:crypto";
import { toGameId, toPlayerId } from "@holo/kernel/ids.ts";
import { addMs } from "@holo/kernel/instant.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import { openTestArena } from "../testing/test-arena.ts";
import { loadOutages, parseServed, SPECTATOR, toSeatKey } from "./outage-store.ts";

let database: Database;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test("stores an outage later if the database is away once more when it ends", async () => {
  const at = await openTestArena(database);
  await database.pool.query("alter table outages rename to outages_away");
  const fromAt = at.time.now();
  at.lose(5_000, "database");
  await at.advance(1_100);
  await database.pool.query("alter table outages_away rename to outages");
  expect(await loadOutages(database.kysely)).toEqual([]);
  await at.advance(1_100);
  expect(await loadOutages(database.kysely)).toMatchObject([{ fromAt, toAt: addMs(fromAt, 5_000), served: null }]);
  await at.close();
});

test("concerns no game of which a server had only spectators", () => {
  const [watched, played] = [toGameId(randomUUID()), toGameId(randomUUID())];
  const player = toPlayerId("player-1");
  const served = parseServed([toSeatKey(watched, SPECTATOR), toSeatKey(played, player), toSeatKey(played, SPECTATOR)]);
  expect([...served]).toEqual([[played, new Map([[player, null]])]]);
});
