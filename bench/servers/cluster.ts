import { chmodSync, closeSync, fdatasyncSync, mkdtempSync, openSync, unlinkSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { migrate } from "../../apps/server/src/platform/database/migrations.ts";
import { median } from "../statistics.ts";
import type { PostgresMessage } from "./postgres-process.ts";
import { listProcessTree, startOnServerCore, stopProcess, waitForMessage } from "./processes.ts";

export interface Cluster {
  makeDatabase(name: string): Promise<string>;
  pids(): readonly number[];
  /** The median duration of appending a page to a file on PostgreSQL's disk and syncing it. */
  measureFsyncMs(): number;
  stop(): Promise<void>;
}

/** `cores`: for `taskset`. Default: the servers' core. */
export async function startCluster(cores?: string): Promise<Cluster> {
  const folder = mkdtempSync(path.join(tmpdir(), "holo-bench-"));
  // Under root the database runs as another user, which must reach the folder.
  chmodSync(folder, 0o755);
  const file = fileURLToPath(new URL("postgres-process.ts", import.meta.url));
  const child = startOnServerCore(file, { args: [folder], cores });
  const { connectionString, pid } = (await waitForMessage(child)) as PostgresMessage;
  return {
    async makeDatabase(name) {
      const client = new pg.Client({ connectionString });
      await client.connect();
      await client.query(`create database ${name}`);
      await client.end();
      const made = connectionString.replace(/[^/]*$/, name);
      await migrate(made);
      return made;
    },
    pids: () => listProcessTree(pid),
    measureFsyncMs: () => measureFsyncMs(path.join(folder, "fsync")),
    stop: () => stopProcess(child),
  };
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
