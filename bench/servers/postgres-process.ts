/**
 * Runs the embedded PostgreSQL in the folder of its argument on the servers' core. Sends its
 * address to the parent; stops and deletes the database when asked or orphaned.
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { openLog } from "../../apps/server/src/platform/log.ts";
import { startEmbeddedPostgres } from "../../apps/server/src/platform/postgres/embedded-postgres.ts";

export interface PostgresMessage {
  readonly connectionString: string;
  readonly pid: number;
}

/** A cluster whose user cannot reach the folder is elsewhere; postgres.json names the place. */
function removeFolder(folder: string): void {
  const note = path.join(folder, "postgres.json");
  const home: unknown = existsSync(note) ? JSON.parse(readFileSync(note, "utf8")).home : null;
  if (typeof home === "string" && path.isAbsolute(home)) rmSync(home, { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
}

const folder = process.argv[2]!;
const postgres = await startEmbeddedPostgres({ dataDir: folder, log: openLog("error"), durable: true });
let isStopping = false;

function stop(): void {
  if (isStopping) return;
  isStopping = true;
  postgres.stop().finally(() => {
    removeFolder(folder);
    process.exit();
  });
}

process.once("SIGTERM", stop);
process.once("disconnect", stop);
process.on("SIGINT", () => undefined);
const message: PostgresMessage = { connectionString: postgres.connectionString, pid: postgres.pid() };
process.send?.(message);
