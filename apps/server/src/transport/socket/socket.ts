import type { Server } from "node:http";
import type { Duplex } from "node:stream";
import { CLOSE, PROTOCOL_VERSION } from "@holo/protocol/socket/socket-terms.ts";
import type { WebSocket } from "ws";
import type { Accounts, AccountTopics } from "../../accounts/accounts.ts";
import type { Arena, ArenaTopics } from "../../arena/arena.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Log } from "../../platform/log.ts";
import type { Metrics } from "../../platform/metrics/metrics.ts";
import type { RateLimit } from "../../platform/rate-limiter.ts";
import { random, sleep } from "../../platform/runtime.ts";
import type { StallMeter } from "../../platform/time/stall-meter.ts";
import type { Time } from "../../platform/time/time.ts";
import type { TimerWheel } from "../../platform/time/timer-wheel.ts";
import type { Tracing } from "../../platform/tracing/tracing.ts";
import type { FloodGate } from "../flood-gate.ts";
import type { Proxies } from "../http/client-address.ts";
import type { VisitorQueue } from "../visitor-queue.ts";
import { type Broadcast, openBroadcast } from "./broadcast.ts";
import { type Connection, SocketConnection } from "./connection.ts";
import { createConnectionLimits } from "./connection-limits.ts";
import { FrameGate } from "./frame-gate.ts";
import { handOverAll } from "./handover.ts";
import { createMessageHandler } from "./message-handler.ts";
import { openPings } from "./pings.ts";
import { send } from "./send.ts";
import { openSessionChecks } from "./session-checks.ts";
import { acceptUpgrades, type Opening } from "./upgrade.ts";

interface SocketDeps {
  readonly server: Server;
  readonly arena: Arena;
  readonly accounts: Pick<Accounts, "findPlayerSession" | "checkSessions" | "claimSession" | "recordSeen">;
  readonly bus: Bus<ArenaTopics & AccountTopics>;
  readonly time: Time;
  readonly wheel: TimerWheel;
  readonly stalls: StallMeter;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Null: commands are not traced. */
  readonly tracing: Tracing | null;
  readonly origins: readonly string[];
  readonly proxies: Proxies;
  readonly connectionsPerPlayerMax: number;
  readonly connectionsPerAddressMax: number;
  readonly readsPerAddress: RateLimit;
  readonly framesPerAddress: RateLimit;
  readonly framesPerVisitor: RateLimit;
  readonly wastedFrames: RateLimit;
  /** Players who may wait for the look-up of their sessions; others are told when to retry. */
  readonly enteringMax: number;
  readonly floodGate: FloodGate;
  readonly visitors: VisitorQueue;
  /** How connections arrive. Default: as upgrades of the server's requests. */
  readonly accept?: typeof acceptUpgrades;
}

export interface SocketServer {
  /** Accepts no more connections and closes the open ones in slices, while it serves the rest. */
  handOver(canHandOver: () => boolean): Promise<void>;
  close(): Promise<void>;
}

/** Reconnections after a restart are spread over this time, longer if there are many. */
const RECONNECT_SPREAD_MS = 1_000;
const RECONNECT_SPREAD_MS_PER_CONNECTION = 0.5;
const CLOSE_TIMEOUT_MS = 1_000;

export function openSocket(deps: SocketDeps): SocketServer {
  const { arena, time, log, tracing, metrics, accept = acceptUpgrades } = deps;
  const broadcast = openBroadcast(deps.bus);
  const pings = openPings(time, deps.wheel, deps.stalls);
  const limits = createConnectionLimits({ ...deps, broadcast });
  const sessions = openSessionChecks({ ...deps, broadcast });
  const frameGate = new FrameGate({ ...deps, limits });
  const messages = createMessageHandler({ arena, log, tracing, sessions, limits, frameGate });
  const upgrades = accept({ ...deps, hasRoom: limits.hasRoom, open });
  metrics.gauge("holo_connections", "Open sockets", () => broadcast.all().size);
  let isClosing = false;

  function open(socket: WebSocket, stream: Duplex, { requestId, session, source }: Opening): void {
    // First, even for a socket that closes immediately: an unhandled error event ends the process.
    socket.on("error", (err) => log.debug({ err, requestId }, "a socket failed"));
    const player = session?.player ?? null;
    const owner = {
      requestId,
      player,
      sessionToken: session?.token ?? null,
      source,
      limits: limits.toFrameLimits(player),
      budget: limits.toSendBudget(source.address),
    };
    const connection = new SocketConnection(socket, stream, owner, time.monotonicMs());
    // Once more: concurrent upgrades do not see each other.
    if (!limits.hasRoom(source.address, player === null ? "visitors" : "players")) {
      return connection.close(CLOSE.busy);
    }
    limits.add(connection);
    broadcast.add(connection);
    if (player !== null) arena.connect(player.id);
    socket.on("error", (err) => {
      if ("code" in err && String(err.code).startsWith("WS_ERR_")) frameGate.noteBroken(connection);
    });
    socket.on("message", (data, isBinary) => receive(connection, data as Buffer, isBinary));
    socket.on("ping", (data) => {
      if (tryReceiveControl(connection)) socket.pong(data);
    });
    socket.on("pong", () => {
      if (!pings.notePong(connection)) tryReceiveControl(connection);
    });
    socket.on("close", () => leave(connection));
    send(connection, { type: "hello", protocol: PROTOCOL_VERSION, player, serverNow: time.now() });
    pings.add(connection);
  }

  function receive(connection: Connection, data: Buffer, isBinary: boolean): void {
    frameGate.countReceived();
    if (isClosing || !frameGate.tryAccept(connection, isBinary)) return;
    sessions.whenChecked(connection, () => {
      if (!isClosing && connection.isOpen) messages.receive(connection, data.toString("utf8"));
    });
  }

  /** No page sends it; it is limited like other frames. */
  function tryReceiveControl(connection: Connection): boolean {
    frameGate.countReceived();
    return !isClosing && frameGate.tryAccept(connection, false);
  }

  function leave(connection: Connection): void {
    broadcast.remove(connection);
    pings.remove(connection);
    limits.remove(connection);
    messages.leave(connection);
    if (connection.player !== null) arena.disconnect(connection.player.id);
  }

  return {
    async handOver(canHandOver) {
      upgrades.stop();
      await handOverAll({ broadcast, arena, time, canHandOver });
    },
    async close() {
      isClosing = true;
      upgrades.stop();
      sessions.stop();
      pings.stop();
      await closeAll(broadcast, time);
      upgrades.terminate();
    },
  };
}

/** Sends each page a time to reconnect, then waits for a while until all have closed. */
async function closeAll(broadcast: Broadcast, time: Time): Promise<void> {
  const connections = broadcast.all();
  const spreadMs = Math.max(RECONNECT_SPREAD_MS, connections.size * RECONNECT_SPREAD_MS_PER_CONNECTION);
  for (const connection of connections) {
    send(connection, { type: "restarting", reconnectInMs: Math.round(random() * spreadMs) });
    connection.close(CLOSE.restarting);
  }
  const deadlineMs = time.monotonicMs() + CLOSE_TIMEOUT_MS;
  while (connections.size > 0 && time.monotonicMs() < deadlineMs) await sleep(20);
}
