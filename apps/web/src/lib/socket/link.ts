import { CLOSE, type ClientFrame, type ServerFrame } from "@holo/protocol/socket/frames.ts";
import type { Clock } from "./heartbeat.ts";

/** Delays before each retry in ms; the last one repeats. */
const RECONNECT_DELAYS_MS = [0, 250, 500, 1_000, 2_000, 4_000] as const;

export interface Transport {
  send(text: string): void;
  /** Closes at once, without a handshake. No more events follow. */
  drop(): void;
}

export interface TransportEvents {
  readonly onText: (text: string) => void;
  readonly onClosed: (code: number) => void;
}

export interface LinkDeps extends Clock {
  connect(events: TransportEvents): Transport;
  random(): number;
}

/** The page's transport, one at a time. Events of an earlier one are ignored. */
export function createLink(deps: LinkDeps, onFrame: (frame: ServerFrame) => void, onClosed: (code: number) => void) {
  let transport: Transport | null = null;
  let cancelRetry = () => {};
  const retries = createRetryPolicy(() => deps.random());

  function closed(code: number): void {
    transport = null;
    onClosed(code);
  }

  return {
    /** Replaces the transport. */
    open() {
      cancelRetry();
      transport?.drop();
      const attempt: Transport = deps.connect({
        onText: (text) => transport === attempt && onFrame(JSON.parse(text) as ServerFrame),
        onClosed: (code) => transport === attempt && closed(code),
      });
      transport = attempt;
    },
    isClosed: () => transport === null,
    send(frame: ClientFrame): boolean {
      if (transport === null) return false;
      transport.send(JSON.stringify(frame));
      return true;
    },
    close() {
      transport?.drop();
      closed(0);
    },
    /** Connects after a delay, unless the link is opened before. */
    retry(code: number, connect: () => void) {
      cancelRetry = deps.after(retries.nextDelayMs(code), connect);
    },
    accepted: retries.reset,
    /** The server names the next delay. */
    advise: retries.advise,
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
