import { randomUUID } from "node:crypto";
import process from "node:process";
import { addMs, HOUR_MS, MINUTE_MS } from "@holo/kernel/instant.ts";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type Database, nameSessions } from "../database/database.ts";
import { findProcess } from "../process-identity.ts";
import { createTestDatabase } from "../testing/test-database.ts";
import { openTestLog } from "../testing/test-log.ts";
import { makeTestTime, type TestTime } from "../testing/test-time.ts";
import { openTime, type Time } from "../time/time.ts";
import { type BeatingServer, type EndedServer, joinServers, type OwnServerOptions } from "./own-server.ts";
import { loadLastSeenAt } from "./server-rows.ts";
import { type Survey, surveyServers } from "./survey.ts";

const ALONE: Survey = { seenAt: null, hasOthers: false, aheadMs: null };
const AMONG_OTHERS: Survey = { seenAt: null, hasOthers: true, aheadMs: 0 };
const BEAT_MS = 500;

let database: Database;
let time: TestTime;
let servers: BeatingServer[];
let clients: pg.Client[];

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

beforeEach(async () => {
  await database.pool.query("delete from servers");
  time = makeTestTime();
  servers = [];
  clients = [];
});
afterEach(async () => {
  for (const client of clients) await client.end().catch(() => undefined);
  for (const server of servers) await server.leave();
});

/** It beats only when it is told to. The clock moves only when it is advanced. */
async function join(survey: Survey, options: Partial<OwnServerOptions> = {}) {
  const process = randomUUID();
  const ended: EndedServer[] = [];
  const server = await joinServers(
    {
      connectionString: nameSessions(database.connectionString, process),
      log: openTestLog(),
      time,
      name: "test",
      process,
      isShared: true,
      survey,
      hasNats: () => true,
      onBeat: () => undefined,
      ...options,
    },
    true,
  );
  server.onEnded((one) => ended.push(one));
  servers.push(server);
  return { server, process, ended };
}

/** A session of that process. */
async function openSession(process: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: nameSessions(database.connectionString, process) });
  client.on("error", () => undefined);
  await client.connect();
  clients.push(client);
  return client;
}

async function pass(ms: number, ...beating: readonly BeatingServer[]): Promise<void> {
  for (let passedMs = 0; passedMs < ms; passedMs += BEAT_MS) {
    time.advance(BEAT_MS);
    for (const server of beating) await server.beat();
  }
}

async function loadRow(serverId: string) {
  const { rows } = await database.pool.query(
    `select ended_at::float8 as "endedAt", last_beat_at::float8 as "lastBeatAt", end_cause as cause from servers where server_id = $1`,
    [serverId],
  );
  return rows[0];
}

async function joinTwo() {
  const first = await join(ALONE);
  first.server.startServing();
  await first.server.beat();
  const second = await join(AMONG_OTHERS);
  expect(second.server.others()).toEqual([first.server.id]);
  return [first, second] as const;
}

test("a server whose counter stood still for three seconds is ended, with when it last served, and never before", async () => {
  const [frozen, other] = await joinTwo();
  const lastBeatAt = time.now();
  await other.server.beat();
  await pass(2_500, other.server);
  expect([other.ended, other.server.others()]).toEqual([[], [frozen.server.id]]);
  await pass(BEAT_MS, other.server);
  const ended = { serverId: frozen.server.id, lastBeatAt, endedAt: time.now(), cause: "stalled" };
  expect([other.ended, other.server.others()]).toEqual([[ended], []]);
  await pass(1_000, other.server);
  expect(other.ended).toHaveLength(1);
});

// [SERVERS-52 §- r16] A server whose clock is behind that of the others, as after its machine was suspended, is not
// taken for lost while it sends heartbeats; once they stop, it is ended once.
test("a beat in between starts the three seconds anew, whatever the clock of that server says [SERVERS-52]", async () => {
  const behind = { now: () => addMs(time.now(), -HOUR_MS), monotonicMs: time.monotonicMs };
  const slow = await join(ALONE, { time: behind });
  const other = await join(AMONG_OTHERS);
  for (let turn = 0; turn < 4; turn += 1) {
    await pass(2_500, other.server);
    await slow.server.beat();
  }
  expect(other.ended).toEqual([]);
  await pass(5_000, other.server);
  expect(other.ended).toMatchObject([{ serverId: slow.server.id, endedAt: addMs(time.now(), -1_500) }]);
});

test("time without readings does not count: the database or this process may have stood still", async () => {
  const [first, other] = await joinTwo();
  await pass(2_500, other.server);
  time.advance(10_000);
  await pass(2_500, other.server);
  expect(other.ended).toEqual([]);
  await pass(1_000, other.server);
  expect(other.ended).toMatchObject([{ serverId: first.server.id }]);
});

test("of two that find it dead one ends it, and both learn it once", async () => {
  const [dead, one] = await joinTwo();
  const another = await join(AMONG_OTHERS);
  await pass(2_500, one.server, another.server);
  time.advance(BEAT_MS);
  await Promise.all([one.server.beat(), another.server.beat()]);
  await pass(BEAT_MS, one.server, another.server);
  for (const { ended } of [one, another]) expect(ended).toMatchObject([{ serverId: dead.server.id }]);
  expect(one.ended).toEqual(another.ended);
});

test("an end is final: a server that goes on finds it, drops everything and has a new id", async () => {
  const [frozen, other] = await joinTwo();
  const renewed: string[] = [];
  frozen.server.onRenewed(() => renewed.push(frozen.server.id));
  const old = frozen.server.fence();
  await pass(3_000, other.server);
  expect(frozen.server.isLive()).toBe(false);
  await frozen.server.beat();
  expect(renewed).toEqual([frozen.server.id]);
  expect(frozen.server.fence()).toEqual({ ...old, serverId: frozen.server.id });
  expect([frozen.server.id === old.serverId, frozen.server.isLive()]).toEqual([false, true]);
  await pass(5_000, frozen.server, other.server);
  // Its sessions are left alone: it goes on.
  expect([renewed.length, frozen.ended, other.server.others()]).toEqual([1, [], [frozen.server.id]]);
});

test("with another start of PostgreSQL a server goes on under a new id, and the old one has ended", async () => {
  const { server } = await join(ALONE);
  const old = server.fence();
  // What a standby that takes over does not share with the primary.
  (old as { databaseStart: string }).databaseStart = "1";
  await server.beat();
  expect(server.id).not.toBe(old.serverId);
  expect(server.fence().databaseStart).not.toBe("1");
  expect(await loadRow(old.serverId)).toMatchObject({ cause: "stopped" });
});

test("acts only for two seconds after it sent its last beat, and without NATS_URL always", async () => {
  const shared = await join(ALONE);
  const only = await join(ALONE, { isShared: false });
  time.advance(1_999);
  expect(shared.server.isLive()).toBe(true);
  time.advance(1);
  expect([shared.server.isLive(), only.server.isLive()]).toEqual([false, true]);
});

test("a frozen process that holds its row in an open transaction loses its sessions, and is ended", async () => {
  const [frozen, other] = await joinTwo();
  const session = await openSession(frozen.process);
  await session.query("begin");
  await session.query("select from servers where server_id = $1 for key share", [frozen.server.id]);
  await pass(3_500, other.server);
  expect(other.ended).toMatchObject([{ serverId: frozen.server.id, cause: "stalled" }]);
  await expect(session.query("commit")).rejects.toThrow();
});

test("a commit under way is waited for: nothing of an ended server commits later", async () => {
  const [first, other] = await joinTwo();
  const session = await openSession(first.process);
  await session.query("begin");
  await session.query("select from servers where server_id = $1 and ended_at is null for key share", [first.server.id]);
  await pass(2_500, other.server);
  time.advance(BEAT_MS);
  const ending = other.server.beat();
  await expect
    .poll(async () => (await database.pool.query("select from pg_locks where not granted")).rowCount)
    .toBeGreaterThan(0);
  expect(await loadRow(first.server.id)).toMatchObject({ endedAt: null });
  await session.query("commit");
  await ending;
  expect(other.ended).toHaveLength(1);
});

test("sessions that an ended process leaves are terminated half a second later", async () => {
  const [dead, other] = await joinTwo();
  const session = await openSession(dead.process);
  await session.query("begin");
  await pass(3_000, other.server);
  expect((await session.query("select 1")).rowCount).toBe(1);
  await pass(BEAT_MS, other.server);
  await expect(session.query("select 1")).rejects.toThrow();
});

test("the end of a dead process of this machine is dated by its last beat, however late that is read", async () => {
  const [dead, other] = await joinTwo();
  await pass(BEAT_MS, dead.server);
  const lastBeatAt = time.now();
  const earlier = findProcess(process.pid).replace(/\d+$/, "1");
  await database.pool.query("update servers set place = $2 where server_id = $1", [dead.server.id, earlier]);
  time.advance(10_000);
  await other.server.beat();
  expect(other.ended).toEqual([{ serverId: dead.server.id, lastBeatAt, endedAt: time.now(), cause: "gone" }]);
});

test("a process without sessions is gone, one with sessions is stalled, one that left has stopped", async () => {
  const [dead, other] = await joinTwo();
  // Its only connection, as after kill -9.
  await database.pool.query(
    "select pg_terminate_backend(pid, 30000) from pg_stat_activity where application_name = $1",
    [`holo ${dead.process}`],
  );
  await pass(3_500, other.server);
  expect(other.ended).toMatchObject([{ serverId: dead.server.id, cause: "gone" }]);
  const third = await join(AMONG_OTHERS);
  await other.server.beat();
  third.server.stopServing();
  const stoppedAt = time.now();
  time.advance(200);
  await third.server.leave();
  await pass(BEAT_MS, other.server);
  expect(other.ended[1]).toEqual({
    serverId: third.server.id,
    lastBeatAt: stoppedAt,
    endedAt: addMs(stoppedAt, 200),
    cause: "stopped",
  });
});

test("a server without NATS for three seconds while another has it ends itself, and acts again once NATS is back", async () => {
  let hasNats = true;
  const [cut, other] = [await join(ALONE, { hasNats: () => hasNats }), await join(AMONG_OTHERS)];
  for (const { server } of [cut, other]) server.startServing();
  const isolated: string[] = [];
  cut.server.onIsolated(() => isolated.push(cut.server.id));
  const old = cut.server.id;
  hasNats = false;
  await pass(3_000, other.server, cut.server);
  expect([cut.server.id, cut.server.isIsolated()]).toEqual([old, false]);
  await pass(BEAT_MS, other.server, cut.server);
  expect([isolated, cut.server.isIsolated(), cut.server.isLive()]).toEqual([[cut.server.id], true, false]);
  await pass(5_000, other.server, cut.server);
  expect([other.ended.map(({ serverId }) => serverId), new Set(isolated).size]).toEqual([[old], 1]);
  // Pages that have connected since are sent away too.
  expect(isolated.length).toBeGreaterThan(1);
  hasNats = true;
  await pass(BEAT_MS, other.server, cut.server);
  expect([cut.server.isIsolated(), cut.server.isLive()]).toEqual([false, true]);
});

test("a server without NATS stays if the only other one with it has died", async () => {
  let hasNats = true;
  const [cut, dead] = [await join(ALONE, { hasNats: () => hasNats }), await join(AMONG_OTHERS)];
  await pass(BEAT_MS, cut.server, dead.server);
  hasNats = false;
  await pass(6_000, cut.server);
  expect([cut.server.isIsolated(), cut.ended.length]).toEqual([false, 1]);
});

test("without NATS for all no server is isolated", async () => {
  const [one, other] = [
    await join(ALONE, { hasNats: () => false }),
    await join(AMONG_OTHERS, { hasNats: () => false }),
  ];
  await pass(5_000, one.server, other.server);
  expect([one.server.isIsolated(), other.server.isIsolated(), one.ended]).toEqual([false, false, []]);
});

test("a server that hands its players over takes none, but is still heard of", async () => {
  const [first, other] = await joinTwo();
  expect(other.server.hasTaker()).toBe(true);
  first.server.startHandover();
  await pass(BEAT_MS, first.server, other.server);
  expect([other.server.hasTaker(), other.server.others()]).toEqual([false, [first.server.id]]);
});

test("knows when earlier boots last served, not counting boots that never did, and ends those that were killed", async () => {
  const { server: first } = await join(await surveyServers(database.pool));
  expect(first.previousSeenAt).toBeNull();
  first.startServing();
  await pass(40_000, first);
  const seenAt = time.now();
  time.advance(60_000);
  // As it would be found if its process had been killed.
  const { server: second } = await join({ ...ALONE, seenAt: await loadLastSeenAt(database.pool) });
  expect(second.previousSeenAt).toBe(seenAt);
  expect(await loadRow(first.id)).toEqual({ endedAt: time.now(), lastBeatAt: seenAt, cause: "gone" });
  await second.leave();
  const { server: third } = await join(await surveyServers(database.pool));
  expect(third.previousSeenAt).toBe(seenAt);
});

test("served until it stopped serving, not until it left", async () => {
  const { server: first } = await join(ALONE);
  first.startServing();
  await pass(10_000, first);
  first.stopServing();
  const stoppedAt = time.now();
  await pass(4_000, first);
  await first.leave();
  expect((await surveyServers(database.pool)).seenAt).toBe(stoppedAt);
});

/** It beats by itself, as in production. */
async function run(own: Time, survey = ALONE): Promise<BeatingServer> {
  const process = randomUUID();
  const server = await joinServers({
    connectionString: nameSessions(database.connectionString, process),
    log: openTestLog(),
    time: own,
    name: "test",
    process,
    isShared: true,
    survey,
    hasNats: () => true,
    onBeat: () => undefined,
  });
  servers.push(server);
  server.startServing();
  return server;
}

test.each([HOUR_MS, -HOUR_MS])(
  "has the clock of the servers that run, although the database's was set by %d ms since they started [FAULT-10]",
  async (setMs) => {
    const databaseTime = await openTime(database);
    const earlier = { ...databaseTime, now: () => addMs(databaseTime.now(), -setMs) };
    await run(earlier);
    const survey = await surveyServers(database.pool);
    expect(survey.hasOthers).toBe(true);
    const late = await openTime(database, survey);
    expect(Math.abs(late.now() - earlier.now())).toBeLessThan(MINUTE_MS);
    for (const one of [late, databaseTime]) one.stop();
  },
);

test("a start finds that servers with NATS run, and refuses to run without it", async () => {
  const databaseTime = await openTime(database);
  await run(databaseTime);
  const survey = await surveyServers(database.pool);
  await expect(join(survey, { isShared: false })).rejects.toThrow("servers with NATS_URL run on this database");
  databaseTime.stop();
});

test("a start ends once every server that runs knows of it, and does not wait for a dead one", async () => {
  const databaseTime = await openTime(database);
  const first = await run(databaseTime);
  const dead = await join(AMONG_OTHERS, { time: databaseTime });
  const late = await run(databaseTime, AMONG_OTHERS);
  expect(first.others()).toContain(late.id);
  expect(late.others()).toEqual(expect.arrayContaining([first.id, dead.server.id]));
  databaseTime.stop();
});

test("beats again after the database was unreachable", async () => {
  const databaseTime = await openTime(database);
  const server = await run(databaseTime);
  await database.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name like 'holo %' and pid <> pg_backend_pid()`);
  await expect.poll(async () => (await surveyServers(database.pool)).hasOthers).toBe(true);
  await expect.poll(() => server.isLive()).toBe(true);
  databaseTime.stop();
});
