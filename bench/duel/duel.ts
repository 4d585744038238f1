import { fileURLToPath } from "node:url";
import { assert } from "@holo/kernel/assert.ts";
import pg from "pg";
import { WebSocket } from "ws";
import { atLeast, atMost, type Finding, formatNumber, note } from "../report.ts";
import { addCoins, startArena } from "../servers/arena.ts";
import { type Cluster, startCluster } from "../servers/cluster.ts";
import { makeEndingGames, openPairs, type Pairs } from "../servers/pairs.ts";
import {
  isPinned,
  pinLoadGenerator,
  readCpuMs,
  readServerCoreMs,
  startOnServerCore,
  stopProcess,
  toCpuMs,
  waitForMessage,
} from "../servers/processes.ts";
import { countLogged } from "../servers/seated-games.ts";
import { median, quantile } from "../statistics.ts";

const PAIRS = 200;
const COINS = 1_000_000;
const ROUND_S_MAX = 5;
const ROUNDS_MIN = 3;
const WARM_UP_MS = 1_000;
const OPEN_MOVES_PER_S = 2_000;
/** Each player moves at once, or each game at an even rate, whatever the server needs. */
const PACES = { closed: null, open: (1_000 * PAIRS) / OPEN_MOVES_PER_S } as const;
const FLOOR_FILE = fileURLToPath(new URL("floor.ts", import.meta.url));

type Pace = keyof typeof PACES;
type ServerName = "arena" | "floor A" | "floor B";

interface Server {
  readonly name: ServerName;
  readonly pairs: Pairs;
  /** Where moves are stored; null: nowhere. */
  readonly connectionString: string | null;
  /** The server's process first, then those of its database. */
  pids(): readonly number[];
  stop(): Promise<void>;
}

interface Round {
  readonly server: ServerName;
  readonly pace: Pace;
  readonly movesPerS: number;
  readonly seenP50Ms: number;
  readonly seenP99Ms: number;
  readonly startedP99Ms: number;
  readonly cpuMsPer1000: number;
  /** Without PostgreSQL. */
  readonly ownCpuMsPer1000: number;
  readonly otherProcessesShare: number;
  readonly loadGeneratorShare: number;
}

type Figure = Exclude<keyof Round, "server" | "pace">;

/**
 * Whole games with stakes at the arena; at floor A, which keeps games in memory; at floor B, which
 * stores each move as one row.
 */
export async function benchDuel(seconds: number, profileDir?: string): Promise<readonly Finding[]> {
  const count = Math.max(ROUNDS_MIN, Math.ceil(seconds / ROUND_S_MAX));
  note(`duel: ${PAIRS} pairs, ${count} rounds of ${formatNumber(seconds / count, 1)} s at each pace for each server`);
  if (!isPinned()) note("duel: this machine cannot keep servers and load apart: compare with care");
  const cluster = await startCluster();
  pinLoadGenerator();
  const servers = [
    await openArenaServer(cluster, profileDir),
    await openFloor("floor A", null, cluster, profileDir),
    await openFloor("floor B", await cluster.makeDatabase("floor"), cluster, profileDir),
  ];
  const rounds: Round[] = [];
  const fsyncsMs: number[] = [];
  // The first round of each server is a warm-up.
  for (const server of servers) await playRound(server, "closed", WARM_UP_MS);
  for (let round = 0; round < count; round += 1) {
    fsyncsMs.push(cluster.measureFsyncMs());
    for (const pace of ["closed", "open"] as const)
      for (const server of servers) rounds.push(await playRound(server, pace, (seconds * 1_000) / count));
  }
  for (const { name, pairs, connectionString } of servers) {
    const logged = connectionString === null ? pairs.seen : await countLogged(connectionString);
    assert(logged === pairs.seen, `${name} showed ${pairs.seen} moves and logged ${logged}`);
  }
  await assertSettled(servers[0]!.connectionString!);
  for (const server of servers) await server.stop();
  await cluster.stop();
  return (["closed", "open"] as const).flatMap((pace) => toFindings(pace, rounds, median(fsyncsMs)));
}

async function openArenaServer(cluster: Cluster, profileDir: string | undefined): Promise<Server> {
  const arena = await startArena(cluster, "arena", profileDir);
  const players = await arena.makePlayers(2 * PAIRS);
  await addCoins(arena.connectionString, players, COINS);
  const sockets = await Promise.all(players.map((player) => arena.connect(player)));
  return {
    name: "arena",
    pairs: openPairs(sockets, makeEndingGames()),
    connectionString: arena.connectionString,
    pids: () => [arena.pid, ...cluster.pids()],
    stop: arena.stop,
  };
}

async function openFloor(
  name: ServerName,
  connectionString: string | null,
  cluster: Cluster,
  profileDir: string | undefined,
): Promise<Server> {
  const args = connectionString === null ? [] : [connectionString];
  const child = startOnServerCore(FLOOR_FILE, { args, profileDir });
  const { port } = (await waitForMessage(child)) as { readonly port: number };
  const sockets = await Promise.all(Array.from({ length: 2 * PAIRS }, () => connect(port)));
  return {
    name,
    pairs: openPairs(sockets, makeEndingGames()),
    connectionString,
    pids: () => [child.pid!, ...(connectionString === null ? [] : cluster.pids())],
    stop: () => stopProcess(child),
  };
}

function connect(port: number): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/`, { perMessageDeflate: false });
  return new Promise((resolve, reject) => {
    socket.once("open", () => resolve(socket));
    socket.once("error", reject);
  });
}

async function playRound({ name, pairs, pids }: Server, pace: Pace, forMs: number): Promise<Round> {
  const family = pids();
  const read = () => ({ ofEach: readCpuMs(family), coreMs: readServerCoreMs() });
  let [begun, ended] = [read(), read()];
  const around = {
    begin() {
      begun = read();
    },
    end() {
      ended = read();
    },
  };
  const played = await pairs.play(WARM_UP_MS, forMs, around, PACES[pace]);
  const cpuMs = toCpuMs(begun.ofEach, ended.ofEach);
  return {
    server: name,
    pace,
    movesPerS: played.moves / played.seconds,
    seenP50Ms: quantile(played.seenMs, 0.5),
    seenP99Ms: quantile(played.seenMs, 0.99),
    startedP99Ms: quantile(played.startedMs, 0.99),
    cpuMsPer1000: (cpuMs * 1_000) / played.moves,
    ownCpuMsPer1000: (toCpuMs(begun.ofEach, ended.ofEach, family[0]!) * 1_000) / played.moves,
    otherProcessesShare: Math.max(0, ended.coreMs - begun.coreMs - cpuMs) / (played.seconds * 1_000),
    loadGeneratorShare: played.loadGeneratorShare,
  };
}

async function assertSettled(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rows } = await client.query(
    `select (select count(*)::int from games where status = 'completed') as ended,
       (select count(*)::int from ledger_entries where kind in ('win', 'draw')) as settled,
       (select sum(amount)::bigint::text from ledger_postings) as total`,
  );
  await client.end();
  const { ended, settled, total } = rows[0] as { ended: number; settled: number; total: string };
  const isSettled = ended > 0 && ended === settled && total === "0";
  assert(isSettled, `${ended} games ended, ${settled} were settled, the postings sum to ${total}`);
}

function toFindings(pace: Pace, rounds: readonly Round[], fsyncMs: number): readonly Finding[] {
  const part = "duel";
  const what = pace === "closed" ? "closed loop" : `open loop, ${formatNumber(OPEN_MOVES_PER_S)} moves/s`;
  const middle = (server: ServerName, figure: Figure): number =>
    median(rounds.filter((round) => round.server === server && round.pace === pace).map((round) => round[figure]));
  const lines = (["arena", "floor A", "floor B"] as const).map((name): Finding => {
    const show = (figure: Figure, digits = 0): string => formatNumber(middle(name, figure), digits);
    const share = (figure: Figure): string => formatNumber(middle(name, figure) * 100);
    const figures = [
      `${show("movesPerS")} moves/s`,
      `seen p50 ${show("seenP50Ms", 1)} p99 ${show("seenP99Ms", 1)} ms`,
      `started p99 ${show("startedP99Ms")} ms`,
      `CPU ${show("cpuMsPer1000")} ms/1,000 (server ${show("ownCpuMsPer1000")})`,
      `load ${share("loadGeneratorShare")} %, others ${share("otherProcessesShare")} %`,
    ];
    return { part, what: `${what}: ${name}`, figures: figures.join("; ") };
  });
  const ratio = (figure: Figure, to: ServerName): number => middle("arena", figure) / middle(to, figure);
  const figures = `to floor A: CPU ${formatNumber(ratio("cpuMsPer1000", "floor A"), 2)}x; to floor B: moves/s ${formatNumber(ratio("movesPerS", "floor B"), 2)}x`;
  const cpu: Finding = {
    part,
    what: `${what}: CPU a move, to floor B`,
    figures,
    goal: atMost(ratio("cpuMsPer1000", "floor B"), 2.2),
  };
  if (pace === "closed") {
    const goal = atLeast(ratio("movesPerS", "floor A"), 1.5);
    return [...lines, cpu, { part, what: `${what}: moves/s, to floor A`, figures: "", goal }];
  }
  // Storing before showing may cost 1.5 times floor A's p99 and one sync of the disk.
  const floorMs = middle("floor A", "seenP99Ms");
  const most = Math.round(15 * floorMs + 10 * fsyncMs) / 10;
  const goal = atMost(middle("arena", "seenP99Ms"), most, " ms");
  return [
    ...lines,
    cpu,
    { part, what: `${what}: p99 until seen`, figures: `one fsync ${formatNumber(fsyncMs, 1)} ms`, goal },
  ];
}
