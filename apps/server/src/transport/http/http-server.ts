import { createServer, type IncomingMessage, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { HttpApp } from "./http-app.ts";
import { isLong } from "./long-request.ts";

/** Slower requests only hold connections open. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 20_000;
/** For requests that `long-request.ts` exempts. */
const LONG_REQUEST_TIMEOUT_MS = 60 * 60_000;
const KEEP_ALIVE_TIMEOUT_MS = 10_000;
const TIMEOUTS_CHECKED_EVERY_MS = 2_000;
const HEADER_BYTES_MAX = 8 * 1024;

/**
 * An HTTP server that is not listening yet; the socket adds its `upgrade` handler.
 * @param requestTimeoutMs until a request has arrived completely, unless it is exempt
 */
export function createHttpServer(app: HttpApp, requestTimeoutMs = REQUEST_TIMEOUT_MS): Server {
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  return createServer(
    {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: LONG_REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUTS_CHECKED_EVERY_MS,
      maxHeaderSize: HEADER_BYTES_MAX,
    },
    (request, response) => {
      endIfSlow(request, requestTimeoutMs);
      return listener(request, response);
    },
  );
}

/** Node's timeout applies to all requests; this one respects exemptions. */
function endIfSlow(request: IncomingMessage, timeoutMs: number): void {
  const { "content-length": length = "0", "transfer-encoding": encoding } = request.headers;
  if (length === "0" && encoding === undefined) return;
  const timer = setTimeout(() => {
    if (!request.complete && !isLong(request)) request.socket.destroy();
  }, timeoutMs);
  request.once("close", () => clearTimeout(timer));
}
