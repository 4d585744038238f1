import type { Socket } from "node:net";

const REPEATED = 1_000;

/** Repeats the bytes, and reads without looking, until the other side closes the connection. */
export function sendUntilClosed(socket: Socket, bytes: Buffer): Promise<void> {
  const many = Buffer.concat(Array.from({ length: REPEATED }, () => bytes));
  return new Promise((resolve) => {
    const pump = (): void => {
      if (!socket.destroyed) socket.write(many, () => setImmediate(pump));
    };
    socket.resume();
    socket.on("error", () => undefined);
    socket.on("close", () => resolve());
    pump();
  });
}
