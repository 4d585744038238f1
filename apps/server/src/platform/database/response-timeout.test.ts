import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { COMMIT, holdTimeouts, openSilentNetwork, type SilentNetwork } from "../testing/silent-network.ts";
import { createTestDatabase } from "../testing/test-database.ts";
import { openTestLog } from "../testing/test-log.ts";
import { type Database, openDatabase } from "./database.ts";
import { readSnapshot, transact } from "./transaction.ts";

const ANSWER_MS_MAX = 15_000;

let timeouts: ReturnType<typeof holdTimeouts>;
let direct: Database;
let network: SilentNetwork;
/** The same database over a network that can fall silent, with one connection. */
let database: Database;

beforeEach(async () => {
  timeouts = holdTimeouts();
  direct = await createTestDatabase();
  await direct.pool.query("create table pots (coins int8 not null)");
  network = await openSilentNetwork(direct.connectionString);
  const { connectionString } = network;
  database = openDatabase({
    connectionString,
    log: openTestLog(),
    poolSize: 1,
    responseTimeoutMs: ANSWER_MS_MAX,
  });
});

afterEach(async () => {
  await database.close();
  await network.close();
  await direct.close();
});

/** Until the outcome of what met the silence, whose time has passed. */
async function giveUp<Value>(asked: Promise<Value>): Promise<Value> {
  asked.catch(() => undefined);
  await network.untilLost();
  timeouts.passAll(ANSWER_MS_MAX);
  return await asked;
}

async function countPots(): Promise<number> {
  const { rows } = await direct.pool.query<{ count: number }>("select count(*)::int as count from pots");
  return rows[0]?.count ?? 0;
}

// [FAULT-03 §-] A query without a response fails, the next one takes another connection, and the silence is charged
// to no player.
test("fails a query without response and runs the next one on another connection [FAULT-03]", async () => {
  const ask = () => sql<{ one: number }>`select 1 as one`.execute(database.kysely);
  await ask();
  network.fallSilent();
  await expect(giveUp(ask())).rejects.toThrow(/terminated/);
  network.speak();
  expect((await ask()).rows).toEqual([{ one: 1 }]);
});

test("fails a query of the pool likewise", async () => {
  await database.pool.query("select 1");
  network.fallSilent();
  await expect(giveUp(database.pool.query("select 1"))).rejects.toThrow(/terminated/);
  network.speak();
  expect((await database.pool.query("select 2 as two")).rows).toEqual([{ two: 2 }]);
});

test("reports a commit without response as a lost connection, once, with unknown outcome", async () => {
  let attempts = 0;
  const effects: string[] = [];
  network.fallSilentAt(COMMIT);
  const saved = transact(database, async (tx, afterCommit) => {
    attempts += 1;
    afterCommit(() => effects.push("committed"));
    await sql`insert into pots values (1)`.execute(tx);
  });
  await expect(giveUp(saved)).rejects.toThrow(/terminated|closed/);
  expect([attempts, effects, await countPots()]).toEqual([1, [], 1]);
  network.speak();
  await transact(database, (tx) => sql`insert into pots values (2)`.execute(tx));
  expect(await countPots()).toBe(2);
});

test("leaves nothing of a transaction whose network failed before the commit", async () => {
  const saving = transact(database, async (tx) => {
    await sql`insert into pots values (1)`.execute(tx);
    network.fallSilent();
    await sql`insert into pots values (2)`.execute(tx);
  });
  await expect(giveUp(saving)).rejects.toThrow(/terminated|closed/);
  network.speak();
  await transact(database, (tx) => sql`insert into pots values (3)`.execute(tx));
  expect(await countPots()).toBe(1);
});

test("applies the limit to each of several slow responses", async () => {
  const holder = await direct.pool.connect();
  const locks = [1, 2, 3];
  for (const lock of locks) await holder.query("select pg_advisory_lock($1)", [lock]);
  await readSnapshot(database, async (queries) => {
    await sql`select 1`.execute(queries);
    const answers = locks.map((lock) => sql`select pg_advisory_xact_lock(${lock})`.execute(queries));
    for (const [index, lock] of locks.entries()) {
      timeouts.passAll(0.6 * ANSWER_MS_MAX);
      await holder.query("select pg_advisory_unlock($1)", [lock]);
      await answers[index];
    }
  });
  holder.release();
});

test("exceeds the statement timeout by default, and is unlimited if that is", () => {
  const { connectionString, log } = direct;
  const bounds = [{}, { statementTimeoutMs: 60_000 }, { statementTimeoutMs: 0 }].map(
    (options) => openDatabase({ connectionString, log, ...options }).responseTimeoutMs,
  );
  expect(bounds).toEqual([15_000, 65_000, 0]);
});

/** A database whose network falls silent between an error and the end of its statement. */
async function openCutDatabase(): Promise<{ readonly connectionString: string; close(): void }> {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("data", () => {
      socket.write(Buffer.from("R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I", "latin1"));
      socket.once("data", () => socket.write(Buffer.from("E\0\0\0\x16SERROR\0CXX000\0Mx\0\0", "latin1")));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { connectionString: `postgres://nobody@127.0.0.1:${port}/none`, close };
}

test("fails a query that waits for the end of a failed one", async () => {
  const cut = await openCutDatabase();
  const { connectionString } = cut;
  const own = openDatabase({ connectionString, log: openTestLog(), poolSize: 1, responseTimeoutMs: ANSWER_MS_MAX });
  const client = await own.pool.connect();
  await expect(client.query("select 1")).rejects.toThrow("x");
  const waiting = client.query("select 2");
  timeouts.passAll(ANSWER_MS_MAX);
  await expect(waiting).rejects.toThrow(/terminated/);
  client.release();
  cut.close();
  await own.close();
});
