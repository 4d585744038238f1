import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { REFUSALS, toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import { getRequestListener } from "@hono/node-server";
import { setTimeout } from "../../platform/runtime.ts";
import { type Admission, COST } from "../admission/admission.ts";
import { isStopped, noteSource, stopReading, watchConnections } from "../admission/connections.ts";
import type { HttpApp } from "./routes.ts";

/** Slower heads only hold connections open. Bodies have their own limit (`read-body.ts`). */
const HEADERS_TIMEOUT_MS = 10_000;
/** As long as an upload may take. */
const REQUEST_TIMEOUT_MS = 60 * 60_000;
/** Time without any progress. The slowest phone network delivers something in this time. */
const WRITE_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_TIMEOUT_MS = 10_000;
const TIMEOUTS_CHECKED_EVERY_MS = 2_000;
const HEADER_BYTES_MAX = 8 * 1024;

interface HttpServerOptions {
  /** How long a client may read nothing of a response. */
  readonly writeTimeoutMs?: number;
  /** Default: no limit. */
  readonly connectionsMax?: number;
  /** Default: every request is served at once. */
  readonly admission?: Admission;
}

/** An HTTP server that is not listening yet; the socket adds its `upgrade` handler. */
export function createHttpServer(app: HttpApp, options: HttpServerOptions = {}): Server {
  const { writeTimeoutMs = WRITE_TIMEOUT_MS, connectionsMax, admission } = options;
  const server = createServer({
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connectionsCheckingInterval: TIMEOUTS_CHECKED_EVERY_MS,
    maxHeaderSize: HEADER_BYTES_MAX,
    shouldUpgradeCallback: hasNoBody,
  });
  if (connectionsMax !== undefined) server.maxConnections = connectionsMax;
  if (admission !== undefined) watchConnections(server, admission);
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const serve: RequestListener = (request, response) =>
    isPlainPath(request.url ?? "") ? listener(request, response) : refuseTarget(response);
  server.on("request", admission === undefined ? serve : admitRequests(serve, admission));
  server.setTimeout(writeTimeoutMs, (socket) => {
    // With nothing to send it prepares an answer or receives an upload; the rest has other limits.
    if (socket.writableLength === 0) socket.setTimeout(writeTimeoutMs);
    else socket.destroy();
  });
  return server;
}

/** Node frees the parser after the body of an upgrade, while its socket may still feed it. */
function hasNoBody({ headers }: IncomingMessage): boolean {
  return headers["content-length"] === undefined && headers["transfer-encoding"] === undefined;
}

function admitRequests(serve: RequestListener, admission: Admission): RequestListener {
  return (request, response) => {
    const { socket } = request;
    const source = admission.toSource(request);
    noteSource(socket, source);
    const refuse = (): void => {
      admission.countRefused();
      setTimeout(() => refuseRequest(response), admission.limits.holdMs).unref();
      // Later by a turn, so that the answer is written first.
      stopReading(socket);
    };
    if (!admission.trySpend(source, COST.request)) return refuse();
    const job = {
      start(end: () => void): void {
        if (isStopped(socket)) return end();
        response.once("close", end);
        serve(request, response);
      },
      refuse,
    };
    // After what has arrived with the request is read: a flooder's connection is stopped then.
    queueMicrotask(() => admission.serve(source, job));
  };
}

const REFUSAL_BODY = JSON.stringify(toRefusalView("too_many_requests"));

function refuseRequest(response: ServerResponse): void {
  response.writeHead(REFUSALS.too_many_requests.status, {
    connection: "close",
    "cache-control": "no-store",
    "content-type": "application/json",
    "x-content-type-options": "nosniff",
    "retry-after": "10",
  });
  response.end(REFUSAL_BODY);
}

/**
 * Whether the path is written as routes read it. A proxy's rules see the path as sent, and
 * `/api/%2e%2e/metrics` would pass them as another one.
 */
function isPlainPath(target: string): boolean {
  const [path = ""] = target.split("?");
  return URL.parse(path, "http://any")?.pathname === path;
}

function refuseTarget(response: ServerResponse): void {
  response.writeHead(400, { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" });
  response.end("This path is not in its normal form.");
}
