import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** The arena as browsers meet it at another address, where the next release has another service worker. Nothing of it goes over a socket. */
export interface NextRelease {
  readonly url: string;
  /** From now on the worker is served as this makes it of the one that is built. */
  change(toWorker: (built: string) => string | Promise<string>): void;
  close(): Promise<void>;
}

const WORKER = "/sw.js";

export async function serveNextRelease(arenaUrl: string): Promise<NextRelease> {
  let toWorker: (built: string) => string | Promise<string> = (built) => built;
  const server = createServer(async (request, response) => {
    const answer = await fetch(arenaUrl + request.url, { headers: { "accept-encoding": "identity" } });
    const body = Buffer.from(await answer.arrayBuffer());
    response.writeHead(answer.status, {
      "content-type": answer.headers.get("content-type") ?? "text/plain",
      "cache-control": answer.headers.get("cache-control") ?? "no-store",
    });
    response.end(request.url === WORKER ? await toWorker(body.toString()) : body);
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    change(next) {
      toWorker = next;
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
