import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { REFUSALS, toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import { ROUTES } from "@holo/protocol/routes.ts";
import { getRequestListener } from "@hono/node-server";
import { toTurnSource } from "../../platform/fair-turns.ts";
import { clearTimeout, setTimeout } from "../../platform/runtime.ts";
import type { FloodGate } from "../flood-gate.ts";
import type { VisitorQueue } from "../visitor-queue.ts";
import { parseProxies } from "./client-address.ts";
import { type ConnectionLimits, limitConnections, noteSource, serveInTurn, stopInput } from "./connections.ts";
import { isLong } from "./long-request.ts";
import type { HttpApp } from "./routes.ts";

/** Slower requests only hold connections open. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 20_000;
/** For requests that `long-request.ts` exempts. */
const LONG_REQUEST_TIMEOUT_MS = 60 * 60_000;
/** Time without any progress. The slowest phone network delivers something in this time. */
const WRITE_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_TIMEOUT_MS = 10_000;
const TIMEOUTS_CHECKED_EVERY_MS = 2_000;
const HEADER_BYTES_MAX = 8 * 1024;

export interface HttpServerOptions extends Omit<ConnectionLimits, "floodGate"> {
  /** Until a request has arrived completely, unless it is exempt. */
  readonly requestTimeoutMs: number;
  /** How long a client may read nothing of a response. */
  readonly writeTimeoutMs: number;
  /** Null: every request is served at once. */
  readonly floods: { readonly floodGate: FloodGate; readonly visitors: VisitorQueue } | null;
}

const DEFAULTS: HttpServerOptions = {
  requestTimeoutMs: REQUEST_TIMEOUT_MS,
  writeTimeoutMs: WRITE_TIMEOUT_MS,
  connectionsMax: Number.POSITIVE_INFINITY,
  connectionsPerAddressMax: Number.POSITIVE_INFINITY,
  proxies: parseProxies([]),
  floods: null,
};

/** An HTTP server that is not listening yet; the socket adds its `upgrade` handler. */
export function createHttpServer(app: HttpApp, options: Partial<HttpServerOptions> = {}): Server {
  const { requestTimeoutMs, writeTimeoutMs, floods, ...limits } = { ...DEFAULTS, ...options };
  const server = createServer({
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: LONG_REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connectionsCheckingInterval: TIMEOUTS_CHECKED_EVERY_MS,
    maxHeaderSize: HEADER_BYTES_MAX,
    shouldUpgradeCallback: hasNoBody,
  });
  limitConnections(server, { ...limits, floodGate: floods?.floodGate ?? null });
  server.on("request", (request) => endIfSlow(request, requestTimeoutMs));
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const serve: RequestListener = (request, response) =>
    isPlainPath(request.url ?? "") ? listener(request, response) : refuseTarget(response);
  serveInTurn(server, floods === null ? serve : applyFloodGate(serve, floods), {
    writeTimeoutMs,
    onPipelined: (request) => floods?.floodGate.noteWaste(floods.floodGate.toSource(request), PIPELINING_WASTE),
  });
  return server;
}

/** Node frees the parser after the body of an upgrade, while its socket may still feed it. */
function hasNoBody({ headers }: IncomingMessage): boolean {
  return headers["content-length"] === undefined && headers["transfer-encoding"] === undefined;
}

/** No browser or proxy pipelines. The connection is closed; a repetition shuts the address out. */
const PIPELINING_WASTE = 10;
const TOO_MANY = REFUSALS.too_many_requests.status;

/** Applies the flood gate before any work; other visitors wait for their turn. */
function applyFloodGate(
  serve: RequestListener,
  { floodGate, visitors }: NonNullable<HttpServerOptions["floods"]>,
): RequestListener {
  return (request, response) => {
    const source = floodGate.toSource(request);
    if (!floodGate.tryEnter(source)) return refuseAtOnce(request);
    noteSource(request.socket, source);
    response.once("close", () => {
      if (response.statusCode === TOO_MANY) floodGate.noteWaste(source, 1);
    });
    if (floodGate.tryPass(source)) return serve(request, response);
    const { socket } = request;
    // A body may cost as much as its request. Without one a client that leaves must be noticed.
    const isHeld = !hasNoBody(request);
    if (isHeld) socket.pause();
    visitors.add(toTurnSource(source.address), {
      start(end) {
        if (socket.destroyed) return end();
        if (isHeld) socket.resume();
        response.once("close", end);
        serve(request, response);
        if (HAVE_OWN_QUEUES.has(request.url ?? "")) end();
      },
      refuse() {
        floodGate.noteRefusal(source);
        refuseAtOnce(request);
      },
    });
  };
}

/** These requests wait for password hashes or a fixed time, and would keep others waiting. */
const HAVE_OWN_QUEUES: ReadonlySet<string> = new Set(
  [ROUTES.login, ROUTES.register, ROUTES.forgotPassword, ROUTES.resetPassword].map(({ path }) => path),
);

/** Prepared: a refusal must cost less than the request. */
const REFUSAL_BODY = JSON.stringify(toRefusalView("too_many_requests"));
const REFUSAL = Buffer.from(
  [
    `HTTP/1.1 ${TOO_MANY} Too Many Requests`,
    "Connection: close",
    "Cache-Control: no-store",
    "Content-Type: application/json",
    "X-Content-Type-Options: nosniff",
    "Retry-After: 10",
    `Content-Length: ${Buffer.byteLength(REFUSAL_BODY)}`,
    "",
    REFUSAL_BODY,
  ].join("\r\n"),
);

function refuseAtOnce({ socket }: IncomingMessage): void {
  stopInput(socket);
  socket.write(REFUSAL);
  socket.destroySoon();
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

/** Node's timeout applies to all requests; this one respects exemptions. */
function endIfSlow(request: IncomingMessage, timeoutMs: number): void {
  const { "content-length": length = "0", "transfer-encoding": encoding } = request.headers;
  if ((length === "0" && encoding === undefined) || request.socket.destroyed) return;
  const timer = setTimeout(() => {
    if (!request.complete && !isLong(request)) request.socket.destroy();
  }, timeoutMs);
  const { socket } = request;
  const stop = (): void => {
    clearTimeout(timer);
    request.off("close", stop);
    socket.off("close", stop);
  };
  request.once("close", stop);
  // A request that was answered early is never closed if its client leaves before its end.
  socket.once("close", stop);
}
