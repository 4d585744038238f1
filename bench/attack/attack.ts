import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { hashPassword } from "../../apps/server/src/accounts/password/password-hash.ts";
import { addTestPlayers } from "../../apps/server/src/accounts/testing/test-players.ts";
import { openDatabase } from "../../apps/server/src/platform/database/database.ts";
import { openLog } from "../../apps/server/src/platform/log.ts";
import { type Load, openLoad } from "../duel/load.ts";
import { atLeast, atMost, type Finding, formatNumber, note } from "../report.ts";
import { startCluster } from "../servers/cluster.ts";
import {
  listProcessTree,
  pinLoadGenerator,
  readCpuMs,
  readResidentBytes,
  readServerCoreMs,
  startOnServerCore,
  stopProcess,
  waitForMessage,
} from "../servers/processes.ts";
import { quantile } from "../statistics.ts";
import type { Order } from "./attacker.ts";
import { FLOODS, type FloodName, type Target } from "./floods.ts";
import { GAMES, seatGames } from "./honest-games.ts";
import { type Credentials, type LoginTarget, measureLogins } from "./honest-logins.ts";
import { type ProductionServer, startProductionServer } from "./production-server.ts";

const MOVES_PER_S = 100;
const WARM_UP_MS = 1_000;
const MEASURED_MS = 4_000;
const PAUSE_MS = 300;
const CONNECTIONS = 200;
/** Addresses and connections; the last entry doubles the connections. */
const STRENGTHS = [
  [1, CONNECTIONS],
  [20, CONNECTIONS],
  [200, CONNECTIONS],
  [200, 2 * CONNECTIONS],
] as const;
const RATIO_MAX = 2;
/** A ratio to a smaller figure is meaningless. */
const FLOOR_MS_MIN = 20;
const MEGABYTES_MAX = 512;
const LOGINS = 20;
/** One hash takes a third of a second of the servers' core. */
const LOGIN_EVERY_MS = 1_000;
const LOGINS_MIN = 95;
const LOGIN_WARM_UP_MS = 3_000;
const QUIET_LOGINS = 8;
const PASSWORD = "a long passphrase";
const DIST = fileURLToPath(new URL("../../apps/web/dist/assets", import.meta.url));

interface Measured {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly megabytes: number;
  readonly sent: number;
  readonly othersShare: number;
}

interface Scene {
  readonly server: ProductionServer;
  readonly load: Load;
  readonly target: Target;
  readonly floor: Target;
  /** All processes of the benchmark on the servers' core. */
  readonly serverPids: () => readonly number[];
}

/** 200 games of honest players during floods: a move's p99, next to that of the floor. */
export async function benchAttack(profileDir?: string, only = process.env.FLOOD): Promise<readonly Finding[]> {
  const names = (Object.keys(FLOODS) as FloodName[]).filter((name) => only === undefined || name.includes(only));
  note(`attack: ${GAMES} games, ${names.length} floods from 1, 20 and 200 addresses, then with doubled connections`);
  const cluster = await startCluster();
  pinLoadGenerator();
  const server = await startProductionServer(await cluster.makeDatabase("attack"), profileDir);
  const floorServer = startOnServerCore(fileURLToPath(new URL("floor-server.ts", import.meta.url)));
  const floorPort = (await waitForMessage(floorServer)) as number;
  const games = await seatGames(server);
  const asset = readdirSync(DIST).find((name) => /\.js$/.test(name));
  const target: Target = {
    host: "127.0.0.1",
    port: server.port,
    origin: server.origin,
    gameId: games[0]!.gameId,
    assetPath: `/assets/${asset}`,
  };
  const serverPids = () => [...listProcessTree(server.pid), floorServer.pid!, ...cluster.pids()];
  const scene: Scene = { server, load: openLoad(games), target, floor: { ...target, port: floorPort }, serverPids };
  const logins = await addLogins(server);
  await measure(scene, null);
  const findings: Finding[] = [];
  for (const name of names) {
    const finding = await measureFlood(scene, name);
    note(`attack: ${finding.what}: ${finding.figures}`);
    findings.push(finding);
  }
  if (only === undefined || only === "logins") findings.push(...(await measureLoginFlood(scene, logins)));
  for (const { sockets } of games) for (const socket of sockets) socket.removeAllListeners("close").terminate();
  await stopProcess(floorServer);
  await server.stop();
  await cluster.stop();
  return findings;
}

async function measureFlood(scene: Scene, name: FloodName): Promise<Finding> {
  const creditsBefore = await countCredits(scene.server);
  const quiet = await measure(scene, null);
  const [, , [addresses, connections]] = STRENGTHS;
  const floor = await measure(scene, { flood: name, target: scene.floor, addresses, connections });
  const flooded: Measured[] = [];
  for (const [addresses, connections] of STRENGTHS)
    flooded.push(await measure(scene, { flood: name, target: scene.target, addresses, connections }));
  const credits = (await countCredits(scene.server)) - creditsBefore;
  const megabytes = Math.max(...flooded.map((one) => one.megabytes));
  const toRatio = (one: Measured): number => one.p99Ms / Math.max(floor.p99Ms, FLOOR_MS_MIN);
  // Doubled connections may degrade play; the figure is reported.
  const ratio = Math.max(...flooded.slice(0, 3).map(toRatio));
  const join = (toText: (one: Measured) => string): string => flooded.map(toText).join("/");
  const figures = [
    `p99 quiet ${formatNumber(quiet.p99Ms)}, floor ${formatNumber(floor.p99Ms)}`,
    `flooded ${join(({ p99Ms }) => formatNumber(p99Ms))} ms`,
    `p50 ${formatNumber(quiet.p50Ms)} -> ${join(({ p50Ms }) => formatNumber(p50Ms))} ms`,
    `to floor ${join((one) => formatNumber(toRatio(one), 1))}`,
    `to quiet ${join((one) => formatNumber(one.p99Ms / Math.max(quiet.p99Ms, FLOOR_MS_MIN), 1))}`,
    `${formatNumber(megabytes)} MB`,
    `${credits} credits`,
    `others ${formatNumber(Math.max(...[floor, ...flooded].map(({ othersShare }) => othersShare)) * 100)} %`,
    `sent ${formatNumber(floor.sent)} | ${join(({ sent }) => formatNumber(sent))}`,
  ];
  const isBroken = megabytes > MEGABYTES_MAX || credits > 0;
  return {
    part: "attack",
    what: name,
    figures: figures.join("; "),
    goal: atMost(isBroken ? Number.POSITIVE_INFINITY : ratio, RATIO_MAX),
  };
}

async function measure({ server, load, serverPids }: Scene, order: Omit<Order, "network"> | null): Promise<Measured> {
  const flood = order === null ? null : await startFlood(order);
  let peakBytes = 0;
  const timer = setInterval(() => {
    peakBytes = Math.max(peakBytes, readResidentBytes(server.pid));
  }, 200);
  let [ownMs, coreMs] = [0, 0];
  const around = {
    begin() {
      ownMs = sumCpuMs(serverPids());
      coreMs = readServerCoreMs();
    },
    end() {
      ownMs = sumCpuMs(serverPids()) - ownMs;
      coreMs = readServerCoreMs() - coreMs;
    },
  };
  const played = await load.play({ type: "open", movesPerS: MOVES_PER_S }, WARM_UP_MS, MEASURED_MS, around);
  clearInterval(timer);
  const sent = flood === null ? 0 : await flood.stop();
  await sleep(PAUSE_MS);
  return {
    p50Ms: quantile(played.acknowledgedMs, 0.5),
    p99Ms: quantile(played.acknowledgedMs, 0.99),
    megabytes: peakBytes / 1_048_576,
    sent,
    othersShare: Math.max(0, coreMs - ownMs) / MEASURED_MS,
  };
}

function sumCpuMs(pids: readonly number[]): number {
  return [...readCpuMs(pids).values()].reduce((sum, ms) => sum + ms, 0);
}

let floods = 0;

async function startFlood(order: Omit<Order, "network">): Promise<{ stop(): Promise<number> }> {
  const file = fileURLToPath(new URL("attacker.ts", import.meta.url));
  floods += 1;
  // Addresses that no flood has used before, because the server remembers them for a while.
  const whole: Order = { ...order, network: 10 + (floods % 200) };
  const child = spawn("nice", ["-n", "5", process.execPath, file, JSON.stringify(whole)], {
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

async function countCredits({ connectionString }: ProductionServer): Promise<number> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rows } = await client.query(
    "select count(*)::int as count from game_log where entry like '%clock_credited%'",
  );
  await client.end();
  return rows[0].count;
}

async function addLogins({ connectionString, secret }: ProductionServer): Promise<readonly Credentials[]> {
  const database = openDatabase({ connectionString, log: openLog("error") });
  const usernames = Array.from({ length: LOGINS }, (_, index) => `honest${index + 1}`);
  const players = await addTestPlayers(database, usernames, secret, await hashPassword(PASSWORD));
  await database.close();
  return players.map(({ email }) => ({ email, password: PASSWORD }));
}

/** Players log in during a flood of logins: first from new devices, then from the same ones. */
async function measureLoginFlood(scene: Scene, players: readonly Credentials[]): Promise<readonly Finding[]> {
  const { host, port, origin } = scene.target;
  const site: LoginTarget = { url: `http://${host}:${port}`, origin, network: 3 };
  // From other addresses: the server remembers where a player has logged in.
  const quiet = await measureLogins({ ...site, network: 4 }, players.slice(0, QUIET_LOGINS), LOGIN_EVERY_MS);
  const running = await startFlood({ flood: "logins", target: scene.target, addresses: 200, connections: CONNECTIONS });
  await sleep(LOGIN_WARM_UP_MS);
  const first = await measureLogins(site, players, LOGIN_EVERY_MS);
  const again = await measureLogins(site, players, LOGIN_EVERY_MS, first.cookies);
  await running.stop();
  return (
    [
      ["new", first],
      ["known", again],
    ] as const
  ).map(([device, measured]) => ({
    part: "attack",
    what: `logins from ${device} devices within 3 s, flood of logins from 200 addresses`,
    figures: [
      `p50 ${formatNumber(quiet.p50Ms)} -> ${formatNumber(measured.p50Ms)} ms`,
      `p95 ${formatNumber(quiet.p95Ms)} -> ${formatNumber(measured.p95Ms)} ms`,
    ].join("; "),
    goal: atLeast(measured.promptShare * 100, LOGINS_MIN, " %"),
  }));
}
