import { CLOSE, type ClientFrame, type ServerFrame } from "@holo/protocol/frames.ts";

/**
 * `connecting` is only the first time. `offline` means the browser says so, or retries keep
 * failing.
 */
export type ConnectionState = "connecting" | "connected" | "reconnecting" | "offline";

/** Delays before each retry in ms; the last one repeats. */
const RECONNECT_DELAYS_MS = [0, 250, 500, 1_000, 2_000, 4_000] as const;
/** A command without an answer for this long is sent again. */
export const RESEND_AFTER_MS = 2_500;
/** A silent table is requested again after this long. A page cannot see the server's pings. */
export const PROBE_AFTER_MS = 4_000;
/** A connection that owes an answer and was silent for this long is dead. */
const DEAD_AFTER_MS = 9_000;
/** After a device wakes up, its connection has this long to send something. */
const DEAD_AFTER_WAKE_MS = 2_500;
const TICK_MS = 500;
const OFFLINE_AFTER_TRIES = 5;

export interface Transport {
  send(text: string): void;
  /** Closes at once, without a handshake. No more events follow. */
  drop(): void;
}

export interface TransportEvents {
  readonly onText: (text: string) => void;
  readonly onClosed: (code: number) => void;
}

export interface ConnectionDeps {
  connect(events: TransportEvents): Transport;
  /** Runs `act` once after `ms`. Returns a function that cancels it. */
  after(ms: number, act: () => void): () => void;
  now(): number;
  random(): number;
  isOnline(): boolean;
}

type Hello = Extract<ServerFrame, { readonly type: "hello" }>;

export interface ConnectionHandlers {
  /** The connection is up: send all open requests again. */
  onHello(hello: Hello): void;
  onFrame(frame: ServerFrame): void;
  onDisconnected(): void;
  /** Every half second while connected, and when the device wakes up. */
  onTick(): void;
  /** Since when this connection has owed an answer; null if it owes none. */
  unansweredSince(): number | null;
  onStateChanged(): void;
}

export interface Connection {
  /** Connects. Later calls do nothing. */
  start(): void;
  /** Sends a frame if connected; otherwise returns false. */
  send(frame: ClientFrame): boolean;
  /** The device is online or visible again: retry now. */
  wake(): void;
  sleep(): void;
  /** Replaces this connection by a new one. */
  reconnect(): void;
  state(): ConnectionState;
}

/** One connection to the server that reconnects by itself. */
export function createConnection(deps: ConnectionDeps, handlers: ConnectionHandlers): Connection {
  let transport: Transport | null = null;
  let state: ConnectionState = "connecting";
  let started = false;
  let tries = 0;
  let receivedAt = 0;
  let advisedDelayMs: number | null = null;
  let cancelRetry = () => {};
  let cancelTick = () => {};

  function connect(): void {
    cancelRetry();
    cancelTick();
    transport?.drop();
    receivedAt = deps.now();
    const attempt: Transport = deps.connect({
      onText: (text) => transport === attempt && receive(JSON.parse(text) as ServerFrame),
      onClosed: (code) => transport === attempt && handleClosed(code),
    });
    transport = attempt;
    cancelTick = deps.after(TICK_MS, tick);
  }

  function receive(frame: ServerFrame): void {
    receivedAt = deps.now();
    if (frame.type === "restarting") advisedDelayMs = frame.reconnectInMs;
    if (frame.type === "hello") {
      tries = 0;
      setState("connected");
      handlers.onHello(frame);
    }
    handlers.onFrame(frame);
  }

  function handleClosed(code: number): void {
    cancelTick();
    transport = null;
    const wasConnected = state === "connected";
    if (wasConnected) handlers.onDisconnected();
    const isOffline = code === CLOSE.tooMany || !deps.isOnline();
    setState(isOffline || tries >= OFFLINE_AFTER_TRIES ? "offline" : toRetryState());
    // Another tab took over this player's connection. Reconnecting would close that one in turn.
    if (code === CLOSE.tooMany) return;
    cancelRetry = deps.after(nextDelayMs(code), connect);
    tries += 1;
  }

  function nextDelayMs(code: number): number {
    const last = RECONNECT_DELAYS_MS.length - 1;
    const steps = code === CLOSE.flooding ? last : Math.min(tries, last);
    const delayMs = advisedDelayMs ?? RECONNECT_DELAYS_MS[steps]!;
    advisedDelayMs = null;
    return delayMs * (0.75 + deps.random() / 2);
  }

  function tick(): void {
    cancelTick = deps.after(TICK_MS, tick);
    const now = deps.now();
    const unansweredSince = state === "connected" ? handlers.unansweredSince() : receivedAt;
    if (unansweredSince !== null && now - Math.max(receivedAt, unansweredSince) >= DEAD_AFTER_MS) {
      dropConnection();
      return;
    }
    if (state === "connected") handlers.onTick();
  }

  function probe(): void {
    const probedAt = deps.now();
    handlers.onTick();
    const probed = transport;
    deps.after(DEAD_AFTER_WAKE_MS, () => {
      const isSilent =
        transport === probed && state === "connected" && receivedAt < probedAt && handlers.unansweredSince() !== null;
      if (isSilent) dropConnection();
    });
  }

  function dropConnection(): void {
    transport?.drop();
    handleClosed(0);
  }

  function toRetryState(): ConnectionState {
    return state === "connecting" ? "connecting" : state === "offline" ? "offline" : "reconnecting";
  }

  function setState(next: ConnectionState): void {
    if (state === next) return;
    state = next;
    handlers.onStateChanged();
  }

  return {
    start() {
      if (started) return;
      started = true;
      connect();
    },
    send(frame) {
      if (state !== "connected" || transport === null) return false;
      transport.send(JSON.stringify(frame));
      return true;
    },
    wake() {
      if (!started) return;
      if (transport === null) connect();
      else if (state === "connected") probe();
    },
    sleep() {
      if (state !== "connected") setState("offline");
    },
    reconnect() {
      if (!started) return;
      if (state === "connected") handlers.onDisconnected();
      setState(toRetryState());
      connect();
    },
    state: () => state,
  };
}
