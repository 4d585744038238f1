import { chess } from "@holo/chess/chess.ts";
import type { TestNats } from "../../apps/server/src/platform/testing/test-nats.ts";
import { countLogged, resignGames, seatGames } from "../duel/duel.ts";
import { openLoad, type Played } from "../duel/load.ts";
import { atMost, type Finding, formatNumber } from "../report.ts";
import { makeRandomGames, type RandomGame } from "../rules/random-games.ts";
import { type Arena, addCoins, type BenchPlayer } from "../servers/arena.ts";
import type { Cluster } from "../servers/cluster.ts";
import { readCpuMs, toCpuMs } from "../servers/processes.ts";
import { median, quantile } from "../statistics.ts";
import { startBoth, startOneOf } from "./one-of-two.ts";

/** Of each server, so that commits are as large on one server as on two. */
const GAMES = 200;
const PLIES = 420;
const MOVES_PER_S = 1_000;
/** Far from the capacity of two cores that also run PostgreSQL, NATS and the load. */
const CALM_MOVES_PER_S = 250;
const SERVERS_MAX = 2;
const ROUNDS = 5;
const ROUND_S_MIN = 3;
const WARM_UP_MS = 1_000;
const SLOWER_MS_MAX = 5;
const CPU_MAX = 1.25;

interface MovesOptions {
  readonly cluster: Cluster;
  readonly nats: TestNats;
  readonly seconds: number;
  readonly profileDir: string | undefined;
}

/** Servers of one database: one without NATS, or two that share an installation. */
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
  readonly natsMs: number;
}

/** All on the same games at the same pace. */
interface Rounds {
  /** One server, the other core without one. */
  readonly one: Round;
  /** Two servers of one installation. */
  readonly two: Round;
  /** The same at `CALM_MOVES_PER_S`. */
  readonly calm: Round;
  /** Two servers at once that have nothing in common: as many moves as `two`, without NATS. */
  readonly apart: readonly Round[];
}

export async function measureMoves(options: MovesOptions): Promise<readonly Finding[]> {
  const { cluster, nats, seconds, profileDir } = options;
  const shared = await cluster.makeDatabase("shared");
  const single = await openSingle(cluster, 0, profileDir);
  const beside = await openSingle(cluster, 1, profileDir);
  const both = await startBoth(shared, [nats.url, nats.url], profileDir);
  // As a proxy spreads players: each fourth pair is on the first, on the second, or on both.
  const two = await openSide(both, shared, (index) => [both[index & 1]!, both[((index >> 1) ^ index) & 1]!]);
  const games = makeRandomGames(chess, { count: SERVERS_MAX * GAMES, plies: PLIES, orShorter: false, seed: 3 });
  const forMs = Math.max(ROUND_S_MIN, seconds / ROUNDS) * 1_000;
  const play = (side: Side, movesPerS = MOVES_PER_S): Promise<Round> =>
    playRound({ side, games: games.slice(0, GAMES * side.servers.length), movesPerS, forMs, cluster, nats });
  const rounds: Rounds[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const played = {
      one: await play(single),
      calm: await play(two, CALM_MOVES_PER_S),
      // Next to each other, because a machine's speed changes within minutes.
      two: await play(two),
      apart: await Promise.all([play(single), play(beside)]),
    };
    // The first round is a warm-up.
    if (round > 0) rounds.push(played);
  }
  for (const server of [single, beside, two].flatMap(({ servers }) => servers)) await server.stop();
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

interface RoundOptions {
  readonly side: Side;
  readonly games: readonly RandomGame[];
  /** Of each server. */
  readonly movesPerS: number;
  readonly forMs: number;
  readonly cluster: Cluster;
  readonly nats: TestNats;
}

async function playRound({ side, games, movesPerS, forMs, cluster, nats }: RoundOptions): Promise<Round> {
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
  const serverPids = servers.map(({ pid }) => pid);
  const databasePids = cluster.pids();
  const read = () => ({
    servers: readCpuMs(serverPids),
    database: readCpuMs(databasePids),
    nats: readCpuMs([nats.pid()]),
  });
  let [begun, ended] = [read(), read()];
  const [playedSame, playedAcross] = await Promise.all(
    loads.map(({ part, load }, index) =>
      load.play({ type: "open", movesPerS: (movesPerS * part.length) / GAMES }, WARM_UP_MS, forMs, {
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
    natsMs: toCpuMs(begun.nats, ended.nats),
  };
}

function countMoves({ same, across }: Round): number {
  return same.moves + (across?.moves ?? 0);
}

function cpuOfServers(rounds: readonly Round[]): number {
  const moves = rounds.reduce((sum, round) => sum + countMoves(round), 0);
  return (rounds.reduce((sum, { serversMs }) => sum + serversMs, 0) * 1_000) / moves;
}

function toFindings(all: readonly Rounds[]): readonly Finding[] {
  const part = "several-servers";
  const one = all.map((rounds) => rounds.one);
  const two = all.map((rounds) => rounds.two);
  const calm = all.map((rounds) => rounds.calm);
  const cpu = (rounds: readonly Round[], of: "serversMs" | "databaseMs" | "natsMs"): number =>
    median(rounds.map((round) => (round[of] * 1_000) / countMoves(round)));
  const apartMs = median(all.map(({ apart }) => cpuOfServers(apart)));
  const toApart = median(all.map(({ two, apart }) => cpuOfServers([two]) / cpuOfServers(apart)));
  const slowerMs = (rounds: readonly Round[]): number =>
    median(rounds.map(({ across, same }) => quantile(across?.seenMs ?? [], 0.99) - quantile(same.seenMs, 0.99)));
  const ms = (
    rounds: readonly Round[],
    of: "same" | "across",
    q: number,
    what: "seenMs" | "undisturbedMs" = "seenMs",
  ) => median(rounds.map((round) => quantile(round[of]?.[what] ?? [], q)));
  const latency = (rounds: readonly Round[], of: "same" | "across"): string =>
    `p50 ${formatNumber(ms(rounds, of, 0.5), 1)} p99 ${formatNumber(ms(rounds, of, 0.99), 1)} ms`;
  const rate = (rounds: readonly Round[]): string =>
    formatNumber(median(rounds.map((round) => countMoves(round) / round.same.seconds)));
  const spent = (rounds: readonly Round[]): string =>
    `servers ${formatNumber(cpu(rounds, "serversMs"))}, PostgreSQL ${formatNumber(cpu(rounds, "databaseMs"))}, NATS ${formatNumber(cpu(rounds, "natsMs"))}`;
  const undisturbed = (rounds: readonly Round[], of: "same" | "across"): string =>
    formatNumber(ms(rounds, of, 0.99, "undisturbedMs"), 1);
  const share = (rounds: readonly Round[]): string =>
    formatNumber(median(rounds.map(({ same }) => same.undisturbedMs.length / same.moves)) * 100);
  const toLatencyFinding = (rounds: readonly Round[], load: string): Finding => ({
    part,
    what: `a move until the opponent on the other server sees it, p99 above the same server's, ${load}`,
    figures: [
      `across: ${latency(rounds, "across")}`,
      `same server: ${latency(rounds, "same")}`,
      `undisturbed (${share(rounds)} % of the moves): p99 ${undisturbed(rounds, "across")} and ${undisturbed(rounds, "same")} ms`,
      `${rate(rounds)} moves/s, load ${formatNumber(median(rounds.map(({ same }) => same.loadGeneratorShare)) * 100)} %`,
    ].join("; "),
    goal: atMost(slowerMs(rounds), SLOWER_MS_MAX, " ms"),
  });
  return [
    toLatencyFinding(calm, "calm"),
    toLatencyFinding(two, "cores busy"),
    {
      part,
      what: "CPU of two servers per 1,000 moves, half of the games across, to two unconnected ones at the same load",
      figures: `two, ms: ${spent(two)}; unconnected: servers ${formatNumber(apartMs)}; one alone: ${spent(one)}, ${latency(one, "same")}; to one alone ${formatNumber(cpu(two, "serversMs") / cpu(one, "serversMs"), 2)}x`,
      goal: atMost(toApart, CPU_MAX),
    },
  ];
}
