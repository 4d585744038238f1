/**
 * The database of a benchmark, as a process of its own so that it stays on the servers' core: starts the embedded PostgreSQL in the folder
 * named by its argument, tells its parent where, and stops it when it is asked to end or its parent is gone.
 */
import process from "node:process";
import { openLog } from "../apps/server/src/platform/log.ts";
import { startEmbeddedPostgres } from "../apps/server/src/platform/postgres/embedded-postgres.ts";

export interface PostgresMessage {
  readonly connectionString: string;
  readonly pid: number;
}

const postgres = await startEmbeddedPostgres({ dataDir: process.argv[2]!, log: openLog("error"), durable: true });
const stop = (): void => void postgres.stop().finally(() => process.exit());
process.once("SIGTERM", stop);
process.once("disconnect", stop);
process.on("SIGINT", () => undefined);
const message: PostgresMessage = { connectionString: postgres.connectionString, pid: postgres.pid() };
process.send?.(message);
