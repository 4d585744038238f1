import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { type Database, openDatabase, type Queries } from "../../apps/server/src/platform/database/database.ts";
import { readSnapshot } from "../../apps/server/src/platform/database/transaction.ts";
import { openLog } from "../../apps/server/src/platform/log.ts";
import { atMost, type Finding, formatNumber, note } from "../report.ts";
import { findFreePort } from "../servers/arena.ts";
import { startCluster } from "../servers/cluster.ts";
import { startOnServerCore, stopProcess, waitForText } from "../servers/processes.ts";
import { median, quantile } from "../statistics.ts";
import { type CommandCost, measureCommand } from "./command-cost.ts";
import { type FilledPlayers, fillDatabase } from "./fill-database.ts";
import { listPages, type PageQueries } from "./pages.ts";

const GAMES = 50_000;
const AUDIT_SECONDS_MAX = 60;
const PAGE_MS_MAX = 50;
const START_SECONDS_MAX = 5;
/** Twice the games should take twice the time; the rest is noise and start-up. */
const GROWTH_MAX = 2.5;
const LOADS = 100;
/** A page far beyond its limit is not loaded a hundred times. */
const PAGE_MS_BUDGET = 10_000;
/** A page must not completely read a table with this many rows. */
const LARGE_ROWS = 10_000;

export async function benchVolume(games = GAMES): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const cluster = await startCluster();
  try {
    const audits: CommandCost[] = [];
    for (const count of [games / 4, games / 2, games]) {
      const connectionString = await cluster.makeDatabase(`volume_${count}`);
      const log = openLog("error");
      const database = openDatabase({ connectionString, log, statementTimeoutMs: 0, poolSize: 2 });
      try {
        note(`volume: ${formatNumber(count)} games are written`);
        const filled = await fillDatabase(database, count, randomBytes(32).toString("hex"));
        if (count === games) {
          findings.push(...(await measurePages(database, filled)), await measureSize(database, games));
          findings.push(await measureStart(connectionString));
        }
        audits.push(await measureCommand("audit", [], { DATABASE_URL: connectionString }, cluster));
      } finally {
        await database.close();
      }
    }
    return [...toAuditFindings(games, audits), ...findings];
  } finally {
    await cluster.stop();
  }
}

function toAuditFindings(games: number, audits: readonly CommandCost[]): readonly Finding[] {
  const format = (digits: number, of: (audit: CommandCost) => number) =>
    audits.map((audit) => formatNumber(of(audit), digits)).join(", ");
  const growth = Math.max(...audits.slice(1).map((audit, index) => audit.cpuSeconds / audits[index]!.cpuSeconds));
  const sizes = [games / 4, games / 2, games].map((count) => formatNumber(count)).join(", ");
  return [
    {
      part: "volume",
      what: "audit, CPU per doubling",
      figures: `${sizes} games: CPU ${format(1, ({ cpuSeconds }) => cpuSeconds)} s; ${format(1, ({ seconds }) => seconds)} s`,
      goal: atMost(growth, GROWTH_MAX),
    },
    {
      part: "volume",
      what: "audit, longest",
      figures: `peak memory ${format(0, ({ peakBytes }) => peakBytes / 1e6)} MB`,
      goal: atMost(audits.at(-1)!.seconds, AUDIT_SECONDS_MAX, " s"),
    },
  ];
}

async function measurePages(
  database: Database,
  { veteran }: Pick<FilledPlayers, "veteran">,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const page of listPages(veteran.id)) {
    const scanned = await findScans(database, page);
    const times: number[] = [];
    const untilMs = performance.now() + PAGE_MS_BUDGET;
    for (let index = 0; index < LOADS && performance.now() < untilMs; index += 1) {
      const startedMs = performance.now();
      await page.load(database.kysely);
      times.push(performance.now() - startedMs);
    }
    const p99 = quantile(times, 0.99);
    findings.push({
      part: "volume",
      what: page.page,
      figures: `p50 ${formatNumber(median(times), 1)} ms${scanned.length > 0 ? `; reads whole: ${scanned.join(", ")}` : ""}`,
      goal: { text: `p99 at most ${PAGE_MS_MAX} ms`, value: p99, isMet: p99 <= PAGE_MS_MAX && scanned.length === 0 },
    });
  }
  return findings;
}

async function findScans(database: Database, page: PageQueries): Promise<readonly string[]> {
  return await readSnapshot(database, async (queries: Queries) => {
    // Rows read by parallel workers are counted elsewhere.
    await sql`set local max_parallel_workers_per_gather = 0`.execute(queries);
    await page.load(queries);
    const { rows } = await sql<{ readonly relname: string }>`
      select scanned.relname from pg_stat_xact_user_tables scanned join pg_class on pg_class.oid = scanned.relid
      where scanned.seq_scan > 0 and pg_class.reltuples > ${LARGE_ROWS} order by 1`.execute(queries);
    return rows.map(({ relname }) => relname);
  });
}

async function measureSize(database: Database, games: number): Promise<Finding> {
  const { rows } = await sql<{ readonly relname: string; readonly bytes: number }>`
    select relname, pg_total_relation_size(relid)::float8 as bytes from pg_stat_user_tables order by bytes desc`.execute(
    database.kysely,
  );
  const total = rows.reduce((sum, { bytes }) => sum + bytes, 0);
  const largest = rows.slice(0, 4).map(({ relname, bytes }) => `${relname} ${formatNumber(bytes / games)}`);
  return {
    part: "volume",
    what: "bytes per game on disk",
    figures: `${formatNumber(total / games)}, just written, of 20 records; ${largest.join(", ")}`,
  };
}

async function measureStart(connectionString: string): Promise<Finding> {
  const startedMs = performance.now();
  const child = startOnServerCore(fileURLToPath(new URL("../../apps/server/src/main.ts", import.meta.url)), {
    env: {
      NODE_ENV: "test",
      PORT: String(await findFreePort()),
      DATABASE_URL: connectionString,
      AUTH_SECRET: randomBytes(32).toString("hex"),
    },
  });
  await waitForText(child, "Holo Arena is at");
  const seconds = (performance.now() - startedMs) / 1_000;
  await stopProcess(child);
  return { part: "volume", what: "start of the server", figures: "", goal: atMost(seconds, START_SECONDS_MAX, " s") };
}
