import { PROTOCOL_VERSION, type ServerFrame } from "@holo/protocol/frames.ts";
import { useSyncExternalStore } from "react";
import { createServerClock } from "./server-clock.ts";
import { createSocket, type SocketWorld } from "./socket-core.ts";
import type { ConnectionState, Wire, WireEvents } from "./socket-line.ts";

const RELOADED_KEY = "holo.reloaded-for-protocol";

const world: SocketWorld = {
  connect,
  after(ms, act) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
  now: () => performance.now(),
  random: Math.random,
  isOnline: () => navigator.onLine,
  newId: () => crypto.randomUUID(),
};

const socket = createSocket(world, takeTime);

/** The server's time, estimated from every message that names it. */
export const serverClock = createServerClock(world.now, Date.now() - performance.now());

/**
 * Sends a command under an id of its own, again and again over as many connections as it takes, until it is answered. Never rejects: what
 * cannot be done comes back as `refused`.
 */
export const sendCommand = socket.sendCommand;
/** Watches one game until stopped; every entry of it is given once and in order. */
export const watchTable = socket.watchTable;
/** Watches the list of games until the returned function is called. */
export const watchLobby = socket.watchLobby;
/** Hears the numbers of players and games until the returned function is called. */
export const watchStats = socket.watchStats;
/** Hears every frame until the returned function is called; for what is pushed to the player: wallet, open game, notices, statistics. */
export const onFrame = socket.onFrame;
/** To be called after login and logout: the server is met anew as who is now at the page. */
export const renewSocket = socket.renew;

export function useConnection(): ConnectionState {
  return useSyncExternalStore(socket.onConnectionChanged, socket.connectionState);
}

function connect(events: WireEvents): Wire {
  const target = new WebSocket(new URL("/socket", location.href.replace(/^http/, "ws")));
  target.onmessage = (event) => events.onText(String(event.data));
  target.onclose = (event) => events.onClosed(event.code);
  return {
    send(text) {
      // One that the server has begun to close would drop it and complain; what matters is said again on the next.
      if (target.readyState === WebSocket.OPEN) target.send(text);
    },
    drop() {
      target.onmessage = null;
      target.onclose = null;
      target.close();
    },
  };
}

/** A page older than the server's protocol fetches itself anew, once: should that bring no newer page, it stays as it is. */
function reloadForProtocol(protocol: number): void {
  if (protocol === PROTOCOL_VERSION || sessionStorage.getItem(RELOADED_KEY) === String(protocol)) return;
  sessionStorage.setItem(RELOADED_KEY, String(protocol));
  location.reload();
}

function takeTime(frame: ServerFrame): void {
  if (frame.type === "hello") {
    reloadForProtocol(frame.protocol);
    serverClock.reset();
    serverClock.hear(frame.serverNow);
  } else if (frame.type === "table") serverClock.hear(frame.serverNow);
  else if (frame.type === "entry") serverClock.hear(frame.entry.at);
}

addEventListener("online", socket.wake);
addEventListener("offline", socket.sleep);
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && socket.wake());
