import { closeSync, fdatasyncSync, openSync, unlinkSync, writeSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import pg from "pg";
import { startTestPostgres } from "../../apps/server/src/platform/testing/test-postgres.ts";
import { median } from "../statistics.ts";
import { listProcessTree, pin } from "./processes.ts";

export interface Cluster {
  /** For what belongs to the run; deleted at its end. */
  readonly folder: string;
  makeDatabase(): Promise<string>;
  pids(): readonly number[];
  /** The median duration of appending a page to a file on PostgreSQL's disk and syncing it. */
  measureFsyncMs(): number;
  stop(): Promise<void>;
}

/** PostgreSQL on these cores. Default: the servers'. */
export async function startCluster(cores?: string): Promise<Cluster> {
  const postgres = await startTestPostgres(true, "holo-bench-");
  const { folder, makeDatabase } = postgres;
  for (const pid of listProcessTree(postgres.pid())) pin(pid, cores);
  const kill = (): void => void process.kill(postgres.pid(), "SIGQUIT");
  process.once("exit", kill);
  return {
    folder,
    makeDatabase,
    pids: () => listProcessTree(postgres.pid()),
    measureFsyncMs: () => measureFsyncMs(path.join(folder, "fsync")),
    async stop() {
      process.off("exit", kill);
      await postgres.stop();
    },
  };
}

export async function query<Row extends object>(connectionString: string, text: string): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rows } = await client.query<Row>(text);
  await client.end();
  return rows;
}

/** Moves in the log. */
export async function countLogged(connectionString: string): Promise<number> {
  const text = `select count(*)::int as count from game_log where record like '%"type":"moved"%'`;
  return (await query<{ count: number }>(connectionString, text))[0]!.count;
}

const FSYNCS = 100;
const PAGE = Buffer.alloc(8_192);

function measureFsyncMs(file: string): number {
  const descriptor = openSync(file, "w");
  const tookMs = Array.from({ length: FSYNCS }, () => {
    const startedMs = performance.now();
    writeSync(descriptor, PAGE);
    fdatasyncSync(descriptor);
    return performance.now() - startedMs;
  });
  closeSync(descriptor);
  unlinkSync(file);
  return median(tookMs);
}
