import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { migrate } from "../../apps/server/src/platform/database/migrations.ts";
import { openLog } from "../../apps/server/src/platform/log.ts";
import { startEmbeddedPostgres } from "../../apps/server/src/platform/postgres/embedded-postgres.ts";

export interface RepeatableCluster {
  /** An empty, migrated database. */
  createDatabase(): Promise<string>;
  stop(): Promise<void>;
}

/** PostgreSQL that writes nothing to disk and does nothing by itself, such as vacuuming. */
export async function startRepeatableCluster(): Promise<RepeatableCluster> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "holo-repeatable-"));
  // The database's user must be able to enter.
  chmodSync(dataDir, 0o711);
  const postgres = await startEmbeddedPostgres({ dataDir, log: openLog("silent"), durable: false });
  await migrate(postgres.connectionString);
  const client = new pg.Client({ connectionString: postgres.toConnectionString("postgres") });
  await client.connect();
  let count = 0;
  return {
    async createDatabase() {
      count += 1;
      await client.query(`create database run_${count} template holo strategy file_copy`);
      return postgres.toConnectionString(`run_${count}`);
    },
    async stop() {
      await client.end();
      await postgres.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
