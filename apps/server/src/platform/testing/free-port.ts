import { randomInt } from "node:crypto";
import { createServer, type Server } from "node:net";

/**
 * Below the ephemeral range, from which systems assign ports, and above 10080, the last port that
 * browsers and `fetch` refuse.
 */
const PORTS = { from: 20_000, until: 32_768 };

/**
 * A free port for a server that restarts: the system assigns it to no other process meanwhile, and
 * no other test finds it as long as this process runs, which keeps the next port as its claim.
 */
export async function findPort(): Promise<number> {
  for (;;) {
    const port = 2 * randomInt(PORTS.from / 2, PORTS.until / 2);
    const claim = await listen(port + 1);
    if (claim === null) continue;
    claim.unref();
    const probe = await listen(port);
    if (probe === null) {
      claim.close();
      continue;
    }
    await new Promise((resolve) => probe.close(resolve));
    return port;
  }
}

/** Null if something else listens there. */
function listen(port: number): Promise<Server | null> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(null));
    server.listen(port, () => resolve(server));
  });
}
