import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Database } from "./database/database.ts";
import { findProcess } from "./process-identity.ts";
import { DatabaseClaimed, type LeaseTiming, type ServerLease, takeServerLease } from "./server-lease.ts";
import { holdTimeouts, openSilentNetwork } from "./testing/silent-network.ts";
import { createTestDatabase } from "./testing/test-database.ts";
import { openTestLog } from "./testing/test-log.ts";

/** Nothing times out unless a test requires it: a busy machine is slow, not silent. */
const TIMING: LeaseTiming = { renewEveryMs: 20, answerMs: 30_000, expiresMs: 60_000, patienceMs: 200 };
/** Of a lease that is no longer renewed. */
const EXPIRES_MS = 600;
/** For a server that starts while another one's connection times out. */
const PATIENT: Partial<LeaseTiming> = { answerMs: 2 * TIMING.answerMs };

let database: Database;
let lost: DatabaseClaimed[];

beforeAll(async () => {
  database = await createTestDatabase();
});

beforeEach(() => {
  lost = [];
});

afterAll(() => database.close());

const onLost = (reason: DatabaseClaimed) => void lost.push(reason);

function take(timing: Partial<LeaseTiming> = {}, { connectionString } = database): Promise<ServerLease> {
  return takeServerLease({ connectionString, log: openTestLog(), onLost, timing: { ...TIMING, ...timing } });
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(20);
}

async function countRenewals(): Promise<number> {
  const { rows } = await database.pool.query<{ renewals: bigint }>("select renewals from server_lease");
  return Number(rows[0]?.renewals ?? -1);
}

/** The state that a killed server leaves behind. */
async function leaveLease(place: string): Promise<void> {
  await (await take()).release();
  await database.pool.query("insert into server_lease (holder, place, renewals) values (gen_random_uuid(), $1, 7)", [
    place,
  ]);
}

test("a lease is exclusive, and free once its server has stopped", async () => {
  const first = await take();
  await expect(take()).rejects.toThrow(/another server is running/);
  const waiting = take({ patienceMs: 60_000 });
  await first.release();
  await (await waiting).release();
  expect(lost).toEqual([]);
});

test("of two servers that start at once, one is refused", async () => {
  const outcomes = await Promise.allSettled([take(), take()]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  for (const outcome of outcomes) if (outcome.status === "fulfilled") await outcome.value.release();
});

test("a lease is kept when the connection that renews it hangs, and a second server is refused", async () => {
  const timeouts = holdTimeouts();
  const network = await openSilentNetwork(database.connectionString);
  const lease = await take({}, { ...database, connectionString: network.connectionString });
  await until(async () => (await countRenewals()) > 1);
  network.fallSilent();
  await network.untilLost();
  const second = take(PATIENT).catch((reason) => reason);
  const renewals = await countRenewals();
  timeouts.passAll(TIMING.answerMs);
  network.speak();
  await until(async () => (await countRenewals()) > renewals + 1);
  expect(await second).toBeInstanceOf(DatabaseClaimed);
  expect(lost).toEqual([]);
  await lease.release();
  await network.close();
});

test("a lease that is no longer renewed is taken over, and its server notices when it is back", async () => {
  const timeouts = holdTimeouts();
  const network = await openSilentNetwork(database.connectionString);
  const first = await take({}, { ...database, connectionString: network.connectionString });
  network.fallSilent();
  await network.untilLost();
  const second = await take({ ...PATIENT, expiresMs: EXPIRES_MS, patienceMs: 60_000 });
  expect(lost).toEqual([]);
  timeouts.passAll(TIMING.answerMs);
  network.speak();
  await until(() => lost.length > 0);
  await until(async () => (await countRenewals()) > 1);
  await first.release();
  expect(await countRenewals()).toBeGreaterThan(0);
  await second.release();
  expect(lost).toHaveLength(1);
  await network.close();
});

test("a lease from another machine is waited for until it is certainly free", async () => {
  for (const place of ["elsewhere 4711 12", findProcess(process.pid)]) {
    await leaveLease(place);
    await (await take({ expiresMs: EXPIRES_MS })).release();
  }
});

test("a lease of a process that was killed on this machine is taken over", async () => {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  await once(child, "spawn");
  const place = findProcess(child.pid ?? 0);
  child.kill("SIGKILL");
  await once(child, "exit");
  await leaveLease(place);
  // Linux knows that the process has ended; elsewhere the lease expires.
  await (await take({ expiresMs: process.platform === "linux" ? 3_600_000 : 1_000 })).release();
});
