import type { Writable } from "node:stream";
import type { GameId } from "@holo/kernel/ids.ts";
import type { PlayerView } from "@holo/protocol/game/games.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";
import { CLOSE } from "@holo/protocol/socket/socket-terms.ts";
import type { WebSocket } from "ws";
import type { Watcher } from "../../game/game.ts";
import type { FeedWatcher, SharedFrame } from "../../lobby/lobby.ts";
import { random } from "../../platform/runtime.ts";
import type { Meter } from "../admission/meter.ts";
import type { SendBudget } from "./send-budget.ts";

const ROUND_TRIPS_KEPT = 9;
const ABOVE_MEDIAN_MS_MAX = 50;

class RoundTrips {
  #newest: readonly number[] = [];
  #lagMs = 0;

  add(ms: number): void {
    // A copy has no spare room; a list that grows reserves three times what it holds.
    this.#newest = this.#newest.slice(1 - ROUND_TRIPS_KEPT).concat(ms);
    const sorted = [...this.#newest].sort((a, b) => a - b);
    this.#lagMs = Math.min(ms, sorted[(sorted.length - 1) >> 1]! + ABOVE_MEDIAN_MS_MAX);
  }

  /** The network's share in ms: the newest round trip, at most the median + 50 ms (ruling 16). */
  get lagMs(): number {
    return this.#lagMs;
  }
}

export interface ConnectionOwner {
  /** Of the request that opened the socket. */
  readonly requestId: string;
  readonly player: PlayerView | null;
  readonly sessionToken: string | null;
  readonly meter: Meter;
  readonly budget: SendBudget;
}

export interface Connection extends Watcher, FeedWatcher {
  readonly requestId: string;
  readonly sessionToken: string | null;
  /** Pays for what the connection causes. */
  readonly meter: Meter;
  readonly watched: Set<GameId>;
  readonly isOpen: boolean;
  /** Reports the waiting bytes to the budget; nothing once the connection is not open. */
  noteBuffered(): void;
  /** Tells the page to connect again within this time. */
  reconnect(withinMs?: number): void;
  ping(nowMs: number): void;
  /** False: it answers no ping. */
  noteActivity(nowMs: number): boolean;
  close(code: number): void;
  /** Without waiting for the other side. */
  terminate(): void;
}

/** Pages that look for the server of their table. */
const RECONNECT_WITHIN_MS = 200;
/** Reference: dead at 9 s. */
const DEAD_AFTER_MS = 9_000;
const BUFFERED_BYTES_MAX = 1_048_576;
/** Shared frames not yet known to be read: more of them would delay a table's frames. */
const SHARED_BYTES_MAX = 65_536;

/** A class, because closures for thousands of connections would cost much memory. */
export class SocketConnection implements Connection {
  readonly requestId: string;
  readonly player: PlayerView | null;
  readonly sessionToken: string | null;
  /** Pays for what the connection causes. */
  readonly meter: Meter;
  readonly watched = new Set<GameId>();
  readonly #socket: WebSocket;
  readonly #stream: Writable;
  readonly #roundTrips = new RoundTrips();
  #pingedMs: number | null = null;
  #lastActivityMs: number;
  /** Bytes of shared frames so far, at the newest ping, and before the newest answered ping. */
  #sharedBytes = 0;
  #pingedBytes = 0;
  #readBytes = 0;
  readonly #budget: SendBudget;
  /** The waiting bytes that the budget knows. */
  #bufferedBytes = 0;

  constructor(
    socket: WebSocket,
    stream: Writable,
    { requestId, player, sessionToken, meter, budget }: ConnectionOwner,
    nowMs: number,
  ) {
    this.#socket = socket;
    this.#stream = stream;
    this.requestId = requestId;
    this.player = player;
    this.sessionToken = sessionToken;
    this.meter = meter;
    this.#lastActivityMs = nowMs;
    this.#budget = budget;
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  send(frame: string): void {
    const socket = this.#socket;
    if (!this.isOpen) return;
    if (socket.bufferedAmount > BUFFERED_BYTES_MAX) {
      // A slow reader would not read a close frame either.
      this.terminate();
      return;
    }
    this.#write(toTextFrame(frame));
  }

  sendShared(frame: SharedFrame): void {
    if (!this.isOpen) return;
    frame.bytes ??= toTextFrame(frame.text);
    this.#sharedBytes += frame.bytes.length;
    this.#write(frame.bytes);
  }

  /** Bypasses the library, which writes header and text apart and frames a shared text again. */
  #write(frame: Buffer): void {
    this.#stream.write(frame);
    this.noteBuffered();
  }

  noteBuffered(): void {
    const before = this.#bufferedBytes;
    this.#bufferedBytes = this.isOpen ? this.#socket.bufferedAmount : 0;
    if (this.#bufferedBytes !== before) this.#budget.note(this, before, this.#bufferedBytes);
  }

  isBehind(): boolean {
    return this.#sharedBytes - this.#readBytes > SHARED_BYTES_MAX || this.#socket.bufferedAmount > SHARED_BYTES_MAX;
  }

  lagMs(): number {
    return this.#roundTrips.lagMs;
  }

  ping(nowMs: number): void {
    if (nowMs - this.#lastActivityMs > DEAD_AFTER_MS) {
      this.terminate();
      return;
    }
    this.noteBuffered();
    if (this.#pingedMs === null) {
      this.#pingedMs = nowMs;
      this.#pingedBytes = this.#sharedBytes;
      this.#socket.ping();
    }
  }

  noteActivity(nowMs: number): boolean {
    this.#lastActivityMs = nowMs;
    if (this.#pingedMs === null) return false;
    this.#roundTrips.add(nowMs - this.#pingedMs);
    this.#readBytes = this.#pingedBytes;
    this.#pingedMs = null;
    return true;
  }

  terminate(): void {
    this.#socket.terminate();
    this.noteBuffered();
  }

  reconnect(withinMs = RECONNECT_WITHIN_MS): void {
    const frame: ServerFrame = { type: "restarting", reconnectInMs: Math.round(random() * withinMs) };
    this.send(JSON.stringify(frame));
    this.close(CLOSE.restarting);
  }

  close(code: number): void {
    this.#socket.close(code, Object.entries(CLOSE).find(([, value]) => value === code)?.[0] ?? "");
  }
}

const FINAL_TEXT = 0x81;
const SHORT_MAX = 125;
const MEDIUM_MAX = 65_535;

/** A text as one WebSocket frame without a mask (RFC 6455, 5.2): the same bytes for everyone. */
function toTextFrame(text: string): Buffer {
  const bytes = Buffer.byteLength(text);
  const headerBytes = bytes <= SHORT_MAX ? 2 : bytes <= MEDIUM_MAX ? 4 : 10;
  const frame = Buffer.allocUnsafe(headerBytes + bytes);
  frame[0] = FINAL_TEXT;
  if (headerBytes === 2) frame[1] = bytes;
  else if (headerBytes === 4) {
    frame[1] = SHORT_MAX + 1;
    frame.writeUInt16BE(bytes, 2);
  } else {
    frame[1] = SHORT_MAX + 2;
    frame.writeBigUInt64BE(BigInt(bytes), 2);
  }
  frame.write(text, headerBytes);
  return frame;
}
