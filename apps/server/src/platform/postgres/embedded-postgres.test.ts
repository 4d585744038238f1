import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDatabase } from "../database/database.ts";
import { openMetrics } from "../metrics/metrics.ts";
import { makeReadiness } from "../readiness.ts";
import { listFiring, readScrape } from "../testing/alert-rules.ts";
import { openTestLog } from "../testing/test-log.ts";
import { findPostgresDirectories } from "./directories.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./embedded-postgres.ts";
import { isAlive } from "./postmaster.ts";
import { findServiceUser } from "./service-user.ts";

const log = openTestLog();
let dataDir = "";

beforeAll(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), "holo-embedded-"));
  chmodSync(dataDir, 0o711);
});

afterAll(() => rmSync(dataDir, { recursive: true }));

function start(durable = false): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ dataDir, log, durable });
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  client.on("error", () => {});
  await client.connect();
  return client;
}

async function ask(connectionString: string, sql: string): Promise<unknown> {
  const client = await connect(connectionString);
  try {
    const { rows } = await client.query({ text: sql, rowMode: "array" });
    return rows[0]?.[0];
  } finally {
    await client.end();
  }
}

function startAndDie(): void {
  const module = new URL("embedded-postgres.ts", import.meta.url).href;
  const logModule = new URL("../log.ts", import.meta.url).href;
  const program = `
    import { startEmbeddedPostgres } from ${JSON.stringify(module)};
    import { openLog } from ${JSON.stringify(logModule)};
    await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, log: openLog("silent"), durable: false });
    process.kill(process.pid, "SIGKILL");`;
  expect(spawnSync(process.execPath, ["--input-type=module", "-e", program]).signal).toBe("SIGKILL");
}

describe("the embedded database", () => {
  // [OPS-50 §-] The embedded database admits the user of the server alone: no other program, also not one of the user
  // that it runs as.
  it("is created at the first start, uses UTF-8, listens on no network, admits its user alone and keeps its data [OPS-50]", async () => {
    const first = await start();
    const settings = `select concat_ws(' ', current_setting('server_encoding'), datlocprovider, datlocale, current_setting('jit'),
      current_setting('client_connection_check_interval'), '[' || current_setting('listen_addresses') || ']')
      from pg_database where datname = 'holo'`;
    expect(await ask(first.connectionString, settings)).toBe("UTF8 b C.UTF-8 off 1s []");
    const rules = "select string_agg(distinct type || ' ' || auth_method, ',') from pg_hba_file_rules";
    expect(await ask(first.connectionString, rules)).toBe("local peer");
    await ask(first.connectionString, "create table kept as select 42 as number");
    await first.stop();
    expect(isAlive(first.pid())).toBe(false);
    const second = await start();
    expect(await ask(second.connectionString, "select number from kept")).toBe(42);
    await second.stop();
  });

  it("is reused after its parent was killed", async () => {
    startAndDie();
    const next = await start();
    expect(await ask(next.connectionString, "select number from kept")).toBe(42);
    await next.stop();
    expect(isAlive(next.pid())).toBe(false);
  });

  it("is started once by two concurrent starts, and runs until the last one stops", async () => {
    const both = await Promise.all([start(), start()]);
    expect(both[0].pid()).toBe(both[1].pid());
    const client = await connect(both[0].connectionString);
    await both[0].stop();
    expect((await client.query("select 1")).rowCount).toBe(1);
    await client.end();
    await both[1].stop();
    expect(isAlive(both[1].pid())).toBe(false);
  });

  it("An embedded database that is killed starts again with all committed data [FAULT-02 §-]", async () => {
    const server = await start();
    const killed = server.pid();
    process.kill(killed, "SIGKILL");
    while (server.pid() === killed) await sleep(20);
    expect(await ask(server.connectionString, "select number from kept")).toBe(42);
    await server.stop();
  });

  it("An archive of PostgreSQL's log that fails fires an alert [FAULT-06 §-]", async () => {
    const server = await start(true);
    await ask(server.connectionString, "alter system set archive_mode = on");
    await ask(server.connectionString, "alter system set archive_command = 'false'");
    const killed = server.pid();
    process.kill(killed, "SIGKILL");
    while (server.pid() === killed) await sleep(20);
    const { pool, close } = openDatabase({ connectionString: server.connectionString, log: openTestLog() });
    async function untilFires(isFiring: boolean): Promise<void> {
      for (;;) {
        const metrics = openMetrics({ process: false });
        const isServing = () => true;
        await makeReadiness({ pool, folders: [], log: openTestLog(), metrics, needsBackups: false, isServing }).check();
        const scrape = readScrape((await metrics.toText()).body);
        if (listFiring(scrape, scrape).includes("HoloArchiveFailing") === isFiring) return;
        await sleep(50);
      }
    }
    await untilFires(false);
    await pool.query("select pg_switch_wal()");
    await untilFires(true);
    await pool.query("alter system set archive_command = 'true'");
    await pool.query("select pg_reload_conf()");
    await untilFires(false);
    // An empty command archives nothing and never fails.
    await pool.query("alter system set archive_command = ''");
    await pool.query("alter system set archive_timeout = 1");
    await pool.query("select pg_reload_conf()");
    await untilFires(true);
    await pool.query("alter system reset archive_timeout");
    await pool.query("select pg_reload_conf()");
    await untilFires(false);
    await pool.query("alter system reset archive_mode");
    await pool.query("alter system reset archive_command");
    await close();
    await server.stop();
  });

  it("removes a stale lock whose pid belongs to another process", async () => {
    const lock = path.join(dataDir, "postgres/data/postmaster.pid");
    writeFileSync(lock, `${process.pid}\n${path.dirname(lock)}\n1\n5432\n\n\n1 1\nready   \n`);
    const server = await start();
    await server.stop();
  });

  it("refuses a cluster of another major version, with instructions", async () => {
    const version = path.join(dataDir, "postgres/data/PG_VERSION");
    renameSync(version, `${version}.kept`);
    writeFileSync(version, "17\n");
    await expect(start()).rejects.toThrow(/made by PostgreSQL 17, this release brings 18: dump it/);
    renameSync(`${version}.kept`, version);
  });

  it("never replaces a lost database by an empty one", async () => {
    const data = path.join(dataDir, "postgres/data");
    renameSync(data, `${data}.away`);
    await expect(start()).rejects.toThrow(/is gone: put it back/);
    renameSync(`${data}.away`, data);
  });
});

const LOOPS = process.env.DEEP === "1" ? 20 : 3;

interface Parent {
  readonly pid: number;
  readonly postmaster: number;
}

async function startParent(): Promise<Parent> {
  const program = `
    import { startEmbeddedPostgres } from ${JSON.stringify(new URL("embedded-postgres.ts", import.meta.url).href)};
    import { openLog } from ${JSON.stringify(new URL("../log.ts", import.meta.url).href)};
    const { pid } = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, log: openLog("silent"), durable: false });
    process.stdout.write(String(pid()));
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [printed] = (await once(child.stdout, "data")) as [Buffer];
  return { pid: child.pid ?? 0, postmaster: Number(String(printed)) };
}

describe("a start of the embedded database after a crash", () => {
  it("succeeds each time when server and database were killed together", async () => {
    for (let i = 0; i < LOOPS; i += 1) {
      const parent = await startParent();
      process.kill(parent.pid, "SIGKILL");
      process.kill(parent.postmaster, "SIGKILL");
      const next = await start();
      expect(await ask(next.connectionString, "select number from kept")).toBe(42);
      await next.stop();
    }
  });

  it("succeeds while the killed database was not collected by its parent", async () => {
    const parent = await startParent();
    process.kill(parent.pid, "SIGSTOP");
    process.kill(parent.postmaster, "SIGKILL");
    const next = await start();
    expect(await ask(next.connectionString, "select number from kept")).toBe(42);
    process.kill(parent.pid, "SIGKILL");
    await next.stop();
  });

  it("waits for a database that is stopping", async () => {
    const parent = await startParent();
    process.kill(parent.pid, "SIGKILL");
    process.kill(parent.postmaster, "SIGINT");
    const next = await start();
    expect(await ask(next.connectionString, "select number from kept")).toBe(42);
    await next.stop();
  });
});

// [FAULT-11 §-] An embedded database one of whose processes crashes, or that is told to end, is started again.
it("starts an embedded database again if a process of it crashes, or if it is told to end [FAULT-11]", async () => {
  const server = await start();
  const crashed = server.pid();
  const client = await connect(server.connectionString);
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  process.kill(rows[0]!.pid, "SIGKILL");
  while (server.pid() === crashed) await sleep(20);
  expect(await ask(server.connectionString, "select number from kept")).toBe(42);
  const ended = server.pid();
  process.kill(ended, "SIGTERM");
  while (server.pid() === ended) await sleep(20);
  expect(await ask(server.connectionString, "select number from kept")).toBe(42);
  await client.end().catch(() => undefined);
  await server.stop();
});

it("says that an embedded database does not start, and names its log", async () => {
  const control = path.join(dataDir, "postgres/data/global/pg_control");
  renameSync(control, `${control}.away`);
  await expect(start()).rejects.toThrow(/did not start: see .*postgres\.log, which ends with\n.*pg_control/s);
  renameSync(`${control}.away`, control);
});

it("leaves no database behind if the start is ended", async () => {
  const ending = new AbortController();
  const starting = startEmbeddedPostgres({ dataDir, log, durable: false, signal: ending.signal });
  ending.abort(new Error("ended"));
  await expect(starting).rejects.toThrow("ended");
  const lock = path.join(dataDir, "postgres/data/postmaster.pid");
  expect(existsSync(lock)).toBe(false);
});

describe("the folder of the database", () => {
  it("is in DATA_DIR, with the socket elsewhere if the path is too long", async () => {
    const deep = path.join(dataDir, "d".repeat(80));
    const directories = await findPostgresDirectories(deep, findServiceUser(), log);
    expect(directories.clusterDir).toBe(path.join(deep, "postgres/data"));
    expect(directories.socketDir.startsWith(deep)).toBe(false);
    expect(Buffer.byteLength(directories.socketDir)).toBeLessThan(90);
    expect(statSync(directories.socketDir).mode & 0o777).toBe(0o700);
    const { socketDir } = await findPostgresDirectories(deep, findServiceUser(), log);
    expect(socketDir).toBe(directories.socketDir);
    // An existing folder that others can write to may be a trap.
    chmodSync(directories.socketDir, 0o777);
    await expect(findPostgresDirectories(deep, findServiceUser(), log)).rejects.toThrow(/is not a private folder/);
    rmSync(directories.socketDir, { recursive: true });
  });

  it("is outside of a DATA_DIR that its user cannot reach, and found there later", async () => {
    const user = findServiceUser();
    const hidden = path.join(dataDir, "hidden");
    mkdirSync(hidden, { mode: 0o700 });
    const directories = await findPostgresDirectories(path.join(hidden, "data"), user, log);
    directories.saveInitialised();
    // Only root runs the database as another user, who may not be able to reach a folder.
    expect(directories.clusterDir.startsWith(hidden)).toBe(user === null);
    await expect(findPostgresDirectories(path.join(hidden, "data"), user, log)).rejects.toThrow(/is gone/);
    mkdirSync(directories.clusterDir);
    writeFileSync(path.join(directories.clusterDir, "PG_VERSION"), "18\n");
    const found = await findPostgresDirectories(path.join(hidden, "data"), user, log);
    expect(found.clusterDir).toBe(directories.clusterDir);
    rmSync(path.dirname(directories.clusterDir), { recursive: true });
    expect(existsSync(directories.clusterDir)).toBe(false);
  });
});
