import type { Random } from "@holo/kernel/random.ts";
import { WebSocket } from "ws";
import { setTimeout } from "../apps/server/src/platform/runtime.ts";
import type { Transport, TransportEvents } from "../apps/web/src/lib/socket/link.ts";
import type { Account } from "./account.ts";
import type { Installation } from "./installation.ts";
import { type RunningRecording, startRecording } from "./recording.ts";

/** Faults per message in either direction, in thousandths. */
interface NetworkFaults {
  readonly dropped: number;
  readonly doubled: number;
  readonly reordered: number;
  readonly cut: number;
  readonly delayMsMax: number;
}

export const BAD_NETWORK: NetworkFaults = { dropped: 15, doubled: 15, reordered: 20, cut: 4, delayMsMax: 12 };
const REORDER_DELAY_MS = 60;

export interface Network {
  connect(events: TransportEvents): Transport;
  stopFaults(): void;
  /** From now on the current connection carries nothing in either direction, but stays open. */
  swallow(): void;
  /** What the client sends ("up") or is sent ("down") waits on its way until the network heals. */
  cut(way: "up" | "down"): void;
  heal(): void;
  /** Drops the current connection without an event. */
  close(): void;
  readonly recording: RunningRecording;
}

/** Opens a connection that answers no pings, and reports which server is at the other end. */
export type Dial = (account: Pick<Account, "cookie"> | null, noteServer: (index: number) => void) => WebSocket;

export function dialOver({ url, findServer }: Pick<Installation, "url" | "findServer">): Dial {
  return (account, noteServer) => {
    const socket = new WebSocket(`${url.replace("http", "ws")}/socket`, {
      headers: { origin: url, ...(account === null ? {} : { cookie: account.cookie }) },
      autoPong: false,
    });
    socket.on("upgrade", ({ socket: carrier }) => noteServer(findServer(carrier.localPort ?? 0)));
    return socket;
  };
}

export function openNetwork(dial: Dial, account: Account | null, random: Random, faults: NetworkFaults): Network {
  const { recording, openConnection } = startRecording(account);
  let isHealed = false;
  const swallowed = new Set<WebSocket>();
  let cutWay: "up" | "down" | null = null;
  const waiting: (() => void)[] = [];
  let newest: (Transport & { swallow(): void }) | null = null;

  function transmit(deliver: () => void, cut: () => void): void {
    if (isHealed) return deliver();
    const happens = (thousandths: number): boolean => random(1_000) < thousandths;
    if (happens(faults.cut)) return cut();
    if (happens(faults.dropped)) return;
    const delayMs = random(faults.delayMsMax + 1) + (happens(faults.reordered) ? REORDER_DELAY_MS : 0);
    setTimeout(deliver, delayMs);
    if (happens(faults.doubled)) setTimeout(deliver, delayMs + random(REORDER_DELAY_MS));
  }

  function pass(way: "up" | "down", act: () => void): void {
    if (cutWay === way) waiting.push(act);
    else act();
  }

  return {
    recording,
    connect(events) {
      const recorded = openConnection();
      let socket: WebSocket | null = null;
      let isOver = false;
      let isSwallowed = false;
      const close = (code: number): void => {
        if (isOver) return;
        isOver = true;
        recorded.silence();
        socket?.terminate();
        events.onClosed(code);
      };
      const receive = (text: string): void => {
        if (!isOver && !isSwallowed) events.onText(text);
      };
      const open = (): void => {
        if (isOver || isSwallowed) return;
        const opened = dial(account, recorded.noteServer);
        socket = opened;
        opened.on("ping", (data) =>
          pass("down", () =>
            pass("up", () => {
              if (!isSwallowed && opened.readyState === WebSocket.OPEN) opened.pong(data);
            }),
          ),
        );
        opened.on("open", () => {
          if (isSwallowed) opened.pause();
        });
        opened.on("message", (data) => {
          const text = String(data);
          recorded.receive(text);
          pass("down", () =>
            transmit(
              () => receive(text),
              () => close(1006),
            ),
          );
        });
        opened.on("close", (code) => pass("down", () => close(code)));
        opened.on("error", () => close(1006));
      };
      // A connection is opened in both directions.
      if (cutWay === null) open();
      else waiting.push(open);
      newest = {
        send(text) {
          const write = (): void => {
            if (isOver || socket?.readyState !== WebSocket.OPEN || isSwallowed) return;
            recorded.send(text);
            socket.send(text);
          };
          transmit(
            () => pass("up", write),
            () => close(1006),
          );
        },
        drop() {
          isOver = true;
          recorded.silence();
          // The server would notice a reset: a swallowed connection stays silent.
          if (!isSwallowed) socket?.terminate();
        },
        swallow() {
          isSwallowed = true;
          recorded.silence();
          if (socket === null) return;
          swallowed.add(socket);
          // Unread, so that no ping is answered. A connecting one is paused once it is open.
          socket.pause();
        },
      };
      return newest;
    },
    stopFaults() {
      isHealed = true;
    },
    swallow: () => newest?.swallow(),
    cut(way) {
      cutWay = way;
    },
    heal() {
      cutWay = null;
      for (const act of waiting.splice(0)) act();
    },
    close() {
      newest?.drop();
      for (const socket of swallowed) socket.terminate();
    },
  };
}
