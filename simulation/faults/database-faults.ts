import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { setDiskFull } from "../../apps/server/src/platform/testing/full-disk.ts";
import type { Installation } from "../installation.ts";
import { findConnectionString } from "../stored-games.ts";

const CONNECTIONS_MAX = 200;
const CONNECTING = 20;
const OWN_NAME = "holo-faults";
const WRITTEN_TABLES = ["game_log", "games", "seats", "ledger_entries", "chat_messages", "game_commands", "outages"];
const PAUSE_MS = 500;
const PERSISTENCE = 60;

const END_SESSIONS = `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'holo %';`;

const DISK_FULL = `create or replace function disk_full() returns trigger language plpgsql as
  $$ begin raise exception 'no space left on device' using errcode = 'disk_full'; end $$`;
const toDiskFullTrigger = (table: string): string =>
  `create or replace trigger disk_full before insert on ${table} execute function disk_full()`;

export async function fillTables(installation: Installation, lastsMs: number): Promise<void> {
  await execute(installation, DISK_FULL, ...WRITTEN_TABLES.map(toDiskFullTrigger));
  await sleep(lastsMs);
  await execute(installation, ...WRITTEN_TABLES.map((table) => `drop trigger if exists disk_full on ${table}`));
}

export async function refuseWrites(installation: Installation, lastsMs: number): Promise<void> {
  await execute(installation, `alter database holo set default_transaction_read_only = on; ${END_SESSIONS}`);
  await sleep(lastsMs);
  await execute(
    installation,
    `set transaction read write; alter database holo reset default_transaction_read_only; ${END_SESSIONS}`,
  );
}

async function connect({ dataDir }: Installation): Promise<pg.Client> {
  const connectionString = await findConnectionString(dataDir);
  const client = new pg.Client({ connectionString, application_name: OWN_NAME });
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

/** One transaction each: two locks in one would deadlock with the server's. */
async function execute(installation: Installation, ...statements: readonly string[]): Promise<void> {
  for (const sql of statements) await persist(() => executeOne(installation, sql));
}

async function executeOne(installation: Installation, sql: string): Promise<void> {
  const client = await connect(installation);
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** Another fault may keep the database from answering. */
async function persist<Value>(act: () => Promise<Value>, attempts = PERSISTENCE): Promise<Value> {
  try {
    return await act();
  } catch (error) {
    if (attempts === 1) throw error;
    await sleep(PAUSE_MS);
    return await persist(act, attempts - 1);
  }
}

export async function setAllFull({ servers, findDatabaseProcesses }: Installation, isFull: boolean): Promise<void> {
  await setDiskFull(
    servers.map((server) => server.pid()),
    isFull,
  );
  await setDiskFull(findDatabaseProcesses().slice(0, 1), isFull);
  await setDiskFull(findDatabaseProcesses(), isFull);
}

export async function takeConnections(installation: Installation, lastsMs: number): Promise<void> {
  const first = await persist(() => connect(installation));
  const taken: pg.Client[] = [];
  const takeAll = async (): Promise<void> => {
    for (let i = 0; i < CONNECTIONS_MAX; i += CONNECTING) {
      const clients = await Promise.all(
        Array.from({ length: CONNECTING }, () => connect(installation).catch(() => null)),
      );
      const opened = clients.filter((client) => client !== null);
      taken.push(...opened);
      if (opened.length < CONNECTING) return;
    }
  };
  await takeAll();
  // Another fault may have ended the database.
  await first.query(END_SESSIONS).catch(() => undefined);
  await takeAll();
  await sleep(lastsMs);
  await Promise.all([first, ...taken].map((client) => client.end()));
}
