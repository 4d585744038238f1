import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * A proxy to the server that can serve another service worker, as the next release would. HTTP
 * only.
 */
interface NextRelease {
  readonly url: string;
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
