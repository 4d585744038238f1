import { toCommandId } from "@holo/kernel/ids.ts";
import type { StatsView } from "@holo/protocol/platform.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";
import { PROTOCOL_VERSION } from "@holo/protocol/socket/socket-terms.ts";
import { useSyncExternalStore } from "react";
import { serverClock } from "../clock/server-clock.ts";
import { newId } from "../new-id.ts";
import { receiveSessionFrame } from "../session/session.ts";
import type { ConnectionState } from "./connection-status.ts";
import type { Transport, TransportEvents } from "./link.ts";
import { createSocket, type SocketDeps } from "./socket-core.ts";

const RELOADED_KEY = "holo.reloaded-for-protocol";
/** On a slow network the service worker answers a reload with the older page again. */
const RELOAD_EVERY_MS = 60_000;

const deps: SocketDeps = {
  connect,
  after(ms, act) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
  now: () => performance.now(),
  wallNow: Date.now,
  random: Math.random,
  isOnline: () => navigator.onLine,
  newId: () => toCommandId(newId()),
};

const socket = createSocket(deps, observeFrame);

/**
 * Sends a command under a new id until it is answered, over as many connections as necessary. Never
 * rejects; a failure is a `refused` answer.
 */
export const sendCommand = socket.sendCommand;
/** Subscribes to one game. Every record arrives once and in order. */
export const watchTable = socket.watchTable;
export const subscribe = socket.subscribe;
export const onFrame = socket.onFrame;
/** Call after login and logout: the server must see the new viewer. */
export const reconnectSocket = socket.reconnect;

export function watchStats(listener: (stats: StatsView) => void): () => void {
  return subscribe({
    watch: { type: "watch_stats" },
    unwatch: { type: "unwatch_stats" },
    receive(frame) {
      if (frame.type === "stats") listener(frame);
    },
  });
}

export function useConnection(): ConnectionState {
  return useSyncExternalStore(socket.onConnectionChanged, socket.connectionState);
}

function connect(events: TransportEvents): Transport {
  const target = new WebSocket(new URL("/socket", location.href.replace(/^http/, "ws")));
  target.onmessage = (event) => events.onText(String(event.data));
  target.onclose = (event) => events.onClosed(event.code);
  return {
    send(text) {
      // A closing socket would drop it with a warning. The next connection sends commands again.
      if (target.readyState === WebSocket.OPEN) target.send(text);
    },
    drop() {
      target.onmessage = null;
      target.onclose = null;
      target.close();
    },
  };
}

/** Reloads a page that is older than the server's protocol. */
function reloadForProtocol(protocol: number): void {
  if (protocol !== PROTOCOL_VERSION && mayReload(Date.now())) location.reload();
}

/** Allows one reload per minute, so that a page cannot reload forever. */
function mayReload(now: number): boolean {
  try {
    const reloadedAt = Number(sessionStorage.getItem(RELOADED_KEY));
    // The device's clock may have been set back.
    if (Math.abs(now - reloadedAt) < RELOAD_EVERY_MS) return false;
    sessionStorage.setItem(RELOADED_KEY, String(now));
    return true;
  } catch {
    // Storage is blocked, so nothing would stop the reloads.
    return false;
  }
}

function observeFrame(frame: ServerFrame): void {
  // Visitors' pages show the rate, the fee and the maintenance notice too.
  if (frame.type === "settings" || frame.type === "maintenance") receiveSessionFrame(frame);
  if (frame.type === "hello") {
    reloadForProtocol(frame.protocol);
    serverClock.reset();
    serverClock.observe(frame.serverNow);
  } else if (frame.type === "table") serverClock.observe(frame.serverNow);
  else if (frame.type === "record") serverClock.observe(frame.record.at);
}

addEventListener("online", socket.wake);
addEventListener("offline", socket.sleep);
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && socket.wake());
