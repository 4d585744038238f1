/**
 * `npm run -s audit`: checks every invariant of money, games and releases on DATABASE_URL (else the
 * embedded one in DATA_DIR) and FILES_URL, also while a server runs. Exits 1 on the first fault.
 */
import process from "node:process";
import { type Config, parseConfig } from "../apps/server/src/config.ts";
import { listInvariants } from "../apps/server/src/invariants.ts";
import { openDatabase } from "../apps/server/src/platform/database/database.ts";
import { auditSnapshot } from "../apps/server/src/platform/database/invariant.ts";
import { openFiles } from "../apps/server/src/platform/files/open-files.ts";
import { openLog } from "../apps/server/src/platform/log.ts";
import { startEmbeddedPostgres } from "../apps/server/src/platform/postgres/embedded-postgres.ts";

const log = openLog("error");

function readStorageConfig(): Pick<Config, "databaseUrl" | "dataDir" | "files"> {
  const { DATABASE_URL, DATA_DIR, FILES_URL } = process.env;
  const config = parseConfig({ DATABASE_URL, DATA_DIR, FILES_URL });
  if (!config.ok) throw new Error(config.refusal.join("\n"));
  return config.value;
}

const { databaseUrl, dataDir, files } = readStorageConfig();
const postgres =
  databaseUrl === null
    ? await startEmbeddedPostgres({ dataDir, log })
    : { connectionString: databaseUrl, stop: async () => {} };
const database = openDatabase({ connectionString: postgres.connectionString, log, statementTimeoutMs: 0, poolSize: 1 });
try {
  const { rows } = await database.pool.query("select to_regclass('ledger_entries') is not null as is_ours");
  // Every invariant holds on an empty database, so checking the wrong one must not succeed.
  if (!rows[0]?.is_ours)
    throw new Error("this is not an arena database: start the server once, or set DATABASE_URL or DATA_DIR");
  const invariants = listInvariants(openFiles(files));
  const broken = await auditSnapshot(database, invariants, (name) => process.stdout.write(`ok: ${name}\n`));
  process.stdout.write(
    broken === null ? `all ${invariants.length} invariants hold\n` : `BROKEN: ${broken.name}: ${broken.found}\n`,
  );
  process.exitCode = broken === null ? 0 : 1;
} catch (error) {
  process.stderr.write(`could not check: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
} finally {
  await database.close();
  await postgres.stop();
}
