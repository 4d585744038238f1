import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { chess } from "@holo/chess/chess.ts";
import pg from "pg";
import { WebSocket } from "ws";
import { hashPassword } from "../../apps/server/src/accounts/password/password-hash.ts";
import { addTestPlayers } from "../../apps/server/src/accounts/testing/test-players.ts";
import { openDatabase } from "../../apps/server/src/platform/database/database.ts";
import { openLog } from "../../apps/server/src/platform/log.ts";
import { insertGames } from "../connections/seated-games.ts";
import { type Load, openLoad, type SeatedGame } from "../duel/load.ts";
import { atLeast, atMost, type Finding, formatNumber, note } from "../report.ts";
import { makeRandomGames } from "../rules/random-games.ts";
import { type BenchPlayer, findFreePort, waitForFrame } from "../servers/arena.ts";
import { startCluster } from "../servers/cluster.ts";
import {
  pinLoadGenerator,
  readResidentBytes,
  startOnServerCore,
  stopProcess,
  waitForMessage,
  waitForText,
} from "../servers/processes.ts";
import { quantile } from "../statistics.ts";
import type { Order } from "./attacker.ts";
import { FLOODS, type FloodName, type Target } from "./floods.ts";
import { type Credentials, type LoginTarget, measureLogins } from "./honest-logins.ts";

const GAMES = 200;
const PLIES_PLAYED = 100;
const PLIES = 420;
const MOVES_PER_S = 100;
const WARM_UP_MS = 1_000;
const MEASURED_MS = 5_000;
const ADDRESSES = [1, 20, 200] as const;
const CONNECTIONS = 200;
/** Twice the connections, from the most addresses. */
const DOUBLED = 2 * CONNECTIONS;
/** Moves stay below what a player notices, and within this many times the quiet figure. */
const RATIO_MAX = 2;
/** A ratio to less than this says nothing about play. */
const QUIET_MS_MIN = 20;
const MEGABYTES_MAX = 512;
const LOGINS = 40;
const LOGIN_EVERY_MS = 250;
const LOGINS_MIN = 95;
const PASSWORD = "a long passphrase";
const ORIGIN = "https://arena.bench";
const DIST = fileURLToPath(new URL("../../apps/web/dist/assets", import.meta.url));

interface Measured {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly megabytes: number;
}

/** The server with its production limits, on the servers' core. */
async function startProductionServer(connectionString: string) {
  const port = await findFreePort();
  const child = startOnServerCore(fileURLToPath(new URL("../../apps/server/src/main.ts", import.meta.url)), {
    env: {
      NODE_ENV: "production",
      LOG_LEVEL: "fatal",
      HOST: "127.0.0.1",
      PORT: String(port),
      DATABASE_URL: connectionString,
      DATA_DIR: mkdtempSync(path.join(tmpdir(), "holo-attack-")),
      AUTH_SECRET: SECRET,
      PUBLIC_URL: ORIGIN,
      OWNER_EMAIL: "owner@arena.bench",
      SUPPORT_EMAIL: "help@arena.bench",
      SUPPORT_MESSAGING_URL: "https://messages.arena.bench",
      TRUSTED_PROXIES: "none",
      METRICS_TOKEN: SECRET,
      // Nothing answers there, and nothing of this benchmark needs mail or payments.
      SMTP_URL: "smtp://127.0.0.1:9",
      PAYSTACK_SECRET_KEY: "sk_live_of_the_benchmark",
    },
  });
  await waitForText(child, "Holo Arena is at");
  return { child, port };
}

const SECRET = randomBytes(32).toString("hex");

function connect(port: number, player: BenchPlayer, index: number): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/socket`, {
    headers: { origin: ORIGIN, cookie: player.cookie },
    localAddress: `127.0.2.${1 + (index % 250)}`,
  });
  return new Promise((resolve, reject) => {
    socket.once("open", () => resolve(socket));
    socket.once("error", reject);
  });
}

async function seatGames(port: number, connectionString: string): Promise<readonly SeatedGame[]> {
  const database = openDatabase({ connectionString, log: openLog("error") });
  const usernames = Array.from({ length: 2 * GAMES }, (_, index) => `bench${index + 1}`);
  const players = await addTestPlayers(database, usernames, SECRET, undefined, true);
  await database.close();
  const [moves] = makeRandomGames(chess, { count: 1, plies: PLIES, orShorter: false, seed: 11 });
  const ids = await insertGames(
    connectionString,
    players.map(({ id }) => id),
    moves!.slice(0, PLIES_PLAYED),
  );
  return await Promise.all(
    ids.map(async (gameId, i): Promise<SeatedGame> => {
      const sockets = await Promise.all([
        connect(port, players[2 * i]!, 2 * i),
        connect(port, players[2 * i + 1]!, 2 * i + 1),
      ]);
      for (const socket of sockets) {
        socket.once("close", (code) => note(`attack: the connection of an honest player was closed (${code})`));
        const table = waitForFrame(socket, "table");
        socket.send(JSON.stringify({ type: "watch", gameId, since: 0 }));
        await table;
      }
      return { gameId, sockets, moves: moves!.slice(PLIES_PLAYED), version: PLIES_PLAYED + 2 };
    }),
  );
}

/** Players who can log in with a password. */
async function addLogins(connectionString: string): Promise<readonly Credentials[]> {
  const database = openDatabase({ connectionString, log: openLog("error") });
  const usernames = Array.from({ length: LOGINS }, (_, index) => `honest${index + 1}`);
  const players = await addTestPlayers(database, usernames, SECRET, await hashPassword(PASSWORD));
  await database.close();
  return players.map(({ email }) => ({ email, password: PASSWORD }));
}

async function measure(load: Load, pid: number): Promise<Measured> {
  let peakBytes = 0;
  const timer = setInterval(() => {
    peakBytes = Math.max(peakBytes, readResidentBytes(pid));
  }, 200);
  const played = await load.play({ type: "open", movesPerS: MOVES_PER_S }, WARM_UP_MS, MEASURED_MS, {
    begin() {},
    end() {},
  });
  clearInterval(timer);
  const { acknowledgedMs } = played;
  return {
    p50Ms: quantile(acknowledgedMs, 0.5),
    p99Ms: quantile(acknowledgedMs, 0.99),
    megabytes: peakBytes / 1_048_576,
  };
}

/** Runs the flood in a process with a lower priority than the players' on the same core. */
async function startFlood(order: Order): Promise<{ stop(): Promise<number> }> {
  const file = fileURLToPath(new URL("attacker.ts", import.meta.url));
  const child = spawn("nice", ["-n", "5", process.execPath, file, JSON.stringify(order)], {
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

async function countCredits(connectionString: string): Promise<number> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rows } = await client.query(
    "select count(*)::int as count from game_log where entry like '%clock_credited%'",
  );
  await client.end();
  return rows[0].count;
}

/** 200 games of honest players during floods: the ratio of a move's p99 with and without. */
export async function benchAttack(only = process.env.FLOOD): Promise<readonly Finding[]> {
  const names = Object.keys(FLOODS) as FloodName[];
  note(
    `attack: ${GAMES} games, ${names.length} floods from ${ADDRESSES.join(", ")} addresses, then with doubled resources`,
  );
  const cluster = await startCluster();
  pinLoadGenerator();
  const connectionString = await cluster.makeDatabase("attack");
  const { child, port } = await startProductionServer(connectionString);
  const games = await seatGames(port, connectionString);
  const load = openLoad(games);
  const asset = readdirSync(DIST).find((name) => /\.js$/.test(name));
  const target: Target = {
    host: "127.0.0.1",
    port,
    origin: ORIGIN,
    gameId: games[0]!.gameId,
    assetPath: `/assets/${asset}`,
  };
  const logins = await addLogins(connectionString);
  await measure(load, child.pid!);
  const findings: Finding[] = [];
  for (const flood of names.filter((name) => only === undefined || name.includes(only))) {
    note(`attack: ${flood}`);
    const quiet = await measure(load, child.pid!);
    for (const [addresses, connections] of [
      ...ADDRESSES.map((count) => [count, CONNECTIONS] as const),
      [200, DOUBLED] as const,
    ]) {
      const running = await startFlood({ flood, target, addresses, connections });
      const flooded = await measure(load, child.pid!);
      const sent = await running.stop();
      const finding = toFinding(flood, addresses, connections, quiet, flooded, sent);
      note(`attack: ${finding.what}: ${finding.figures}`);
      findings.push(finding);
      await sleep(500);
    }
  }
  findings.push(...(await measureLoginFlood(target, logins)));
  const credits = await countCredits(connectionString);
  findings.push({ part: "attack", what: "clock credits caused by floods", figures: "", goal: atMost(credits, 0, "") });
  for (const { sockets } of games) for (const socket of sockets) socket.removeAllListeners("close").terminate();
  await stopProcess(child);
  await cluster.stop();
  return findings;
}

/** Players log in during a flood of logins: first from new devices, then from the same ones. */
async function measureLoginFlood(target: Target, players: readonly Credentials[]): Promise<readonly Finding[]> {
  note("attack: logins of players during a flood of logins");
  const { host, port, origin } = target;
  const site: LoginTarget = { url: `http://${host}:${port}`, origin };
  const running = await startFlood({ flood: "logins", target, addresses: 200, connections: CONNECTIONS });
  await sleep(WARM_UP_MS);
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
    what: `logins from ${device} devices within 3 s, flood from 200 addresses`,
    figures: `p50 ${formatNumber(measured.p50Ms)} ms; p95 ${formatNumber(measured.p95Ms)} ms`,
    goal: atLeast(measured.promptShare * 100, LOGINS_MIN, " %"),
  }));
}

function toFinding(
  flood: FloodName,
  addresses: number,
  connections: number,
  quiet: Measured,
  flooded: Measured,
  sent: number,
): Finding {
  const isDoubled = connections === DOUBLED;
  const ratio = flooded.p99Ms / Math.max(quiet.p99Ms, QUIET_MS_MIN);
  const figures = [
    `p50 ${formatNumber(quiet.p50Ms, 1)} -> ${formatNumber(flooded.p50Ms, 1)} ms`,
    `p99 ${formatNumber(quiet.p99Ms, 1)} -> ${formatNumber(flooded.p99Ms, 1)} ms`,
    `${formatNumber(flooded.megabytes)} MB`,
    `${formatNumber(sent)} sent`,
    ...(flooded.megabytes > MEGABYTES_MAX ? [`MEMORY ABOVE ${MEGABYTES_MAX} MB`] : []),
  ];
  return {
    part: "attack",
    what: `${flood}, ${addresses} addresses${isDoubled ? ", doubled" : ""}: p99 of a move to p99 without`,
    figures: figures.join("; "),
    // Doubled resources may degrade play; the figure is reported.
    ...(!isDoubled && {
      goal: atMost(flooded.megabytes > MEGABYTES_MAX ? Number.POSITIVE_INFINITY : ratio, RATIO_MAX),
    }),
  };
}
