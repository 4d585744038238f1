import { fileURLToPath } from "node:url";
import { chess } from "@holo/chess/chess.ts";
import { assert } from "@holo/kernel/assert.ts";
import pg from "pg";
import { WebSocket } from "ws";
import { atLeast, type Finding, formatNumber, note } from "../report.ts";
import { makeRandomGames, type RandomGame } from "../rules/random-games.ts";
import { type Arena, addCoins, startArena } from "../servers/arena.ts";
import { startCluster } from "../servers/cluster.ts";
import {
  pinLoadGenerator,
  readCpuMs,
  readServerCoreMs,
  startOnServerCore,
  stopProcess,
  toCpuMs,
  waitForMessage,
} from "../servers/processes.ts";
import { median, quantile } from "../statistics.ts";
import { openPairs, type Pairs } from "./pairs.ts";

const PAIRS = 200;
const PLIES_MIN = 60;
const PLIES_MAX = 80;
/** Random games, of which about one in a hundred ends between these plies. */
const RANDOM_GAMES = 4_000;
const ROUNDS_MIN = 3;
const ROUND_S_MAX = 5;
const WARM_UP_MS = 2_000;
const COINS = 1_000_000;
const FLOOR_FILE = fileURLToPath(new URL("floors/whole-games.ts", import.meta.url));

interface Server {
  readonly name: "arena" | "floor A";
  readonly pairs: Pairs;
  pids(): readonly number[];
}

interface Round {
  readonly movesPerS: number;
  readonly seenP50Ms: number;
  readonly seenP99Ms: number;
  readonly startedP50Ms: number;
  readonly startedP99Ms: number;
  readonly cpuMsPer1000: number;
  /** Without PostgreSQL. */
  readonly ownCpuMsPer1000: number;
  readonly otherProcessesShare: number;
  readonly loadGeneratorShare: number;
}

export async function benchWholeGames(seconds: number, profileDir?: string): Promise<readonly Finding[]> {
  const samples = makeEndingGames();
  const count = Math.max(ROUNDS_MIN, Math.ceil(seconds / ROUND_S_MAX));
  note(`duel: ${PAIRS} pairs play whole games, ${samples.length} different ones, ${count} rounds`);
  const cluster = await startCluster();
  pinLoadGenerator();
  const arena = await startArena(cluster, "arena", profileDir);
  const floor = startOnServerCore(FLOOR_FILE, { profileDir });
  const { port } = (await waitForMessage(floor)) as { readonly port: number };
  const players = await arena.makePlayers(2 * PAIRS);
  await addCoins(arena.connectionString, players, COINS);
  const arenaSockets = await Promise.all(players.map((player) => arena.connect(player)));
  const floorSockets = await Promise.all(players.map(() => connect(port)));
  const servers: readonly Server[] = [
    { name: "arena", pairs: openPairs(arenaSockets, samples), pids: () => [arena.pid, ...cluster.pids()] },
    { name: "floor A", pairs: openPairs(floorSockets, samples), pids: () => [floor.pid!] },
  ];
  const rounds: Record<Server["name"], Round[]> = { arena: [], "floor A": [] };
  // The first round of each server is a warm-up.
  for (const server of servers) await playRound(server, WARM_UP_MS);
  for (let round = 0; round < count; round += 1) {
    for (const server of servers) rounds[server.name].push(await playRound(server, (seconds * 1_000) / count));
  }
  await assertSettled(arena);
  await stopProcess(floor);
  await arena.stop();
  await cluster.stop();
  return toFindings(rounds);
}

export function makeEndingGames(): readonly RandomGame[] {
  return makeRandomGames(chess, { count: RANDOM_GAMES, plies: 120, orShorter: true, seed: 3 }).filter(
    ({ length }) => length >= PLIES_MIN && length <= PLIES_MAX,
  );
}

function connect(port: number): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/`, { perMessageDeflate: false });
  return new Promise((resolve, reject) => {
    socket.once("open", () => resolve(socket));
    socket.once("error", reject);
  });
}

async function playRound({ pairs, pids }: Server, forMs: number): Promise<Round> {
  const family = pids();
  const read = () => ({ ofEach: readCpuMs(family), coreMs: readServerCoreMs() });
  let begun = read();
  let ended = begun;
  const played = await pairs.play(WARM_UP_MS, forMs, {
    begin: () => {
      begun = read();
    },
    end: () => {
      ended = read();
    },
  });
  const cpuMs = toCpuMs(begun.ofEach, ended.ofEach);
  return {
    movesPerS: played.moves / played.seconds,
    seenP50Ms: quantile(played.seenMs, 0.5),
    seenP99Ms: quantile(played.seenMs, 0.99),
    startedP50Ms: quantile(played.startedMs, 0.5),
    startedP99Ms: quantile(played.startedMs, 0.99),
    cpuMsPer1000: (cpuMs * 1_000) / played.moves,
    ownCpuMsPer1000: (toCpuMs(begun.ofEach, ended.ofEach, family[0]!) * 1_000) / played.moves,
    otherProcessesShare: Math.max(0, ended.coreMs - begun.coreMs - cpuMs) / (played.seconds * 1_000),
    loadGeneratorShare: played.loadGeneratorShare,
  };
}

async function assertSettled({ connectionString }: Arena): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rows } = await client.query(
    `select (select count(*)::int from games where status = 'completed') as ended,
       (select count(*)::int from ledger_entries where kind in ('win', 'draw')) as settled,
       (select sum(amount)::bigint::text from ledger_postings) as total`,
  );
  await client.end();
  const { ended, settled, total } = rows[0] as { ended: number; settled: number; total: string };
  assert(
    ended > 0 && ended === settled && total === "0",
    `${ended} games ended, ${settled} were settled, the postings sum to ${total}`,
  );
}

function toFindings(rounds: Record<Server["name"], readonly Round[]>): readonly Finding[] {
  const part = "duel";
  const middle = (name: Server["name"], figure: keyof Round): number =>
    median(rounds[name].map((round) => round[figure]));
  const lines = (["arena", "floor A"] as const).map((name): Finding => {
    const show = (figure: keyof Round, digits = 0): string => formatNumber(middle(name, figure), digits);
    const figures = [
      `${show("movesPerS")} moves/s`,
      `seen p50 ${show("seenP50Ms", 1)} p99 ${show("seenP99Ms", 1)} ms`,
      `started p50 ${show("startedP50Ms")} p99 ${show("startedP99Ms")} ms`,
      `CPU ${show("cpuMsPer1000")} ms/1,000 (server ${show("ownCpuMsPer1000")})`,
      `load ${formatNumber(middle(name, "loadGeneratorShare") * 100)} %, others ${formatNumber(middle(name, "otherProcessesShare") * 100)} %`,
    ];
    return { part, what: `whole games: ${name}`, figures: figures.join("; ") };
  });
  const ratio = (figure: keyof Round): number => middle("arena", figure) / middle("floor A", figure);
  return [
    ...lines,
    { part, what: "whole games: moves/s, to floor A", figures: "", goal: atLeast(ratio("movesPerS"), 1) },
    { part, what: "whole games: CPU a move, to floor A", figures: `${formatNumber(ratio("cpuMsPer1000"), 2)}x` },
  ];
}
