import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import type { PlayerId } from "@holo/kernel/ids.ts";
import { CLOSE, FRAME_BYTES_MAX, PROTOCOL_VERSION, type ServerFrame } from "@holo/protocol/frames.ts";
import { type WebSocket, WebSocketServer } from "ws";
import type { Accounts, AccountTopics, Session } from "../../accounts/accounts.ts";
import type { Arena, ArenaTopics } from "../../arena/arena.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Log } from "../../platform/log.ts";
import type { Metrics } from "../../platform/metrics/metrics.ts";
import { makeRateLimiter, type RateLimit } from "../../platform/rate-limiter.ts";
import type { StallMeter } from "../../platform/time/stall-meter.ts";
import type { Time } from "../../platform/time/time.ts";
import type { TimerWheel } from "../../platform/time/timer-wheel.ts";
import { openBroadcast } from "./broadcast.ts";
import { type Connection, SocketConnection } from "./connection.ts";
import { openPings } from "./pings.ts";
import { openSocketSession } from "./socket-session.ts";

export interface SocketDeps {
  readonly server: Server;
  readonly arena: Arena;
  readonly accounts: Pick<Accounts, "findSession" | "checkSessions" | "recordSeen">;
  readonly bus: Bus<ArenaTopics & AccountTopics>;
  readonly time: Time;
  readonly wheel: TimerWheel;
  readonly stalls: StallMeter;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Origins that may open a socket. */
  readonly origins: readonly string[];
  readonly connectionsPerPlayerMax: number;
  readonly connectionsPerAddressMax: number;
  /** Rate limit of tables read from the database for visitors of one address. */
  readonly readsPerAddress: RateLimit;
  /** The client's address of a request. */
  readonly toAddress: (request: IncomingMessage) => string;
}

export interface SocketServer {
  /** Announces the restart and closes all connections. */
  close(): Promise<void>;
}

const SOCKET_PATH = "/socket";
/**
 * Rate limit of frames per player over all connections. A frame may cost a query and delay a table.
 */
const FRAMES_PER_PLAYER = { burst: 400, refillMs: 20 } as const;
/** Rate limit of tables read per player, above what a person needs. */
const READS_PER_PLAYER: RateLimit = { burst: 60, refillMs: 500 };
const SESSIONS_CHECKED_EVERY_MS = 5_000;
const SESSIONS_CHECKED_AT_ONCE = 500;
const SESSIONS_NOTED_EVERY_MS = 60_000;
/** Reconnections after a restart are spread over this time. */
const RECONNECT_SPREAD_MS = 1_000;
const CLOSING_MS = 1_000;

/** The WebSocket server: upgrades, pings, and closing of ended sessions. */
export function openSocket(options: SocketDeps): SocketServer {
  const { server, arena, accounts, time, wheel, log } = options;
  const fanOut = openBroadcast(options.bus);
  const pings = openPings(time, wheel, options.stalls);
  const session = openSocketSession({ arena, fanOut, log, isLive, takeRead });
  const sockets = new WebSocketServer({ noServer: true, maxPayload: FRAME_BYTES_MAX, perMessageDeflate: false });
  const perAddress = new Map<string, number>();
  /** Connections whose session is being checked; their frames wait for the result. */
  const doubted = new Map<Connection, Promise<void>>();
  const framesOfPlayers = makeRateLimiter(time, FRAMES_PER_PLAYER);
  const readsOfPlayers = makeRateLimiter(time, READS_PER_PLAYER);
  const readsOfAddresses = makeRateLimiter(time, options.readsPerAddress);
  const frames = options.metrics.counter("holo_frames_total", "Frames received on sockets");
  options.metrics.gauge("holo_connections", "Open sockets", () => fanOut.all().size);
  let isClosing = false;
  let notedMs = time.monotonicMs();
  let cancelCheck = wheel.schedule(time.monotonicMs() + SESSIONS_CHECKED_EVERY_MS, checkSessions);

  server.on("upgrade", (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on("error", (err) => log.debug({ err }, "an upgrade was cut"));
    upgrade(request, stream, head).catch((err) => {
      log.error({ err }, "an upgrade failed");
      turnAway(stream, 500);
    });
  });

  async function upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> {
    if (URL.parse(request.url ?? "", "http://any")?.pathname !== SOCKET_PATH) return turnAway(stream, 404);
    const { origin } = request.headers;
    if (origin === undefined || !options.origins.includes(origin)) return turnAway(stream, 403);
    if (isClosing) return turnAway(stream, 503);
    const address = options.toAddress(request);
    if ((perAddress.get(address) ?? 0) >= options.connectionsPerAddressMax) return turnAway(stream, 429);
    const found = await accounts.findSession(request.headers.cookie);
    if (stream.destroyed) return;
    sockets.handleUpgrade(request, stream, head, (socket) => open(socket, found, address));
  }

  function open(socket: WebSocket, found: Session | null, address: string): void {
    // First, because an unhandled socket error would end the process, also after a refusal.
    socket.on("error", (err) => log.debug({ err }, "a socket was cut"));
    const player = found === null ? null : { id: found.player.id, username: found.player.username };
    const connection = new SocketConnection(socket, player, found?.token ?? null, address, time.monotonicMs());
    const ofAddress = perAddress.get(address) ?? 0;
    // Counted again, because simultaneous upgrades do not see one another.
    if (ofAddress >= options.connectionsPerAddressMax) {
      connection.close(CLOSE.tooMany);
      return;
    }
    if (player !== null) makeRoom(player.id);
    perAddress.set(address, ofAddress + 1);
    fanOut.add(connection);
    if (player !== null) arena.connect(player.id);
    socket.on("message", (data, isBinary) => hear(connection, data as Buffer, isBinary));
    socket.on("pong", () => pings.notePong(connection));
    socket.on("close", () => leave(connection));
    const hello: ServerFrame = { type: "hello", protocol: PROTOCOL_VERSION, player, serverNow: time.now() };
    connection.send(JSON.stringify(hello));
    pings.add(connection);
  }

  /** Closes a player's oldest connection, which is most likely dead. */
  function makeRoom(playerId: PlayerId): void {
    const own = [...fanOut.ofPlayer(playerId)].filter(({ isOpen }) => isOpen);
    for (const oldest of own.slice(0, Math.max(0, own.length + 1 - options.connectionsPerPlayerMax)))
      oldest.close(CLOSE.tooMany);
  }

  function hear(connection: Connection, data: Buffer, isBinary: boolean): void {
    frames.inc();
    // Frames of a closed connection are ignored.
    if (isClosing || !connection.isOpen) return;
    if (isBinary || !takeFrame(connection)) {
      connection.close(CLOSE.flooding);
      return;
    }
    const looking = doubted.get(connection);
    if (looking === undefined) return session.receive(connection, data.toString("utf8"));
    void looking.then(() => {
      if (!isClosing && connection.isOpen) session.receive(connection, data.toString("utf8"));
    });
  }

  function takeFrame(connection: Connection): boolean {
    if (!connection.takeFrame(time.monotonicMs())) return false;
    return connection.player === null || framesOfPlayers.tryAcquire(connection.player.id);
  }

  function takeRead({ player, address }: Connection): boolean {
    return player === null ? readsOfAddresses.tryAcquire(address) : readsOfPlayers.tryAcquire(player.id);
  }

  function leave(connection: Connection): void {
    fanOut.remove(connection);
    pings.remove(connection);
    const left = (perAddress.get(connection.address) ?? 1) - 1;
    if (left > 0) perAddress.set(connection.address, left);
    else perAddress.delete(connection.address);
    session.leave(connection);
    if (connection.player !== null) arena.disconnect(connection.player.id);
  }

  async function isLive({ sessionToken }: Connection): Promise<boolean> {
    return sessionToken !== null && (await accounts.checkSessions([sessionToken])).has(sessionToken);
  }

  /** In batches, so that a large result does not delay moves. */
  async function endDeadSessions(): Promise<void> {
    const isNoted = time.monotonicMs() - notedMs >= SESSIONS_NOTED_EVERY_MS;
    if (isNoted) notedMs = time.monotonicMs();
    const open = [...fanOut.all()].filter(({ sessionToken }) => sessionToken !== null);
    for (let from = 0; from < open.length; from += SESSIONS_CHECKED_AT_ONCE) {
      const live = await endDead(open.slice(from, from + SESSIONS_CHECKED_AT_ONCE));
      if (isNoted) await accounts.recordSeen([...live]);
    }
  }

  /** Closes connections with ended sessions; returns the tokens of the others. */
  async function endDead(connections: readonly Connection[]): Promise<ReadonlySet<string>> {
    const live = await accounts.checkSessions([...new Set(connections.map(({ sessionToken }) => sessionToken!))]);
    for (const connection of connections) {
      if (live.has(connection.sessionToken!)) continue;
      connection.send(JSON.stringify({ type: "session_ended" } satisfies ServerFrame));
      connection.close(CLOSE.sessionEnded);
    }
    return live;
  }

  /** Checks at once after an announcement; frames wait meanwhile. */
  const unsubscribe = options.bus.subscribe("sessions_ended", ({ playerId }) => {
    const own = [...fanOut.ofPlayer(playerId)];
    if (own.length === 0) return;
    const looking: Promise<void> = endDead(own).then(
      () => trust(own, looking),
      (err) => {
        log.error({ err }, "the sessions of a player's sockets could not be checked");
        // The session cannot be checked now; a new connection is checked again.
        for (const connection of own) connection.close(CLOSE.faulty);
        trust(own, looking);
      },
    );
    for (const connection of own) doubted.set(connection, looking);
  });

  /** Unless a newer check has started. */
  function trust(connections: readonly Connection[], looking: Promise<void>): void {
    for (const connection of connections) if (doubted.get(connection) === looking) doubted.delete(connection);
  }

  function checkSessions(): void {
    endDeadSessions()
      .catch((err) => log.error({ err }, "the sessions of open sockets could not be checked"))
      .finally(() => {
        if (!isClosing) cancelCheck = wheel.schedule(time.monotonicMs() + SESSIONS_CHECKED_EVERY_MS, checkSessions);
      });
  }

  return {
    async close() {
      isClosing = true;
      cancelCheck();
      unsubscribe();
      pings.stop();
      for (const connection of fanOut.all()) {
        const reconnectInMs = Math.round(Math.random() * RECONNECT_SPREAD_MS);
        connection.send(JSON.stringify({ type: "restarting", reconnectInMs } satisfies ServerFrame));
        connection.close(CLOSE.restarting);
      }
      const deadlineMs = time.monotonicMs() + CLOSING_MS;
      while (fanOut.all().size > 0 && time.monotonicMs() < deadlineMs)
        await new Promise((resolve) => setTimeout(resolve, 20));
      for (const client of sockets.clients) client.terminate();
      sockets.close();
    },
  };
}

/** HTTP timeouts no longer apply to an upgraded socket, so it must be closed here. */
function turnAway(stream: Duplex, status: 403 | 404 | 429 | 500 | 503): void {
  stream.once("finish", () => stream.destroy());
  stream.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
