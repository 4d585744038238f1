import { setTimeout as sleep } from "node:timers/promises";
import type { TestNats } from "../../apps/server/src/platform/testing/test-nats.ts";
import type { RandomGame } from "../random-games.ts";
import { atMost, type Finding, formatNumber } from "../report.ts";
import { type Arena, connectAll } from "../servers/arena.ts";
import { type Cluster, countLogged } from "../servers/cluster.ts";
import { makeEndingGames, openPairs, type Pairs, type Played } from "../servers/pairs.ts";
import { measureUsage, type Usage } from "../servers/usage.ts";
import { median, quantile } from "../statistics.ts";
import type { ServersOptions, StartTwo } from "./two-servers.ts";

/** Of each server. */
const GAMES = 100;
const MOVES_PER_S = 500;
const COINS = 100_000;
const ROUNDS = 5;
const ROUND_S_MIN = 3;
const WARM_UP_MS = 1_000;
const SLOWER_MS_MAX = 3;
const CPU_MAX = 1.4;

/** Players of servers with one database. */
interface Side {
  readonly servers: readonly Arena[];
  readonly pairs: Pairs;
}

type Round = Played<Usage>;

/** As many moves in both, at the same pace. */
interface Rounds {
  readonly two: Round;
  /** Two servers at once that have nothing in common. */
  readonly apart: readonly Round[];
}

export async function measureMoves(
  cluster: Cluster,
  start: StartTwo,
  nats: TestNats,
  { seconds }: ServersOptions,
): Promise<readonly Finding[]> {
  const samples = makeEndingGames();
  const unconnected = await start(null);
  const apart = [await openSide([unconnected[0]], samples), await openSide([unconnected[1]], samples)];
  const two = await openSide(await start(nats), samples);
  const forMs = Math.max(ROUND_S_MIN, seconds / ROUNDS) * 1_000;
  const play = ({ servers, pairs }: Side): Promise<Round> =>
    pairs.play({ type: "open", movesPerS: MOVES_PER_S * servers.length }, WARM_UP_MS, () =>
      measureUsage(() => servers.map(({ pid }) => pid()), cluster.pids, sleep(forMs)),
    );
  const rounds: Rounds[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const played = { two: await play(two), apart: await Promise.all(apart.map(play)) };
    // The first round is a warm-up.
    if (round > 0) rounds.push(played);
  }
  for (const { servers, pairs } of [...apart, two]) {
    const logged = await countLogged(servers[0]!.connectionString);
    if (logged !== pairs.seen) throw new Error(`a side showed ${pairs.seen} moves and logged ${logged}`);
    for (const server of servers) await server.stop();
  }
  return toFindings(rounds);
}

/** As a proxy spreads players: every other one is on the other server. */
const toServer = (index: number, servers: number): number => (servers === 1 ? 0 : ((index >> 1) ^ index) & 1);

async function openSide(servers: readonly Arena[], samples: readonly RandomGame[]): Promise<Side> {
  const players = await servers[0]!.makePlayers(2 * GAMES * servers.length, COINS);
  const sockets = await connectAll((index) => servers[toServer(index, servers.length)]!, players);
  return { servers, pairs: openPairs(sockets, samples) };
}

function toFindings(all: readonly Rounds[]): readonly Finding[] {
  const part = "several-servers";
  const two = all.map((rounds) => rounds.two);
  const cpu = (rounds: readonly Round[]): number =>
    (rounds.reduce((sum, { usage }) => sum + usage.serverMs, 0) * 1_000) /
    rounds.reduce((sum, { seen }) => sum + seen.length, 0);
  const toSeenMs = ({ seen }: Round, isAcross: boolean): readonly number[] =>
    seen.filter(({ mover, viewer }) => (toServer(mover, 2) !== toServer(viewer, 2)) === isAcross).map(({ ms }) => ms);
  const latency = (isAcross: boolean): string => {
    const [p50, p99] = [0.5, 0.99].map((q) => median(two.map((round) => quantile(toSeenMs(round, isAcross), q))));
    return `p50 ${formatNumber(p50!, 1)} p99 ${formatNumber(p99!, 1)} ms`;
  };
  const slowerMs = median(
    two.map((round) => quantile(toSeenMs(round, true), 0.99) - quantile(toSeenMs(round, false), 0.99)),
  );
  const perS = formatNumber(median(two.map(({ seen, usage }) => seen.length / usage.seconds)));
  const databaseMs = median(two.map(({ seen, usage }) => ((usage.cpuMs - usage.serverMs) * 1_000) / seen.length));
  return [
    {
      part,
      what: "a move until the opponent on the other server sees it, p99 above the same server's",
      figures: `across: ${latency(true)}; same server: ${latency(false)}; ${perS} moves/s`,
      goal: atMost(slowerMs, SLOWER_MS_MAX, " ms"),
    },
    {
      part,
      what: "CPU of two servers a move, half of the games across, to two unconnected ones",
      figures: `ms per 1,000: two ${formatNumber(median(two.map((round) => cpu([round]))))}, unconnected ${formatNumber(median(all.map(({ apart }) => cpu(apart))))}; PostgreSQL of two ${formatNumber(databaseMs)}`,
      goal: atMost(median(all.map((rounds) => cpu([rounds.two]) / cpu(rounds.apart))), CPU_MAX),
    },
  ];
}
