import { setTimeout as sleep } from "node:timers/promises";
import { addMs } from "@holo/kernel/instant.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Database } from "./database/database.ts";
import { joinNodes, type Node, type Outage } from "./nodes.ts";
import { createTestDatabase } from "./testing/test-database.ts";
import { openTestLog } from "./testing/test-log.ts";
import { makeTestTime, type TestTime } from "./testing/test-time.ts";

const log = openTestLog();
let database: Database;
let time: TestTime;
let outages: Outage[];

beforeEach(async () => {
  database = await createTestDatabase();
  time = makeTestTime();
  outages = [];
});

afterEach(() => database.close());

async function join(): Promise<Node> {
  return joinNodes({
    connectionString: database.connectionString,
    log,
    time,
    name: "test",
    onOutage: (outage) => outages.push(outage),
  });
}

async function loadRows(): Promise<readonly { bootId: string; seconds: number }[]> {
  const { rows } = await database.pool.query(
    `select boot_id as "bootId", extract(epoch from last_seen_at - started_at)::float8 as seconds from nodes order by started_at`,
  );
  return rows;
}

/** Ends the connections of heartbeats, as a database restart would. */
async function cutHeartbeats(): Promise<void> {
  await database.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`);
}

describe("a node", () => {
  it("reports no outage at the first boot, and the time without service at later ones", async () => {
    const first = await join();
    expect(first.outage).toBeNull();
    const startedAt = time.now();
    time.advance(40_000);
    await first.leave();
    time.advance(20_000);
    const second = await join();
    expect(second.outage).toEqual({ fromAt: addMs(startedAt, 40_000), toAt: addMs(startedAt, 60_000) });
    await second.leave();
    expect(await loadRows()).toEqual([
      { bootId: first.bootId, seconds: 40 },
      { bootId: second.bootId, seconds: 0 },
    ]);
  });

  it("sends a heartbeat every second", async () => {
    const node = await join();
    time.advance(1_000);
    while ((await loadRows())[0]?.seconds !== 1) await sleep(50);
    await node.leave();
    expect(outages).toEqual([]);
  });

  it("reconnects after the database was unreachable, and reports the outage", async () => {
    const node = await join();
    const startedAt = time.now();
    await cutHeartbeats();
    time.advance(5_000);
    while (outages.length === 0) await sleep(50);
    expect(outages).toEqual([{ fromAt: startedAt, toAt: addMs(startedAt, 5_000) }]);
    await node.leave();
  });
});
