import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { toKobo } from "@holo/kernel/money.ts";
import { formatState } from "../../apps/sandbox/src/http/json.ts";
import { DEFAULT_SETTINGS } from "../../apps/sandbox/src/settings.ts";
import { makeState } from "../../apps/sandbox/src/state/state.ts";
import { migrate } from "../../apps/server/src/platform/database/migrations.ts";
import { openLog } from "../../apps/server/src/platform/log.ts";
import { startEmbeddedPostgres } from "../../apps/server/src/platform/postgres/embedded-postgres.ts";

const VARIABLE = "HOLO_PREPARED_DATA";
/**
 * In kobo. Covers the coins that tests add, which no deposit paid for. The revenue page refuses a
 * surplus above `KOBO_MAX`.
 */
const PROVIDER_BALANCE = toKobo(50_000_000_000n);

/**
 * Playwright's global setup: a DATA_DIR with a migrated database and the state of a rich provider,
 * which servers start from.
 */
export default async function prepareData(): Promise<() => void> {
  const folder = mkdtempSync(path.join(tmpdir(), "holo-e2e-prepared-"));
  // The database's user must be able to enter.
  chmodSync(folder, 0o755);
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log: openLog("silent"), durable: false });
  await migrate(postgres.connectionString);
  await postgres.stop();
  writeFileSync(path.join(folder, "sandbox.json"), formatState(makeState(DEFAULT_SETTINGS, PROVIDER_BALANCE)));
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
