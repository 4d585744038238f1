import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { openDatabase } from "../../apps/server/src/platform/database/database.ts";
import { openLog } from "../../apps/server/src/platform/log.ts";
import { type Finding, formatNumber, note } from "../report.ts";
import { startCluster } from "../servers/cluster.ts";
import { type CommandCost, measureCommand } from "./command-cost.ts";
import { fillDatabase } from "./fill-database.ts";

const GAMES = 100_000;

/** Backs a tenth of the games and all of them up, each with its audit, and restores them. */
export async function benchBackup(games = GAMES): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const cluster = await startCluster();
  const folder = await mkdtemp(path.join(tmpdir(), "holo-backup-"));
  try {
    for (const count of [games / 10, games]) {
      const connectionString = await cluster.makeDatabase(`backup_${count}`);
      const secret = randomBytes(32).toString("hex");
      const database = openDatabase({ connectionString, log: openLog("error"), statementTimeoutMs: 0, poolSize: 2 });
      let databaseBytes: number;
      try {
        note(`backup: ${formatNumber(count)} games are written`);
        await fillDatabase(database, count, secret);
        const { rows } = await sql<{ readonly bytes: number }>`
          select pg_database_size(current_database())::float8 as bytes`.execute(database.kysely);
        databaseBytes = rows[0]!.bytes;
        await sql`create database ${sql.ref(`restored_${count}`)}`.execute(database.kysely);
      } finally {
        await database.close();
      }
      const target = path.join(folder, `copy-${count}`);
      const run = (name: "backup" | "restore", url: string): Promise<CommandCost> => {
        note(`backup: ${name} of ${formatNumber(count)} games`);
        const dataDir = path.join(folder, `${name}-${count}`);
        return measureCommand(name, [target], { DATABASE_URL: url, DATA_DIR: dataDir, AUTH_SECRET: secret }, cluster);
      };
      const backup = await run("backup", connectionString);
      const restore = await run("restore", connectionString.replace(/[^/]*$/, `restored_${count}`));
      const bytes = await sumSizes(target);
      findings.push({
        part: "backup",
        what: `${formatNumber(count)} games`,
        figures: [
          `database ${formatNumber(databaseBytes / 1e6)} MB, backup ${formatNumber(bytes / 1e6, 1)} MB`,
          `backup ${toText(backup)}`,
          `restore ${toText(restore)}`,
        ].join("; "),
      });
    }
    return findings;
  } finally {
    await cluster.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function sumSizes(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += (await stat(path.join(entry.parentPath, entry.name))).size;
  }
  return bytes;
}

function toText({ seconds, cpuSeconds, peakBytes }: CommandCost): string {
  return `${formatNumber(seconds, 1)} s (CPU ${formatNumber(cpuSeconds, 1)} s, ${formatNumber(peakBytes / 1e6)} MB of memory)`;
}
