/**
 * The floor of the lobby: a bare server that only writes prepared frames to all its sockets, as
 * many and as often as asked.
 */
import { createServer, type Socket } from "node:net";
import process from "node:process";

const [bytes, everyMs] = process.argv.slice(2).map(Number) as [number, number];
const sockets = new Set<Socket>();
const frame = Buffer.alloc(bytes, "x");
const server = createServer((socket) => {
  sockets.add(socket.setNoDelay());
  socket.on("error", () => undefined);
  socket.on("close", () => sockets.delete(socket));
});
setInterval(() => {
  for (const socket of sockets) socket.write(frame);
}, everyMs);
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address !== null) process.send?.({ port: address.port });
});
process.once("disconnect", () => process.exit());
process.once("SIGTERM", () => process.exit());
