import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";
import { CLOSE, FRAME_BYTES_MAX } from "@holo/protocol/socket/socket-terms.ts";
import { type WebSocket, WebSocketServer } from "ws";
import type { Accounts, PlayerSession } from "../../accounts/accounts.ts";
import type { Log } from "../../platform/log.ts";
import { LogScope, runInLogScope } from "../../platform/log-scope.ts";
import { random } from "../../platform/runtime.ts";
import { type Admission, COST } from "../admission/admission.ts";
import { noteSocket, noteSource, stopReading } from "../admission/connections.ts";
import type { Meter, Source } from "../admission/meter.ts";
import { REQUEST_ID, toRequestId } from "../http/request-id.ts";

export interface Upgrades {
  /** Refuses further upgrades. */
  stop(): void;
  terminate(): void;
}

/** The request that opens a socket, and its sender. */
export interface Opening {
  readonly requestId: string;
  readonly session: PlayerSession | null;
  readonly meter: Meter;
}

export interface UpgradesDeps {
  readonly server: Server;
  readonly accounts: Pick<Accounts, "findPlayerSession">;
  readonly log: Log;
  readonly origins: readonly string[];
  readonly admission: Admission;
  readonly enteringMax: number;
  readonly open: (socket: WebSocket, stream: Duplex, opening: Opening) => void;
}

/** Browsers send a frame whole; a proxy may divide it. Empty fragments cost as much as frames. */
const FRAGMENTS_MAX = 16;
const SOCKET_PATH = "/socket";
/** How long a refused page waits before it reconnects, so that queued connections go first. */
const AWAY_MS_MIN = 500;
const AWAY_SPREAD_MS = 2_000;

export function acceptUpgrades(deps: UpgradesDeps): Upgrades {
  const { server, accounts, log, origins, admission, open } = deps;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: FRAME_BYTES_MAX,
    maxFragments: FRAGMENTS_MAX,
    // Each answer is a write of its own: only for pings within the limits.
    autoPong: false,
    perMessageDeflate: false,
  });
  const requestIds = new WeakMap<IncomingMessage, string>();
  sockets.on("headers", (headers, request) => headers.push(`${REQUEST_ID}: ${requestIds.get(request)}`));
  let isStopped = false;
  let entering = 0;
  // One for all: a listener made in the handler would keep the request as long as the socket.
  const logFault = (err: Error): void => log.debug({ err }, "a socket failed during its upgrade");

  server.on("upgrade", (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    // A stream of its own means that a body follows; `shouldUpgradeCallback` lets none through.
    if (stream !== request.socket) return request.socket.destroy();
    stream.on("error", logFault);
    const scope = new LogScope({ requestId: toRequestId(request, admission.proxies) });
    requestIds.set(request, scope.ids.requestId);
    runInLogScope(scope, () => upgrade(request, stream, head, scope.ids))
      .catch((err) => {
        log.error({ err }, "a socket upgrade failed");
        reject(stream, 500);
      })
      .finally(() => scope.end());
  });

  async function upgrade(
    request: IncomingMessage,
    stream: Duplex,
    head: Buffer,
    { requestId }: Pick<Opening, "requestId">,
  ): Promise<void> {
    const source = admission.toSource(request);
    noteSource(request.socket, source);
    const meter = noteSocket(request.socket, source, admission);
    if (!admission.trySpend(source, COST.socket)) return refuse(request);
    if (URL.parse(request.url ?? "", "http://any")?.pathname !== SOCKET_PATH) return reject(stream, 404);
    const { origin } = request.headers;
    if (origin === undefined || !origins.includes(origin)) return reject(stream, 403);
    if (isStopped) return reject(stream, 503);
    if (!(await waitForTurn(source))) return refuse(request);
    if (stream.destroyed) return;
    // Each costs a look-up, a table and a chat: more in parallel would delay moves.
    const { cookie } = request.headers;
    if (cookie !== undefined && entering >= deps.enteringMax)
      return sockets.handleUpgrade(request, stream, head, (socket) => sendAway(socket, log));
    const session = await findSession(cookie);
    if (stream.destroyed) return;
    sockets.handleUpgrade(request, stream, head, (socket) => open(socket, stream, { requestId, session, meter }));
  }

  function refuse({ socket }: IncomingMessage): void {
    admission.countRefused();
    stopReading(socket, toRejection(429));
  }

  /** False: too many wait. */
  function waitForTurn(source: Source): Promise<boolean> {
    return new Promise((resolve) => {
      const start = (end: () => void): void => {
        resolve(true);
        end();
      };
      admission.serve(source, { start, refuse: () => resolve(false) });
    });
  }

  async function findSession(cookie: string | undefined): Promise<PlayerSession | null> {
    if (cookie === undefined) return null;
    entering += 1;
    try {
      return await accounts.findPlayerSession(cookie);
    } finally {
      entering -= 1;
    }
  }

  return {
    stop() {
      isStopped = true;
    },
    terminate() {
      for (const client of sockets.clients) client.terminate();
      sockets.close();
    },
  };
}

function reject(stream: Duplex, status: 403 | 404 | 500 | 503): void {
  stream.once("finish", () => stream.destroy());
  stream.end(toRejection(status));
}

function toRejection(status: number): string {
  return `HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;
}

/** Tells a page when to retry, which an HTTP response cannot. */
function sendAway(socket: WebSocket, log: Log): void {
  socket.on("error", (err) => log.debug({ err }, "a socket failed"));
  const reconnectInMs = Math.round(AWAY_MS_MIN + random() * AWAY_SPREAD_MS);
  socket.send(JSON.stringify({ type: "restarting", reconnectInMs } satisfies ServerFrame));
  socket.close(CLOSE.restarting);
}
