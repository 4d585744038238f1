import { spawn } from "node:child_process";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { type Database, openDatabase, type Queries } from "../../apps/server/src/platform/database/database.ts";
import { readSnapshot } from "../../apps/server/src/platform/database/transaction.ts";
import { openLog } from "../../apps/server/src/platform/log.ts";
import { atMost, type Finding, formatNumber, note } from "../report.ts";
import { type BenchPlayer, connectAll, startArena } from "../servers/arena.ts";
import { type Cluster, query, startCluster } from "../servers/cluster.ts";
import { openPairs, SHORTEST_GAMES } from "../servers/pairs.ts";
import { pinLoadGenerator } from "../servers/processes.ts";
import { measureUsage, type Usage } from "../servers/usage.ts";
import { median, quantile } from "../statistics.ts";
import { listPages, type PageQueries } from "./pages.ts";

const GAMES = 50_000;
/** Few, so that each of them has played thousands of games. */
const PLAYERS = 64;
const COINS = 1_000_000;
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
const POLL_MS = 200;
const COMMANDS = fileURLToPath(new URL("../../apps/server/src/holo.ts", import.meta.url));

/** Games of four moves are played until there are many; then the pages' queries and the audit. */
export async function benchVolume(games = GAMES): Promise<readonly Finding[]> {
  const cluster = await startCluster();
  pinLoadGenerator();
  const arena = await startArena(cluster);
  const { connectionString } = arena;
  const players = await arena.makePlayers(PLAYERS, COINS);
  const sockets = await connectAll(() => arena, players);
  const pairs = openPairs(sockets, SHORTEST_GAMES);
  const sizes = [games / 4, games / 2, games];
  const audits: Usage[] = [];
  for (const size of sizes) {
    note(`volume: ${formatNumber(size)} games are played`);
    await pairs.play({ type: "closed" }, 0, () => untilPlayed(connectionString, size));
    audits.push(await auditOnce(connectionString, cluster));
  }
  for (const socket of sockets) socket.close();
  await arena.stop();
  const startedMs = performance.now();
  await arena.start();
  const startSeconds = (performance.now() - startedMs) / 1_000;
  await arena.stop();
  const database = openDatabase({ connectionString, log: openLog("error"), statementTimeoutMs: 0, poolSize: 2 });
  await database.pool.query("vacuum (analyze)");
  const findings = [
    ...toAuditFindings(sizes, audits),
    ...(await measurePages(database, players[0]!)),
    await measureSize(database, games),
    { part: "volume", what: "start of the server", figures: "", goal: atMost(startSeconds, START_SECONDS_MAX, " s") },
  ];
  await database.close();
  await cluster.stop();
  return findings;
}

async function untilPlayed(connectionString: string, games: number): Promise<void> {
  const text = "select count(*)::int as count from games where status = 'completed'";
  while ((await query<{ count: number }>(connectionString, text))[0]!.count < games) await sleep(POLL_MS);
}

async function auditOnce(connectionString: string, cluster: Cluster): Promise<Usage> {
  const env = { PATH: process.env.PATH, DATABASE_URL: connectionString };
  const child = spawn(process.execPath, [COMMANDS, "audit"], { env, stdio: ["ignore", "ignore", "inherit"] });
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const usage = await measureUsage(() => [child.pid!], cluster.pids, ended);
  if ((await ended) !== 0) throw new Error(`the audit ended with ${await ended}`);
  return usage;
}

function toAuditFindings(sizes: readonly number[], audits: readonly Usage[]): readonly Finding[] {
  const format = (digits: number, of: (audit: Usage) => number) =>
    audits.map((audit) => formatNumber(of(audit), digits)).join(", ");
  const growth = Math.max(...audits.slice(1).map(({ cpuMs }, index) => cpuMs / audits[index]!.cpuMs));
  return [
    {
      part: "volume",
      what: "audit, CPU per doubling",
      figures: `${sizes.map((size) => formatNumber(size)).join(", ")} games: CPU ${format(1, ({ cpuMs }) => cpuMs / 1_000)} s`,
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

async function measurePages(database: Database, veteran: BenchPlayer): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const page of listPages(veteran)) {
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
    what: "bytes on disk per game of four moves",
    figures: `${formatNumber(total / games)}; ${largest.join(", ")}`,
  };
}
