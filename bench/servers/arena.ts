import { randomBytes, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { type GameId, type PlayerId, toCommandId } from "@holo/kernel/ids.ts";
import { toInstant } from "@holo/kernel/instant.ts";
import { wholeCoins } from "@holo/kernel/money.ts";
import type { ClientFrame } from "@holo/protocol/socket/client-frames.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";
import type { GameType } from "@holo/rules/rules.ts";
import { DEFAULT_FEE_BPS } from "@holo/table/platform-fee.ts";
import type { LimitMinutes, Stake } from "@holo/table/stakes.ts";
import { WebSocket } from "ws";
import { addTestPlayers } from "../../apps/server/src/accounts/testing/test-players.ts";
import { openWallet, postOpening } from "../../apps/server/src/ledger/ledger.ts";
import { openDatabase } from "../../apps/server/src/platform/database/database.ts";
import { transact } from "../../apps/server/src/platform/database/transaction.ts";
import { openLog } from "../../apps/server/src/platform/log.ts";
import type { Cluster } from "./cluster.ts";
import { killProcess, startOnServerCore, stopProcess, waitForText } from "./processes.ts";

/** The server, started like `npm start`, on its own database. */
export interface Arena {
  readonly pid: number;
  readonly port: number;
  readonly url: string;
  readonly connectionString: string;
  /** Inserts players with a session each. Their names begin with `prefix`. */
  makePlayers(count: number, prefix?: string): Promise<readonly BenchPlayer[]>;
  connect(player: BenchPlayer): Promise<WebSocket>;
  stop(): Promise<void>;
  kill(): Promise<void>;
}

export interface BenchPlayer {
  readonly id: PlayerId;
  readonly cookie: string;
}

const SECRET = randomBytes(32).toString("hex");
const COINS = 10_000;
export const CONNECTING_AT_ONCE = 50;
/** Of players: one address may have only so many connections. */
export const ADDRESSES = 8;

export async function startArena(cluster: Cluster, name: string, profileDir?: string): Promise<Arena> {
  return await startArenaOn(await cluster.makeDatabase(name), { profileDir });
}

interface ArenaPlace {
  readonly env?: Readonly<Record<string, string>>;
  /** As `taskset -c` takes them. Default: the servers' core. */
  readonly cores?: string;
  /** Default: a free one. */
  readonly port?: number;
  readonly profileDir?: string | undefined;
}

export async function startArenaOn(
  connectionString: string,
  { env = {}, cores, port: wantedPort, profileDir }: ArenaPlace,
): Promise<Arena> {
  const port = wantedPort ?? (await findFreePort());
  const origin = `http://127.0.0.1:${port}`;
  const dataDir = mkdtempSync(path.join(tmpdir(), "holo-arena-"));
  const child = startOnServerCore(fileURLToPath(new URL("../../apps/server/src/main.ts", import.meta.url)), {
    env: {
      NODE_ENV: "test",
      PORT: String(port),
      DATABASE_URL: connectionString,
      DATA_DIR: dataDir,
      AUTH_SECRET: SECRET,
      ...env,
    },
    cores,
    profileDir,
  });
  await waitForText(child, "Holo Arena is at");
  return {
    pid: child.pid!,
    port,
    url: origin,
    connectionString,
    makePlayers: (count, prefix) => makePlayers(connectionString, count, prefix),
    connect: (player) => connectPlayer({ port, origin: env.PUBLIC_URL ?? origin }, player),
    async stop() {
      await stopProcess(child);
      rmSync(dataDir, { recursive: true, force: true });
    },
    async kill() {
      await killProcess(child);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** `origin` is that of the page. */
export interface Site {
  readonly port: number;
  readonly origin: string;
}

function connectPlayer(
  { port, origin }: Site,
  { cookie }: Pick<BenchPlayer, "cookie">,
  localAddress?: string,
): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/socket`, {
    headers: { origin, cookie },
    perMessageDeflate: false,
    ...(localAddress === undefined ? {} : { localAddress }),
  });
  return new Promise((resolve, reject) => {
    socket.once("open", () => resolve(socket));
    socket.once("error", reject);
  });
}

/** In the order of the players, from several addresses. `prepare` follows on each connection. */
export async function connectAll(
  site: Site,
  players: readonly Pick<BenchPlayer, "cookie">[],
  prepare?: (socket: WebSocket, index: number) => Promise<void>,
): Promise<readonly WebSocket[]> {
  const sockets: WebSocket[] = [];
  let next = 0;
  const connectNext = async (): Promise<void> => {
    while (next < players.length) {
      const index = next;
      next += 1;
      const socket = await connectPlayer(site, players[index]!, `127.0.0.${1 + (index % ADDRESSES)}`);
      await prepare?.(socket, index);
      sockets[index] = socket;
    }
  };
  await Promise.all(Array.from({ length: CONNECTING_AT_ONCE }, connectNext));
  return sockets;
}

export async function findFreePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (typeof address !== "object" || address === null) throw new Error("no free port");
  return address.port;
}

async function makePlayers(connectionString: string, count: number, prefix = "bench"): Promise<readonly BenchPlayer[]> {
  const database = openDatabase({ connectionString, log: openLog("error"), statementTimeoutMs: 60_000 });
  const usernames = Array.from({ length: count }, (_, index) => `${prefix}${index + 1}`);
  const players = await addTestPlayers(database, usernames, SECRET);
  await database.close();
  return players;
}

export async function addCoins(
  connectionString: string,
  players: readonly BenchPlayer[],
  coins = COINS,
): Promise<void> {
  const database = openDatabase({ connectionString, log: openLog("error"), statementTimeoutMs: 60_000 });
  const at = toInstant(Date.now());
  await transact(database, async (tx) => {
    for (const { id } of players) {
      await openWallet(tx, id, at);
      await postOpening(tx, { playerId: id, amount: wholeCoins(coins), at });
    }
  });
  await database.close();
}

interface Terms {
  readonly game: GameType;
  readonly stake: Stake;
  readonly limitMinutes: LimitMinutes;
}

export async function joinOrCreate(socket: WebSocket, terms: Terms): Promise<GameId> {
  const done = waitForFrame(socket, "done");
  sendFrame(socket, {
    type: "create",
    sentAgoMs: 0,
    byInvitation: false,
    commandId: toCommandId(randomUUID()),
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
