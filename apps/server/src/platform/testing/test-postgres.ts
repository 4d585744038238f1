import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { migrate } from "../database/migrations.ts";
import { openLog } from "../log.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../postgres/embedded-postgres.ts";

export interface TestPostgres extends EmbeddedPostgres {
  /** Deleted at the end. */
  readonly folder: string;
  /** A migrated database, cloned from `holo`, to which no one may be connected. */
  makeDatabase(): Promise<string>;
}

/** A migrated PostgreSQL of its own. */
export async function startTestPostgres(durable: boolean, prefix = "holo-postgres-"): Promise<TestPostgres> {
  const folder = mkdtempSync(path.join(tmpdir(), prefix));
  // The database's user must be able to enter.
  chmodSync(folder, 0o711);
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log: openLog("error"), durable });
  await migrate(postgres.connectionString);
  let count = 0;
  return {
    ...postgres,
    folder,
    async makeDatabase() {
      count += 1;
      const client = new pg.Client({ connectionString: postgres.toConnectionString("postgres") });
      await client.connect();
      await client.query(`create database run_${count} template holo strategy file_copy`);
      await client.end();
      return postgres.toConnectionString(`run_${count}`);
    },
    async stop() {
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    },
  };
}
