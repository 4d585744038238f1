import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { hashPassword } from "../../apps/server/src/accounts/password/password-hash.ts";
import { addTestPlayers } from "../../apps/server/src/accounts/testing/test-players.ts";
import { openDatabase } from "../../apps/server/src/platform/database/database.ts";
import { openLog } from "../../apps/server/src/platform/log.ts";
import { AUTH_SECRET } from "../../apps/server/src/testing/server-process.ts";
import { buildPage } from "../page/page.ts";
import { atLeast, atMost, type Finding, formatNumber, note } from "../report.ts";
import { type Arena, connectAll, PRODUCTION, startArena } from "../servers/arena.ts";
import { query, startCluster } from "../servers/cluster.ts";
import { makeEndingGames, openPairs, type Pairs } from "../servers/pairs.ts";
import {
  listProcessTree,
  pinLoadGenerator,
  startOnServerCore,
  stopProcess,
  waitForMessage,
} from "../servers/processes.ts";
import { measureUsage } from "../servers/usage.ts";
import type { Order } from "./attacker.ts";
import type { Target } from "./flood.ts";
import { FLOODS, type FloodName, isStream } from "./floods.ts";
import { type Credentials, type LoginTarget, measureLogins } from "./honest-logins.ts";
import { combineRounds, formatFlood, type Measured, RATIO_MAX, toJudgedRatio, toMeasured } from "./measured.ts";

const GAMES = 200;
const COINS = 10_000;
const MOVES_PER_S = 100;
const ROUNDS = 3;
/** There are many streams, and each is either bounded or it is not. */
const ROUNDS_OF_STREAM = 1;
const WARM_UP_MS = 700;
/** Quiet, and with the flood on the floor. */
const COMPARED_MS = 3_000;
const FLOODED_MS = 5_000;
const PAUSE_MS = 300;
const CONNECTIONS = 200;
/** Addresses and connections; the last entry doubles the connections. */
const STRENGTHS = [
  [1, CONNECTIONS],
  [20, CONNECTIONS],
  [200, CONNECTIONS],
  [200, 2 * CONNECTIONS],
] as const;
const STRENGTHS_JUDGED = 3;
const MEGABYTES_MAX = 512;
const LOGINS = 20;
/** One hash takes a third of a second of the servers' core. */
const LOGIN_EVERY_MS = 1_000;
const LOGINS_MIN = 95;
const LOGIN_WARM_UP_MS = 3_000;
const PASSWORD = "a long passphrase";
const DIST = fileURLToPath(new URL("../../apps/web/dist/assets", import.meta.url));

interface Scene {
  readonly arena: Arena;
  readonly pairs: Pairs;
  readonly target: Target;
  readonly floor: Target;
  /** Processes of the benchmark on the servers' core, without the server's. */
  readonly otherPids: () => readonly number[];
}

/** 200 games of honest players during floods: a move's p99 next to the quiet one and the floor. */
export async function benchAttack(profileDir?: string, only = process.env.FLOOD): Promise<readonly Finding[]> {
  const names = (Object.keys(FLOODS) as FloodName[]).filter((name) => only === undefined || name.includes(only));
  note(`attack: ${GAMES} games, ${names.length} floods from 1, 20 and 200 addresses, then with doubled connections`);
  buildPage();
  const samples = makeEndingGames();
  const cluster = await startCluster();
  pinLoadGenerator();
  const arena = await startArena(cluster, { env: PRODUCTION, profileDir });
  const floorServer = startOnServerCore(fileURLToPath(new URL("floor-server.ts", import.meta.url)));
  const floorPort = (await waitForMessage(floorServer)) as number;
  const sockets = await connectAll(() => arena, await arena.makePlayers(2 * GAMES, COINS));
  for (const socket of sockets)
    socket.once("close", (code) => note(`attack: the connection of an honest player was closed (${code})`));
  const pairs = openPairs(sockets, samples);
  const [gameId] = [...(await pairs.seat()).keys()];
  const asset = readdirSync(DIST).find((name) => /\.js$/.test(name));
  const { port, origin } = arena;
  const target: Target = { host: "127.0.0.1", port, origin, gameId: gameId!, assetPath: `/assets/${asset}` };
  const otherPids = () => [floorServer.pid!, ...cluster.pids()];
  const scene: Scene = { arena, pairs, target, floor: { ...target, port: floorPort }, otherPids };
  const logins = await addLogins(arena);
  await measure(scene, null, COMPARED_MS);
  const findings: Finding[] = [];
  for (const name of names) {
    const finding = await measureFlood(scene, name);
    note(`attack: ${finding.what}: ${finding.figures}`);
    findings.push(finding);
  }
  if (only === undefined || only === "logins") findings.push(await measureLoginFlood(scene, logins));
  for (const socket of sockets) socket.removeAllListeners("close").terminate();
  await stopProcess(floorServer);
  await arena.stop();
  await cluster.stop();
  return findings;
}

/** Rounds with and without the flood take turns: a busy moment of the machine meets both. */
async function measureFlood(scene: Scene, name: FloodName): Promise<Finding> {
  const creditsBefore = await countCredits(scene.arena);
  const quiets: Measured[] = [];
  const floors: Measured[] = [];
  const rounds: Measured[][] = STRENGTHS.map(() => []);
  const [, , [addresses, connections]] = STRENGTHS;
  const roundsMax = isStream(name) ? ROUNDS_OF_STREAM : ROUNDS;
  for (let round = 0; round < roundsMax; round += 1) {
    quiets.push(await measure(scene, null, COMPARED_MS));
    floors.push(await measure(scene, { flood: name, target: scene.floor, addresses, connections }, COMPARED_MS));
    for (const [index, strength] of STRENGTHS.entries()) {
      if (index >= STRENGTHS_JUDGED && round > 0) continue;
      const [from, by] = strength;
      const order = { flood: name, target: scene.target, addresses: from, connections: by };
      rounds[index]!.push(await measure(scene, order, FLOODED_MS));
    }
  }
  const credits = (await countCredits(scene.arena)) - creditsBefore;
  const [quiet, floor] = [combineRounds(quiets), combineRounds(floors)];
  const flooded = rounds.map(combineRounds);
  // Doubled connections may degrade play; the figure is reported.
  const ratio = Math.max(...flooded.slice(0, STRENGTHS_JUDGED).map((one) => toJudgedRatio(one, quiet, floor)));
  const isBroken =
    credits > 0 ||
    flooded.some(({ megabytes, unready }) => megabytes > MEGABYTES_MAX || unready > 0) ||
    (isStream(name) && flooded.some(({ sent }, index) => sent < STRENGTHS[index]![1]));
  return {
    part: "attack",
    what: name,
    figures: formatFlood(quiet, floor, flooded, credits),
    goal: atMost(isBroken ? Number.POSITIVE_INFINITY : ratio, RATIO_MAX),
  };
}

async function measure(
  { arena, pairs, otherPids }: Scene,
  order: Omit<Order, "network"> | null,
  forMs: number,
): Promise<Measured> {
  const flood = order === null ? null : await startFlood(order);
  const readiness = watchReadiness(arena.port);
  const pace = { type: "open", movesPerS: MOVES_PER_S } as const;
  // A process of its own hashes passwords.
  const serverPids = () => listProcessTree(arena.pid());
  const { usage, seenMs } = await pairs.play(pace, WARM_UP_MS, () => measureUsage(serverPids, otherPids, sleep(forMs)));
  const unready = await readiness.stop();
  const sent = flood === null ? 0 : await flood.stop();
  await sleep(PAUSE_MS);
  const { peakBytes, othersShare } = usage;
  return toMeasured(seenMs, { megabytes: peakBytes / 1_048_576, sent, unready, othersShare });
}

const ASKED_EVERY_MS = 500;
const READY_WITHIN_MS = 2_000;

/** As a proxy or an operator asks, one question after the other. */
function watchReadiness(port: number): { stop(): Promise<number> } {
  let unready = 0;
  let isStopped = false;
  const ask = async (): Promise<void> => {
    const signal = AbortSignal.timeout(READY_WITHIN_MS);
    const isAnswered = await fetch(`http://127.0.0.1:${port}/readyz`, { signal }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (!isAnswered) unready += 1;
  };
  const asking = (async () => {
    for (; !isStopped; await sleep(ASKED_EVERY_MS)) await ask();
  })();
  return {
    async stop() {
      isStopped = true;
      await asking;
      return unready;
    },
  };
}

let floods = 0;

async function startFlood(order: Omit<Order, "network">): Promise<{ stop(): Promise<number> }> {
  const file = fileURLToPath(new URL("attacker.ts", import.meta.url));
  floods += 1;
  // Addresses that no flood has used before, because the server remembers them for a while.
  const whole: Order = { ...order, network: 10 + (floods % 200) };
  // It gets what players leave of their core, so that a move's time is that of the server.
  const child = spawn("nice", ["-n", "19", process.execPath, file, JSON.stringify(whole)], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  await waitForMessage(child);
  return {
    async stop() {
      const sent = waitForMessage(child) as Promise<number>;
      child.send("stop");
      return await sent;
    },
  };
}

async function countCredits({ connectionString }: Arena): Promise<number> {
  const text = "select count(*)::int as count from game_log where record like '%clock_credited%'";
  return (await query<{ count: number }>(connectionString, text))[0]!.count;
}

async function addLogins({ connectionString }: Arena): Promise<readonly Credentials[]> {
  const database = openDatabase({ connectionString, log: openLog("error") });
  const usernames = Array.from({ length: LOGINS }, (_, index) => `honest${index + 1}`);
  const players = await addTestPlayers(database, usernames, AUTH_SECRET, await hashPassword(PASSWORD));
  await database.close();
  return players.map(({ email }) => ({ email, password: PASSWORD }));
}

/** Players whose devices are known log in again, while others flood the logins. */
async function measureLoginFlood(scene: Scene, players: readonly Credentials[]): Promise<Finding> {
  const { host, port, origin } = scene.target;
  const site: LoginTarget = { url: `http://${host}:${port}`, origin, network: 4 };
  const quiet = await measureLogins(site, players, LOGIN_EVERY_MS);
  const running = await startFlood({ flood: "logins", target: scene.target, addresses: 200, connections: CONNECTIONS });
  await sleep(LOGIN_WARM_UP_MS);
  // From other addresses: the server also remembers where a player has logged in.
  const flooded = await measureLogins({ ...site, network: 3 }, players, LOGIN_EVERY_MS, quiet.cookies);
  await running.stop();
  return {
    part: "attack",
    what: "logins from known devices within 3 s, flood of logins from 200 addresses",
    figures: [
      `p50 ${formatNumber(quiet.p50Ms)} -> ${formatNumber(flooded.p50Ms)} ms`,
      `p95 ${formatNumber(quiet.p95Ms)} -> ${formatNumber(flooded.p95Ms)} ms`,
    ].join("; "),
    goal: atLeast(flooded.promptShare * 100, LOGINS_MIN, " %"),
  };
}
