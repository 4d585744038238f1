import { CLOSE, type ClientFrame, type ServerFrame } from "@holo/protocol/frames.ts";

/** `connecting` is the first time only; `offline` is when the browser says so, or when trying goes on without success. */
export type ConnectionState = "connecting" | "connected" | "reconnecting" | "offline";

/** Waits before the tries after a lost connection, in ms: at once, then ever longer; the last one repeats. */
const RECONNECT_DELAYS_MS = [0, 250, 500, 1_000, 2_000, 4_000] as const;
/** After a command went unanswered for this long it is sent again. */
export const RESEND_AFTER_MS = 2_500;
/** A table of which nothing was heard is asked about after this long, since a page cannot see the server's pings. */
export const PROBE_AFTER_MS = 4_000;
/** A connection that owes an answer and has said nothing for this long is dead. */
const DEAD_AFTER_MS = 9_000;
/** A device that comes back often comes back to a dead connection: it has this long to say something. */
const DEAD_AFTER_WAKE_MS = 2_500;
const TICK_MS = 500;
const OFFLINE_AFTER_TRIES = 5;

export interface Wire {
  send(text: string): void;
  /** Gone at once: no closing handshake is waited for, and nothing more is heard from it. */
  drop(): void;
}

export interface WireEvents {
  readonly onText: (text: string) => void;
  readonly onClosed: (code: number) => void;
}

/** The browser's part, so that tests bring a socket and a clock of their own. */
export interface LineWorld {
  connect(events: WireEvents): Wire;
  /** Runs `act` once after `ms`; what it returns calls that off. */
  after(ms: number, act: () => void): () => void;
  /** Monotonic ms. */
  now(): number;
  /** 0 to 1. */
  random(): number;
  isOnline(): boolean;
}

type Hello = Extract<ServerFrame, { readonly type: "hello" }>;

export interface LineOwner {
  /** The connection stands: ask again for all that was asked before. */
  onHello(hello: Hello): void;
  onFrame(frame: ServerFrame): void;
  onLost(): void;
  /** Every half second of a standing connection, and when the device wakes. */
  onTick(): void;
  /** Since when (by the world's clock) this connection has owed an answer, null when it owes none. */
  owedSince(): number | null;
  onStateChanged(): void;
}

export interface Line {
  /** Opens the connection, once; later calls do nothing. */
  start(): void;
  /** Says a frame if the connection stands; else false, and nothing was sent. */
  send(frame: ClientFrame): boolean;
  /** The device is back (online, or in sight again): a wait for the next try ends now. */
  wake(): void;
  /** The browser went offline. */
  sleep(): void;
  /** Leaves this connection for a new one. */
  renew(): void;
  state(): ConnectionState;
}

/** One connection to the server that comes back by itself. */
export function createLine(world: LineWorld, owner: LineOwner): Line {
  let wire: Wire | null = null;
  let state: ConnectionState = "connecting";
  let started = false;
  let tries = 0;
  let heardAt = 0;
  let adviceMs: number | null = null;
  let callOffRetry = () => {};
  let callOffTick = () => {};

  function connect(): void {
    callOffRetry();
    callOffTick();
    wire?.drop();
    heardAt = world.now();
    const attempt: Wire = world.connect({
      onText: (text) => wire === attempt && hear(JSON.parse(text) as ServerFrame),
      onClosed: (code) => wire === attempt && lose(code),
    });
    wire = attempt;
    callOffTick = world.after(TICK_MS, tick);
  }

  function hear(frame: ServerFrame): void {
    heardAt = world.now();
    if (frame.type === "restarting") adviceMs = frame.reconnectInMs;
    if (frame.type === "hello") {
      tries = 0;
      change("connected");
      owner.onHello(frame);
    }
    owner.onFrame(frame);
  }

  function lose(code: number): void {
    callOffTick();
    wire = null;
    const wasStanding = state === "connected";
    if (wasStanding) owner.onLost();
    const isGivenUp = code === CLOSE.tooMany || !world.isOnline();
    change(isGivenUp || tries >= OFFLINE_AFTER_TRIES ? "offline" : reconnecting());
    // another tab of the same player took this connection's place: coming back by itself would only throw that one out
    if (code === CLOSE.tooMany) return;
    callOffRetry = world.after(nextDelayMs(code), connect);
    tries += 1;
  }

  function nextDelayMs(code: number): number {
    const last = RECONNECT_DELAYS_MS.length - 1;
    const steps = code === CLOSE.flooding ? last : Math.min(tries, last);
    const delayMs = adviceMs ?? RECONNECT_DELAYS_MS[steps]!;
    adviceMs = null;
    return delayMs * (0.75 + world.random() / 2);
  }

  function tick(): void {
    callOffTick = world.after(TICK_MS, tick);
    const now = world.now();
    const owedSince = state === "connected" ? owner.owedSince() : heardAt;
    if (owedSince !== null && now - Math.max(heardAt, owedSince) >= DEAD_AFTER_MS) {
      abandon();
      return;
    }
    if (state === "connected") owner.onTick();
  }

  function probe(): void {
    const probedAt = world.now();
    owner.onTick();
    const probed = wire;
    world.after(DEAD_AFTER_WAKE_MS, () => {
      const isSilent = wire === probed && state === "connected" && heardAt < probedAt && owner.owedSince() !== null;
      if (isSilent) abandon();
    });
  }

  function abandon(): void {
    wire?.drop();
    lose(0);
  }

  function reconnecting(): ConnectionState {
    return state === "connecting" ? "connecting" : state === "offline" ? "offline" : "reconnecting";
  }

  function change(next: ConnectionState): void {
    if (state === next) return;
    state = next;
    owner.onStateChanged();
  }

  return {
    start() {
      if (started) return;
      started = true;
      connect();
    },
    send(frame) {
      if (state !== "connected" || wire === null) return false;
      wire.send(JSON.stringify(frame));
      return true;
    },
    wake() {
      if (!started) return;
      if (wire === null) connect();
      else if (state === "connected") probe();
    },
    sleep() {
      if (state !== "connected") change("offline");
    },
    renew() {
      if (!started) return;
      if (state === "connected") owner.onLost();
      change(reconnecting());
      connect();
    },
    state: () => state,
  };
}
