import { chess } from "@holo/chess/chess.ts";
import type { TestNats } from "../../apps/server/src/platform/testing/test-nats.ts";
import { atMost, type Finding, formatNumber } from "../report.ts";
import { makeRandomGames, type RandomGame } from "../rules/random-games.ts";
import { type Arena, addCoins, type BenchPlayer } from "../servers/arena.ts";
import type { Cluster } from "../servers/cluster.ts";
import { openLoad, type Played } from "../servers/load.ts";
import { readCpuMs, toCpuMs } from "../servers/processes.ts";
import { countLogged, resignGames, seatGames } from "../servers/seated-games.ts";
import { median, quantile } from "../statistics.ts";
import { startBoth, startOneOf } from "./one-of-two.ts";

/** Of each server. */
const GAMES = 100;
const MOVES_PER_S = 500;
const PLIES = 420;
const ROUNDS = 5;
const ROUND_S_MIN = 3;
const WARM_UP_MS = 1_000;
const SLOWER_MS_MAX = 3;
const CPU_MAX = 1.4;

interface MovesOptions {
  readonly cluster: Cluster;
  readonly nats: TestNats;
  readonly seconds: number;
  readonly profileDir: string | undefined;
}

/** Servers of one database: one without NATS, or two of one installation. */
interface Side {
  readonly servers: readonly Arena[];
  readonly connectionString: string;
  readonly players: readonly BenchPlayer[];
  /** The servers of white and black in the game with this index. */
  toServers(index: number): readonly [Arena, Arena];
}

interface Round {
  /** Both players have the same server. */
  readonly same: Played;
  /** They have different ones; null with one server. */
  readonly across: Played | null;
  readonly serversMs: number;
  readonly databaseMs: number;
}

/** As many moves in both, at the same pace. */
interface Rounds {
  readonly two: Round;
  /** Two servers at once that have nothing in common. */
  readonly apart: readonly Round[];
}

export async function measureMoves(options: MovesOptions): Promise<readonly Finding[]> {
  const { cluster, nats, seconds, profileDir } = options;
  const shared = await cluster.makeDatabase("shared");
  const apart = [await openSingle(cluster, 0, profileDir), await openSingle(cluster, 1, profileDir)];
  const both = await startBoth(shared, [nats.url, nats.url], profileDir);
  // As a proxy spreads players: each fourth pair is on the first, on the second, or on both.
  const two = await openSide(both, shared, (index) => [both[index & 1]!, both[((index >> 1) ^ index) & 1]!]);
  const games = makeRandomGames(chess, { count: 2 * GAMES, plies: PLIES, orShorter: false, seed: 3 });
  const forMs = Math.max(ROUND_S_MIN, seconds / ROUNDS) * 1_000;
  const play = (side: Side): Promise<Round> =>
    playRound(side, games.slice(0, GAMES * side.servers.length), forMs, cluster);
  const rounds: Rounds[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const played = { two: await play(two), apart: await Promise.all(apart.map(play)) };
    // The first round is a warm-up.
    if (round > 0) rounds.push(played);
  }
  for (const server of [...apart, two].flatMap(({ servers }) => servers)) await server.stop();
  return toFindings(rounds);
}

async function openSingle(cluster: Cluster, index: 0 | 1, profileDir: string | undefined): Promise<Side> {
  const connectionString = await cluster.makeDatabase(`single_${index}`);
  const server = await startOneOf(connectionString, index, { natsUrl: null, profileDir });
  return await openSide([server], connectionString, () => [server, server]);
}

async function openSide(
  servers: readonly Arena[],
  connectionString: string,
  toServers: Side["toServers"],
): Promise<Side> {
  const players = await servers[0]!.makePlayers(2 * GAMES * servers.length);
  await addCoins(connectionString, players);
  return { servers, connectionString, players, toServers };
}

async function playRound(side: Side, games: readonly RandomGame[], forMs: number, cluster: Cluster): Promise<Round> {
  const { servers, connectionString, players, toServers } = side;
  const before = await countLogged(connectionString);
  const sockets = await Promise.all(
    players.map((player, index) => toServers(index >> 1)[(index & 1) as 0 | 1].connect(player)),
  );
  const seated = await seatGames(sockets, games);
  const isAcross = (index: number): boolean => toServers(index)[0] !== toServers(index)[1];
  const same = seated.filter((_, index) => !isAcross(index));
  const across = seated.filter((_, index) => isAcross(index));
  const loads = [same, across].filter(({ length }) => length > 0).map((part) => ({ part, load: openLoad(part) }));
  const read = () => ({ servers: readCpuMs(servers.map(({ pid }) => pid)), database: readCpuMs(cluster.pids()) });
  let [begun, ended] = [read(), read()];
  const [playedSame, playedAcross] = await Promise.all(
    loads.map(({ part, load }, index) =>
      load.play({ type: "open", movesPerS: (MOVES_PER_S * part.length) / GAMES }, WARM_UP_MS, forMs, {
        begin() {
          if (index === 0) begun = read();
        },
        end() {
          if (index === 0) ended = read();
        },
      }),
    ),
  );
  const seen = loads.reduce((sum, { load }) => sum + load.seen, 0);
  await resignGames(seated);
  const logged = (await countLogged(connectionString)) - before;
  if (logged !== seen) throw new Error(`${servers.length} servers showed ${seen} moves and logged ${logged}`);
  return {
    same: playedSame!,
    across: playedAcross ?? null,
    serversMs: toCpuMs(begun.servers, ended.servers),
    databaseMs: toCpuMs(begun.database, ended.database),
  };
}

function toFindings(all: readonly Rounds[]): readonly Finding[] {
  const part = "several-servers";
  const two = all.map((rounds) => rounds.two);
  const countMoves = ({ same, across }: Round): number => same.moves + (across?.moves ?? 0);
  const cpu = (rounds: readonly Round[]): number =>
    (rounds.reduce((sum, { serversMs }) => sum + serversMs, 0) * 1_000) /
    rounds.reduce((sum, round) => sum + countMoves(round), 0);
  const latency = (of: "same" | "across"): string => {
    const [p50, p99] = [0.5, 0.99].map((q) => median(two.map((round) => quantile(round[of]?.seenMs ?? [], q))));
    return `p50 ${formatNumber(p50!, 1)} p99 ${formatNumber(p99!, 1)} ms`;
  };
  const slowerMs = median(
    two.map(({ across, same }) => quantile(across?.seenMs ?? [], 0.99) - quantile(same.seenMs, 0.99)),
  );
  const perS = formatNumber(median(two.map((round) => countMoves(round) / round.same.seconds)));
  const databaseMs = median(two.map((round) => (round.databaseMs * 1_000) / countMoves(round)));
  return [
    {
      part,
      what: "a move until the opponent on the other server sees it, p99 above the same server's",
      figures: `across: ${latency("across")}; same server: ${latency("same")}; ${perS} moves/s`,
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
