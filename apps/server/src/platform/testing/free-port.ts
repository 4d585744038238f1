import { randomInt } from "node:crypto";
import { createServer, type Server } from "node:net";
import process from "node:process";

/** Below the ephemeral range, from which systems assign ports. */
const PORTS = { from: 10_000, until: 32_768 };

/** A free port for a server that restarts: no other test and not the system use it meanwhile. */
export async function findPort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.from, PORTS.until);
    const probe = (await isClaimed(port)) ? await listen(port) : null;
    if (probe === null) continue;
    await new Promise((resolve) => probe.close(resolve));
    return port;
  }
}

/** Until this process ends, by a name that Linux gives to one process at a time. */
async function isClaimed(port: number): Promise<boolean> {
  return process.platform !== "linux" || (await listen(`\0holo test port ${port}`)) !== null;
}

/** Null where something else listens. */
function listen(at: number | string): Promise<Server | null> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(null));
    server.listen(at, () => resolve(server.unref()));
  });
}
