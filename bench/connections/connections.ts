import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { chess } from "@holo/chess/chess.ts";
import { atMost, type Finding, formatNumber, note } from "../report.ts";
import { makeRandomGames } from "../rules/random-games.ts";
import { connectToTables, findFreePort, startArena } from "../servers/arena.ts";
import { startCluster } from "../servers/cluster.ts";
import { collectGarbage } from "../servers/inspector.ts";
import { pinLoadGenerator, readResidentBytes } from "../servers/processes.ts";
import { insertGames } from "./seated-games.ts";

const CONNECTIONS = 20_000;
const OTHER_FILES = 300;
const PLIES_PLAYED = 20;
/** More than one round of pings and session checks. */
const SETTLING_MS = 7_000;
const BYTES_MAX = 18 * 1_024;

export function countAllowed(wanted: number): number {
  const limit = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
  const allowed = limit === undefined ? wanted : Math.min(wanted, Number(limit) - OTHER_FILES);
  return allowed - (allowed % 2);
}

export async function benchConnections(profileDir?: string): Promise<readonly Finding[]> {
  const count = countAllowed(CONNECTIONS);
  note(`connections: ${formatNumber(count)} in ${formatNumber(count / 2)} games`);
  if (count < CONNECTIONS) note(`connections: the limit of open files allows no more (ulimit -n)`);
  const cluster = await startCluster();
  pinLoadGenerator();
  const inspectPort = await findFreePort();
  const arena = await startArena(cluster, "arena", profileDir, undefined, inspectPort);
  const players = await arena.makePlayers(count);
  const [moves] = makeRandomGames(chess, { count: 1, plies: PLIES_PLAYED, orShorter: false, seed: 9 });
  const gameIds = await insertGames(
    arena.connectionString,
    players.map(({ id }) => id),
    moves!,
  );
  await sleep(1_000);
  await collectGarbage(inspectPort);
  const idleBytes = readResidentBytes(arena.pid);
  const startedMs = performance.now();
  const sockets = await connectToTables({ port: arena.port, origin: arena.url }, players, gameIds);
  const seconds = (performance.now() - startedMs) / 1_000;
  await sleep(SETTLING_MS);
  const uncollectedBytes = readResidentBytes(arena.pid);
  await collectGarbage(inspectPort);
  const seatedBytes = readResidentBytes(arena.pid);
  const open = sockets.filter((socket) => socket.readyState === socket.OPEN).length;
  for (const socket of sockets) socket.terminate();
  await arena.stop();
  await cluster.stop();
  if (open < count) throw new Error(`${count - open} of ${count} connections were lost`);
  const each = (seatedBytes - idleBytes) / count;
  const megabytes = (bytes: number): string => `${formatNumber(bytes / 1_048_576)} MB`;
  return [
    {
      part: "connections",
      what: `${formatNumber(count)} seated at ${formatNumber(count / 2)} tables, KB each`,
      figures: `idle ${megabytes(idleBytes)}, seated ${megabytes(seatedBytes)}, before a collection ${megabytes(uncollectedBytes)}; ${formatNumber(count / seconds)} connections/s`,
      goal: atMost(each / 1_024, BYTES_MAX / 1_024, " KB"),
    },
  ];
}
