import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestPostgres, type TestPostgres } from "../../apps/server/src/platform/testing/test-postgres.ts";
import { toRepeatCommand } from "./command.ts";
import { openVirtualDatabase } from "./database.ts";
import { runRepeatable } from "./run.ts";
import { openScheduler } from "./scheduler.ts";

let cluster: TestPostgres;

beforeAll(async () => {
  cluster = await startTestPostgres(false);
});

afterAll(async () => {
  await cluster.stop();
});

const RUN = { seed: 3, games: 1, players: 4 };

test("one seed gives one run of server, database and pages, with faults and without findings", async () => {
  const first = await runRepeatable({ ...RUN, connectionString: await cluster.makeDatabase() });
  expect(first.findings, `repeat with: ${toRepeatCommand(RUN)}`).toEqual([]);
  expect(first.acknowledged).toBeGreaterThan(20);
  expect(first.faults.size).toBeGreaterThan(0);
  expect(await runRepeatable({ ...RUN, connectionString: await cluster.makeDatabase() })).toEqual(first);
});

test("statements that wait for locks, time out or deadlock do so in virtual time, the same way each time", async () => {
  const runs = [await runLocks(), await runLocks()];
  expect(runs[0]?.outcomes.slice(0, 2)).toEqual(["1", "55P03"]);
  expect(runs[0]?.outcomes.slice(2).toSorted()).toEqual(["1", "40P01"]);
  expect(runs[1]).toEqual(runs[0]);
});

/** One waits for a row, one gives up; then two wait for each other. */
async function runLocks(): Promise<{ readonly outcomes: readonly string[]; readonly notes: readonly string[] }> {
  const connectionString = await cluster.makeDatabase();
  const notes: string[] = [];
  const scheduler = openScheduler(1, (line) => void notes.push(line));
  const database = await openVirtualDatabase(scheduler, connectionString);
  const uninstall = database.install();
  let outcomes: readonly string[] | null = null;

  async function connect(lockTimeoutMs = 0): Promise<pg.Client> {
    const client = new pg.Client({ connectionString, lock_timeout: lockTimeoutMs });
    client.on("error", () => undefined);
    await client.connect();
    return client;
  }
  const update = (client: pg.Client, key: number): Promise<string> =>
    client.query("update counts set value = value + 1 where key = $1", [key]).then(
      ({ rowCount }) => String(rowCount),
      ({ code }) => String(code),
    );
  async function contend(): Promise<readonly string[]> {
    const [first, second, third] = [await connect(), await connect(), await connect(300)];
    await first.query("create table counts (key int primary key, value int)");
    await first.query("insert into counts values (1, 0), (2, 0)");
    await first.query("begin");
    await update(first, 1);
    const waiting = [update(second, 1), update(third, 1)];
    await scheduler.runtime.sleep(1_000, undefined);
    await first.query("commit");
    const outcomes = await Promise.all(waiting);
    for (const [client, key] of [[first, 1] as const, [second, 2] as const]) {
      await client.query("begin");
      await update(client, key);
    }
    return [...outcomes, ...(await Promise.all([update(first, 2), update(second, 1)]))];
  }

  try {
    scheduler.schedule(
      0,
      () =>
        void contend().then((all) => {
          outcomes = all;
        }),
    );
    while (outcomes === null) await scheduler.step();
    return { outcomes, notes };
  } finally {
    uninstall();
    await database.close();
  }
}
