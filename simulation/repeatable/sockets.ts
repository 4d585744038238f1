import { EventEmitter } from "node:events";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import type { Account } from "../account.ts";
import type { Process, Scheduler } from "./scheduler.ts";

type Accept = (request: IncomingMessage, end: WebSocket, stream: Duplex) => Promise<void>;

export interface VirtualNetwork {
  /** The client's end of a new connection to one of the servers that listen. */
  dial(account: Pick<Account, "cookie"> | null, noteServer: (index: number) => void): WebSocket;
  listen(process: Process, accept: Accept): void;
  /** As a proxy notices of a server that stops. */
  stopListening(process: Process): void;
  /** The server's process has ended: its connections break. */
  breakAll(process: Process): void;
}

const LATENCY_MS = { min: 2, max: 25 };
const CONNECTING = 0;
const OPEN = 1;
const CLOSING = 2;
const CLOSED = 3;
const BROKEN = 1006;
const NOTHING = Buffer.alloc(0);

/** One end of a connection in memory, with the part of `WebSocket` that server and clients use. */
class End extends EventEmitter {
  readonly OPEN = OPEN;
  readonly bufferedAmount = 0;
  readyState = CONNECTING;
  isPaused = false;
  peer: End | null = null;
  readonly process: Process;
  readonly #scheduler: Scheduler;
  #newestMs = 0;

  constructor(scheduler: Scheduler, process: Process) {
    super();
    this.#scheduler = scheduler;
    this.process = process;
  }

  /** Frames of one direction arrive in order. */
  toPeer(deliver: (peer: End) => void): void {
    const { peer } = this;
    if (peer === null) return;
    const nowMs = this.#scheduler.nowMs();
    const latencyMs = LATENCY_MS.min + this.#scheduler.random((LATENCY_MS.max - LATENCY_MS.min) * 1_000) / 1_000;
    this.#newestMs = Math.max(this.#newestMs, nowMs + latencyMs);
    this.#scheduler.schedule(this.#newestMs - nowMs, () => deliver(peer), peer.process);
  }

  send(text: string): void {
    if (this.readyState !== OPEN) return;
    this.toPeer((peer) => {
      if (peer.readyState === OPEN && !peer.isPaused) peer.emit("message", Buffer.from(text), false);
    });
  }

  ping(): void {
    this.toPeer((peer) => {
      if (peer.readyState === OPEN && !peer.isPaused) peer.emit("ping", NOTHING);
    });
  }

  pong(): void {
    this.toPeer((peer) => {
      if (!peer.isPaused) peer.emit("pong");
    });
  }

  /** For good: what arrives from then on is never read. */
  pause(): void {
    this.isPaused = true;
  }

  close(code: number): void {
    if (this.readyState >= CLOSING) return;
    this.readyState = CLOSING;
    this.toPeer((peer) => {
      peer.closeNow(code);
      peer.toPeer((self) => self.closeNow(code));
    });
  }

  terminate(): void {
    if (this.readyState === CLOSED) return;
    this.toPeer((peer) => peer.closeNow(BROKEN));
    this.#scheduler.schedule(0, () => this.closeNow(BROKEN), this.process);
    this.readyState = CLOSING;
  }

  closeNow(code: number): void {
    if (this.readyState === CLOSED) return;
    this.readyState = CLOSED;
    this.emit("close", code);
  }
}

export function openVirtualNetwork(scheduler: Scheduler): VirtualNetwork {
  const ends = new Set<End>();
  const servers = new Map<Process, Accept>();

  function connect(client: End, account: Pick<Account, "cookie"> | null, noteServer: (index: number) => void): void {
    if (client.readyState !== CONNECTING) return;
    const listening = [...servers].filter(([{ isGone }]) => !isGone);
    const chosen = listening[scheduler.random(Math.max(1, listening.length))];
    if (chosen === undefined) return client.closeNow(BROKEN);
    const [process, accept] = chosen;
    noteServer(process.index);
    const end = new End(scheduler, process);
    [end.peer, client.peer] = [client, end];
    ends.add(end);
    end.on("close", () => ends.delete(end));
    end.readyState = OPEN;
    scheduler.schedule(
      0,
      async () => {
        end.toPeer((peer) => {
          if (peer.readyState !== CONNECTING) return;
          peer.readyState = OPEN;
          peer.emit("upgrade", { socket: {} });
        });
        const headers = account === null ? {} : { cookie: account.cookie };
        const request = { headers, socket: { remoteAddress: "127.0.0.1" } } as unknown as IncomingMessage;
        const stream = { write: (bytes: Buffer) => end.send(toText(bytes)) } as unknown as Duplex;
        // A session that cannot be looked up refuses the connection.
        accept(request, end as unknown as WebSocket, stream).catch(() => end.terminate());
      },
      process,
    );
  }

  return {
    dial(account, noteServer) {
      const client = new End(scheduler, scheduler.currentProcess());
      scheduler.schedule(LATENCY_MS.min + scheduler.random(LATENCY_MS.max), () => connect(client, account, noteServer));
      return client as unknown as WebSocket;
    },
    listen(process, accept) {
      servers.set(process, accept);
    },
    stopListening: (process) => void servers.delete(process),
    breakAll(process) {
      servers.delete(process);
      for (const end of [...ends]) {
        if (end.process !== process) continue;
        end.toPeer((peer) => peer.closeNow(BROKEN));
        ends.delete(end);
      }
    },
  };
}

/** The text of an unmasked frame. */
function toText(frame: Buffer): string {
  const length = frame[1]!;
  return frame.toString("utf8", length < 126 ? 2 : length === 126 ? 4 : 10);
}
