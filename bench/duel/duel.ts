import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import { chess } from "@holo/chess/chess.ts";
import { type GameId, toCommandId, toGameId } from "@holo/kernel/ids.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";
import { LIMIT_MINUTES, STAKES } from "@holo/table/stakes.ts";
import pg from "pg";
import { WebSocket } from "ws";
import { atLeast, atMost, type Finding, formatNumber, note } from "../report.ts";
import { makeRandomGames, type RandomGame } from "../rules/random-games.ts";
import { addCoins, joinOrCreate, sendFrame, startArena, waitForFrame } from "../servers/arena.ts";
import { type Cluster, startCluster } from "../servers/cluster.ts";
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
import { median, quantile } from "../statistics.ts";
import { openLoad, type Pace, type Played, type SeatedGame } from "./load.ts";

interface DuelOptions {
  /** Seconds per server and pace, over all rounds. */
  readonly seconds: number;
  readonly profileDir?: string | undefined;
}

interface DuelServer {
  readonly name: ServerName;
  startGames(games: readonly RandomGame[]): Promise<readonly SeatedGame[]>;
  endGames(games: readonly SeatedGame[]): Promise<void>;
  readBatches(): Promise<{ readonly commits: number; readonly rows: number }>;
  countLogged(): Promise<number | null>;
  /** The server's process first, then those of its database. */
  pids(): readonly number[];
  stop(): Promise<void>;
}

type ServerName = "arena" | "floor A" | "floor B";
type PaceName = "closed" | "open";

interface Round {
  readonly server: ServerName;
  readonly pace: PaceName;
  readonly movesPerS: number;
  readonly seenP50Ms: number;
  readonly seenP99Ms: number;
  readonly acknowledgedP50Ms: number;
  readonly acknowledgedP99Ms: number;
  readonly cpuMsPer1000: number;
  /** Without PostgreSQL. */
  readonly ownCpuMsPer1000: number;
  readonly rowsPerCommit: number;
  readonly otherProcessesShare: number;
  readonly loadGeneratorShare: number;
}

const GAMES = 200;
const PLIES = 420;
const SEATED_VERSION = 2;
const TERMS = STAKES.flatMap((stake) => LIMIT_MINUTES.map((limitMinutes) => ({ stake, limitMinutes })));
const ROUND_S_MAX = 5;
const ROUNDS_MIN = 5;
const WARM_UP_MS = 700;
const WATCH_MS_MAX = 10_000;
const OPEN_MOVES_PER_S = 2_000;
const PACES: readonly (readonly [PaceName, Pace])[] = [
  ["closed", { type: "closed" }],
  ["open", { type: "open", movesPerS: OPEN_MOVES_PER_S }],
];

function floorFile(name: string): string {
  return fileURLToPath(new URL(`floors/${name}.ts`, import.meta.url));
}

async function startFloor(
  name: "floor A" | "floor B",
  file: string,
  cluster: Cluster,
  profileDir: string | undefined,
): Promise<DuelServer> {
  const keeps = name === "floor B";
  const connectionString = keeps ? await cluster.makeDatabase("floor") : null;
  const child = startOnServerCore(floorFile(file), {
    args: connectionString === null ? [] : [connectionString],
    profileDir,
  });
  const { port } = (await waitForMessage(child)) as { readonly port: number };

  function connect(gameId: string, seat: number): Promise<WebSocket> {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/?game=${gameId}&seat=${seat}`, { perMessageDeflate: false });
    return new Promise((resolve, reject) => {
      socket.once("message", () => resolve(socket));
      socket.once("error", reject);
    });
  }

  return {
    name,
    async startGames(games) {
      return await Promise.all(
        games.map(async (moves) => {
          const gameId = toGameId(randomUUID());
          const sockets = await Promise.all([connect(gameId, 1), connect(gameId, 2)]);
          return { gameId, sockets, moves, version: SEATED_VERSION };
        }),
      );
    },
    endGames: closeSockets,
    readBatches: async () => (await (await fetch(`http://127.0.0.1:${port}/`)).json()) as never,
    countLogged: async () => (connectionString === null ? null : await countLogged(connectionString)),
    pids: () => [child.pid!, ...(keeps ? cluster.pids() : [])],
    stop: () => stopProcess(child),
  };
}

async function startArenaServer(cluster: Cluster, profileDir: string | undefined): Promise<DuelServer> {
  const arena = await startArena(cluster, "arena", profileDir);
  const players = await arena.makePlayers(2 * GAMES);
  await addCoins(arena.connectionString, players);
  return {
    name: "arena",
    async startGames(games) {
      return await seatGames(await Promise.all(players.map((player) => arena.connect(player))), games);
    },
    endGames: resignGames,
    readBatches: arena.readBatches,
    countLogged: () => countLogged(arena.connectionString),
    pids: () => [arena.pid, ...cluster.pids()],
    stop: arena.stop,
  };
}

/** Creates, joins and watches a game of chess for each two sockets. The first one has white. */
export async function seatGames(
  sockets: readonly WebSocket[],
  games: readonly RandomGame[],
): Promise<readonly SeatedGame[]> {
  const seated: SeatedGame[] = [];
  await Promise.all(
    TERMS.map(async (terms, lane) => {
      for (let i = lane; i < games.length; i += TERMS.length) {
        const pair = [sockets[2 * i]!, sockets[2 * i + 1]!] as const;
        await joinOrCreate(pair[0], { game: "chess", ...terms });
        const gameId = await joinOrCreate(pair[1], { game: "chess", ...terms });
        await Promise.all(pair.map((socket) => watch(socket, gameId)));
        seated[i] = { gameId, sockets: pair, moves: games[i]!, version: SEATED_VERSION };
      }
    }),
  );
  return seated;
}

/** Waits for both players: the table of another server may learn of the second one later. */
async function watch(socket: WebSocket, gameId: GameId): Promise<void> {
  const seated = Promise.withResolvers<void>();
  const receive = (data: unknown): void => {
    const frame = JSON.parse(String(data)) as ServerFrame;
    const version = frame.type === "table" ? frame.version : frame.type === "record" ? frame.record.version : 0;
    if (version === SEATED_VERSION) seated.resolve();
  };
  socket.on("message", receive);
  sendFrame(socket, { type: "watch", gameId, since: 0 });
  const timer = setTimeout(() => seated.reject(new Error("a game of the benchmark did not start")), WATCH_MS_MAX);
  await seated.promise;
  clearTimeout(timer);
  socket.off("message", receive);
}

export async function resignGames(games: readonly SeatedGame[]): Promise<void> {
  await Promise.all(
    games.map(async ({ gameId, sockets }, i) => {
      const resigning = sockets[(i % 2) as 0 | 1];
      const done = waitForFrame(resigning, "done");
      sendFrame(resigning, { type: "resign", commandId: toCommandId(randomUUID()), gameId });
      await done;
    }),
  );
  await closeSockets(games);
}

async function closeSockets(games: readonly SeatedGame[]): Promise<void> {
  await Promise.all(
    games
      .flatMap(({ sockets }) => sockets)
      .map(
        (socket) =>
          new Promise<void>((resolve) => {
            socket.once("close", () => resolve());
            socket.close();
          }),
      ),
  );
}

export async function countLogged(connectionString: string): Promise<number> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from game_log where record like '%"type":"moved"%'`,
  );
  await client.end();
  return rows[0]!.count;
}

async function playRound(server: DuelServer, games: readonly RandomGame[], forMs: number): Promise<Round[]> {
  const loggedBefore = await server.countLogged();
  const seated = await server.startGames(games);
  const load = openLoad(seated);
  const rounds: Round[] = [];
  for (const [pace, how] of PACES) {
    const pids = server.pids();
    let begun = readUsage(pids);
    let ended = begun;
    const batchesBefore = await server.readBatches();
    const played = await load.play(how, WARM_UP_MS, forMs, {
      begin: () => {
        begun = readUsage(pids);
      },
      end: () => {
        ended = readUsage(pids);
      },
    });
    const batches = await server.readBatches();
    rounds.push(
      toRound(server.name, pace, played, toUsed(begun, ended, pids[0]!), {
        commits: batches.commits - batchesBefore.commits,
        rows: batches.rows - batchesBefore.rows,
      }),
    );
  }
  const { seen } = load;
  await server.endGames(seated);
  const logged = await server.countLogged();
  if (logged !== null && logged - loggedBefore! !== seen) {
    throw new Error(`${server.name} showed ${seen} moves and logged ${logged - loggedBefore!}`);
  }
  return rounds;
}

function toRound(
  server: ServerName,
  pace: PaceName,
  played: Played,
  { cpuMs, ownCpuMs, coreMs }: Used,
  batches: { readonly commits: number; readonly rows: number },
): Round {
  return {
    server: server,
    pace,
    movesPerS: played.moves / played.seconds,
    seenP50Ms: quantile(played.seenMs, 0.5),
    seenP99Ms: quantile(played.seenMs, 0.99),
    acknowledgedP50Ms: quantile(played.acknowledgedMs, 0.5),
    acknowledgedP99Ms: quantile(played.acknowledgedMs, 0.99),
    cpuMsPer1000: (cpuMs * 1_000) / played.moves,
    ownCpuMsPer1000: (ownCpuMs * 1_000) / played.moves,
    rowsPerCommit: batches.rows / batches.commits,
    loadGeneratorShare: played.loadGeneratorShare,
    otherProcessesShare: Math.max(0, coreMs - cpuMs) / (played.seconds * 1_000),
  };
}

interface Usage {
  readonly ofEach: ReadonlyMap<number, number>;
  readonly coreMs: number;
}

interface Used {
  readonly cpuMs: number;
  readonly ownCpuMs: number;
  readonly coreMs: number;
}

function readUsage(pids: readonly number[]): Usage {
  return { ofEach: readCpuMs(pids), coreMs: readServerCoreMs() };
}

function toUsed(begun: Usage, ended: Usage, serverPid: number): Used {
  return {
    cpuMs: toCpuMs(begun.ofEach, ended.ofEach),
    ownCpuMs: toCpuMs(begun.ofEach, ended.ofEach, serverPid),
    coreMs: ended.coreMs - begun.coreMs,
  };
}

export async function benchDuel({ seconds, profileDir }: DuelOptions): Promise<readonly Finding[]> {
  const rounds = Math.max(ROUNDS_MIN, Math.ceil(seconds / ROUND_S_MAX));
  note(`duel: ${GAMES} games, ${rounds} rounds of ${formatNumber(seconds / rounds, 1)} s at each pace for each server`);
  if (!isPinned())
    note("duel: this machine cannot keep servers and load apart (two cores and taskset): compare with care");
  const games = makeRandomGames(chess, { count: GAMES, plies: PLIES, orShorter: false, seed: 3 });
  const cluster = await startCluster();
  pinLoadGenerator();
  const servers = [
    await startArenaServer(cluster, profileDir),
    await startFloor("floor A", "chess-js", cluster, profileDir),
    await startFloor("floor B", "rules-and-commit", cluster, profileDir),
  ];
  const all: Round[] = [];
  const fsyncsMs: number[] = [];
  // The first round of each server is a warm-up.
  for (const server of servers) await playRound(server, games, WARM_UP_MS);
  for (let round = 0; round < rounds; round += 1) {
    fsyncsMs.push(cluster.measureFsyncMs());
    for (const server of servers) {
      all.push(...(await playRound(server, games, (seconds * 1_000) / rounds)));
    }
  }
  for (const server of servers) await server.stop();
  await cluster.stop();
  return PACES.flatMap(([pace]) => toFindings(pace, all, median(fsyncsMs)));
}

function toFindings(pace: PaceName, rounds: readonly Round[], fsyncMs: number): readonly Finding[] {
  const middle = (server: ServerName, figure: Exclude<keyof Round, "server" | "pace">): number =>
    median(rounds.filter((round) => round.server === server && round.pace === pace).map((round) => round[figure]));
  const what = pace === "closed" ? "closed loop" : `open loop, ${formatNumber(OPEN_MOVES_PER_S)} moves/s`;
  const part = "duel";
  const lines = (["arena", "floor A", "floor B"] as const).map((name): Finding => {
    const ms = (figure: "seenP50Ms" | "seenP99Ms" | "acknowledgedP50Ms" | "acknowledgedP99Ms") =>
      formatNumber(middle(name, figure), 1);
    const rows = middle(name, "rowsPerCommit");
    const figures = [
      `${formatNumber(middle(name, "movesPerS"))} moves/s`,
      `seen p50 ${ms("seenP50Ms")} p99 ${ms("seenP99Ms")} ms`,
      `acknowledged p50 ${ms("acknowledgedP50Ms")} p99 ${ms("acknowledgedP99Ms")} ms`,
      `CPU ${formatNumber(middle(name, "cpuMsPer1000"))} ms/1,000 (server ${formatNumber(middle(name, "ownCpuMsPer1000"))})`,
      ...(Number.isNaN(rows) ? [] : [`${formatNumber(rows, 1)} rows/commit`]),
      `load ${formatNumber(middle(name, "loadGeneratorShare") * 100)} %, others ${formatNumber(middle(name, "otherProcessesShare") * 100)} %`,
    ];
    return { part, what: `${what}: ${name}`, figures: figures.join("; ") };
  });
  const ratio = (figure: Exclude<keyof Round, "server" | "pace">, to: ServerName): number =>
    middle("arena", figure) / middle(to, figure);
  const figures = "";
  const goals: Finding[] = [
    { part, what: `${what}: CPU a move, to floor A`, figures: `${formatNumber(ratio("cpuMsPer1000", "floor A"), 2)}x` },
    pace === "closed"
      ? { part, what: `${what}: p99 until seen, to floor A`, figures, goal: atMost(ratio("seenP99Ms", "floor A"), 1) }
      : toOpenLatency(`${what}: p99 until seen`, middle("arena", "seenP99Ms"), middle("floor A", "seenP99Ms"), fsyncMs),
    { part, what: `${what}: CPU a move, to floor B`, figures, goal: atMost(ratio("cpuMsPer1000", "floor B"), 1.4) },
  ];
  const rates: Finding[] = [
    { part, what: `${what}: moves/s, to floor A`, figures, goal: atLeast(ratio("movesPerS", "floor A"), 1.4) },
    { part, what: `${what}: moves/s, to floor B`, figures, goal: atLeast(ratio("movesPerS", "floor B"), 0.7) },
  ];
  return [...lines, ...(pace === "closed" ? rates : []), ...goals];
}

/** Storing before showing may cost 1.5 times floor A's p99 and one sync of the disk. */
function toOpenLatency(what: string, ownMs: number, floorMs: number, fsyncMs: number): Finding {
  const ms = (value: number): string => `${formatNumber(value, 1)} ms`;
  const figures = `floor A ${ms(floorMs)}, one fsync ${ms(fsyncMs)}, the goal is 1.5x and one fsync`;
  return { part: "duel", what, figures, goal: atMost(ownMs, Math.round(15 * floorMs + 10 * fsyncMs) / 10, " ms") };
}
