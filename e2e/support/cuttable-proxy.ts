import { connect, createServer, type Socket } from "node:net";

export interface CuttableProxy {
  readonly url: string;
  cut(): void;
  /** New connections pass again. Connections from before the cut stay dead. */
  restore(): void;
  close(): Promise<void>;
}

export async function openCuttableProxy(toPort: () => number): Promise<CuttableProxy> {
  const sockets = new Set<Socket>();
  let isCut = false;

  function track(socket: Socket): Socket {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    return socket;
  }

  const listener = createServer((client) => {
    track(client);
    if (isCut) return;
    const upstream = track(connect(toPort()));
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on("data", (bytes) => !isCut && to.write(bytes));
      from.on("close", () => !isCut && to.destroy());
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
    cut() {
      isCut = true;
    },
    restore() {
      for (const socket of sockets) socket.destroy();
      isCut = false;
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        listener.close(() => resolve());
      }),
  };
}
