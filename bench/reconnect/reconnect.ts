import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { chess } from "@holo/chess/chess.ts";
import { type Instant, toInstant } from "@holo/kernel/instant.ts";
import type { LogRecord } from "@holo/table/log-record.ts";
import pg from "pg";
import { addTestPlayers } from "../../apps/server/src/accounts/testing/test-players.ts";
import { openDatabase } from "../../apps/server/src/platform/database/database.ts";
import { openLog } from "../../apps/server/src/platform/log.ts";
import { startProductionServer } from "../attack/production-server.ts";
import { insertGames } from "../connections/seated-games.ts";
import { atMost, type Finding, formatNumber, note } from "../report.ts";
import { makeRandomGames } from "../rules/random-games.ts";
import { findFreePort } from "../servers/arena.ts";
import { startCluster } from "../servers/cluster.ts";
import {
  countAllowed,
  killProcess,
  pinLoadGenerator,
  readCpuMs,
  readResidentBytes,
  startOnServerCore,
  stopProcess,
  toCpuMs,
  waitForText,
} from "../servers/processes.ts";
import { quantile } from "../statistics.ts";
import { type ReturningPlayer, startPlayer } from "./returning-players.ts";

const PLAYERS = 10_000;
const PLIES_PLAYED = 20;
const LIMIT_MS = 600_000;
const SEATED_S_MAX = 15;
const TIMEOUT_MS = 120_000;
/** More than one round of pings and session checks. */
const SETTLING_MS = 7_000;
const FIRST_PER_TURN = 50;
const POLL_MS = 20;

interface Server {
  readonly pid: number;
  kill(): Promise<void>;
}

interface Returned {
  readonly startMs: number;
  /** By player, since the restart. */
  readonly seatedMs: readonly number[];
  readonly cpuMs: number;
  readonly peakBytes: number;
  readonly attempts: number;
}

/** All players return to their games after kill -9. */
export async function benchReconnect(size = PLAYERS, profileDir?: string): Promise<readonly Finding[]> {
  const count = countAllowed(size);
  note(`reconnect: ${formatNumber(count)} players in ${formatNumber(count / 2)} games`);
  const cluster = await startCluster();
  pinLoadGenerator();
  const connectionString = await cluster.makeDatabase("reconnect");
  const place = { port: await findFreePort() };
  const first = await startProductionServer(connectionString, undefined, place);
  const { origin, port, secret } = first;
  const database = openDatabase({ connectionString, log: openLog("error"), statementTimeoutMs: 60_000 });
  const usernames = Array.from({ length: count }, (_, index) => `bench${index + 1}`);
  const players = await addTestPlayers(database, usernames, secret, undefined, true);
  await database.pool.query("analyze");
  await database.close();
  const [moves] = makeRandomGames(chess, { count: 1, plies: PLIES_PLAYED, orShorter: false, seed: 9 });
  const begunAt = toInstant(Date.now());
  const ids = players.map(({ id }) => id);
  const gameIds = await insertGames(connectionString, ids, moves!);
  const since = PLIES_PLAYED + 2;

  let table = "";
  const startAll = async (site: { readonly port: number; readonly origin: string }) => {
    const all: ReturningPlayer[] = [];
    for (const [index, player] of players.entries()) {
      const watch = { gameId: gameIds[index >> 1]!, since };
      all.push(
        startPlayer(site, player, index, watch, (text) => {
          table = text;
        }),
      );
      if (index % FIRST_PER_TURN === 0) await sleep(POLL_MS);
    }
    await untilSeated(all);
    return all;
  };

  const all = await startAll({ port, origin });
  await sleep(SETTLING_MS);
  const killedAt = toInstant(Date.now());
  const start = () => startProductionServer(connectionString, profileDir, { port, secret, dataDir: first.dataDir });
  const arena = await comeBack(all, first, start, cluster.pids);
  const listenedAt = await loadServingAt(connectionString);
  const clocks = await loadClocks(connectionString, { begunAt, killedAt, listenedAt, gameIds, all });
  for (const player of all) player.close();
  await arena.server.stop();

  const floorPort = await findFreePort();
  const hello = JSON.stringify({
    type: "hello",
    protocol: 1,
    player: { id: ids[0], username: "bench10000" },
    serverNow: begunAt,
  });
  const env = {
    PORT: String(floorPort),
    DATABASE_URL: connectionString,
    AUTH_SECRET: secret,
    HELLO: hello,
    TABLE: table,
  };
  const startFloor = async () => {
    const child = startOnServerCore(fileURLToPath(new URL("reconnect-floor.ts", import.meta.url)), { env });
    await waitForText(child, "the floor is open");
    return { pid: child.pid!, kill: () => killProcess(child), stop: () => stopProcess(child) };
  };
  const floorServer = await startFloor();
  const atFloor = await startAll({ port: floorPort, origin });
  const floor = await comeBack(atFloor, floorServer, startFloor, cluster.pids);
  for (const player of atFloor) player.close();
  await floor.server.stop();
  await cluster.stop();

  const describe = ({ startMs, seatedMs, cpuMs, peakBytes, attempts }: Returned): string =>
    [
      `starts in ${formatNumber(startMs / 1_000, 1)} s`,
      `seated p50 ${formatNumber(quantile(seatedMs, 0.5) / 1_000, 1)} s, last ${formatNumber(Math.max(...seatedMs) / 1_000, 1)} s`,
      `${formatNumber(cpuMs / count, 2)} ms CPU each`,
      `peak ${formatNumber(peakBytes / 1_048_576)} MB`,
      `${formatNumber(attempts / count, 1)} attempts each`,
    ].join(", ");
  note(`reconnect: arena: ${describe(arena)}`);
  note(`reconnect: floor: ${describe(floor)}`);
  return [
    {
      part: "reconnect",
      what: `${formatNumber(count)} players seated again after kill -9, s since the restart`,
      figures: `arena: ${describe(arena)}; floor: ${describe(floor)}`,
      goal: atMost(Math.max(...arena.seatedMs) / 1_000, SEATED_S_MAX, " s"),
    },
    {
      part: "reconnect",
      what: "the most that a clock lost between kill -9 and the player's return, s",
      figures: `${formatNumber(clocks.credits)} of ${formatNumber(gameIds.length)} games credited; a clock gained ${formatNumber(-quantile(clocks.lostMs, 0.5) / 1_000, 1)} s (median)`,
      goal: atMost(
        clocks.credits < gameIds.length ? Number.POSITIVE_INFINITY : Math.max(...clocks.lostMs) / 1_000,
        0,
        " s",
      ),
    },
  ];
}

async function untilSeated(players: readonly ReturningPlayer[]): Promise<void> {
  const untilMs = performance.now() + TIMEOUT_MS;
  for (;;) {
    const missing = players.filter(({ seatedMs }) => seatedMs === null).length;
    if (missing === 0) return;
    if (performance.now() > untilMs) throw new Error(`${missing} players of the benchmark did not come back`);
    await sleep(POLL_MS);
  }
}

async function comeBack<Started extends { readonly pid: number }>(
  players: readonly ReturningPlayer[],
  running: Server,
  start: () => Promise<Started>,
  databasePids: () => readonly number[],
): Promise<Returned & { readonly server: Started }> {
  const attemptsBefore = players.reduce((sum, { attempts }) => sum + attempts, 0);
  const databaseBefore = readCpuMs(databasePids());
  await running.kill();
  const startedMs = performance.now();
  const server = await start();
  const startMs = performance.now() - startedMs;
  const cpuAtStart = readCpuMs([server.pid]);
  let peakBytes = 0;
  const timer = setInterval(() => {
    peakBytes = Math.max(peakBytes, readResidentBytes(server.pid));
  }, 200);
  await untilSeated(players);
  clearInterval(timer);
  return {
    server,
    startMs,
    seatedMs: players.map(({ seatedMs }) => seatedMs! - startedMs),
    cpuMs: toCpuMs(cpuAtStart, readCpuMs([server.pid])) + toCpuMs(databaseBefore, readCpuMs(databasePids())),
    peakBytes,
    attempts: players.reduce((sum, { attempts }) => sum + attempts, 0) - attemptsBefore,
  };
}

async function loadServingAt(connectionString: string): Promise<Instant> {
  const rows = await query<{ at: string }>(
    connectionString,
    "select extract(epoch from max(serving_at)) * 1000 as at from servers",
  );
  return toInstant(Math.round(Number(rows[0]!.at)));
}

/** What each clock of a player to move lost, from the kill until the player's return. */
async function loadClocks(
  connectionString: string,
  facts: {
    readonly begunAt: Instant;
    readonly killedAt: Instant;
    readonly listenedAt: Instant;
    readonly gameIds: readonly string[];
    readonly all: readonly ReturningPlayer[];
  },
): Promise<{ readonly credits: number; readonly lostMs: readonly number[] }> {
  const { begunAt, killedAt, gameIds, all } = facts;
  const rows = await query<{ game_id: string; record: string }>(
    connectionString,
    "select game_id, record from game_log where record like '%clock_credited%'",
  );
  const wallMs = Date.now() - performance.now();
  const lostMs = rows.map(({ game_id: gameId, record }) => {
    const { at, events } = JSON.parse(record) as LogRecord;
    const credited = events.find(({ type }) => type === "clock_credited") as {
      readonly remainingMs: readonly number[];
    };
    // White is to move.
    const returnedAt = wallMs + all[2 * gameIds.indexOf(gameId)]!.seatedMs!;
    const thoughtMs = killedAt - begunAt;
    return LIMIT_MS - thoughtMs - (credited.remainingMs[0]! - (returnedAt - at));
  });
  return { credits: new Set(rows.map(({ game_id: gameId }) => gameId)).size, lostMs };
}

async function query<Row extends object>(connectionString: string, text: string): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rows } = await client.query<Row>(text);
  await client.end();
  return rows;
}
