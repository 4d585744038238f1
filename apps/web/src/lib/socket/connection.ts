import { CLOSE, type ClientFrame, type ServerFrame } from "@holo/protocol/frames.ts";

export type ConnectionState =
  /** Only the first time. */
  | "connecting"
  | "connected"
  | "silent"
  | "reconnecting"
  /** The server does not answer, although the browser does not report the device as offline. */
  | "unreachable"
  | "busy"
  /** The browser reports the device as offline, and no frame arrives. */
  | "offline"
  /** The player's newer tabs took the connections; nothing is retried until this tab is used. */
  | "displaced";

/** Delays before each retry in ms; the last one repeats. */
const RECONNECT_DELAYS_MS = [0, 250, 500, 1_000, 2_000, 4_000] as const;
/** A command without an answer for this long is sent again. */
export const RESEND_AFTER_MS = 2_500;
/** A silent table is requested again after this long. A page cannot see the server's pings. */
export const PROBE_AFTER_MS = 4_000;
/** An answer is overdue after this long; with the next tick it is shown within two seconds. */
const SILENT_AFTER_MS = 1_500;
/** A connection that owes an answer and was silent for this long is dead. */
const DEAD_AFTER_MS = 9_000;
/** After a device wakes up, its connection has this long to send something. */
const DEAD_AFTER_WAKE_MS = 2_500;
const TICK_MS = 500;
const UNREACHABLE_AFTER_MS = 4_000;

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
  let transport: Transport | null = null;
  let state: ConnectionState = "connecting";
  let isStarted = false;
  let isOpen = false;
  let hasBeenOpen = false;
  let isDisplaced = false;
  let isBusy = false;
  /** Since when there has been no connection. */
  let lostAt = 0;
  let cancelRetry = () => {};
  const retries = createRetryPolicy(() => deps.random());
  const heartbeat = createHeartbeat(deps, handlers, { isOpen: () => isOpen, onBeat: update, onDead: drop });

  function connect(): void {
    if (!isStarted) startLoss();
    isStarted = true;
    isDisplaced = false;
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
      isOpen = true;
      hasBeenOpen = true;
      isBusy = false;
    }
    update();
    if (frame.type === "hello") handlers.onHello(frame);
    handlers.onFrame(frame);
  }

  function handleClosed(code: number): void {
    heartbeat.stop();
    transport = null;
    // Another tab took over this player's connection. Reconnecting would close that one in turn.
    isDisplaced = code === CLOSE.tooMany;
    isBusy = code === CLOSE.busy;
    leave();
    if (!isDisplaced) cancelRetry = deps.after(retries.nextDelayMs(code), connect);
  }

  function drop(): void {
    transport?.drop();
    handleClosed(0);
  }

  function leave(): void {
    if (isOpen) {
      isOpen = false;
      startLoss();
      handlers.onDisconnected();
    }
    update();
  }

  function startLoss(): void {
    lostAt = deps.now();
    deps.after(UNREACHABLE_AFTER_MS, update);
  }

  function update(): void {
    const next = toState();
    if (state === next) return;
    state = next;
    handlers.onStateChanged();
  }

  function toState(): ConnectionState {
    if (isOpen && !heartbeat.isSilent()) return "connected";
    if (isDisplaced) return "displaced";
    if (!deps.isOnline()) return "offline";
    if (isOpen) return "silent";
    if (isBusy) return "busy";
    if (deps.now() - lostAt >= UNREACHABLE_AFTER_MS) return "unreachable";
    return hasBeenOpen ? "reconnecting" : "connecting";
  }

  return {
    start() {
      if (!isStarted) connect();
    },
    send(frame) {
      if (!isOpen || transport === null) return false;
      transport.send(JSON.stringify(frame));
      return true;
    },
    wake() {
      if (!isStarted) return;
      const current = transport;
      heartbeat.trust();
      // Earlier failures no longer say anything about the server.
      if (!isOpen) startLoss();
      if (current === null) connect();
      else if (isOpen) heartbeat.probe(() => transport === current);
      update();
    },
    sleep() {
      if (!isStarted) return;
      heartbeat.doubt();
      if (isOpen) handlers.onDoubt();
      update();
    },
    reconnect() {
      if (!isStarted) return;
      leave();
      connect();
    },
    state: () => state,
  };
}

/** The delays before retries: ever longer, or as the server advised. */
export function createRetryPolicy(random: () => number) {
  let tries = 0;
  let advisedMs: number | null = null;
  return {
    reset() {
      tries = 0;
    },
    advise(delayMs: number) {
      advisedMs = delayMs;
    },
    nextDelayMs(code: number): number {
      const last = RECONNECT_DELAYS_MS.length - 1;
      const delayMs =
        advisedMs ??
        RECONNECT_DELAYS_MS[code === CLOSE.flooding || code === CLOSE.busy ? last : Math.min(tries, last)]!;
      tries += 1;
      advisedMs = null;
      // Widely spread: all pages lose a server at the same moment.
      return delayMs * (0.5 + random());
    },
  };
}

interface HeartbeatOptions {
  readonly isOpen: () => boolean;
  readonly onBeat: () => void;
  readonly onDead: () => void;
}

function createHeartbeat(deps: ConnectionDeps, handlers: ConnectionHandlers, options: HeartbeatOptions) {
  const { isOpen, onBeat, onDead } = options;
  let receivedAt = 0;
  /** Since when the browser has reported the device as offline without any frame arriving. */
  let doubtedAt: number | null = null;
  let cancelTick = () => {};

  function tick(): void {
    cancelTick = deps.after(TICK_MS, tick);
    if (toSilenceMs(isOpen() ? handlers.unansweredSince() : receivedAt) >= DEAD_AFTER_MS) return onDead();
    if (isOpen()) handlers.onTick();
    onBeat();
  }

  function toSilenceMs(since: number | null): number {
    return since === null ? 0 : deps.now() - Math.max(receivedAt, since);
  }

  return {
    start() {
      receivedAt = deps.now();
      cancelTick = deps.after(TICK_MS, tick);
    },
    stop: () => cancelTick(),
    receive() {
      receivedAt = deps.now();
      doubtedAt = null;
    },
    doubt() {
      doubtedAt ??= deps.now();
    },
    trust() {
      doubtedAt = null;
    },
    isSilent: () => toSilenceMs(handlers.unansweredSince() ?? doubtedAt) >= SILENT_AFTER_MS,
    /** After the device woke up: the connection is dead if it stays silent. */
    probe(isCurrent: () => boolean) {
      const probedAt = deps.now();
      handlers.onDoubt();
      deps.after(DEAD_AFTER_WAKE_MS, () => {
        const isSilent = receivedAt < probedAt && handlers.unansweredSince() !== null;
        if (isCurrent() && isOpen() && isSilent) onDead();
      });
    },
  };
}
