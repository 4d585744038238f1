import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { HttpApp } from "./http.ts";

/** A client that sends its request slower than this is not playing: it holds connections open. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 20_000;
const KEEP_ALIVE_TIMEOUT_MS = 10_000;
const TIMEOUTS_CHECKED_EVERY_MS = 2_000;
const HEADER_BYTES_MAX = 8 * 1024;

/** A server that answers with the app and is not listening yet; the socket's side adds itself to its `upgrade`. */
export function createHttpServer(app: HttpApp): Server {
  return createServer(
    {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUTS_CHECKED_EVERY_MS,
      maxHeaderSize: HEADER_BYTES_MAX,
    },
    getRequestListener(app.fetch, { overrideGlobalObjects: false }),
  );
}
