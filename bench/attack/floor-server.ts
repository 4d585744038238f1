/**
 * The floor of the benchmark: a process that refuses everything without reading it. Flooding it
 * shows what the flood itself costs the machine.
 */
import { createServer } from "node:net";
import process from "node:process";

const REFUSAL = "HTTP/1.1 429 Too Many Requests\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

const server = createServer((socket) => {
  socket.on("error", () => undefined);
  socket.once("data", () => {
    socket.pause();
    socket.end(REFUSAL, () => socket.destroy());
  });
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.send?.(typeof address === "object" && address !== null ? address.port : 0);
});
process.once("disconnect", () => process.exit(0));
