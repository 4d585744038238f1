import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { assert } from "@holo/kernel/assert.ts";
import { WebSocket } from "ws";
import type { RandomGame } from "../random-games.ts";
import { atLeast, atMost, type Finding, formatNumber, note } from "../report.ts";
import { connectAll, startArena, untilOpen } from "../servers/arena.ts";
import { type Cluster, countLogged, query, startCluster } from "../servers/cluster.ts";
import { makeEndingGames, openPairs, type Pace, type Pairs, SHORTEST_GAMES } from "../servers/pairs.ts";
import { pinLoadGenerator, startOnServerCore, stopProcess, waitForMessage } from "../servers/processes.ts";
import { formatShares, measureUsage, type Usage } from "../servers/usage.ts";
import { median, quantile } from "../statistics.ts";

const PAIRS = 200;
/** Of players whose games end after four moves. */
const SEEKING_PAIRS = 32;
const COINS = 1_000_000;
const ROUND_S_MAX = 5;
const ROUNDS_MIN = 3;
const WARM_UP_MS = 1_000;
const OPEN_MOVES_PER_S = 2_000;
/** Each player moves at once, or each game at an even rate, whatever the server needs. */
const PACES = { closed: { type: "closed" }, open: { type: "open", movesPerS: OPEN_MOVES_PER_S } } as const;
const LIFECYCLE = "lifecycle";
const LIFECYCLE_CPU_MS_MAX = 3.5;
const CREATE_P99_MS_MAX = 60;

type ServerName = "arena" | "floor A" | "floor B";
type Mode = keyof typeof PACES | typeof LIFECYCLE;

interface Server {
  readonly name: ServerName;
  readonly pairs: Pairs;
  /** Where moves are stored; null: nowhere. */
  readonly connectionString: string | null;
  pid(): number;
  readonly databasePids: () => readonly number[];
  stop(): Promise<void>;
}

interface Round {
  readonly server: ServerName;
  readonly mode: Mode;
  readonly usage: Usage;
  /** Moves or, in the lifecycle, games. */
  readonly done: number;
  readonly seenMs: readonly number[];
  readonly createMs: readonly number[];
}

/**
 * Whole games with stakes at the arena; at floor A, which keeps games in memory; at floor B, which
 * stores each move as one row. Then games of four moves, beside bare statements of the same rows.
 */
export async function benchDuel(seconds: number, profileDir?: string): Promise<readonly Finding[]> {
  const count = Math.max(ROUNDS_MIN, Math.ceil(seconds / ROUND_S_MAX));
  const forMs = (seconds * 1_000) / count;
  note(`duel: ${PAIRS} pairs, ${count} rounds of ${formatNumber(forMs / 1_000, 1)} s at each pace for each server`);
  const samples = makeEndingGames();
  const cluster = await startCluster();
  pinLoadGenerator();
  const arena = await startArena(cluster, { profileDir });
  const players = await arena.makePlayers(2 * (PAIRS + SEEKING_PAIRS), COINS);
  const sockets = await connectAll(() => arena, players);
  const { connectionString } = arena;
  const { pid, stop } = arena;
  const own = { name: "arena", connectionString, pid, databasePids: cluster.pids, stop } as const;
  const servers: readonly Server[] = [
    { ...own, pairs: openPairs(sockets.slice(0, 2 * PAIRS), samples) },
    await openFloor("floor A", null, samples, cluster, profileDir),
    await openFloor("floor B", await cluster.makeDatabase(), samples, cluster, profileDir),
  ];
  const seekers = { ...own, pairs: openPairs(sockets.slice(2 * PAIRS), SHORTEST_GAMES) };
  const bare = await cluster.makeDatabase();
  const rounds: Round[] = [];
  const fsyncsMs: number[] = [];
  // The first round of each server is a warm-up.
  for (const server of servers) await playRound(server, "closed", PACES.closed, WARM_UP_MS);
  for (let round = 0; round < count; round += 1) {
    fsyncsMs.push(cluster.measureFsyncMs());
    for (const pace of ["closed", "open"] as const)
      for (const server of servers) rounds.push(await playRound(server, pace, PACES[pace], forMs));
    rounds.push(await playRound(seekers, LIFECYCLE, PACES.closed, forMs), await playBare(bare, cluster, forMs));
  }
  const shown = [...servers, seekers].reduce((sum, { pairs }) => sum + pairs.seen, 0);
  const unstored = servers.find(({ connectionString }) => connectionString === null)!.pairs.seen;
  const logged = (await countLogged(connectionString)) + (await countLogged(servers[2]!.connectionString!)) + unstored;
  assert(logged === shown, `the servers showed ${shown} moves and logged ${logged}`);
  await assertSettled(connectionString);
  for (const server of servers) await server.stop();
  await cluster.stop();
  return [
    ...toPaceFindings("closed", rounds, median(fsyncsMs)),
    ...toPaceFindings("open", rounds, median(fsyncsMs)),
    ...toLifecycleFindings(rounds),
  ];
}

export async function openFloor(
  name: ServerName,
  connectionString: string | null,
  samples: readonly RandomGame[],
  cluster: Cluster,
  profileDir: string | undefined,
): Promise<Server> {
  const args = connectionString === null ? [] : [connectionString];
  const child = startOnServerCore(fileURLToPath(new URL("floor.ts", import.meta.url)), args, profileDir);
  const { port } = (await waitForMessage(child)) as { readonly port: number };
  const sockets = Array.from(
    { length: 2 * PAIRS },
    () => new WebSocket(`ws://127.0.0.1:${port}/`, { perMessageDeflate: false }),
  );
  await Promise.all(sockets.map(untilOpen));
  return {
    name,
    pairs: openPairs(sockets, samples),
    connectionString,
    pid: () => child.pid!,
    databasePids: connectionString === null ? () => [] : cluster.pids,
    stop: () => stopProcess(child),
  };
}

async function playRound(server: Server, mode: Mode, pace: Pace, forMs: number): Promise<Round> {
  const { name, pairs, pid, databasePids } = server;
  const played = await pairs.play(pace, WARM_UP_MS, () => measureUsage(() => [pid()], databasePids, sleep(forMs)));
  const { usage, seenMs, createMs } = played;
  return { server: name, mode, usage, done: mode === LIFECYCLE ? played.games : seenMs.length, seenMs, createMs };
}

async function playBare(connectionString: string, cluster: Cluster, forMs: number): Promise<Round> {
  const file = fileURLToPath(new URL("bare-games.ts", import.meta.url));
  const child = startOnServerCore(file, [connectionString, String(forMs)]);
  await waitForMessage(child);
  const games = waitForMessage(child) as Promise<number>;
  const usage = await measureUsage(() => [child.pid!], cluster.pids, games);
  await stopProcess(child);
  return { server: "floor B", mode: LIFECYCLE, usage, done: await games, seenMs: [], createMs: [] };
}

async function assertSettled(connectionString: string): Promise<void> {
  const [{ ended, settled, total }] = (await query<{ ended: number; settled: number; total: string }>(
    connectionString,
    `select (select count(*)::int from games where status = 'completed') as ended,
       (select count(*)::int from ledger_entries where kind in ('win', 'draw')) as settled,
       (select sum(amount)::bigint::text from ledger_postings) as total`,
  )) as [{ ended: number; settled: number; total: string }];
  const isSettled = ended > 0 && ended === settled && total === "0";
  assert(isSettled, `${ended} games ended, ${settled} were settled, the postings sum to ${total}`);
}

/** The median over the rounds of a server. */
function toMiddle(rounds: readonly Round[], mode: Mode) {
  return (server: ServerName, figure: (round: Round) => number): number =>
    median(rounds.filter((round) => round.server === server && round.mode === mode).map(figure));
}

const toPerS = ({ done, usage }: Round): number => done / usage.seconds;
const toCpuMs = ({ done, usage }: Round): number => usage.cpuMs / done;
const toServerMs = ({ done, usage }: Round): number => usage.serverMs / done;
const toShares = (middle: ReturnType<typeof toMiddle>, server: ServerName): string =>
  formatShares({
    loadShare: middle(server, ({ usage }) => usage.loadShare),
    othersShare: middle(server, ({ usage }) => usage.othersShare),
  });

function toPaceFindings(pace: keyof typeof PACES, rounds: readonly Round[], fsyncMs: number): readonly Finding[] {
  const part = "duel";
  const what = pace === "closed" ? "closed loop" : `open loop, ${formatNumber(OPEN_MOVES_PER_S)} moves/s`;
  const middle = toMiddle(rounds, pace);
  const toSeenMs = (q: number) => (round: Round) => quantile(round.seenMs, q);
  const lines = (["arena", "floor A", "floor B"] as const).map((name): Finding => {
    const figures = [
      `${formatNumber(middle(name, toPerS))} moves/s`,
      `seen p50 ${formatNumber(middle(name, toSeenMs(0.5)), 1)} p99 ${formatNumber(middle(name, toSeenMs(0.99)), 1)} ms`,
      `CPU ${formatNumber(1_000 * middle(name, toCpuMs))} ms/1,000 (server ${formatNumber(1_000 * middle(name, toServerMs))})`,
      toShares(middle, name),
    ];
    return { part, what: `${what}: ${name}`, figures: figures.join("; ") };
  });
  const ratio = (figure: (round: Round) => number, to: ServerName): number =>
    middle("arena", figure) / middle(to, figure);
  const figures = `to floor A: CPU ${formatNumber(ratio(toCpuMs, "floor A"), 2)}x; to floor B: moves/s ${formatNumber(ratio(toPerS, "floor B"), 2)}x`;
  const cpu = { part, what: `${what}: CPU a move, to floor B`, figures, goal: atMost(ratio(toCpuMs, "floor B"), 2.2) };
  if (pace === "closed") {
    const goal = atLeast(ratio(toPerS, "floor A"), 1.5);
    return [...lines, cpu, { part, what: `${what}: moves/s, to floor A`, figures: "", goal }];
  }
  // Storing before showing may cost 1.5 times floor A's p99 and one sync of the disk.
  const most = Math.round(15 * middle("floor A", toSeenMs(0.99)) + 10 * fsyncMs) / 10;
  const goal = atMost(middle("arena", toSeenMs(0.99)), most, " ms");
  const sync = `one fsync ${formatNumber(fsyncMs, 1)} ms`;
  return [...lines, cpu, { part, what: `${what}: p99 until seen`, figures: sync, goal }];
}

function toLifecycleFindings(rounds: readonly Round[]): readonly Finding[] {
  const part = "duel";
  const middle = toMiddle(rounds, LIFECYCLE);
  const toFigures = (server: ServerName): string =>
    [
      `${formatNumber(middle(server, toPerS))} games/s`,
      `CPU ${formatNumber(middle(server, toCpuMs), 2)} ms a game (server ${formatNumber(middle(server, toServerMs), 2)})`,
      toShares(middle, server),
    ].join("; ");
  const cpuMs = middle("arena", toCpuMs);
  const createMs = (q: number): number => middle("arena", (round) => quantile(round.createMs, q));
  return [
    { part, what: "games of four moves: bare statements of the same rows", figures: toFigures("floor B") },
    { part, what: "games of four moves: arena", figures: toFigures("arena") },
    {
      part,
      what: "games of four moves: CPU of a game",
      figures: `${formatNumber(cpuMs / middle("floor B", toCpuMs), 2)}x the bare statements`,
      goal: atMost(cpuMs, LIFECYCLE_CPU_MS_MAX, " ms"),
    },
    {
      part,
      what: "games of four moves: create, p99",
      figures: `p50 ${formatNumber(createMs(0.5))} ms`,
      goal: atMost(createMs(0.99), CREATE_P99_MS_MAX, " ms"),
    },
  ];
}
