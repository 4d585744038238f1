import type { PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import { toInstant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import { judgePlayer } from "../../apps/server/src/fairplay/fairplay.ts";
import { provenanceInvariants } from "../../apps/server/src/ledger/audit/provenance-audit.ts";
import {
  loadPaths,
  loadWalletOrigins,
  loadWhereabouts,
  loadWithdrawalOrigins,
} from "../../apps/server/src/ledger/ledger.ts";
import { type Database, openDatabase } from "../../apps/server/src/platform/database/database.ts";
import { auditDatabase } from "../../apps/server/src/platform/database/invariant.ts";
import { migrate } from "../../apps/server/src/platform/database/migrations.ts";
import { openLog } from "../../apps/server/src/platform/log.ts";
import { atMost, type Finding, formatNumber, note } from "../report.ts";
import { startCluster } from "../servers/cluster.ts";
import { median, quantile } from "../statistics.ts";
import { SEED } from "./seed.ts";

const GAMES = 100_000;
const PLAYERS_PER_GAME = 0.02;
const WITHDRAWALS_PER_GAME = 0.2;
const SAMPLES = 2_000;
const P99_MS_MAX = 20;
const SCREENING_MINUTES_MAX = 10;
const NOW = toInstant(Date.UTC(2027, 0, 1));
const part = "provenance";

/** What a withdrawal's coins stem from, after many games. */
export async function benchProvenance(games = GAMES): Promise<readonly Finding[]> {
  const cluster = await startCluster();
  const connectionString = await cluster.makeDatabase();
  const database = openDatabase({ connectionString, log: openLog("error"), statementTimeoutMs: 0, poolSize: 2 });
  await migrate(connectionString);
  note(`provenance: ${formatNumber(games)} games are posted`);
  await database.pool.query(SEED);
  const withdrawals = Math.round(games * WITHDRAWALS_PER_GAME);
  const startedMs = performance.now();
  await database.pool.query(`call bench_seed(${games}, ${Math.round(games * PLAYERS_PER_GAME)}, ${withdrawals})`);
  const seededMs = performance.now() - startedMs;
  await database.pool.query("call bench_play()");
  await database.pool.query("vacuum (analyze)");
  const findings = [
    { part, what: "posting", figures: `${formatNumber(seededMs / games, 2)} ms a game` },
    await measureWithdrawals(database),
    await measureWallets(database),
    await measureDeposits(database),
    await measureScreening(database, withdrawals),
    await measureSize(database, games),
    await measureAudit(database),
  ];
  await database.close();
  await cluster.stop();
  return findings;
}

async function measureEach<Name>(names: readonly Name[], load: (name: Name) => Promise<void>) {
  const times: number[] = [];
  for (const name of names) {
    const startedMs = performance.now();
    await load(name);
    times.push(performance.now() - startedMs);
  }
  return { p50: median(times), p99: quantile(times, 0.99) };
}

async function measureWithdrawals(database: Database): Promise<Finding> {
  const pieces: number[] = [];
  const hops: number[] = [];
  const { rows } = await sql<{ readonly source: PaymentId }>`
    select source from ledger_entries where kind = 'withdrawal' order by hashtext(source) limit ${SAMPLES}`.execute(
    database.kysely,
  );
  const { p50, p99 } = await measureEach(rows, async ({ source }) => {
    const origins = await loadWithdrawalOrigins(database.kysely, source, NOW);
    const paths = await loadPaths(
      database.kysely,
      origins.map(({ pieceId }) => pieceId),
    );
    pieces.push(paths.length);
    hops.push(...origins.map((origin) => origin.hops));
  });
  const figures = `p50 ${formatNumber(p50, 1)} ms; pieces p50 ${median(pieces)} p99 ${quantile(pieces, 0.99)}; hops p99 ${quantile(hops, 0.99)}`;
  return { part, what: "origins and paths of a withdrawal, p99", figures, goal: atMost(p99, P99_MS_MAX, " ms") };
}

async function measureWallets(database: Database): Promise<Finding> {
  const { rows } = await sql<{ readonly owner: PlayerId }>`
    select owner from ledger_accounts where kind = 'wallet' order by hashtext(owner) limit ${SAMPLES}`.execute(
    database.kysely,
  );
  const pieces: number[] = [];
  const { p50, p99 } = await measureEach(rows, async ({ owner }) => {
    pieces.push((await loadWalletOrigins(database.kysely, owner, NOW)).length);
  });
  const figures = `p50 ${formatNumber(p50, 1)} ms, p99 ${formatNumber(p99, 1)} ms; pieces p99 ${quantile(pieces, 0.99)}`;
  return { part, what: "origins of a wallet", figures };
}

async function measureDeposits(database: Database): Promise<Finding> {
  const { rows } = await sql<{ readonly paymentId: PaymentId; readonly playerId: PlayerId }>`
    select entry.source as "paymentId", account.owner as "playerId" from ledger_entries entry
      join ledger_postings posting on posting.entry_id = entry.id and posting.amount > 0
      join ledger_accounts account on account.id = posting.account_id
    where entry.kind = 'deposit' order by hashtext(entry.source) limit ${SAMPLES}`.execute(database.kysely);
  const { p50, p99 } = await measureEach(rows, async (deposit) => {
    await loadWhereabouts(database.kysely, deposit);
  });
  return {
    part,
    what: "whereabouts of a deposit",
    figures: `p50 ${formatNumber(p50, 1)} ms, p99 ${formatNumber(p99, 1)} ms`,
  };
}

/** Judges those who withdrew: busy players more often. */
async function measureScreening(database: Database, withdrawals: number): Promise<Finding> {
  const { rows } = await sql<{ readonly owner: PlayerId }>`
    select account.owner from ledger_entries entry
      join ledger_postings posting on posting.entry_id = entry.id and posting.amount < 0
      join ledger_accounts account on account.id = posting.account_id
    where entry.kind = 'withdrawal' order by hashtext(entry.source) limit ${SAMPLES}`.execute(database.kysely);
  const options = { secret: "a secret of at least thirty-two characters", rateKobo: 30_600 };
  const counts = { hold: 0, list: 0 };
  const startedMs = performance.now();
  const { p50, p99 } = await measureEach(rows, async ({ owner }) => {
    const finding = await judgePlayer(database.kysely, owner, NOW, options);
    const decisions = finding?.flows.map(({ decision }) => decision) ?? [];
    if (decisions.includes("hold")) counts.hold += 1;
    else if (decisions.length > 0) counts.list += 1;
  });
  const minutes = ((performance.now() - startedMs) / rows.length) * (withdrawals / 60_000);
  const figures = `p50 ${formatNumber(p50, 1)} ms, p99 ${formatNumber(p99, 1)} ms; of ${rows.length} held ${counts.hold}, listed ${counts.list}`;
  return { part, what: "screening of all withdrawals", figures, goal: atMost(minutes, SCREENING_MINUTES_MAX, " min") };
}

async function measureSize(database: Database, games: number): Promise<Finding> {
  const { rows } = await sql<{ readonly name: string; readonly rows: number; readonly bytes: number }>`
    select relname as name, n_live_tup::float8 as rows, pg_total_relation_size(relid)::float8 as bytes
    from pg_stat_user_tables where relname in ('coin_pieces', 'coin_exits', 'ledger_entries', 'ledger_postings')
    order by relname`.execute(database.kysely);
  const figures = rows.map(
    ({ name, rows, bytes }) => `${name} ${formatNumber(rows / games, 1)} rows, ${formatNumber(bytes / games)} bytes`,
  );
  return { part, what: "tables, a game", figures: figures.join("; ") };
}

async function measureAudit(database: Database): Promise<Finding> {
  const startedMs = performance.now();
  const found = await auditDatabase(database, provenanceInvariants);
  if (found !== null) throw new Error(`${found.name}: ${found.found}`);
  return { part, what: "audit", figures: `${formatNumber((performance.now() - startedMs) / 1_000, 1)} s` };
}
