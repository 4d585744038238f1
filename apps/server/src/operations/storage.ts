import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { type Config, type Environment, parseConfig, selectVariables } from "../config.ts";
import { FOREIGN_SECRET, isSecretOf } from "../platform/auth-secret.ts";
import { explainConnectionFault } from "../platform/database/connection-fault.ts";
import { type Database, openDatabase } from "../platform/database/database.ts";
import type { Log } from "../platform/log.ts";
import { startEmbeddedPostgres } from "../platform/postgres/embedded-postgres.ts";

export class Refused extends Error {
  override readonly name = "Refused";
}

export type StorageConfig = Pick<Config, "databaseUrl" | "dataDir" | "files" | "authSecret">;

const STORAGE_VARIABLES = ["DATABASE_URL", "DATA_DIR", "FILES_URL", "AUTH_SECRET"];

/** The variables that say where data are kept; commands run without the others. */
export function readStorageConfig(environment: Environment): StorageConfig {
  const config = parseConfig(selectVariables(environment, STORAGE_VARIABLES));
  if (!config.ok) throw new Refused(config.refusal.join("\n"));
  return config.value;
}

/** The secret that the server uses. Refuses if it is unknown here, or not the database's. */
export async function loadSecret(
  { kysely }: Pick<Database, "kysely">,
  { authSecret, dataDir }: Pick<StorageConfig, "authSecret" | "dataDir">,
): Promise<string> {
  const secret = authSecret ?? (await readFile(path.join(dataDir, "auth-secret"), "utf8").catch(() => null));
  if (secret === null) throw new Refused("the secret of this arena is unknown: set AUTH_SECRET as the server has it");
  if ((await isSecretOf(kysely, secret)) === false) throw new Refused(FOREIGN_SECRET);
  return secret;
}

interface OpenedDatabase {
  readonly database: Database;
  close(): Promise<void>;
}

/** One connection, whose statements have no time limit. */
export async function openStorage(
  { databaseUrl, dataDir }: Pick<StorageConfig, "databaseUrl" | "dataDir">,
  log: Log,
): Promise<OpenedDatabase> {
  const postgres = databaseUrl === null ? await startEmbeddedPostgres({ dataDir, log }) : null;
  const connectionString = postgres?.connectionString ?? databaseUrl!;
  const database = openDatabase({ connectionString, log, statementTimeoutMs: 0, poolSize: 1 });
  return {
    database,
    async close() {
      await database.close();
      await postgres?.stop();
    },
  };
}

/** The database of an existing arena. Refuses an empty place and a foreign database. */
export async function openArenaDatabase(
  config: Pick<StorageConfig, "databaseUrl" | "dataDir">,
  log: Log,
): Promise<OpenedDatabase> {
  if (config.databaseUrl === null && !existsSync(path.join(config.dataDir, "postgres.json"))) {
    throw new Refused(`there is no arena in ${config.dataDir}: set DATA_DIR or DATABASE_URL as the server has them`);
  }
  const opened = await openStorage(config, log);
  try {
    const { rows } = await opened.database.pool.query("select to_regclass('ledger_entries') is not null as is_ours");
    if (rows[0]?.is_ours) return opened;
    throw new Refused("this is not an arena database: start the server once, or set DATABASE_URL or DATA_DIR");
  } catch (error) {
    await opened.close();
    throw config.databaseUrl === null ? error : explainConnectionFault(error, config.databaseUrl);
  }
}
