import type { ClientFrame } from "@holo/protocol/socket/client-frames.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";
import type { Clock } from "./heartbeat.ts";
import { createReconnectDelays } from "./reconnect-delays.ts";

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
  const delays = createReconnectDelays(() => deps.random());

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
      cancelRetry = deps.after(delays.nextMs(code), connect);
    },
    resetDelays: delays.reset,
    /** The server names the next delay. */
    adviseDelay: delays.advise,
  };
}
