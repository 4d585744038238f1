import { setTimeout as sleep } from "node:timers/promises";
import { addMs } from "@holo/kernel/instant.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Database } from "./database/database.ts";
import { claimDatabase, DatabaseClaimed, joinNodes, type Node, type Outage, releaseClaim } from "./nodes.ts";
import { createTestDatabase } from "./testing/test-database.ts";
import { openTestLog } from "./testing/test-log.ts";
import { makeTestTime, type TestTime } from "./testing/test-time.ts";

const log = openTestLog();
let database: Database;
let time: TestTime;
let outages: Outage[];
let lost: DatabaseClaimed[];

beforeEach(async () => {
  database = await createTestDatabase();
  time = makeTestTime();
  outages = [];
  lost = [];
});

afterEach(() => database.close());

async function join(): Promise<Node> {
  const claim = await claimDatabase(database.connectionString, log);
  return joinNodes({
    claim,
    time,
    name: "test",
    onOutage: (outage) => outages.push(outage),
    onLost: (reason) => lost.push(reason),
  });
}

async function loadRows(): Promise<readonly { bootId: string; seconds: number }[]> {
  const { rows } = await database.pool.query(
    `select boot_id as "bootId", extract(epoch from last_seen_at - started_at)::float8 as seconds from nodes order by started_at`,
  );
  return rows;
}

/** Ends the claiming connections, as a database restart would. */
async function cutClaim(): Promise<void> {
  await database.pool.query(`select pg_terminate_backend(pid) from pg_locks
    where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`);
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
    await cutClaim();
    time.advance(5_000);
    while (outages.length === 0) await sleep(50);
    expect(outages).toEqual([{ fromAt: startedAt, toAt: addMs(startedAt, 5_000) }]);
    await expect(claimDatabase(database.connectionString, log)).rejects.toThrow(DatabaseClaimed);
    await node.leave();
  });

  it("stops if another server took the database in the meantime", async () => {
    const node = await join();
    await cutClaim();
    const other = await claimDatabase(database.connectionString, log);
    while (lost.length === 0) await sleep(50);
    await releaseClaim(other);
    await node.leave();
    expect(lost).toHaveLength(1);
  });
});

/** Until this many connections try to claim the database, or have claimed it. */
async function untilClaimedBy(count: number): Promise<void> {
  const select = "select from pg_stat_activity where datname = current_database() and query like 'select pg_try_%'";
  while ((await database.pool.query(select)).rows.length < count) await sleep(10);
}

describe("a claim on a database", () => {
  it("is exclusive, and free once its server has stopped", async () => {
    const first = await claimDatabase(database.connectionString, log);
    await expect(claimDatabase(database.connectionString, log)).rejects.toThrow(/another server is running/);
    const waiting = claimDatabase(database.connectionString, log);
    await untilClaimedBy(2);
    await releaseClaim(first);
    await releaseClaim(await waiting);
  });
});
