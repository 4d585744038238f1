import { connect, createServer, type Socket } from "node:net";

export interface CuttableProxy {
  readonly url: string;
  /** `way`: only what the clients send is lost ("up"), or only what they are sent ("down"). */
  cut(way?: "up" | "down"): void;
  /** New connections pass again. Connections from before the cut stay dead. */
  restore(): void;
  close(): Promise<void>;
}

/** `toTarget`: a local port, or the path of a Unix socket. */
export async function openCuttableProxy(toTarget: () => number | string): Promise<CuttableProxy> {
  const sockets = new Set<Socket>();
  let lost: ReadonlySet<"up" | "down"> = new Set();

  function track(socket: Socket): Socket {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    return socket;
  }

  const listener = createServer((client) => {
    track(client);
    if (lost.size > 0) return;
    const target = toTarget();
    const upstream = track(typeof target === "number" ? connect(target) : connect(target));
    for (const [from, to, way] of [
      [client, upstream, "up"],
      [upstream, client, "down"],
    ] as const) {
      from.on("data", (bytes) => !lost.has(way) && to.write(bytes));
      from.on("close", () => !lost.has(way) && to.destroy());
    }
  });
  await new Promise<void>((resolve, reject) => {
    listener.once("error", reject);
    listener.listen(0, () => resolve());
  });
  const address = listener.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;

  return {
    url: `http://localhost:${port}`,
    cut(way) {
      lost = new Set(way === undefined ? ["up", "down"] : [way]);
    },
    restore() {
      for (const socket of sockets) socket.destroy();
      lost = new Set();
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        listener.close(() => resolve());
      }),
  };
}
