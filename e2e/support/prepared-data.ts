import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { migrate } from "../../apps/server/src/platform/database/migrations.ts";
import { openLog } from "../../apps/server/src/platform/log.ts";
import { startEmbeddedPostgres } from "../../apps/server/src/platform/postgres/embedded-postgres.ts";

const VARIABLE = "HOLO_PREPARED_DATA";

/** Playwright's global setup: a DATA_DIR with a migrated database, which servers start from. */
export default async function prepareData(): Promise<() => void> {
  const folder = mkdtempSync(path.join(tmpdir(), "holo-e2e-prepared-"));
  // The database's user must be able to enter.
  chmodSync(folder, 0o755);
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log: openLog("silent"), durable: false });
  await migrate(postgres.connectionString);
  await postgres.stop();
  process.env[VARIABLE] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

/** Copies the prepared DATA_DIR, if there is one: creating a database costs two CPU seconds. */
export function copyPreparedData(dataDir: string): void {
  const prepared = process.env[VARIABLE];
  if (prepared === undefined) return;
  // Only cp keeps the owner, which differs if the tests run as root.
  if (process.getuid?.() === 0) execFileSync("cp", ["-a", `${prepared}/.`, dataDir]);
  else cpSync(prepared, dataDir, { recursive: true });
}
