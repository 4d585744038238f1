import { connect, createServer, type Socket } from "node:net";

/** A way to a server that counts what the server sends: every byte, headers and those of a service worker included. */
export interface CountingProxy {
  readonly url: string;
  readonly receivedBytes: () => number;
  close(): Promise<void>;
}

export async function openCountingProxy(toPort: () => number): Promise<CountingProxy> {
  const sockets = new Set<Socket>();
  let receivedBytes = 0;
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on("close", () => sockets.delete(socket)).on("error", () => socket.destroy());
  };
  const door = createServer((near) => {
    const far = keep(connect(toPort(), "127.0.0.1"));
    keep(near).pipe(far);
    far.on("data", (bytes) => {
      receivedBytes += bytes.length;
    });
    far.pipe(near);
  });
  await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", resolve));
  const address = door.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    receivedBytes: () => receivedBytes,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        door.close(() => resolve());
      }),
  };
}
