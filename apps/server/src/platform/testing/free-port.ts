import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Below the ephemeral range, from which systems assign ports. */
const PORTS = { from: 10_000, until: 32_768 };

/** A free port for a server that restarts: the system assigns it to no other process meanwhile. */
export async function findPort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.from, PORTS.until);
    const probe = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once("error", () => resolve(false));
      probe.listen(port, () => resolve(true));
    });
    await new Promise((resolve) => probe.close(resolve));
    if (isFree) return port;
  }
}
