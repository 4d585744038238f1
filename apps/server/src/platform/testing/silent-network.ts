import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/**
 * A network between a server and its database that can fall silent: nothing fails and nothing is closed, it only does not arrive. A
 * connection that lost something that way says nothing more for ever; others are carried again once the network speaks.
 */
export interface SilentNetwork {
  /** Of the same database, over this network. */
  readonly connectionString: string;
  /** From now on nothing arrives, in neither direction. */
  fallSilent(): void;
  /** What is asked arrives; from the first that has these words in it on, no answer does. */
  fallSilentAt(asked: string): void;
  speak(): void;
  close(): Promise<void>;
}

/** How a transaction's last statement is written on the wire. */
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

  const carry = (from: Socket, to: Socket, way: Way, lost: Set<Way>): void => {
    from.on("data", (bytes) => {
      if (way === "asked" && silencing !== null && bytes.includes(silencing)) silent = new Set(["answered"]);
      if (silent.has(way)) lost.add(way);
      if (!lost.has(way)) to.write(bytes);
    });
    from.on("close", () => {
      sockets.delete(from);
      if (lost.size === 0 && silent.size === 0) to.destroy();
    });
    // A lost connection is closed as well, which is carried.
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
      silent = new Set();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
