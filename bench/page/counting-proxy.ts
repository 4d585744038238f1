import { connect, createServer, type Socket } from "node:net";

/** A TCP proxy that counts the server's bytes, with headers and service worker requests. */
interface CountingProxy {
  readonly url: string;
  readonly receivedBytes: () => number;
  close(): Promise<void>;
}

export async function openCountingProxy(readPort: () => number): Promise<CountingProxy> {
  const sockets = new Set<Socket>();
  let receivedBytes = 0;
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on("close", () => sockets.delete(socket)).on("error", () => socket.destroy());
  };
  const proxy = createServer((client) => {
    const upstream = keep(connect(readPort(), "127.0.0.1"));
    keep(client).pipe(upstream);
    upstream.on("data", (bytes) => {
      receivedBytes += bytes.length;
    });
    upstream.pipe(client);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const address = proxy.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    receivedBytes: () => receivedBytes,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        proxy.close(() => resolve());
      }),
  };
}
