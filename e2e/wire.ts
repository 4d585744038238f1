import { connect, createServer, type Socket } from "node:net";

/** A way to the server of one player's own, that can be cut as a phone loses its network: nothing arrives any more, and nobody is told. */
export interface Wire {
  readonly url: string;
  cut(): void;
  /** New connections pass again; those from before the cut are dead. */
  mend(): void;
  close(): Promise<void>;
}

export async function layWire(toPort: () => number): Promise<Wire> {
  const sockets = new Set<Socket>();
  let isCut = false;

  function keep(socket: Socket): Socket {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    return socket;
  }

  const door = createServer((near) => {
    keep(near);
    if (isCut) return;
    const far = keep(connect(toPort()));
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on("data", (bytes) => !isCut && to.write(bytes));
      from.on("close", () => !isCut && to.destroy());
    }
  });
  await new Promise<void>((resolve, reject) => {
    door.once("error", reject);
    door.listen(0, () => resolve());
  });
  const address = door.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;

  return {
    url: `http://localhost:${port}`,
    cut() {
      isCut = true;
    },
    mend() {
      for (const socket of sockets) socket.destroy();
      isCut = false;
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        door.close(() => resolve());
      }),
  };
}
