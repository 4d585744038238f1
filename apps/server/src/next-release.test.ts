import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { toCommandId } from "@holo/kernel/ids.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestPlayer } from "./accounts/testing/test-players.ts";
import { listInvariants } from "./invariants.ts";
import { startTestSandbox, type TestSandbox } from "./payments/testing/test-sandbox.ts";
import type { Database } from "./platform/database/database.ts";
import { auditDatabase } from "./platform/database/invariant.ts";
import { openFiles } from "./platform/files/open-files.ts";
import { createTestDatabase } from "./platform/testing/test-database.ts";
import { beginGame, findLostMoves, type Pair } from "./testing/robot-pairs.ts";
import { addServerPlayers } from "./testing/server-players.ts";
import { makeServerProcess, type ServerProcess, until } from "./testing/server-process.ts";

/** During a release this server runs on a database that the next release has migrated. */
const PAGE = "http://arena.test";

let folder: string;
let database: Database;
let sandbox: TestSandbox;
let server: ServerProcess;
let players: readonly TestPlayer[];
let games = 0;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "holo-next-release-"));
  database = await createTestDatabase();
  server = await makeServerProcess({
    DATA_DIR: folder,
    DATABASE_URL: database.connectionString,
    PUBLIC_URL: PAGE,
  });
  sandbox = await startTestSandbox({ WEBHOOK_URL: `${server.origin}/api/paystack/webhook` });
  await server.start({ PAYSTACK_URL: sandbox.url, PAYSTACK_SECRET_KEY: sandbox.secretKey });
  players = await addServerPlayers(database, 2, 1_000);
  await database.pool.query("update players set email_verified = true");
});
afterAll(async () => {
  await server.end("SIGTERM");
  await sandbox.stop();
  await database.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
});

async function post(route: string, body: object): Promise<Record<string, unknown>> {
  const headers = { "content-type": "application/json", origin: PAGE, cookie: players[0]!.cookie };
  const answer = await fetch(server.origin + route, { method: "POST", headers, body: JSON.stringify(body) });
  const told = (await answer.json()) as Record<string, unknown>;
  expect([answer.status, told], route).toEqual([200, expect.anything()]);
  return told;
}

/** A game of some moves that one player resigns. */
async function play(): Promise<void> {
  games += 1;
  const pair: Pair = await beginGame({ origin: () => server.origin, page: PAGE }, [players[0]!, players[1]!], games);
  await until(() => pair.robots.every(({ acknowledged }) => acknowledged.size >= 4));
  for (const { rest } of pair.robots) rest();
  await until(() => pair.robots.every((robot) => robot.isAtRest()));
  const [robot] = pair.robots;
  const { gameId } = pair;
  const send = (command: { readonly type: "chat"; readonly text: string } | { readonly type: "resign" }) =>
    robot.send({ ...command, commandId: toCommandId(randomUUID()), gameId });
  expect(await send({ type: "chat", text: "Hello" })).toMatchObject({ type: "done" });
  expect(await send({ type: "resign" })).toMatchObject({ type: "done" });
  for (const { stop } of pair.robots) stop();
  expect(await findLostMoves(database, gameId, robot.acknowledged)).toEqual([]);
}

async function pay(): Promise<void> {
  const order = { commandId: randomUUID(), kobo: 500_000, payKobo: 500_000, rateKobo: 30_600 };
  const { payment } = (await post("/api/deposits", order)) as { readonly payment: { readonly reference: string } };
  await sandbox.order(`transactions/${payment.reference}`, { outcome: "pay" });
  await until(async () => {
    const { status } = await post("/api/deposits/check", { reference: payment.reference });
    return status === "completed";
  });
}

async function addColumns(): Promise<number> {
  const { rows } = await database.pool.query<{ name: string }>(
    "select oid::regclass::text as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
  );
  const names = rows.map(({ name }) => name).filter((name) => !name.startsWith("kysely_"));
  for (const name of names) await database.pool.query(`alter table ${name} add column next_release text default 'new'`);
  await database.pool.query("insert into kysely_migration (name, timestamp) values ('999-next-release', 'now')");
  return names.length;
}

// [SERVERS-22 §-] A running server goes on with games, chat, registration and payments after the next release has
// added columns to the database.
test("goes on with games and payments when the next release has added columns [SERVERS-22]", async () => {
  await play();
  await pay();
  expect(await addColumns()).toBeGreaterThan(30);
  await play();
  await pay();
  const name = `new-${randomUUID().slice(0, 8)}`;
  await post("/api/register", { username: name, email: `${name}@example.com`, password: "correct horse" });
  const invariants = listInvariants(openFiles({ type: "disk", folder }));
  expect(await auditDatabase(database, invariants)).toBeNull();
});
