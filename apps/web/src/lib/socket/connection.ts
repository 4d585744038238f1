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

interface ConnectionHandlers {
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

interface Connection {
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
  let isStarted = false;
  let cancelRetry = () => {};
  const retries = createRetryPolicy(() => deps.random());
  const heartbeat = createHeartbeat(deps, handlers, () => state === "connected", drop);

  function connect(): void {
    isStarted = true;
    cancelRetry();
    heartbeat.stop();
    transport?.drop();
    const attempt: Transport = deps.connect({
      onText: (text) => transport === attempt && receive(JSON.parse(text) as ServerFrame),
      onClosed: (code) => transport === attempt && handleClosed(code),
    });
    transport = attempt;
    heartbeat.start();
  }

  function receive(frame: ServerFrame): void {
    heartbeat.receive();
    if (frame.type === "restarting") retries.advise(frame.reconnectInMs);
    if (frame.type === "hello") {
      retries.reset();
      setState("connected");
      handlers.onHello(frame);
    }
    handlers.onFrame(frame);
  }

  function handleClosed(code: number): void {
    heartbeat.stop();
    transport = null;
    if (state === "connected") handlers.onDisconnected();
    const isOffline = code === CLOSE.tooMany || !deps.isOnline() || retries.areExhausted();
    setState(isOffline ? "offline" : toRetryState(state));
    // Another tab took over this player's connection. Reconnecting would close that one in turn.
    if (code !== CLOSE.tooMany) cancelRetry = deps.after(retries.nextDelayMs(code), connect);
  }

  function drop(): void {
    transport?.drop();
    handleClosed(0);
  }

  function setState(next: ConnectionState): void {
    if (state === next) return;
    state = next;
    handlers.onStateChanged();
  }

  return {
    start() {
      if (!isStarted) connect();
    },
    send(frame) {
      if (state !== "connected" || transport === null) return false;
      transport.send(JSON.stringify(frame));
      return true;
    },
    wake() {
      if (!isStarted) return;
      const current = transport;
      if (current === null) connect();
      else if (state === "connected") heartbeat.probe(() => transport === current);
    },
    sleep() {
      if (state !== "connected") setState("offline");
    },
    reconnect() {
      if (!isStarted) return;
      if (state === "connected") handlers.onDisconnected();
      setState(toRetryState(state));
      connect();
    },
    state: () => state,
  };
}

function toRetryState(state: ConnectionState): ConnectionState {
  return state === "connected" ? "reconnecting" : state;
}

/** The delays before retries: ever longer, or as the server advised. */
function createRetryPolicy(random: () => number) {
  let tries = 0;
  let advisedMs: number | null = null;
  return {
    reset() {
      tries = 0;
    },
    advise(delayMs: number) {
      advisedMs = delayMs;
    },
    areExhausted: () => tries >= OFFLINE_AFTER_TRIES,
    nextDelayMs(code: number): number {
      const last = RECONNECT_DELAYS_MS.length - 1;
      const delayMs = advisedMs ?? RECONNECT_DELAYS_MS[code === CLOSE.flooding ? last : Math.min(tries, last)]!;
      tries += 1;
      advisedMs = null;
      return delayMs * (0.75 + random() / 2);
    },
  };
}

/** Detects a connection that is dead although nothing closed it. */
function createHeartbeat(
  deps: ConnectionDeps,
  handlers: ConnectionHandlers,
  isConnected: () => boolean,
  onDead: () => void,
) {
  let receivedAt = 0;
  let cancelTick = () => {};

  function tick(): void {
    cancelTick = deps.after(TICK_MS, tick);
    const unansweredSince = isConnected() ? handlers.unansweredSince() : receivedAt;
    if (unansweredSince !== null && deps.now() - Math.max(receivedAt, unansweredSince) >= DEAD_AFTER_MS) onDead();
    else if (isConnected()) handlers.onTick();
  }

  return {
    start() {
      receivedAt = deps.now();
      cancelTick = deps.after(TICK_MS, tick);
    },
    stop: () => cancelTick(),
    receive() {
      receivedAt = deps.now();
    },
    /** After the device woke up: the connection is dead if it stays silent. */
    probe(isCurrent: () => boolean) {
      const probedAt = deps.now();
      handlers.onTick();
      deps.after(DEAD_AFTER_WAKE_MS, () => {
        const isSilent = receivedAt < probedAt && handlers.unansweredSince() !== null;
        if (isCurrent() && isConnected() && isSilent) onDead();
      });
    },
  };
}
