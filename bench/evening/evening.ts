import { setTimeout as sleep } from "node:timers/promises";
import { type Finding, formatNumber, note } from "../report.ts";
import { audit, connectAll, startArena } from "../servers/arena.ts";
import { query, startCluster } from "../servers/cluster.ts";
import { makeEndingGames, openPairs, SHORTEST_GAMES } from "../servers/pairs.ts";
import { pinLoadGenerator } from "../servers/processes.ts";
import { formatShares, measureUsage } from "../servers/usage.ts";
import { quantile } from "../statistics.ts";
import { startChats, startDeposits } from "./steady-work.ts";
import { startWatchers } from "./watchers.ts";

const PLAYERS = 2_000;
const WATCHERS = 1_000;
/** Of games that change the list of matches: each begins and ends within four moves. */
const SHORT_PAIRS = 60;
const SHORT_THINK_MS = 600;
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
const CREDITED_POLL_MS = 5_000;

export async function benchEvening(seconds: number, profileDir?: string): Promise<readonly Finding[]> {
  note(`evening: ${formatNumber(PLAYERS)} players, ${formatNumber(WATCHERS)} watchers, ${formatNumber(seconds)} s`);
  const samples = makeEndingGames();
  const cluster = await startCluster();
  pinLoadGenerator();
  const arena = await startArena(cluster, { profileDir });
  const all = [...(await arena.makePlayers(PLAYERS + 2 * SHORT_PAIRS + WATCHERS + DEPOSITORS, COINS))];
  const [seated, changing, watching] = [
    all.splice(0, PLAYERS),
    all.splice(0, 2 * SHORT_PAIRS),
    all.splice(0, WATCHERS),
  ];
  const watchers = await startWatchers(arena, watching);
  await watchers.watchLists();
  const sockets = await connectAll(() => arena, seated);
  const pairs = openPairs(sockets, samples, { limits: [10] });
  const short = openPairs(await connectAll(() => arena, changing), SHORTEST_GAMES, { limits: [5] });
  const chats = startChats(CHATS_PER_S, sockets, pairs);
  const deposits = await startDeposits(DEPOSITS_PER_S, arena, all);
  const measuring = Promise.withResolvers<void>();
  let before = { chats: 0, deposits: 0 };
  const changes = short.play({ type: "thinking", drawMs: () => SHORT_THINK_MS }, WARM_UP_MS, () => measuring.promise);
  const drawMs = (): number => THINK_MS_MIN + Math.random() * (THINK_MS_MAX - THINK_MS_MIN);
  const { usage, seenMs } = await pairs.play({ type: "thinking", drawMs }, WARM_UP_MS, async () => {
    before = { chats: chats.done, deposits: deposits.done };
    const used = await measureUsage(() => [arena.pid()], cluster.pids, sleep(seconds * 1_000));
    measuring.resolve();
    return used;
  });
  const { games } = await changes;
  const after = { chats: chats.done, deposits: deposits.done };
  await Promise.all([chats.stop(), deposits.stop()]);
  const open = sockets.filter((socket) => socket.readyState === socket.OPEN).length + (await watchers.countOpen());
  if (open < PLAYERS + WATCHERS) throw new Error(`${PLAYERS + WATCHERS - open} connections of the benchmark were lost`);
  await untilCredited(arena.connectionString, deposits.done);
  watchers.stop();
  for (const socket of sockets) socket.terminate();
  await arena.stop();
  audit(arena.connectionString);
  await cluster.stop();

  const share = (ms: number): number => ms / 1_000 / usage.seconds;
  const perS = (count: number, digits = 0): string => formatNumber(count / usage.seconds, digits);
  const part = "evening";
  return [
    {
      part,
      what: `${formatNumber(PLAYERS)} players, ${formatNumber(WATCHERS)} watchers, ${formatNumber(usage.seconds)} s`,
      figures: [
        `${perS(seenMs.length)} moves/s`,
        `${perS(games)} short games/s`,
        `${perS(after.chats - before.chats)} chat messages/s`,
        `${perS(after.deposits - before.deposits, 1)} deposits/s`,
        formatShares(usage),
      ].join("; "),
    },
    {
      part,
      what: "a move until seen, ms",
      figures: [0.5, 0.95, 0.99].map((q) => `p${q * 100} ${formatNumber(quantile(seenMs, q), 1)}`).join(", "),
    },
    {
      part,
      what: "CPU, % of a core; memory",
      figures: `server ${formatNumber(share(usage.serverMs) * 100)} %, PostgreSQL ${formatNumber(share(usage.cpuMs - usage.serverMs) * 100)} %; peak ${formatNumber(usage.peakBytes / 1_048_576)} MB; the audit holds`,
    },
    {
      part,
      what: "such players that one core carries",
      figures: `${formatNumber(Math.floor((PLAYERS * BUSY_MAX) / share(usage.cpuMs) / 100) * 100)} at ${BUSY_MAX * 100} % of a core`,
    },
  ];
}

/** Every paid deposit is credited: webhooks may come after the provider's answer. */
async function untilCredited(connectionString: string, count: number): Promise<void> {
  for (let credited = -1; credited < count; ) {
    const text = "select count(*)::int as credited from ledger_entries where kind = 'deposit'";
    const [now] = await query<{ credited: number }>(connectionString, text);
    if (now!.credited === credited) throw new Error(`${credited} of ${count} deposits were credited`);
    credited = now!.credited;
    if (credited < count) await sleep(CREDITED_POLL_MS);
  }
}
