import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { openLog } from "../../apps/server/src/platform/log.ts";
import { findPostgresDirectories } from "../../apps/server/src/platform/postgres/directories.ts";
import { findPostmaster } from "../../apps/server/src/platform/postgres/postmaster.ts";
import { findServiceUser } from "../../apps/server/src/platform/postgres/service-user.ts";
import { findChildren } from "../../apps/server/src/platform/testing/child-processes.ts";
import { setDiskFull } from "../../apps/server/src/platform/testing/full-disk.ts";
import { startTestPostgres } from "../../apps/server/src/platform/testing/test-postgres.ts";
import { loadIntoDatabase } from "./load-into-database.ts";
import { losePower } from "./lose-power.ts";
import { type FaultyMachine, makeFaultyMachine } from "./machine.ts";

const RETRY_MS = 20;
const ROWS = 20;

// [FAULT-12 §-] The embedded database keeps what it acknowledged through a full disk, failing syncs and a power cut.
test("the embedded database keeps what it acknowledged through a full disk, failing syncs and a power cut (with Linux and a C compiler) [FAULT-12]", async () => {
  const missing: string[] = [];
  const machine = makeFaultyMachine((why) => void missing.push(why));
  if (machine === null) expect(missing).toEqual([expect.stringContaining("no power cut")]);
  else await breakDatabase(machine);
});

async function breakDatabase(machine: FaultyMachine): Promise<void> {
  onTestFinished(machine.remove);
  onTestFinished(loadIntoDatabase(machine.env));
  const postgres = await startTestPostgres(true);
  onTestFinished(postgres.stop);
  const directories = await findPostgresDirectories(postgres.folder, findServiceUser(), openLog("silent"));
  const findProcesses = (): readonly number[] => {
    const postmaster = findPostmaster(directories);
    return postmaster === null ? [] : [postmaster.pid, ...findChildren(postmaster.pid)];
  };
  const acknowledged: number[] = [];
  let number = 0;

  async function execute(text: string): Promise<readonly number[]> {
    const client = new pg.Client({ connectionString: postgres.connectionString });
    client.on("error", () => undefined);
    await client.connect();
    try {
      return (await client.query({ text, rowMode: "array" })).rows.flat();
    } finally {
      await client.end().catch(() => undefined);
    }
  }
  /** Whether it was acknowledged. */
  async function insert(): Promise<boolean> {
    number += 1;
    try {
      await execute(`insert into kept values (${number}, repeat('x', 20000))`);
    } catch {
      return false;
    }
    acknowledged.push(number);
    return true;
  }
  async function insertSome(): Promise<void> {
    for (let left = ROWS; left > 0; ) {
      if (await insert()) left -= 1;
      else await sleep(RETRY_MS);
    }
  }
  async function untilRefused(): Promise<void> {
    while (await insert());
  }
  async function findLost(): Promise<readonly number[]> {
    const stored = new Set(await execute("select number from kept"));
    return acknowledged.filter((one) => !stored.has(one));
  }

  await execute("create table kept (number int primary key, filler text)");
  await insertSome();
  const filled = findProcesses();
  await setDiskFull(filled, true);
  await untilRefused();
  await setDiskFull(findProcesses(), false);
  await insertSome();
  expect(await findLost()).toEqual([]);

  machine.setSyncing("fails");
  await untilRefused();
  machine.setSyncing("honest");
  await insertSome();
  expect(await findLost()).toEqual([]);

  const before = postgres.pid();
  expect(losePower(machine, directories.clusterDir, findProcesses)).toBeGreaterThan(0);
  await insertSome();
  expect(postgres.pid()).not.toBe(before);
  expect(await findLost()).toEqual([]);
}
