import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { HOUR_MS } from "@holo/kernel/instant.ts";
import type { ClockCredited, LogRecord, TableEvent } from "@holo/table/log-record.ts";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { adminInvariants } from "../../apps/server/src/admin/audit.ts";
import { gameInvariants } from "../../apps/server/src/game/audit/audit.ts";
import { ledgerInvariants } from "../../apps/server/src/ledger/audit/audit.ts";
import { paymentInvariants } from "../../apps/server/src/payments/audit/audit.ts";
import { openDatabase } from "../../apps/server/src/platform/database/database.ts";
import { audit } from "../../apps/server/src/platform/database/invariant.ts";
import { migrate } from "../../apps/server/src/platform/database/migrations.ts";
import { startEmbeddedPostgres } from "../../apps/server/src/platform/postgres/embedded-postgres.ts";
import { openTestLog } from "../../apps/server/src/platform/testing/test-log.ts";
import { beginGame, countMoves, findLostMoves } from "../../apps/server/src/testing/robot-pairs.ts";
import { addServerPlayers } from "../../apps/server/src/testing/server-players.ts";
import { makeServerProcess, until } from "../../apps/server/src/testing/server-process.ts";
import { loadIntoDatabase } from "./load-into-database.ts";
import { type FaultyMachine, makeFaultyMachine } from "./machine.ts";

const INVARIANTS = [...ledgerInvariants, ...paymentInvariants, ...gameInvariants, ...adminInvariants];
const PAGE = "http://arena.test";
const LIMIT_MS = 600_000;
const PATIENCE_MS = 60_000;

test(
  "charges no player for a database clock that is set forward and back by an hour while the server is away (with Linux and a C compiler) [FAULT-10]",
  async () => {
    const missing: string[] = [];
    const machine = makeFaultyMachine((why) => void missing.push(why));
    if (machine === null) expect(missing).toEqual([expect.stringContaining("clock step")]);
    else await stepClock(machine);
  },
  3 * PATIENCE_MS,
);

async function stepClock(machine: FaultyMachine): Promise<void> {
  onTestFinished(machine.remove);
  const dataDir = mkdtempSync(path.join(tmpdir(), "holo-clock-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  chmodSync(dataDir, 0o711);
  onTestFinished(loadIntoDatabase(machine.env));
  const log = openTestLog();
  const postgres = await startEmbeddedPostgres({ dataDir, log, durable: false });
  onTestFinished(postgres.stop);
  const { connectionString } = postgres;
  await migrate(connectionString);
  const database = openDatabase({ connectionString, log });
  onTestFinished(database.close);
  const server = await makeServerProcess({ DATA_DIR: dataDir, DATABASE_URL: connectionString, PUBLIC_URL: PAGE });
  await server.start();
  onTestFinished(() => server.end("SIGTERM"));
  const [white, black] = await addServerPlayers(database, 2, 100);
  const pair = await beginGame({ origin: () => server.origin, page: PAGE }, [white!, black!], 0);
  onTestFinished(() => {
    for (const robot of pair.robots) robot.stop();
  });
  const loadEvents = async (): Promise<readonly TableEvent[]> => {
    const { rows } = await sql<{ record: string }>`
      select record from game_log where game_id = ${pair.gameId} order by version`.execute(database.kysely);
    return rows.flatMap(({ record }) => (JSON.parse(record) as LogRecord).events);
  };
  const loadCredits = async () =>
    (await loadEvents()).filter((event): event is ClockCredited => event.type === "clock_credited");

  const startedMs = performance.now();
  for (const [restart, aheadMs] of [HOUR_MS, 0].entries()) {
    const before = countMoves([pair]);
    await until(() => countMoves([pair]) > before + 4);
    await server.end("SIGKILL");
    machine.setClock(aheadMs);
    await server.start();
    await until(async () => (await loadCredits()).length > restart);
  }
  const before = countMoves([pair]);
  await until(() => countMoves([pair]) > before + 4);
  for (const robot of pair.robots) robot.rest();
  await until(() => pair.robots.every((robot) => robot.isAtRest()));

  const credits = await loadCredits();
  expect(credits).toMatchObject([
    { bonusMs: 10_000, awaiting: true },
    { bonusMs: 10_000, awaiting: false },
  ]);
  expect(credits[0]!.outageToAt - credits[0]!.outageFromAt).toBeGreaterThan(HOUR_MS);
  const used = pair.robots[0].state()!.clock.remainingMs.map((leftMs) => LIMIT_MS + 20_000 - leftMs);
  expect(used[0]! + used[1]!).toBeLessThan(performance.now() - startedMs);
  const acknowledged = pair.robots.flatMap((robot) => [...robot.acknowledged]);
  expect(await findLostMoves(database, pair.gameId, acknowledged)).toEqual([]);
  expect(await audit(database.kysely, INVARIANTS)).toBeNull();
}
