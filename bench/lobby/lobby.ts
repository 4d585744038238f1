import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { chess } from "@holo/chess/chess.ts";
import pg from "pg";
import { insertGames } from "../connections/seated-games.ts";
import { atMost, type Finding, formatNumber, note } from "../report.ts";
import { makeRandomGames } from "../rules/random-games.ts";
import {
  ADDRESSES,
  type Arena,
  addCoins,
  type BenchPlayer,
  connectAll,
  connectToTables,
  startArena,
} from "../servers/arena.ts";
import { startCluster } from "../servers/cluster.ts";
import { type Load, openLoad } from "../servers/load.ts";
import {
  isPinned,
  pinLoadGenerator,
  readCpuMs,
  startOnServerCore,
  stopProcess,
  toCpuMs,
  waitForMessage,
} from "../servers/processes.ts";
import { median, quantile } from "../statistics.ts";
import { PAIRS, startGameChanges } from "./game-changes.ts";
import { startWatchers } from "./watchers.ts";

interface LobbyOptions {
  readonly watchers: number | undefined;
  readonly seconds: number;
  readonly profileDir: string | undefined;
}

const WATCHERS = 5_000;
const CHANGES_PER_S = 50;
const MOVES_PER_S = 1_000;
const TABLES = 200;
const PLIES = 420;
const ROUNDS = 2;
const WARM_UP_MS = 2_000;
const OTHER_FILES = 700;
/** The interval of the feed. */
const FLOOR_EVERY_MS = 500;
const CORE_SHARE_MAX = 25;
const MOVE_RATIO_MAX = 1.2;
/** One watcher in this many has blocked players whose games appear. */
const BLOCKING_EACH = 100;

interface Phase {
  readonly isWatched: boolean;
  readonly moveP99Ms: number;
  readonly serverShare: number;
  readonly databaseShare: number;
  readonly games: number;
  readonly bytesPerS: number;
  readonly framesPerS: number;
  readonly loadGeneratorShare: number;
  readonly watchersShare: number;
  readonly seconds: number;
}

export async function benchLobby({
  watchers: wanted = WATCHERS,
  seconds,
  profileDir,
}: LobbyOptions): Promise<readonly Finding[]> {
  const count = Math.min(wanted, readOpenFilesMax() - OTHER_FILES - 2 * TABLES - 2 * PAIRS);
  note(`lobby: ${formatNumber(count)} watchers, ${CHANGES_PER_S} changes/s, ${MOVES_PER_S} moves/s`);
  if (count < wanted) note("lobby: the limit of open files allows no more (ulimit -n)");
  if (!isPinned()) note("lobby: servers and load are not kept apart: compare with care");
  const cluster = await startCluster();
  pinLoadGenerator();
  const arena = await startArena(cluster, "arena", profileDir);
  const players = await arena.makePlayers(count + 2 * TABLES + 2 * PAIRS);
  const seated = players.slice(0, 2 * TABLES);
  const changing = players.slice(2 * TABLES, 2 * TABLES + 2 * PAIRS);
  const watching = players.slice(2 * TABLES + 2 * PAIRS);
  await addCoins(arena.connectionString, changing);
  await addBlocks(arena.connectionString, watching, changing);
  const site = { port: arena.port, origin: arena.url };
  const load = await openTables(arena, seated);
  const changers = await connectAll(site, changing);
  const watchers = await startWatchers(site, watching);
  const pairs = Array.from({ length: PAIRS }, (_, i) => [changers[2 * i]!, changers[2 * i + 1]!] as const);
  const changes = startGameChanges(pairs, CHANGES_PER_S);
  const phases: Phase[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const isWatched of [false, true]) {
      await watchers.carryOut({ type: "watch", isWatched });
      const pids = [arena.pid, ...cluster.pids(), watchers.pid];
      const receivedBefore = await watchers.carryOut({ type: "count" });
      const startedMs = performance.now();
      let before = { cpu: readCpuMs(pids), games: changes.games };
      let after = before;
      const played = await load.play({ type: "open", movesPerS: MOVES_PER_S }, WARM_UP_MS, seconds * 1_000, {
        begin() {
          before = { cpu: readCpuMs(pids), games: changes.games };
        },
        end() {
          after = { cpu: readCpuMs(pids), games: changes.games };
        },
      });
      const received = await watchers.carryOut({ type: "count" });
      const receivedS = (performance.now() - startedMs) / 1_000;
      const serverMs = toCpuMs(before.cpu, after.cpu, arena.pid);
      const watchersMs = toCpuMs(before.cpu, after.cpu, watchers.pid);
      phases.push({
        isWatched,
        moveP99Ms: quantile(played.seenMs, 0.99),
        serverShare: serverMs / 10 / played.seconds,
        databaseShare: (toCpuMs(before.cpu, after.cpu) - serverMs - watchersMs) / 10 / played.seconds,
        games: after.games - before.games,
        bytesPerS: (received.bytes - receivedBefore.bytes) / receivedS,
        framesPerS: (received.frames - receivedBefore.frames) / receivedS,
        loadGeneratorShare: played.loadGeneratorShare,
        watchersShare: watchersMs / 1_000 / played.seconds,
        seconds: played.seconds,
      });
    }
  }
  await changes.stop();
  const { open } = await watchers.carryOut({ type: "count" });
  watchers.stop();
  for (const socket of changers) socket.terminate();
  await arena.stop();
  await cluster.stop();
  if (open < count) throw new Error(`${count - open} of ${count} watchers were lost`);
  const watched = phases.filter(({ isWatched }) => isWatched);
  const frameBytes =
    watched.reduce((sum, { bytesPerS }) => sum + bytesPerS, 0) /
    watched.reduce((sum, { framesPerS }) => sum + framesPerS, 0);
  const floorShare = await measureFloor(count, Math.round(frameBytes), seconds);
  return toFindings(count, phases, frameBytes, floorShare);
}

function readOpenFilesMax(): number {
  const limit = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
  return limit === undefined ? Number.POSITIVE_INFINITY : Number(limit);
}

async function addBlocks(
  connectionString: string,
  watching: readonly BenchPlayer[],
  changing: readonly BenchPlayer[],
): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const blocking = watching.filter((_, index) => index % BLOCKING_EACH === 0);
  await client.query(
    `insert into player_relations (player_id, other_id, muted, blocked, updated_at)
     select * from unnest($1::text[], $2::text[]) as t (player, other), (values (true, true, now())) as set`,
    [blocking.map(({ id }) => id), blocking.map((_, index) => changing[index % changing.length]!.id)],
  );
  await client.end();
}

async function openTables(arena: Arena, seated: readonly BenchPlayer[]): Promise<Load> {
  const games = makeRandomGames(chess, { count: TABLES, plies: PLIES, orShorter: false, seed: 3 });
  const gameIds = await insertGames(
    arena.connectionString,
    seated.map(({ id }) => id),
    [],
  );
  const sockets = await connectToTables({ port: arena.port, origin: arena.url }, seated, gameIds);
  return openLoad(
    games.map((moves, i) => ({
      gameId: gameIds[i]!,
      sockets: [sockets[2 * i]!, sockets[2 * i + 1]!],
      moves,
      version: 2,
    })),
  );
}

/** The share of a core needed to write as many bytes as often to as many sockets. */
async function measureFloor(count: number, bytes: number, seconds: number): Promise<number> {
  const file = fileURLToPath(new URL("floor-broadcast.ts", import.meta.url));
  const child = startOnServerCore(file, { args: [String(bytes), String(FLOOR_EVERY_MS)] });
  const { port } = (await waitForMessage(child)) as { readonly port: number };
  const sockets: Socket[] = [];
  for (let index = 0; index < count; index += 1) {
    const socket = connect({ port, host: "127.0.0.1", localAddress: `127.0.0.${1 + (index % ADDRESSES)}` });
    await new Promise<void>((resolve, reject) => socket.once("connect", resolve).once("error", reject));
    sockets.push(socket.resume());
  }
  await sleep(WARM_UP_MS);
  const before = readCpuMs([child.pid!]);
  const startedMs = performance.now();
  await sleep(seconds * 1_000);
  const usedMs = toCpuMs(before, readCpuMs([child.pid!]));
  const elapsedMs = performance.now() - startedMs;
  for (const socket of sockets) socket.destroy();
  await stopProcess(child);
  return (100 * usedMs) / elapsedMs;
}

function toFindings(
  count: number,
  phases: readonly Phase[],
  frameBytes: number,
  floorShare: number,
): readonly Finding[] {
  const part = "lobby";
  const middle = (isWatched: boolean, figure: (phase: Phase) => number): number =>
    median(phases.filter((phase) => phase.isWatched === isWatched).map(figure));
  const toLine = (isWatched: boolean): string =>
    [
      `server ${formatNumber(
        middle(isWatched, (phase) => phase.serverShare),
        1,
      )} %`,
      `database ${formatNumber(
        middle(isWatched, (phase) => phase.databaseShare),
        1,
      )} % of a core`,
      `${formatNumber(
        middle(isWatched, ({ games, seconds }) => games / seconds),
        1,
      )} games/s`,
      `a move's p99 ${formatNumber(
        middle(isWatched, (phase) => phase.moveP99Ms),
        1,
      )} ms`,
      `load ${formatNumber(middle(isWatched, (phase) => phase.loadGeneratorShare) * 100)} %`,
      `watchers ${formatNumber(middle(isWatched, (phase) => phase.watchersShare) * 100)} %`,
    ].join("; ");
  const share = middle(true, (phase) => phase.serverShare) - middle(false, (phase) => phase.serverShare);
  const ratio = middle(true, (phase) => phase.moveP99Ms) / middle(false, (phase) => phase.moveP99Ms);
  const perMinute = middle(true, ({ bytesPerS }) => (60 * bytesPerS) / count);
  const perSecond = middle(true, ({ framesPerS }) => framesPerS / count);
  const name = `${formatNumber(count)} watchers`;
  return [
    { part, what: "nobody watches", figures: toLine(false) },
    { part, what: name, figures: toLine(true) },
    {
      part,
      what: "sent to a watcher",
      figures: `${formatNumber(perMinute / 1_000)} kB a minute; ${formatNumber(perSecond, 2)} frames/s of ${formatNumber(frameBytes)} bytes`,
    },
    {
      part,
      what: `${name}: more CPU of the server, % of a core`,
      figures: `floor ${formatNumber(floorShare, 1)} %: the same bytes, twice a second`,
      goal: atMost(share, CORE_SHARE_MAX, " %"),
    },
    { part, what: `${name}: a move's p99, to nobody watching`, figures: "", goal: atMost(ratio, MOVE_RATIO_MAX) },
  ];
}
