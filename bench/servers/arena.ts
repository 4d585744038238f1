import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { type GameId, toCommandId } from "@holo/kernel/ids.ts";
import type { ClientFrame } from "@holo/protocol/socket/client-frames.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";
import type { GameType } from "@holo/rules/rules.ts";
import { DEFAULT_FEE_BPS } from "@holo/table/platform-fee.ts";
import type { LimitMinutes, Stake } from "@holo/table/stakes.ts";
import { WebSocket } from "ws";
import type { TestPlayer } from "../../apps/server/src/accounts/testing/test-players.ts";
import { openDatabase } from "../../apps/server/src/platform/database/database.ts";
import { openLog } from "../../apps/server/src/platform/log.ts";
import { addServerPlayers } from "../../apps/server/src/testing/server-players.ts";
import { makeServerProcess } from "../../apps/server/src/testing/server-process.ts";
import type { Cluster } from "./cluster.ts";
import { toPinned, toProfiled } from "./processes.ts";

/** The server, started like `npm start`. */
export interface Arena {
  readonly port: number;
  /** Of its pages. */
  readonly origin: string;
  readonly connectionString: string;
  pid(): number;
  makePlayers(count: number, coins: number): Promise<readonly BenchPlayer[]>;
  connect(player: BenchPlayer, index: number): Promise<WebSocket>;
  stop(): Promise<void>;
  kill(): Promise<void>;
  /** Again, after its end. */
  start(): Promise<void>;
}

export type BenchPlayer = TestPlayer;

/** What a server says of itself to a page. */
export type Site = Pick<Arena, "port" | "origin">;

interface ArenaOptions {
  /** Default: an empty one of its own. */
  readonly connectionString?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Default: the servers' core. */
  readonly cores?: string;
  readonly profileDir?: string | undefined;
}

const PRODUCTION_ORIGIN = "https://arena.bench";
/** Nothing answers there, and no part in production mode needs mail or payments. */
export const PRODUCTION = {
  NODE_ENV: "production",
  LOG_LEVEL: "fatal",
  HOST: "127.0.0.1",
  PUBLIC_URL: PRODUCTION_ORIGIN,
  OWNER_EMAIL: "owner@arena.bench",
  SUPPORT_EMAIL: "help@arena.bench",
  SUPPORT_MESSAGING_URL: "https://messages.arena.bench",
  TRUSTED_PROXIES: "none",
  METRICS_TOKEN: "a token of the benchmark, long enough to be one",
  SMTP_URL: "smtp://127.0.0.1:9",
  PAYSTACK_SECRET_KEY: "sk_live_of_the_benchmark",
};
const MAIN = fileURLToPath(new URL("../../apps/server/src/main.ts", import.meta.url));
const COMMANDS = fileURLToPath(new URL("../../apps/server/src/holo.ts", import.meta.url));
const CONNECTING_AT_ONCE = 50;
const ADDRESSES = 250;

export async function startArena(cluster: Cluster, options: ArenaOptions = {}): Promise<Arena> {
  const { env = {}, cores, profileDir } = options;
  const connectionString = options.connectionString ?? (await cluster.makeDatabase());
  const server = await makeServerProcess(
    { DATABASE_URL: connectionString, DATA_DIR: mkdtempSync(path.join(cluster.folder, "server-")), ...env },
    [...toProfiled(profileDir), MAIN],
  );
  const { port } = server;
  const origin = env.PUBLIC_URL ?? server.origin;
  const start = (): Promise<void> => server.start({}, toPinned(cores));
  await start();
  process.once("exit", () => server.signal("SIGTERM"));
  return {
    port,
    origin,
    connectionString,
    pid: server.pid,
    async makePlayers(count, coins) {
      const database = openDatabase({ connectionString, log: openLog("error"), statementTimeoutMs: 60_000 });
      const players = await addServerPlayers(database, count, coins, origin.startsWith("https"));
      await database.close();
      return players;
    },
    connect: (player, index) => connect({ port, origin }, player, index),
    stop: () => server.end("SIGTERM"),
    kill: () => server.end("SIGKILL"),
    start,
  };
}

/** An address of this machine: production limits what one address may ask for. */
export function toAddress(index: number): string {
  return `127.0.${1 + Math.floor(index / ADDRESSES)}.${1 + (index % ADDRESSES)}`;
}

async function connect({ port, origin }: Site, { cookie }: Pick<BenchPlayer, "cookie">, index: number) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/socket`, {
    headers: { origin, cookie },
    perMessageDeflate: false,
    localAddress: toAddress(index),
  });
  await untilOpen(socket);
  return socket;
}

export async function untilOpen(socket: WebSocket): Promise<void> {
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
}

/** In the order of the players. `toSite` is given a player's index. */
export async function connectAll(
  toSite: (index: number) => Site,
  players: readonly Pick<BenchPlayer, "cookie">[],
): Promise<readonly WebSocket[]> {
  const sockets: WebSocket[] = [];
  let next = 0;
  const connectNext = async (): Promise<void> => {
    while (next < players.length) {
      const index = next;
      next += 1;
      sockets[index] = await connect(toSite(index), players[index]!, index);
    }
  };
  await Promise.all(Array.from({ length: CONNECTING_AT_ONCE }, connectNext));
  return sockets;
}

interface Terms {
  readonly game: GameType;
  readonly stake: Stake;
  readonly limitMinutes: LimitMinutes;
}

export async function joinOrCreate(socket: WebSocket, terms: Terms): Promise<GameId> {
  const done = waitForFrame(socket, "done");
  const commandId = toCommandId(randomUUID());
  sendFrame(socket, {
    type: "create",
    sentAgoMs: 0,
    byInvitation: false,
    commandId,
    feeBps: DEFAULT_FEE_BPS,
    ...terms,
  });
  return (await done).gameId;
}

export function sendFrame(socket: WebSocket, frame: ClientFrame): void {
  socket.send(JSON.stringify(frame));
}

/** The next frame of this type. Throws on a refusal and after ten seconds. */
export function waitForFrame<Type extends ServerFrame["type"]>(
  socket: WebSocket,
  type: Type,
): Promise<Extract<ServerFrame, { readonly type: Type }>> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => finish(() => reject(new Error(`no ${type} frame arrived`))), 10_000);
    const receive = (data: unknown): void => {
      const frame = JSON.parse(String(data)) as ServerFrame;
      if (frame.type === type) finish(() => resolve(frame as Extract<ServerFrame, { readonly type: Type }>));
      else if (frame.type === "refused" || frame.type === "bad_frame") finish(() => reject(new Error(String(data))));
    };
    const finish = (settle: () => void): void => {
      clearTimeout(timer);
      socket.off("message", receive);
      settle();
    };
    socket.on("message", receive);
  });
}

export function audit(connectionString: string): void {
  const env = { PATH: process.env.PATH, DATABASE_URL: connectionString };
  const { status, stdout } = spawnSync(process.execPath, [COMMANDS, "audit"], { env, encoding: "utf8" });
  if (status !== 0) throw new Error(`the audit ended with ${status}: ${stdout.split("\n").at(-2)}`);
}
