import { setTimeout as sleep } from "node:timers/promises";
import { addMs, HOUR_MS, MINUTE_MS } from "@holo/kernel/instant.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Database } from "./database/database.ts";
import { joinServers, loadAheadMs, loadLastSeenAt, type OwnServer } from "./servers.ts";
import { createTestDatabase } from "./testing/test-database.ts";
import { openTestLog } from "./testing/test-log.ts";
import { makeTestTime, type TestTime } from "./testing/test-time.ts";
import { openTime, SUSPICIOUS_DRIFT_MS, type Time } from "./time/time.ts";

const log = openTestLog();
let database: Database;
let time: TestTime;
let beats: number;

beforeEach(async () => {
  database = await createTestDatabase();
  time = makeTestTime();
  beats = 0;
});

afterEach(() => database.close());

async function join(own: Time = time, isShared = false): Promise<OwnServer> {
  return joinServers({
    connectionString: database.connectionString,
    log,
    time: own,
    isShared,
    name: "test",
    onBeat: () => {
      beats += 1;
    },
  });
}

async function loadRows(): Promise<readonly { serverId: string; seconds: number }[]> {
  const { rows } = await database.pool.query(
    `select server_id as "serverId", extract(epoch from last_seen_at - started_at)::float8 as seconds from servers order by started_at`,
  );
  return rows;
}

async function cutHeartbeats(): Promise<void> {
  await database.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`);
}

describe("a server", () => {
  it("knows when earlier boots last served, not counting boots that never did", async () => {
    const first = await join();
    expect(first.previousSeenAt).toBeNull();
    first.startServing();
    const startedAt = time.now();
    time.advance(40_000);
    await first.leave();
    time.advance(20_000);
    const second = await join();
    expect(second.previousSeenAt).toBe(addMs(startedAt, 40_000));
    time.advance(5_000);
    await second.leave();
    const third = await join();
    expect(third.previousSeenAt).toBe(addMs(startedAt, 40_000));
    await third.leave();
    expect(await loadRows()).toEqual([
      { serverId: first.serverId, seconds: 40 },
      { serverId: second.serverId, seconds: 5 },
      { serverId: third.serverId, seconds: 0 },
    ]);
  });

  it("served until it stopped serving, not until it left", async () => {
    const first = await join();
    first.startServing();
    const startedAt = time.now();
    time.advance(10_000);
    first.stopServing();
    time.advance(4_000);
    await first.leave();
    const second = await join();
    expect(second.previousSeenAt).toBe(addMs(startedAt, 10_000));
    await second.leave();
  });

  it("sends a heartbeat every second", async () => {
    const server = await join();
    time.advance(1_000);
    while ((await loadRows())[0]?.seconds !== 1) await sleep(50);
    expect(beats).toBeGreaterThan(0);
    await server.leave();
  });

  it.each([HOUR_MS, -HOUR_MS])(
    "has the clock of the servers that run, although the database's was set by %d ms since they started [FAULT-10]",
    async (setMs) => {
      const { pool } = database;
      const databaseTime = await openTime(database);
      const earlier = { ...databaseTime, now: () => addMs(databaseTime.now(), -setMs) };
      const running = await join(earlier, true);
      running.startServing();
      await expect.poll(() => loadAheadMs(pool)).not.toBeNull();
      const stored = { seenAt: await loadLastSeenAt(pool), aheadMs: await loadAheadMs(pool) };
      const late = await openTime(database, stored);
      expect(Math.abs(late.now() - earlier.now())).toBeLessThan(MINUTE_MS);
      const restarted = await join(late, true);
      expect(restarted.previousSeenAt, "a server runs").toBeNull();
      for (const server of [restarted, running]) await server.leave();
      for (const time of [late, databaseTime]) time.stop();
    },
  );

  it("does not take the clock of a server with one late heartbeat for slow", async () => {
    const { pool } = database;
    const databaseTime = await openTime(database);
    const running = await join(databaseTime, true);
    await expect.poll(() => loadAheadMs(pool)).not.toBeNull();
    await pool.query(
      "update servers set last_seen_at = last_seen_at - interval '2.5 s', started_at = started_at - interval '3 s'",
    );
    expect(Math.abs((await loadAheadMs(pool))!)).toBeLessThan(SUSPICIOUS_DRIFT_MS);
    await running.leave();
    databaseTime.stop();
  });

  it("reconnects after the database was unreachable", async () => {
    const server = await join();
    await cutHeartbeats();
    const before = beats;
    while (beats === before) await sleep(50);
    await server.leave();
  });
});
