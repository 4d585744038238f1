import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { setDiskFull } from "../apps/server/src/platform/testing/full-disk.ts";
import type { ArenaServer } from "../e2e/support/arena-server.ts";
import type { Network } from "./network.ts";
import { findConnectionString } from "./stored-games.ts";

/** What a campaign does to its server, database and clients while games go on. */
export const FAULTS = [
  "kill",
  "stop",
  /** Nothing can be written: the database crashes, no mail and no file is saved. */
  "full disk",
  /** Statements that need space fail, as on a disk that keeps room for the write-ahead log. */
  "full tables",
  /** As after a switch to a standby, or at a host that protects a full disk. */
  "read-only database",
  /** Other sessions took every connection; the server's own were lost. */
  "no connections",
  /** The clients' packets are swallowed, again and again. No connection is closed. */
  "half-open clients",
  /** The database stops for most of every second. */
  "slow disk",
  /** Every process of the database is killed at once. */
  "killed database",
  /** The server does not run for a while, and no connection is closed. */
  "frozen server",
  /** Last, because a restart would set it back: the tables' clock goes ahead beyond every limit. */
  "time passes",
] as const;
export type Fault = (typeof FAULTS)[number];

export interface FaultTargets {
  readonly server: ArenaServer;
  readonly networks: readonly Network[];
}

/** Longer than any clock and any wait. */
export const PASSING_MS = 40 * 60_000;
const BURST_MS = 700;
const BREATH_MS = 300;
const SWALLOW_EVERY_MS = 600;
/** More than the database allows. */
const CONNECTIONS_MAX = 200;
const OWN_NAME = "holo-faults";
const WRITTEN_TABLES = ["game_log", "games", "seats", "ledger_entries", "chat_messages", "game_commands", "outages"];

/** Lets the fault last for so long, then ends it. */
export async function injectFault(fault: Fault, { server, networks }: FaultTargets, lastsMs: number): Promise<void> {
  switch (fault) {
    case "kill":
    case "stop":
      await (fault === "kill" ? server.kill() : server.stop());
      await sleep(lastsMs / 10);
      return await server.start();
    case "full disk":
      await setAllFull(server, true);
      await sleep(lastsMs);
      return await setAllFull(server, false);
    case "full tables":
      await execute(server, DISK_FULL, ...WRITTEN_TABLES.map(toDiskFullTrigger));
      await sleep(lastsMs);
      return await execute(server, ...WRITTEN_TABLES.map((table) => `drop trigger disk_full on ${table}`));
    case "read-only database":
      await execute(server, `alter database holo set default_transaction_read_only = on; ${END_SESSIONS}`);
      await sleep(lastsMs);
      return await execute(
        server,
        `set transaction read write; alter database holo reset default_transaction_read_only; ${END_SESSIONS}`,
      );
    case "no connections":
      return await takeConnections(server, lastsMs);
    case "half-open clients":
      for (const endMs = performance.now() + lastsMs; performance.now() < endMs; await sleep(SWALLOW_EVERY_MS)) {
        for (const network of networks) network.swallow();
      }
      return;
    case "killed database":
      for (const pid of server.findDatabaseProcesses()) signal(pid, "SIGKILL");
      await sleep(lastsMs);
      return;
    case "frozen server":
      signal(server.pid(), "SIGSTOP");
      await sleep(lastsMs);
      signal(server.pid(), "SIGCONT");
      return;
    case "time passes":
      return await server.advanceTables(PASSING_MS);
    case "slow disk":
      for (const endMs = performance.now() + lastsMs; performance.now() < endMs; await sleep(BREATH_MS)) {
        const pids = server.findDatabaseProcesses();
        for (const pid of pids) signal(pid, "SIGSTOP");
        await sleep(BURST_MS);
        for (const pid of pids) signal(pid, "SIGCONT");
      }
      return;
  }
}

const END_SESSIONS = `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'holo-arena';`;

const DISK_FULL = `create or replace function disk_full() returns trigger language plpgsql as
  $$ begin raise exception 'no space left on device' using errcode = 'disk_full'; end $$`;
const toDiskFullTrigger = (table: string): string =>
  `create trigger disk_full before insert on ${table} execute function disk_full()`;

async function connect(server: ArenaServer): Promise<pg.Client> {
  const connectionString = findConnectionString(server.dataDir);
  const client = new pg.Client({ connectionString, application_name: OWN_NAME });
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

/** One transaction each: two locks at once would deadlock with the server's. */
async function execute(server: ArenaServer, ...statements: readonly string[]): Promise<void> {
  const client = await connect(server);
  try {
    for (const sql of statements) await client.query(sql);
  } finally {
    await client.end();
  }
}

/** Parents first: what they start from then on has their limit. */
async function setAllFull(server: ArenaServer, isFull: boolean): Promise<void> {
  await setDiskFull([server.pid()], isFull);
  await setDiskFull(server.findDatabaseProcesses().slice(0, 1), isFull);
  await setDiskFull(server.findDatabaseProcesses(), isFull);
}

async function takeConnections(server: ArenaServer, lastsMs: number): Promise<void> {
  const first = await connect(server);
  const taken: pg.Client[] = [];
  const takeAll = async (): Promise<void> => {
    for (let i = 0; i < CONNECTIONS_MAX; i += 1) {
      const client = await connect(server).catch(() => null);
      if (client === null) return;
      taken.push(client);
    }
  };
  await takeAll();
  await first.query(END_SESSIONS);
  await takeAll();
  await sleep(lastsMs);
  await Promise.all([first, ...taken].map((client) => client.end()));
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // It has ended meanwhile.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
