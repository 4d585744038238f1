import { randomUUID } from "node:crypto";
import { addMs, type Instant, SECOND_MS } from "@holo/kernel/instant.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../database/database.ts";
import { toTimestamp } from "../database/timestamp.ts";
import { createTestDatabase } from "../testing/test-database.ts";
import { makeTestTime } from "../testing/test-time.ts";
import { openLostServers } from "./lost-servers.ts";
import { makeOnlyServer } from "./servers.ts";

const SUSPENDED_MS = 10 * SECOND_MS;

let database: Database;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

async function loadOutages(): Promise<readonly Date[]> {
  const { rows } = await database.pool.query<{ from_at: Date }>("select from_at from outages");
  return rows.map((row) => row.from_at);
}

// [SERVERS-52 §- r16] A server whose clock is behind that of the others, as after its machine was suspended, is not
// taken for lost while it sends heartbeats; once they stop, its outage is stored once.
test("takes a server whose clock is behind for lost only when its heartbeats stop, once [SERVERS-52]", async () => {
  const time = makeTestTime();
  const other = randomUUID();
  const makeBeatAt = (): Instant => addMs(time.now(), -SUSPENDED_MS);
  await database.pool.query(
    `insert into servers (server_id, name, started_at, last_seen_at, serving_at, is_shared)
     values ($1, 'other', $2, $2, $2, true)`,
    [other, toTimestamp(makeBeatAt())],
  );
  const servers = makeOnlyServer();
  const lost = openLostServers({ ...database, time, servers, serverId: randomUUID() });
  for (let second = 1; second <= 8; second += 1) {
    time.advance(SECOND_MS);
    // As a heartbeat does, in case others have taken the server for lost.
    await database.pool.query("update servers set last_seen_at = $2, ended_at = null where server_id = $1", [
      other,
      toTimestamp(makeBeatAt()),
    ]);
    await lost.check();
  }
  expect(await loadOutages()).toEqual([]);
  const seenAt = toTimestamp(makeBeatAt());
  for (let second = 1; second <= 4; second += 1) {
    time.advance(SECOND_MS);
    await lost.check();
  }
  expect(await loadOutages()).toEqual([new Date(seenAt)]);
});
