import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { PlayerId } from "@holo/kernel/ids.ts";
import { CLOSE, PROTOCOL_VERSION } from "@holo/protocol/socket/socket-terms.ts";
import type { WebSocket } from "ws";
import type { Accounts, AccountTopics } from "../../accounts/accounts.ts";
import type { Games, GameTopics } from "../../game/game.ts";
import type { Lobby, LobbyTopics } from "../../lobby/lobby.ts";
import type { Matches } from "../../match/match.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Log } from "../../platform/log.ts";
import type { Metrics } from "../../platform/metrics/metrics.ts";
import { sleep } from "../../platform/runtime.ts";
import type { StallMeter } from "../../platform/time/stall-meter.ts";
import type { Time } from "../../platform/time/time.ts";
import type { TimerWheel } from "../../platform/time/timer-wheel.ts";
import type { Tracing } from "../../platform/tracing/tracing.ts";
import { type Admission, COST } from "../admission/admission.ts";
import { onStop } from "../admission/connections.ts";
import { FrameAdmission } from "../admission/frames.ts";
import { type Broadcast, openBroadcast } from "./broadcast.ts";
import { type Connection, SocketConnection } from "./connection.ts";
import { handOverAll } from "./handover.ts";
import { createMessageHandler } from "./message-handler.ts";
import { openPings } from "./pings.ts";
import { send } from "./send.ts";
import { SendBudget } from "./send-budget.ts";
import { openSessionChecks } from "./session-checks.ts";
import { acceptUpgrades, type Opening } from "./upgrade.ts";

interface SocketDeps {
  readonly server: Server;
  readonly games: Games;
  readonly matches: Matches;
  readonly lobby: Lobby;
  readonly accounts: Pick<Accounts, "findPlayerSession" | "checkSessions" | "claimSession" | "recordSeen">;
  readonly bus: Bus<GameTopics & LobbyTopics & AccountTopics>;
  readonly time: Time;
  readonly wheel: TimerWheel;
  readonly stalls: StallMeter;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Null: commands are not traced. */
  readonly tracing: Tracing | null;
  readonly origins: readonly string[];
  readonly connectionsPerPlayerMax: number;
  /** Players who may wait for the look-up of their sessions; others are told when to retry. */
  readonly enteringMax: number;
  readonly admission: Admission;
  /** How connections arrive. Default: as upgrades of the server's requests. */
  readonly accept?: typeof acceptUpgrades;
}

export interface SocketServer {
  /** Accepts no more connections and closes the open ones in slices, while it serves the rest. */
  handOver(canHandOver: () => boolean): Promise<void>;
  /** Other servers have to take the players, at once: this one acts for no one. */
  closeAll(): void;
  close(): Promise<void>;
}

/** Reconnections after a restart are spread over this time, longer if there are many. */
const RECONNECT_SPREAD_MS = 1_000;
const RECONNECT_SPREAD_MS_PER_CONNECTION = 0.5;
const CLOSE_TIMEOUT_MS = 1_000;
/** Of all connections together, besides 1 MiB of each. */
const BUFFERED_BYTES_MAX = 128 * 2 ** 20;

export function openSocket(deps: SocketDeps): SocketServer {
  const { games, matches, lobby, time, log, tracing, metrics, accept = acceptUpgrades } = deps;
  const broadcast = openBroadcast(deps.bus);
  const pings = openPings(time, deps.wheel, deps.stalls);
  const frames = new FrameAdmission(deps.admission, metrics);
  const budget = new SendBudget(BUFFERED_BYTES_MAX);
  const sessions = openSessionChecks({ ...deps, broadcast });
  const messages = createMessageHandler({ games, matches, lobby, log, tracing, sessions, frames });
  const upgrades = accept({ ...deps, open });
  metrics.gauge("holo_connections", "Open sockets", () => broadcast.all().size);
  let isClosing = false;

  function open(socket: WebSocket, stream: Duplex, { requestId, session, meter }: Opening): void {
    // First, even for a socket that closes immediately: an unhandled error event ends the process.
    socket.on("error", (err) => log.debug({ err, requestId }, "a socket failed"));
    const player = session?.player ?? null;
    const owner = {
      requestId,
      player,
      sessionToken: session?.token ?? null,
      meter,
      budget,
    };
    const connection = new SocketConnection(socket, stream, owner, time.monotonicMs());
    onStop(stream as Socket, () => connection.close(CLOSE.flooding));
    if (player !== null) closeOldest(player.id);
    broadcast.add(connection);
    if (player !== null) lobby.connect(player.id);
    socket.on("error", (err) => {
      if ("code" in err && String(err.code).startsWith("WS_ERR_")) meter.fine(COST.flood);
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

  /** On a bad network the oldest connections are those that are dead without being noticed. */
  function closeOldest(playerId: PlayerId): void {
    const own = broadcast.ofPlayer(playerId).filter(({ isOpen }) => isOpen);
    for (const oldest of own.slice(0, Math.max(0, own.length + 1 - deps.connectionsPerPlayerMax)))
      oldest.close(CLOSE.tooMany);
  }

  function receive(connection: Connection, data: Buffer, isBinary: boolean): void {
    if (isClosing || !frames.tryAccept(connection, isBinary)) return;
    sessions.whenChecked(connection, () => {
      if (!isClosing && connection.isOpen) messages.receive(connection, data.toString("utf8"));
    });
  }

  /** No page sends it; it is limited like other frames. */
  function tryReceiveControl(connection: Connection): boolean {
    return !isClosing && frames.tryAccept(connection, false);
  }

  function leave(connection: Connection): void {
    broadcast.remove(connection);
    pings.remove(connection);
    connection.noteBuffered();
    messages.leave(connection);
    if (connection.player !== null) lobby.disconnect(connection.player.id);
  }

  return {
    async handOver(canHandOver) {
      upgrades.stop();
      await handOverAll({ broadcast, games, time, canHandOver });
    },
    closeAll() {
      for (const connection of broadcast.all()) connection.reconnect(RECONNECT_SPREAD_MS);
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
  for (const connection of connections) connection.reconnect(spreadMs);
  const deadlineMs = time.monotonicMs() + CLOSE_TIMEOUT_MS;
  while (connections.size > 0 && time.monotonicMs() < deadlineMs) await sleep(20);
}
