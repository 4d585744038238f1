import type { GameId } from "@holo/kernel/ids.ts";
import { CLOSE } from "@holo/protocol/frames.ts";
import type { PlayerView } from "@holo/protocol/views.ts";
import type { WebSocket } from "ws";
import type { Watcher } from "../arena/arena.ts";
import { makeRoundTrips } from "./round-trip.ts";

/** One open socket: whose it is, what it watches, and how far away it is. */
export interface Connection extends Watcher {
  /** Names the session for checking that it still lives; null for a visitor. */
  readonly sessionToken: string | null;
  readonly address: string;
  readonly watched: Set<GameId>;
  isInLobby: boolean;
  /** Takes one frame off what this connection may send; false when it floods. */
  takeFrame(nowMs: number): boolean;
  /** Pings, or ends a connection that has been silent for too long. */
  ping(nowMs: number): void;
  heard(nowMs: number): void;
  close(code: number): void;
}

/** Reference: dead at 9 s. */
const DEAD_AFTER_MS = 9_000;
/** A reader that lets more than this pile up is dropped; it resumes where it was. */
const BUFFERED_BYTES_MAX = 1_048_576;
/** Frames a connection may send: so many at once, and so many a second after that. */
const FRAMES_BURST = 400;
const FRAMES_PER_MS = 0.05;

export function makeConnection(
  socket: WebSocket,
  player: PlayerView | null,
  sessionToken: string | null,
  address: string,
  nowMs: number,
): Connection {
  const roundTrips = makeRoundTrips();
  let pingedMs: number | null = null;
  let heardMs = nowMs;
  let frames = FRAMES_BURST;
  let countedMs = nowMs;
  return {
    player,
    sessionToken,
    address,
    watched: new Set(),
    isInLobby: false,
    send(frame) {
      if (socket.readyState !== socket.OPEN) return;
      if (socket.bufferedAmount > BUFFERED_BYTES_MAX) {
        // Such a reader does not read a close frame either.
        socket.terminate();
        return;
      }
      socket.send(frame);
    },
    lagMs: roundTrips.lagMs,
    takeFrame(now) {
      frames = Math.min(FRAMES_BURST, frames + (now - countedMs) * FRAMES_PER_MS);
      countedMs = now;
      frames -= 1;
      return frames >= 0;
    },
    ping(now) {
      if (now - heardMs > DEAD_AFTER_MS) {
        socket.terminate();
        return;
      }
      if (pingedMs === null) {
        pingedMs = now;
        socket.ping();
      }
    },
    heard(now) {
      heardMs = now;
      if (pingedMs === null) return;
      roundTrips.add(now - pingedMs);
      pingedMs = null;
    },
    close(code) {
      socket.close(code, Object.entries(CLOSE).find(([, value]) => value === code)?.[0] ?? "");
    },
  };
}
