import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { parseProxies } from "./client-address.ts";
import { type ConnectionLimits, limitConnections, serveInTurn } from "./connections.ts";
import type { HttpApp } from "./http-app.ts";
import { isLong } from "./long-request.ts";

/** Slower requests only hold connections open. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 20_000;
/** For requests that `long-request.ts` exempts. */
const LONG_REQUEST_TIMEOUT_MS = 60 * 60_000;
/** Without any progress. The slowest phone network delivers something in this time. */
const WRITE_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_TIMEOUT_MS = 10_000;
const TIMEOUTS_CHECKED_EVERY_MS = 2_000;
const HEADER_BYTES_MAX = 8 * 1024;

export interface HttpServerOptions extends ConnectionLimits {
  /** Until a request has arrived completely, unless it is exempt. */
  readonly requestTimeoutMs: number;
  /** How long a client may read nothing of an answer. */
  readonly writeTimeoutMs: number;
}

const DEFAULTS: HttpServerOptions = {
  requestTimeoutMs: REQUEST_TIMEOUT_MS,
  writeTimeoutMs: WRITE_TIMEOUT_MS,
  connectionsMax: Number.POSITIVE_INFINITY,
  connectionsPerAddressMax: Number.POSITIVE_INFINITY,
  proxies: parseProxies([]),
};

/** An HTTP server that is not listening yet; the socket adds its `upgrade` handler. */
export function createHttpServer(app: HttpApp, options: Partial<HttpServerOptions> = {}): Server {
  const { requestTimeoutMs, writeTimeoutMs, ...limits } = { ...DEFAULTS, ...options };
  const server = createServer({
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: LONG_REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connectionsCheckingInterval: TIMEOUTS_CHECKED_EVERY_MS,
    maxHeaderSize: HEADER_BYTES_MAX,
  });
  limitConnections(server, limits);
  server.on("request", (request) => endIfSlow(request, requestTimeoutMs));
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const serve: RequestListener = (request, response) =>
    isPlainPath(request.url ?? "") ? listener(request, response) : refuseTarget(response);
  serveInTurn(server, serve, writeTimeoutMs);
  return server;
}

/**
 * Whether the path is written as routes read it. A proxy's rules see the path as it was sent, and
 * `/api/%2e%2e/metrics` would pass them as another one.
 */
function isPlainPath(target: string): boolean {
  const [path = ""] = target.split("?");
  return URL.parse(path, "http://any")?.pathname === path;
}

function refuseTarget(response: ServerResponse): void {
  response.writeHead(400, { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" });
  response.end("This address is not written plainly.");
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
