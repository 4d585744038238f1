import { spawnSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { PAIRS as CHANGING_PAIRS, startGameChanges } from "../lobby/game-changes.ts";
import { startWatchers } from "../lobby/watchers.ts";
import { type Finding, formatNumber, note } from "../report.ts";
import { addCoins, connectAll, startArena } from "../servers/arena.ts";
import { startCluster } from "../servers/cluster.ts";
import { makeEndingGames, openPairs } from "../servers/pairs.ts";
import {
  isPinned,
  pinLoadGenerator,
  readCpuMs,
  readResidentBytes,
  readServerCoreMs,
  toCpuMs,
} from "../servers/processes.ts";
import { quantile } from "../statistics.ts";
import { startChats, startDeposits } from "./steady-work.ts";

const PLAYERS = 2_000;
const WATCHERS = 1_000;
/** A game appears, starts and ends: three changes. */
const SHORT_GAMES_PER_S = 20;
const CHATS_PER_S = 50;
const DEPOSITS_PER_S = 5;
const DEPOSITORS = 500;
/** A player answers after 1 to 15 s, so a game of 70 plies takes nine minutes. */
const THINK_MS_MIN = 1_000;
const THINK_MS_MAX = 15_000;
const COINS = 100_000;
/** Until every player has begun to think. */
const WARM_UP_MS = 20_000;
/** A core should not be busier on average. */
const BUSY_MAX = 0.7;

export async function benchEvening(seconds: number, profileDir?: string): Promise<readonly Finding[]> {
  note(
    `evening: ${formatNumber(PLAYERS)} players and ${formatNumber(WATCHERS)} watchers for ${formatNumber(seconds)} s`,
  );
  if (!isPinned()) note("evening: this machine cannot keep server and load apart: compare with care");
  const cluster = await startCluster();
  pinLoadGenerator();
  const arena = await startArena(cluster, "arena", profileDir);
  const all = await arena.makePlayers(PLAYERS + 2 * CHANGING_PAIRS + WATCHERS + DEPOSITORS);
  const seated = all.slice(0, PLAYERS);
  const changing = all.slice(PLAYERS, PLAYERS + 2 * CHANGING_PAIRS);
  const watching = all.slice(PLAYERS + 2 * CHANGING_PAIRS, -DEPOSITORS);
  await addCoins(arena.connectionString, all, COINS);

  const site = { port: arena.port, origin: arena.url };
  const sockets = await connectAll(site, seated);
  const pairs = openPairs(sockets, makeEndingGames(), {
    drawThinkMs: () => THINK_MS_MIN + Math.random() * (THINK_MS_MAX - THINK_MS_MIN),
    limits: [10],
  });
  const changers = await connectAll(site, changing);
  const watchers = await startWatchers(site, watching);
  await watchers.carryOut({ type: "watch", isWatched: true });
  pairs.start();
  const changes = startGameChanges(
    Array.from({ length: CHANGING_PAIRS }, (_, i) => [changers[2 * i]!, changers[2 * i + 1]!] as const),
    3 * SHORT_GAMES_PER_S,
  );
  const chats = startChats(CHATS_PER_S, sockets, pairs);
  const deposits = await startDeposits(DEPOSITS_PER_S, arena, all.slice(-DEPOSITORS));
  await sleep(WARM_UP_MS);

  const pids = [arena.pid, ...cluster.pids()];
  const read = () => ({
    ofEach: readCpuMs(pids),
    coreMs: readServerCoreMs(),
    games: changes.games,
    chats: chats.done,
    deposits: deposits.done,
  });
  let [before, after] = [read(), read()];
  let peakBytes = 0;
  const timer = setInterval(() => {
    peakBytes = Math.max(peakBytes, readResidentBytes(arena.pid));
  }, 1_000);
  const played = await pairs.measure(seconds * 1_000, {
    begin: () => {
      before = read();
    },
    end: () => {
      after = read();
    },
  });
  clearInterval(timer);
  pairs.stop();
  await Promise.all([changes.stop(), chats.stop(), deposits.stop()]);
  const { open } = await watchers.carryOut({ type: "count" });
  const lost = sockets.filter((socket) => socket.readyState !== socket.OPEN).length + watching.length - open;
  if (lost > 0) throw new Error(`${lost} connections of the benchmark were lost`);
  await untilCredited(arena.connectionString, deposits.done);
  watchers.stop();
  for (const socket of [...sockets, ...changers]) socket.terminate();
  await arena.stop();
  audit(arena.connectionString);
  await cluster.stop();

  const cpuMs = toCpuMs(before.ofEach, after.ofEach);
  const ownMs = toCpuMs(before.ofEach, after.ofEach, arena.pid);
  const share = (ms: number): number => ms / 1_000 / played.seconds;
  const perS = (count: number, digits = 0): string => formatNumber(count / played.seconds, digits);
  const others = Math.max(0, after.coreMs - before.coreMs - cpuMs);
  const part = "evening";
  return [
    {
      part,
      what: `${formatNumber(PLAYERS)} players, ${formatNumber(WATCHERS)} watchers, ${formatNumber(played.seconds)} s`,
      figures: [
        `${perS(played.moves)} moves/s`,
        `${perS(after.games - before.games)} short games/s`,
        `${perS(after.chats - before.chats)} chat messages/s`,
        `${perS(after.deposits - before.deposits, 1)} deposits/s`,
        `load ${formatNumber(played.loadGeneratorShare * 100)} %, others ${formatNumber(share(others) * 100)} %`,
      ].join("; "),
    },
    {
      part,
      what: "a move until seen, ms",
      figures: [0.5, 0.95, 0.99].map((q) => `p${q * 100} ${formatNumber(quantile(played.seenMs, q), 1)}`).join(", "),
    },
    {
      part,
      what: "CPU, % of a core; memory",
      figures: `server ${formatNumber(share(ownMs) * 100)} %, PostgreSQL ${formatNumber(share(cpuMs - ownMs) * 100)} %; peak ${formatNumber(peakBytes / 1_048_576)} MB; the audit holds`,
    },
    {
      part,
      what: "such players that one core carries",
      figures: `${formatNumber(Math.floor((PLAYERS * BUSY_MAX) / share(cpuMs) / 100) * 100)} at ${BUSY_MAX * 100} % of a core`,
    },
  ];
}

/** Every paid deposit is credited: webhooks may come after the provider's answer. */
async function untilCredited(connectionString: string, count: number): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  for (let credited = -1; credited < count; ) {
    const { rows } = await client.query<{ credited: number }>(
      "select count(*)::int as credited from ledger_entries where kind = 'deposit'",
    );
    if (rows[0]!.credited === credited) throw new Error(`${credited} of ${count} deposits were credited`);
    credited = rows[0]!.credited;
    if (credited < count) await sleep(5_000);
  }
  await client.end();
}

export function audit(connectionString: string): void {
  const { status, stdout } = spawnSync(
    process.execPath,
    [fileURLToPath(new URL("../../apps/server/src/holo.ts", import.meta.url)), "audit"],
    { env: { PATH: process.env.PATH, DATABASE_URL: connectionString }, encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`the audit ended with ${status}: ${stdout.split("\n").at(-2)}`);
}
