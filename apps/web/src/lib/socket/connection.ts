import type { ClientFrame } from "@holo/protocol/socket/client-frames.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";
import { type ConnectionState, createConnectionStatus } from "./connection-status.ts";
import { createHeartbeat, createSilence } from "./heartbeat.ts";
import { createLink, type LinkDeps } from "./link.ts";

/** A silent table is requested again after this long. A page cannot see the server's pings. */
export const PROBE_AFTER_MS = 4_000;

export interface ConnectionDeps extends LinkDeps {
  isOnline(): boolean;
}

type Hello = Extract<ServerFrame, { readonly type: "hello" }>;

interface ConnectionHandlers {
  onHello(hello: Hello): void;
  onFrame(frame: ServerFrame): void;
  onDisconnected(): void;
  /** Every half second while connected. */
  onTick(): void;
  onDoubt(): void;
  /** Since when this connection has owed an answer; null if it owes none. */
  unansweredSince(): number | null;
  onStateChanged(): void;
}

interface Connection {
  start(): void;
  send(frame: ClientFrame): boolean;
  /** The device is online or visible again: retry now. */
  wake(): void;
  sleep(): void;
  reconnect(): void;
  state(): ConnectionState;
}

export function createConnection(deps: ConnectionDeps, handlers: ConnectionHandlers): Connection {
  let isStarted = false;
  const link = createLink(deps, receive, handleClosed);
  const silence = createSilence(deps.now, handlers.unansweredSince);
  const status = createConnectionStatus(deps, silence.isSilent, handlers.onStateChanged);
  const heartbeat = createHeartbeat(deps, silence, status.isOpen, { onBeat: beat, onDead: link.close });

  function connect(): void {
    if (!isStarted) status.lost();
    isStarted = true;
    status.connecting();
    heartbeat.stop();
    link.open();
    heartbeat.start();
  }

  function receive(frame: ServerFrame): void {
    silence.receive();
    if (frame.type === "restarting") link.adviseDelay(frame.reconnectInMs);
    if (frame.type === "hello") {
      link.resetDelays();
      status.opened();
    }
    status.update();
    if (frame.type === "hello") handlers.onHello(frame);
    handlers.onFrame(frame);
  }

  function beat(): void {
    if (status.isOpen()) handlers.onTick();
    status.update();
  }

  function handleClosed(code: number): void {
    heartbeat.stop();
    status.closed(code);
    markDisconnected();
    if (!status.isDisplaced()) link.retry(code, connect);
  }

  function markDisconnected(): void {
    if (status.isOpen()) {
      status.lost();
      handlers.onDisconnected();
    }
    status.update();
  }

  return {
    start() {
      if (!isStarted) connect();
    },
    send: (frame) => status.isOpen() && link.send(frame),
    wake() {
      if (!isStarted) return;
      silence.trust();
      // Earlier failures no longer say anything about the server.
      if (!status.isOpen()) status.lost();
      if (link.isClosed()) connect();
      else if (status.isOpen()) {
        handlers.onDoubt();
        heartbeat.probe();
      }
      status.update();
    },
    sleep() {
      if (!isStarted) return;
      silence.doubt();
      if (status.isOpen()) handlers.onDoubt();
      status.update();
    },
    reconnect() {
      if (!isStarted) return;
      markDisconnected();
      connect();
    },
    state: status.state,
  };
}
