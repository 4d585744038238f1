import { EventEmitter, once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { onTestFinished, vi } from "vitest";

/**
 * A network between server and database that can drop all packets without closing anything. A
 * connection that lost packets remains silent; others resume with the network.
 */
export interface SilentNetwork {
  readonly connectionString: string;
  fallSilent(): void;
  /** Requests still arrive; from the first one that contains this text on, no response does. */
  fallSilentAt(asked: string): void;
  speak(): void;
  /** Resolves once packets were dropped: after `fallSilentAt`, the response to its text. */
  untilLost(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Time-outs pass when the test says so, so that a busy machine never looks silent. Other timers go
 * on in real time.
 */
export function holdTimeouts(): { passAll(ms: number): void } {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  return { passAll: (ms) => void vi.advanceTimersByTime(ms) };
}

export const COMMIT = "commit\0";

const POSTGRES_PORT = 5432;

type Way = "asked" | "answered";

export async function openSilentNetwork(databaseUrl: string): Promise<SilentNetwork> {
  const url = new URL(databaseUrl);
  const host = decodeURIComponent(url.hostname);
  const port = Number(url.port || POSTGRES_PORT);
  const sockets = new Set<Socket>();
  let silent: ReadonlySet<Way> = new Set();
  let silencing: string | null = null;
  let awaited: ReadonlySet<Way> | null = null;
  let hasLost = false;
  const losses = new EventEmitter();

  const carry = (from: Socket, to: Socket, way: Way, lost: Set<Way>): void => {
    from.on("data", (bytes) => {
      if (way === "asked" && silencing !== null && bytes.includes(silencing)) {
        silent = new Set(["answered"]);
        awaited ??= lost;
      }
      if (silent.has(way)) lost.add(way);
      if (silent.has(way) && (awaited ?? lost) === lost) {
        hasLost = true;
        losses.emit("one");
      }
      if (!lost.has(way)) to.write(bytes);
    });
    from.on("close", () => {
      sockets.delete(from);
      if (lost.size === 0 && silent.size === 0) to.destroy();
    });
    // Closing a lost connection is forwarded.
    from.on("error", () => undefined);
    sockets.add(from);
  };

  const server = createServer((asking) => {
    const answering = host.startsWith("/") ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    const lost = new Set<Way>();
    carry(asking, answering, "asked", lost);
    carry(answering, asking, "answered", lost);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const own = new URL(databaseUrl);
  own.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    connectionString: own.href,
    fallSilent() {
      silent = new Set(["asked", "answered"]);
    },
    fallSilentAt(asked) {
      silencing = asked;
    },
    speak() {
      silencing = null;
      awaited = null;
      silent = new Set();
      hasLost = false;
    },
    async untilLost() {
      if (!hasLost) await once(losses, "one");
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
