import type { IncomingMessage, RequestListener, Server } from "node:http";
import type { Socket } from "node:net";
import { isTrusted, type Proxies, toClientAddress } from "./client-address.ts";

export interface ConnectionLimits {
  /** Open connections, sockets included. */
  readonly connectionsMax: number;
  /** The same of one network address; a trusted proxy carries those of many. */
  readonly connectionsPerAddressMax: number;
  readonly proxies: Proxies;
  /** Whether connections from this peer are closed for now. */
  readonly isCutOff: (remote: string | undefined) => boolean;
}

type ConnectionListener = (this: Server, socket: Socket) => void;

/** Closes connections beyond the limits as they open, before HTTP makes anything for them. */
export function limitConnections(server: Server, limits: ConnectionLimits): void {
  const { connectionsMax, connectionsPerAddressMax, proxies, isCutOff } = limits;
  const perAddress = new Map<string, number>();
  const accepting = server.listeners("connection") as ConnectionListener[];
  let open = 0;
  server.removeAllListeners("connection");
  server.on("connection", (socket: Socket) => {
    const { remoteAddress } = socket;
    const address = toClientAddress(remoteAddress, undefined, proxies);
    const ofAddress = perAddress.get(address) ?? 0;
    const isFull = ofAddress >= connectionsPerAddressMax && !isTrusted(remoteAddress, proxies);
    if (open >= connectionsMax || isFull || isCutOff(remoteAddress)) {
      // Unlike an ordered close this leaves nothing behind in the system.
      socket.resetAndDestroy();
      return;
    }
    open += 1;
    perAddress.set(address, ofAddress + 1);
    socket.once("close", () => {
      open -= 1;
      const left = (perAddress.get(address) ?? 1) - 1;
      if (left > 0) perAddress.set(address, left);
      else perAddress.delete(address);
    });
    for (const accept of accepting) accept.call(server, socket);
    parseByHead(socket);
  });
}

const HEAD_END = "\r\n\r\n";
const HEAD_END_BYTES = 4;

type DataListener = (this: Socket, data: Buffer) => void;

interface Parsing {
  /** Requests that began in the chunk that is being parsed. */
  inChunk: number;
  isOver: boolean;
}

const parsing = new WeakMap<object, Parsing>();

/**
 * Gives the parser what arrived head by head, and nothing after the connection was closed or became
 * a socket. Node would parse all requests of a chunk, a thousand of them, before it closes.
 */
function parseByHead(socket: Socket): void {
  const [parse] = socket.listeners("data") as DataListener[];
  if (parse === undefined) return;
  const state: Parsing = { inChunk: 0, isOver: false };
  parsing.set(socket, state);
  socket.removeListener("data", parse);
  socket.on("data", (data: Buffer) => {
    state.inChunk = 0;
    for (let from = 0; from < data.length && !state.isOver && !socket.destroyed; ) {
      const end = data.indexOf(HEAD_END, from);
      const until = end === -1 ? data.length : end + HEAD_END_BYTES;
      parse.call(socket, data.subarray(from, until));
      from = until;
    }
  });
}

/** Ends the parsing of a connection that became a socket. */
export function stopParsing(stream: object): void {
  const state = parsing.get(stream);
  if (state !== undefined) state.isOver = true;
}

interface Turn {
  /** The one request that may wait for its turn. */
  next: (() => void) | null;
}

export interface TurnOptions {
  /** Without progress in sending an answer, until the connection is closed. */
  readonly writeTimeoutMs: number;
  /** A client sent requests without waiting for their answers, and its connection is closed. */
  readonly onPipelined: (request: IncomingMessage) => void;
}

/**
 * Serves one request at a time per connection. Node starts every pipelined request at once, and
 * the answers of a client that reads none of them would fill the memory.
 *
 * A client that has received its answer may send its next request before the answer has ended
 * here, so one request waits. A second one, or two at once, close the connection: browsers and
 * proxies never send them.
 */
export function serveInTurn(server: Server, listener: RequestListener, options: TurnOptions): void {
  const { writeTimeoutMs, onPipelined } = options;
  const turns = new WeakMap<Socket, Turn>();

  server.on("request", (request: IncomingMessage, response) => {
    const { socket } = request;
    if (socket.destroyed) return;
    const state = parsing.get(socket);
    if (state !== undefined) state.inChunk += 1;
    const current = turns.get(socket);
    if ((state?.inChunk ?? 0) > 1 || (current !== undefined && current.next !== null)) {
      onPipelined(request);
      socket.destroy();
      return;
    }
    const serve = (): void => {
      if (socket.destroyed) return;
      const turn: Turn = { next: null };
      turns.set(socket, turn);
      response.once("close", () => {
        turns.delete(socket);
        turn.next?.();
      });
      void listener(request, response);
    };
    if (current === undefined) serve();
    else current.next = serve;
  });

  server.setTimeout(writeTimeoutMs, (socket) => {
    // Preparing an answer or receiving a long upload may take longer than sending without progress.
    const isPreparing = turns.has(socket) && socket.writableLength === 0;
    if (isPreparing) socket.setTimeout(writeTimeoutMs);
    else socket.destroy();
  });
}
