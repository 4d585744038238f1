import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { migrate } from "../../apps/server/src/platform/database/migrations.ts";
import type { PostgresMessage } from "./postgres-process.ts";
import { listProcessTree, startOnServerCore, stopProcess, waitForMessage } from "./processes.ts";

/** A durable PostgreSQL on the servers' core, in a temporary folder. */
export interface Cluster {
  /** Creates a database with our schema. @returns its connection string */
  makeDatabase(name: string): Promise<string>;
  /** The current processes of PostgreSQL. */
  pids(): readonly number[];
  stop(): Promise<void>;
}

export async function startCluster(): Promise<Cluster> {
  const folder = mkdtempSync(path.join(tmpdir(), "holo-bench-"));
  // Under root the database runs as another user, which must reach the folder.
  chmodSync(folder, 0o755);
  const child = startOnServerCore(fileURLToPath(new URL("postgres-process.ts", import.meta.url)), { args: [folder] });
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
    stop: () => stopProcess(child),
  };
}
