import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type { Random } from "@holo/kernel/random.ts";

/** A load balancer: each connection goes to a random server. */
export interface Balancer {
  readonly url: string;
  /** The server that a connection from this port was sent to; -1 if unknown. */
  findServer(localPort: number): number;
  close(): Promise<void>;
}

/** Tries another server if one refuses the connection. */
export async function openBalancer(toPorts: () => readonly number[], random: Random): Promise<Balancer> {
  const sockets = new Set<Socket>();
  const servers = new Map<number, number>();

  function track(socket: Socket): Socket {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    return socket;
  }

  function join(client: Socket, left: readonly number[]): void {
    const index = left[random(Math.max(1, left.length))];
    if (index === undefined || client.destroyed) return void client.destroy();
    const upstream = track(connect(toPorts()[index]!, "localhost"));
    let isOpen = false;
    upstream.once("connect", () => {
      isOpen = true;
      servers.set(client.remotePort ?? 0, index);
      client.pipe(upstream).pipe(client);
    });
    upstream.on("close", () => {
      if (isOpen) return void client.destroy();
      join(
        client,
        left.filter((one) => one !== index),
      );
    });
    client.on("close", () => upstream.destroy());
  }

  const listener = createServer((client) => {
    track(client);
    join(client, [...toPorts().keys()]);
  });
  listener.listen(0, "localhost");
  await once(listener, "listening");
  return {
    url: `http://localhost:${(listener.address() as AddressInfo).port}`,
    findServer: (localPort) => servers.get(localPort) ?? -1,
    async close() {
      for (const socket of sockets) socket.destroy();
      listener.close();
      await once(listener, "close");
    },
  };
}
